package line

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"almanac/internal/stat"
)

// track is the line of one series.
type track struct {
	series *chart.Series
	name   string // clean
	values *scene.Values
	base   []float64 // where its area begins, by period; nil for lines
	spots  []spot    // the values, at least one, in order of time
	curves []curve   // the same values, positioned and split at gaps
	lead   bool      // drawn in colour and named, else thin and grey behind the others
	colour colour.RGB
	role   string    // of its marks
	width  float64   // of the line
	dash   []float64 // distinguishes lines whose names are not next to them
}

// maxColouredLines is the number of lines up to which all are in colour if none is in focus.
const maxColouredLines = 8

// maxNamedGrey is the number of grey lines up to which they are named and dark enough to
// follow. If there are more, they are a pale background.
const maxNamedGrey = 15

// minColourDistance is the distance below which two colours count as one.
const minColourDistance = 12

// forecastDash is the dash pattern of forecasts.
var forecastDash = []float64{3.5, 3.5}

// distantDash is the dash pattern between values that are further apart than is usual for
// their line, and distantWidth the share of its width.
var distantDash = []float64{1.5, 4.5}

const distantWidth = .75

// dashes are patterns that, in this order, distinguish lines in addition to colour. The
// pattern of forecasts is not one of them.
var dashes = [][]float64{nil, {9, 3.5}, {1.5, 3}, {9, 3, 1.5, 3}, {15, 4}, {4.5, 2}, {14, 3, 4, 3}, {6, 6}}

// greyDashes distinguish grey lines, which are thin.
var greyDashes = [][]float64{nil, {7, 2.5}, {2, 2}, {7, 2, 2, 2}}

// tracksOf returns the series that have values. Those in focus and those with a colour
// from the caller are in colour. If there are none, all are in colour if they are few,
// else as many as there are colours.
func tracksOf(s *chart.Spec) []*track {
	var tracks []*track
	chosen := false
	for i := range s.Series {
		series := &s.Series[i]
		t := &track{series: series, name: font.Clean(series.Label)}
		t.values = &scene.Values{Values: series.Values, Low: series.Low, High: series.High}
		t.values.Flags = slices.Grow(t.values.Flags, len(series.Flags))
		for _, f := range series.Flags {
			t.values.Flags = append(t.values.Flags, string(f))
		}
		n := min(len(series.Values), len(s.Periods))
		t.spots = make([]spot, 0, n)
		for at := range n {
			if v := series.Values[at]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				forecast := s.IsForecast(series, at)
				t.spots = append(t.spots, spot{value: v, at: at, forecast: forecast, provisional: !forecast && isProvisional(series.Flag(at))})
			}
		}
		if len(t.spots) == 0 {
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
			t.lead = t.lead || len(tracks) <= maxColouredLines || i < colours
		}
	}
	unmarkIfAll(tracks)
	paint(tracks)
	return tracks
}

// isProvisional reports whether a value may still change because it is provisional or
// estimated.
func isProvisional(f stat.Flags) bool { return f.Has("P") || f.Has("E") }

// unmarkIfAll removes the marks of provisional values if all values of the chart are
// provisional: marks on all values would not distinguish any, and a note says so.
func unmarkIfAll(tracks []*track) {
	for _, t := range tracks {
		if slices.ContainsFunc(t.spots, func(s spot) bool { return !s.provisional }) {
			return
		}
	}
	unmark(tracks)
}

// unmark removes the marks of provisional values.
func unmark(tracks []*track) {
	for _, t := range tracks {
		for i := range t.spots {
			t.spots[i].provisional = false
		}
	}
}

// unmarkUnexplained removes the marks of provisional and of estimated values that no note in the
// picture explains, because it does not fit. A page states the notes of a plain picture itself.
func (c *lineChart) unmarkUnexplained() {
	if len(c.Spec.Notes) == 0 || c.Spec.Plain {
		return
	}
	if !c.HasNote() {
		unmark(c.tracks)
		return
	}
	names := c.Spec.FlagNames()
	isHidden := func(flag string) bool {
		name := names[flag]
		return slices.ContainsFunc(c.Spec.Notes, func(n string) bool { return strings.Contains(n, name) }) && !c.noteContains(name)
	}
	hidesProvisional, hidesEstimated := isHidden("P"), isHidden("E")
	for _, t := range c.tracks {
		for i := range t.spots {
			s := &t.spots[i]
			flags := t.series.Flag(s.at)
			isExplained := flags.Has("P") && !hidesProvisional || flags.Has("E") && !hidesEstimated
			s.provisional = s.provisional && isExplained
		}
	}
}

// noteContains reports whether a text is in the notes of the picture, whose lines may break
// anywhere in it.
func (c *lineChart) noteContains(text string) bool {
	var notes strings.Builder
	for _, m := range c.Scene.Marks {
		if t, ok := m.(*scene.Text); ok && t.Role == scene.Note {
			notes.WriteString(t.Text)
		}
	}
	withoutSpaces := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	return strings.Contains(withoutSpaces(notes.String()), withoutSpaces(text))
}

// paint sets the colours and widths of the tracks: first the caller's colours, then the
// remaining ones of the palette. When the palette is used up, its colours repeat in
// dashed lines.
func paint(tracks []*track) {
	free := colour.Categorical()
	leads := 0
	for _, t := range tracks {
		t.role = scene.Series
		if c, ok := colour.Parse(t.series.Colour); ok {
			t.colour = c
			free = slices.DeleteFunc(free, func(f colour.RGB) bool { return colour.Distance(f, c) < minColourDistance })
		}
		if t.lead {
			leads++
		}
	}
	if len(free) == 0 {
		free = colour.Categorical()
	}
	n, grey := 0, 0
	for _, t := range tracks {
		t.width = 2.1
		if !t.lead {
			t.colour, t.width = colour.Quiet, 1
			if len(tracks)-leads > maxNamedGrey {
				t.colour, t.role = colour.Pale, scene.Context
			} else {
				t.dash = greyDashes[grey%len(greyDashes)]
				grey++
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

// last returns the position of the latest value.
func (t *track) last() spot { return t.spots[len(t.spots)-1] }

// drawTracks draws the lines, first the grey ones; the first in colour is on top.
func (c *lineChart) drawTracks() {
	if c.Spec.Type == chart.Area {
		c.drawAreas()
		return
	}
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
	if !c.Spec.HighlightLatest {
		return
	}
	for _, t := range slices.Backward(c.tracks) {
		if t.lead {
			c.drawLatest(t)
		}
	}
}

// Measures of the markers of the latest values, in units.
const (
	markerRadius    = 4.4
	minMarkerRadius = 2.2
	maxMarkerShare  = .05 // largest fraction of the plot's height, so that markers of different lines can be told apart
	markerRim       = 1.4
	markerOutline   = 2.2 // line width of a ring
)

// drawLatest marks the latest value of a line in red. If the names are in a legend, the
// marker has a rim in the colour of its line. A provisional value is a ring.
func (c *lineChart) drawLatest(t *track) {
	s := t.last()
	r := max(minMarkerRadius, min(markerRadius, (c.bottom-c.top)*maxMarkerShare))
	tag := scene.Tag{Role: scene.Highlight, Name: t.name}
	mark := &scene.Circle{Tag: tag, X: s.X, Y: s.Y, R: r, Fill: scene.Solid(colour.Alert), Pen: scene.Pen{Colour: colour.White, Width: markerRim * r / markerRadius}}
	if c.hasLegend {
		mark.Pen.Colour = colour.Visible(t.colour)
	}
	if s.provisional || s.forecast {
		mark.Fill, mark.Pen = scene.Solid(colour.White), scene.Pen{Colour: colour.Alert, Width: markerOutline * r / markerRadius}
		mark.R -= mark.Pen.Width / 2
	}
	c.Scene.Add(mark)
}

// minDotDistance is the distance between values from which each has a dot, so that the
// smooth curve between them is not read as data. minDotDistanceMany is the same if many
// lines cross. In a plot lower than minDotPlot, dots would cover other lines.
const minDotDistance, minDotDistanceMany, minDotPlot = 26.0, 44.0, 60.0

// minRingDistance is the distance between values below which provisional values have no
// rings, except the latest one.
const minRingDistance = 7.0

// drawTrack draws the stretches of one line, with dots for isolated and widely spaced
// values, and rings for provisional ones.
func (c *lineChart) drawTrack(t *track) {
	pixel := 1 / c.Scene.Scale
	for _, p := range t.curves {
		room := minDotDistance
		if len(c.tracks) > 4 {
			room = minDotDistanceMany
		}
		if len(p.stretch) == 1 {
			c.dot(t, p.stretch[0], t.width*1.5)
			continue
		}
		c.drawStretch(t, p, pixel)
		if !t.lead {
			continue
		}
		apart := p.spacing()
		if apart >= minBridgeDistance && slices.ContainsFunc(p.stretch, func(s spot) bool { return s.bridged }) {
			room = 0
		}
		for i, s := range p.stretch {
			dotted := (apart >= room || isBridged(p.stretch, i)) && c.bottom-c.top >= minDotPlot
			latest := s.at == t.last().at
			ringed := s.provisional && (apart >= minRingDistance || latest) && !(latest && c.Spec.HighlightLatest)
			if dotted || ringed {
				c.dot(t, s, t.width*1.3+c.covered(t, s, dotted))
			}
		}
	}
}

// spacing returns the mean distance between neighbouring values.
func (p stretch) spacing() float64 { return (p[len(p)-1].X - p[0].X) / float64(len(p)-1) }

// minBridgeDistance is the distance between values from which a line that runs past other
// periods has dots.
const minBridgeDistance = 9.0

// isBridged reports whether the line runs past other periods next to a value.
func isBridged(p stretch, i int) bool {
	over := func(i int) bool { return i < len(p) && p[i].bridged && p[i].X-p[i-1].X >= minBridgeDistance }
	return over(i) || over(i+1)
}

// coveredRim is how far a dot extends beyond a ring at the same position, or a ring
// beyond a dot.
const coveredRim = 1.4

// covered returns coveredRim if a value of a different kind is drawn over this one,
// else 0. If values have no dots, only rings are drawn.
func (c *lineChart) covered(t *track, s spot, dotted bool) float64 {
	for _, over := range c.tracks {
		if over == t {
			break
		}
		i, ok := slices.BinarySearchFunc(over.spots, s.at, func(o spot, at int) int { return o.at - at })
		if ok && over.lead && over.spots[i].provisional != s.provisional && (dotted || over.spots[i].provisional) && math.Abs(over.spots[i].Y-s.Y) < 1 {
			return coveredRim
		}
	}
	return 0
}

// drawStretch draws values without a gap, with one path for each run of measured values
// or forecasts, and dotted ones between distant values.
func (c *lineChart) drawStretch(t *track, all curve, pixel float64) {
	p, thinned := thin(all.stretch, pixel)
	width := t.width
	if thinned {
		width = min(width, 1.2)
	}
	for first := 0; first < len(p)-1; {
		last := first + 1
		for last < len(p)-1 && p[last+1].forecast == p[first+1].forecast && p[last+1].distant == p[first+1].distant {
			last++
		}
		o := &scene.Outline{}
		if thinned {
			straight(o, p, first, last)
		} else {
			all.draw(o, first, last)
		}
		pen := scene.Pen{Colour: t.colour, Width: width, Dash: t.dash, Round: t.dash == nil}
		tag := scene.Tag{Role: t.role, Name: t.name, Values: t.values}
		switch {
		case p[last].forecast:
			pen.Dash, pen.Round = forecastDash, false
			if t.lead { // short strokes of a pale colour would vanish between their edges
				pen.Colour = colour.Visible(pen.Colour)
			}
		case p[last].distant:
			pen.Dash, pen.Round, pen.Width = distantDash, false, width*distantWidth
			if t.lead {
				pen.Colour = colour.Visible(pen.Colour)
			}
		case t.lead:
			if edge := edgeOf(pen); edge.Width > 0 {
				c.Scene.Add(&scene.Path{Tag: tag, Outline: o, Pen: edge})
			}
		}
		c.Scene.Add(&scene.Path{Tag: tag, Outline: o, Pen: pen})
		first = last
	}
}

// maxEdgeWidth is the width of the darker edge on either side of a white line. Lines that
// are easier to see have narrower edges.
const maxEdgeWidth = .7

// edgeOf returns the pen for the edge of a line that is too pale for the background,
// because callers may choose any colour. It has no width if the line needs no edge.
func edgeOf(pen scene.Pen) scene.Pen {
	missing := (colour.MarkContrast - colour.Contrast(pen.Colour, colour.White)) / (colour.MarkContrast - 1)
	if missing <= 0 {
		return scene.Pen{}
	}
	pen.Colour = colour.Visible(pen.Colour)
	pen.Width += 2 * maxEdgeWidth * missing * missing
	return pen
}

// dot marks one value. A provisional value or a forecast is an empty ring. A pale line
// has dots in the colour of its edge, because pale ones would look like rings.
func (c *lineChart) dot(t *track, s spot, r float64) {
	dotColour := t.colour
	if t.lead {
		dotColour = colour.Visible(dotColour)
	}
	mark := &scene.Circle{Tag: scene.Tag{Role: t.role, Name: t.name, Values: t.values}, X: s.X, Y: s.Y, R: r, Fill: scene.Solid(dotColour)}
	if s.forecast || s.provisional {
		mark.Fill, mark.Pen = scene.Solid(colour.White), scene.Pen{Colour: dotColour, Width: t.width * .7}
	}
	c.Scene.Add(mark)
}
