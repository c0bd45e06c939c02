package line

import (
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// Measures of small multiples, in units.
const (
	panelShape    = 1.6 // width of a panel to its height, if there is a choice
	panelGap      = 18.0
	axisShare     = .06 // of the width, for the labels of the value axis
	rowGap        = 9.0
	titleGap      = 3.0 // from the title of a panel to its plot
	minPanel      = 76.0
	minPanelPlot  = 34.0
	contextWidth  = .7 // of the lines of the other panels
	maxPanelTicks = 4  // of the value axis
)

// panels is a chart of small multiples: one panel for each series, in rows, with the same
// axes. Behind the series of a panel, those of the others are thin and grey.
type panels struct {
	*frame.Frame
	tracks     []*track
	shared     *lineChart // the axes: its plot is that of the panel in the upper left
	columns    int
	plotHeight float64
	titleRow   float64 // height of a title
	hasFactor  bool    // there is space above the first row for what stands above the value axis
}

// LayoutPanels draws one panel for each series that has values.
func LayoutPanels(f *frame.Frame) {
	c := &panels{Frame: f, tracks: tracksOf(f.Spec)}
	if len(c.tracks) == 0 {
		return
	}
	if f.Scene.Height > frame.MaxLowPicture && f.Plot.H < minPlotShare*f.Scene.Height {
		f.Drop(scene.Note)
	}
	size := frame.LabelSize
	if len(c.tracks) > 4 || f.Plot.H < 140 {
		size = max(f.Smallest(), frame.SmallSize)
	}
	c.shared = &lineChart{Frame: f, label: size, tracks: c.tracks, hasTimeAxis: true}
	if f.Spec.Lines != nil {
		c.shared.added = *f.Spec.Lines
	}
	periods := f.Spec.Periods
	c.shared.time = newTimeline(periods)
	c.shared.firstDay, c.shared.lastDay = periods[0].StartDay(), periods[len(periods)-1].StartDay()
	c.shared.numbers = c.shared.valueFormat()
	c.titleRow = size*frame.Leading + titleGap
	c.choosePanels()
	c.chooseAxes()
	c.shared.unmarkUnexplained()
	for i := range c.tracks {
		c.draw(i)
	}
}

// choosePanels chooses how many panels stand beside one another, so that their shape is
// readable, and leaves out the last series if there is no space, with a note.
func (c *panels) choosePanels() {
	n := len(c.tracks)
	for n > 1 && !c.fit(n, minPanel, minPanelPlot) {
		n--
	}
	var left []string
	for _, t := range c.tracks[n:] {
		left = append(left, t.name)
	}
	if c.tracks = c.tracks[:n]; left != nil {
		l := c.Spec.Words()
		c.AddNote(l.Text("Not shown: %s.", l.List(left)))
	}
	if !c.fit(n, 1, 1) { // a tiny picture
		c.tracks, c.columns, c.plotHeight = c.tracks[:1], 1, max(1, c.Plot.H-c.titleRow-c.shared.timeHeight())
	}
}

// fit chooses the grid of n panels, of which the plots have a smallest size. It returns false
// if they do not fit.
func (c *panels) fit(n int, minWidth, minHeight float64) bool {
	best := math.Inf(1)
	width, height := c.Plot.W*(1-axisShare)+panelGap, c.Plot.H-c.shared.timeHeight()+rowGap
	for columns := 1; columns <= n; columns++ {
		rows := (n + columns - 1) / columns
		w := width/float64(columns) - panelGap
		h := height/float64(rows) - rowGap - c.titleRow
		empty := float64(rows*columns-n) / float64(n)
		if score := math.Abs(math.Log(w/h/panelShape)) + empty; w >= minWidth && h >= minHeight && score < best {
			best, c.columns, c.plotHeight = score, columns, h
		}
	}
	return !math.IsInf(best, 1)
}

// chooseAxes sets the axes that all panels share. What stands above the value axis, such as
// its factor, is above the titles of the first row.
func (c *panels) chooseAxes() {
	s := c.shared
	s.tracks = c.tracks
	setTop := func(above float64) {
		s.top = c.Plot.Y + c.titleRow
		s.bottom = s.top + c.plotHeight
		s.top -= above
		s.valueAxis()
	}
	setTop(0)
	if above := s.top - c.Plot.Y - c.titleRow; above > 0 {
		c.hasFactor = true
		c.Take(above)
		c.fit(len(c.tracks), 1, 1)
		setTop(above)
	}
	for len(s.ticks.Values) > maxPanelTicks+1 && len(s.ticks.Values)%2 == 1 {
		s.everyOtherTick()
	}
	s.right = s.left + (c.Plot.X+c.Plot.W-s.left+panelGap)/float64(c.columns) - panelGap
}

// everyOtherTick leaves out every second tick, but not those at the ends.
func (c *lineChart) everyOtherTick() {
	var labels []string
	var values []float64
	for i := 0; i < len(c.labels); i += 2 {
		labels, values = append(labels, c.labels[i]), append(values, c.ticks.Values[i])
	}
	c.labels, c.ticks.Values, c.ticks.Plain = labels, values, labels
}

// draw draws the panel of a series. From right to left, the first one is at the right.
func (c *panels) draw(i int) {
	row, column := i/c.columns, i%c.columns
	isLeft := column == 0
	if c.Spec.Words().RightToLeft {
		column = min(c.columns, len(c.tracks)) - 1 - column
		isLeft = column == 0 || i == len(c.tracks)-1 // beside empty space
	}
	p := c.panelAt(row, column)
	p.tracks = c.tracksOf(i)
	p.place()
	p.axis = nil
	if isLeft {
		p.labelAxis()
		p.moveAbove(row > 0 || !c.hasFactor, c.titleRow)
		if column > 0 { // below the time axis of the panel above
			end := p.Plot.Y - rowGap + p.timeHeight()
			p.axis = slices.DeleteFunc(p.axis, func(t *scene.Text) bool { return t.Box().Y < end })
		}
	}
	p.drawSpans()
	p.drawBands()
	p.drawGrid(nil)
	p.drawReferences()
	if p.hasTimeAxis = i+c.columns >= len(c.tracks); p.hasTimeAxis {
		p.drawTime()
	} else {
		p.drawBase()
	}
	c.tracks[i].values.Plot = len(c.Scene.Plots)
	p.drawTracks()
	p.drawRemarks()
	c.drawTitle(p, i)
	c.Scene.Plots = append(c.Scene.Plots, p.plot())
}

// panelAt returns the empty panel in a row and a column.
func (c *panels) panelAt(row, column int) *lineChart {
	p := *c.shared
	box := *c.Frame
	down := float64(row) * (c.plotHeight + c.titleRow + rowGap)
	box.Plot.Y += down
	box.Plot.H = c.plotHeight + c.titleRow + c.shared.label*.5 // half of the label at the lower end
	p.Frame = &box
	p.top, p.bottom, p.high, p.low = p.top+down, p.bottom+down, p.high+down, p.low+down
	width := p.right - p.left
	p.left += float64(column) * (width + panelGap)
	p.right = p.left + width
	p.timeBounds = [2]float64{p.left, p.right}
	return &p
}

// moveAbove moves the labels above the axis, such as its factor, above the title of the
// panel, or leaves them out.
func (c *lineChart) moveAbove(isOut bool, by float64) {
	isAbove := func(t *scene.Text) bool { return t.Y < c.high-c.label*.6 }
	if isOut {
		c.axis = slices.DeleteFunc(c.axis, isAbove)
	}
	for _, t := range c.axis {
		if isAbove(t) {
			t.Y -= by
		}
	}
}

// tracksOf returns the lines of a panel: its own, in front of those of the others.
func (c *panels) tracksOf(panel int) []*track {
	var all []*track
	for i, t := range c.tracks {
		one := *t
		one.spots, one.curves, one.dash = slices.Clone(t.spots), nil, nil
		if one.lead = i == panel; one.lead {
			one.colour, one.width, one.role = colour.Categorical()[0], 1.9, scene.Series
			if own, ok := colour.Parse(t.series.Colour); ok {
				one.colour = own
			}
		} else {
			one.colour, one.width, one.role, one.values = colour.Pale, contextWidth, scene.Context, nil
		}
		all = append(all, &one)
	}
	return all
}

// drawTitle writes the name of a series above its panel.
func (c *panels) drawTitle(p *lineChart, i int) {
	name := c.tracks[i].name
	size := p.label
	lines, _ := font.Wrap(name, size, scene.Bold, p.right-p.left+panelGap/2, 1)
	if len(lines) == 0 {
		return
	}
	t := &scene.Text{Tag: scene.Tag{Role: scene.SeriesName, Name: name, Values: c.tracks[i].values}, X: p.left, Y: p.Plot.Y + size*scene.Ascent, Text: lines[0], Size: size, Weight: scene.Bold, Colour: colour.Dark, W: font.Width(lines[0], size, scene.Bold)}
	if c.Spec.Words().RightToLeft {
		t.X, t.Anchor = p.right, scene.End
	}
	c.Scene.Add(t)
}
