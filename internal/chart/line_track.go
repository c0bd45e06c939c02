package chart

import (
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// track is one series on its way through the plot.
type track struct {
	series *Series
	name   string // clean
	spots  []spot // the values, one at least, in the order of time
	lead   bool   // in colour and named; else thin and grey behind the others
	colour colour.RGB
	role   string    // of its marks
	width  float64   // of the line
	dash   []float64 // tells lines apart where names stand away from them
}

// fewLines is how many lines are all in colour if none of them is in focus.
const fewLines = 8

// fewContext is how many grey lines are dark enough for each to be followed, and
// have names. More of them are a ground for the others, and pale.
const fewContext = 15

var pale = colour.RGB{R: 0xc3, G: 0xc9, B: 0xcf}

// sameColour is the distance below which two colours are taken for one.
const sameColour = 12

// forecastDash is how stretches towards forecasts are drawn.
var forecastDash = []float64{3.5, 3.5}

// dashes tell lines apart, in this order, beside their colours. The forecasts'
// is not among them.
var dashes = [][]float64{nil, {9, 3.5}, {1.5, 3}, {9, 3, 1.5, 3}, {15, 4}, {4.5, 2}, {14, 3, 4, 3}, {6, 6}}

// tracksOf returns the series that have values. In colour are those in focus
// and those to which the caller gave a colour; where there are none, all if they
// are few, else as many as there are colours.
func tracksOf(s *Spec) []*track {
	var tracks []*track
	chosen := false
	for i := range s.Series {
		series := &s.Series[i]
		t := &track{series: series, name: font.Clean(series.Label)}
		for at := range min(len(series.Values), len(s.Periods)) {
			if v := series.Values[at]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				t.spots = append(t.spots, spot{at: at, forecast: at < len(series.Flags) && isForecast(series.Flags[at])})
			}
		}
		t.markUnsettled()
		if t.spots == nil {
			continue
		}
		_, own := colour.Parse(series.Colour)
		t.lead = series.Focus || own
		chosen = chosen || series.Focus
		tracks = append(tracks, t)
	}
	if !chosen {
		colours := len(colour.Categorical())
		for i, t := range tracks {
			t.lead = t.lead || len(tracks) <= fewLines || i < colours
		}
	}
	paint(tracks)
	return tracks
}

// isForecast reports whether a value is one that nobody has measured yet. A
// provisional or estimated value is not: it is about a time that has passed.
func isForecast(f stat.Flags) bool { return f.Has("F") }

// markUnsettled finds the latest values that may still change: those flagged as
// provisional or estimated, if there are others before them.
func (t *track) markUnsettled() {
	first := len(t.spots)
	for first > 0 {
		at := t.spots[first-1].at
		if at >= len(t.series.Flags) || !t.series.Flags[at].Has("P") && !t.series.Flags[at].Has("E") {
			break
		}
		first--
	}
	for i := first; first > 0 && i < len(t.spots); i++ {
		t.spots[i].unsettled = true
	}
}

// paint gives the tracks their colours and widths: the caller's colours first,
// then those that are left. Where the colours are used up they come again, in
// broken lines.
func paint(tracks []*track) {
	free := colour.Categorical()
	leads := 0
	for _, t := range tracks {
		t.role = scene.Series
		if c, ok := colour.Parse(t.series.Colour); ok {
			t.colour = c
			free = slices.DeleteFunc(free, func(f colour.RGB) bool { return colour.Distance(f, c) < sameColour })
		}
		if t.lead {
			leads++
		}
	}
	if len(free) == 0 {
		free = colour.Categorical()
	}
	n := 0
	for _, t := range tracks {
		t.width = 2.1
		if !t.lead {
			t.colour, t.width = colour.Quiet, 1
			if len(tracks)-leads > fewContext {
				t.colour, t.role = pale, scene.Context
			}
			continue
		}
		if leads > 4 {
			t.width = 1.9
		}
		if _, own := colour.Parse(t.series.Colour); own {
			continue
		}
		t.colour, t.dash = free[n%len(free)], dashes[(n/len(free))%len(dashes)]
		n++
	}
}

// last is the latest value's place.
func (t *track) last() spot { return t.spots[len(t.spots)-1] }

// drawTracks draws the lines, grey ones first and the first in colour on top.
func (c *lineChart) drawTracks() {
	for _, t := range c.tracks {
		if !t.lead {
			c.drawTrack(t)
		}
	}
	for _, t := range slices.Backward(c.tracks) {
		if t.lead {
			c.drawTrack(t)
		}
	}
	c.drawBreaks()
	if !c.spec.HighlightLatest {
		return
	}
	for _, t := range slices.Backward(c.tracks) {
		if s := t.last(); t.lead {
			c.scene.Add(&scene.Circle{Tag: scene.Tag{Role: scene.Highlight, Name: t.name}, X: s.X, Y: s.Y, R: 4.4, Fill: scene.Solid(colour.Alert), Pen: scene.Pen{Colour: colour.White, Width: 1.4}})
		}
	}
}

// pointRoom is the distance between values from which on each has a dot, so
// that the smooth curve between is not taken for data; manyRoom is the same
// where many lines cross.
const pointRoom, manyRoom = 26.0, 44.0

// drawTrack draws the stretches of one line, with dots for single values and
// for values that stand wide apart.
func (c *lineChart) drawTrack(t *track) {
	pixel := 1 / c.scene.Scale
	room := pointRoom
	if len(c.tracks) > 4 {
		room = manyRoom
	}
	for _, p := range c.time.breakdown(t.spots) {
		if len(p) == 1 {
			c.dot(t, p[0], t.width*1.5)
			continue
		}
		c.drawStretch(t, p, pixel)
		if t.lead && p[1].X-p[0].X >= room {
			for _, s := range p {
				c.dot(t, s, t.width*1.3)
			}
		}
	}
}

// drawStretch draws values without a gap, one path for each run of measured
// values or forecasts.
func (c *lineChart) drawStretch(t *track, p stretch, pixel float64) {
	p, thinned := thin(p, pixel)
	var slope []float64
	width := t.width
	if thinned {
		width = min(width, 1.2)
	} else {
		slope = slopes(p)
	}
	for first := 0; first < len(p)-1; {
		last := first + 1
		for last < len(p)-1 && p[last+1].forecast == p[first+1].forecast {
			last++
		}
		o := &scene.Outline{}
		if thinned {
			straight(o, p, first, last)
		} else {
			smooth(o, p, slope, first, last)
		}
		pen := scene.Pen{Colour: t.colour, Width: width, Dash: t.dash, Round: t.dash == nil}
		if p[last].forecast {
			pen.Dash, pen.Round = forecastDash, false
		}
		tag := scene.Tag{Role: t.role, Name: t.name}
		if edge := edgeOf(pen); t.lead && edge.Width > 0 {
			c.scene.Add(&scene.Path{Tag: tag, Outline: o, Pen: edge})
		}
		c.scene.Add(&scene.Path{Tag: tag, Outline: o, Pen: pen})
		first = last
	}
}

// edgeWidth is how far the darker edge of a pale line stands out on either side.
const edgeWidth = .7

// edgeOf is the pen for the edge of a line that is too pale to be seen on the
// ground: a caller may have any colour. It has no width where the line needs none.
func edgeOf(pen scene.Pen) scene.Pen {
	if colour.Contrast(pen.Colour, colour.White) >= colour.MarkContrast {
		return scene.Pen{}
	}
	pen.Colour = colour.Visible(pen.Colour)
	pen.Width += 2 * edgeWidth
	return pen
}

// dot marks one value; one that is not settled, or a forecast, is an empty ring.
func (c *lineChart) dot(t *track, s spot, r float64) {
	mark := &scene.Circle{Tag: scene.Tag{Role: t.role, Name: t.name}, X: s.X, Y: s.Y, R: r, Fill: scene.Solid(t.colour)}
	edge := edgeOf(scene.Pen{Colour: t.colour})
	switch {
	case s.forecast || s.unsettled:
		mark.Fill, mark.Pen = scene.Solid(colour.White), scene.Pen{Colour: t.colour, Width: t.width * .7}
		if t.lead {
			mark.Pen.Colour = colour.Visible(t.colour)
		}
	case t.lead && edge.Width > 0:
		mark.Pen = scene.Pen{Colour: edge.Colour, Width: edgeWidth}
	}
	c.scene.Add(mark)
}

// Measures of the strokes at breaks, in units.
const (
	mostBreaks  = 6 // more would be a pattern and not remarks
	breakHeight = 19.0
	breakRoom   = 100.0 // a plot less high has none
)

var breakDash = []float64{3.5, 1.7}

// drawBreaks draws a stroke across each line in colour where its value is flagged
// as the first after a break: what stands before it does not compare.
func (c *lineChart) drawBreaks() {
	if c.bottom-c.top < breakRoom {
		return
	}
	var strokes []scene.Mark
	for _, t := range c.tracks {
		if !t.lead || len(t.series.Flags) == 0 {
			continue
		}
		for _, p := range c.time.breakdown(t.spots) {
			var slope []float64
			for i := 1; i < len(p) && len(strokes) <= mostBreaks; i++ {
				if at := p[i].at; at >= len(t.series.Flags) || !t.series.Flags[at].Has("B") {
					continue
				}
				if slope == nil {
					slope = slopes(p)
				}
				// Where the curve is halfway between the two values.
				x := (p[i-1].X + p[i].X) / 2
				y := (p[i-1].Y+p[i].Y)/2 + (p[i].X-p[i-1].X)*(slope[i-1]-slope[i])/8
				strokes = append(strokes, &scene.Line{
					Tag: scene.Tag{Role: scene.Break, Name: t.name}, X1: x, Y1: y - breakHeight/2, X2: x, Y2: y + breakHeight/2,
					Pen: scene.Pen{Colour: colour.Text, Width: 1.3, Dash: breakDash},
				})
			}
		}
	}
	if len(strokes) <= mostBreaks {
		c.scene.Add(strokes...)
	}
}
