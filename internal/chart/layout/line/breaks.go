package line

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// Measures of the strokes at breaks, in units.
const (
	maxBreaks    = 6 // more would look like a pattern
	breakHeight  = 34.0
	minBreakPlot = 100.0 // a lower plot has none
)

var breakDash = []float64{5, 2.5}

// markBreaks marks the values of coloured lines that follow other values and are flagged
// as the first after a break.
func (c *lineChart) markBreaks() {
	var found []*spot
	for _, t := range c.tracks {
		if !t.lead || len(t.series.Flags) == 0 {
			continue
		}
		for _, p := range c.time.splitAtGaps(t.spots) {
			for _, s := range p[1:] {
				if t.series.Flag(s.at).Has("B") {
					i := slices.IndexFunc(t.spots, func(o spot) bool { return o.at == s.at })
					found = append(found, &t.spots[i])
				}
				if len(found) > maxBreaks {
					return
				}
			}
		}
	}
	for _, s := range found {
		s.broken = true
	}
}

// drawBreaks draws a stroke across each coloured line at its breaks.
func (c *lineChart) drawBreaks() {
	if c.bottom-c.top < minBreakPlot {
		return
	}
	for _, t := range c.tracks {
		for _, p := range t.curves {
			for i, s := range p.stretch {
				if !s.broken {
					continue
				}
				before := p.stretch[i-1]
				x, y := (before.X+s.X)/2, (before.Y+s.Y)/2
				c.Scene.Add(&scene.Line{
					Tag: scene.Tag{Role: scene.Break, Name: t.name}, X1: x, Y1: max(y-breakHeight/2, c.top), X2: x, Y2: min(y+breakHeight/2, c.bottom),
					Pen: scene.Pen{Colour: colour.Text, Width: 1.3, Dash: breakDash},
				})
			}
		}
	}
}

// Breaks counts the values of all lines that are flagged as the first after a break.
func Breaks(s *chart.Spec) int {
	n := 0
	for i := range s.Series {
		for at, v := range s.Series[i].Values {
			if s.Series[i].Flag(at).Has("B") && !math.IsNaN(v) {
				n++
			}
		}
	}
	return n
}

// ExplainBreaks returns a Spec whose note on breaks says that strokes mark all of them, or some.
// ok is false if it has no such note.
func ExplainBreaks(s *chart.Spec, areAll bool) (explained *chart.Spec, ok bool) {
	note := s.Words().Text(chart.BreakRemark)
	i := slices.IndexFunc(s.Notes, func(n string) bool { return strings.HasPrefix(n, note) })
	if i < 0 {
		return s, false
	}
	text := s.Words().Text("%s (some with a dashed stroke)", note)
	if areAll {
		text = s.Words().Text("%s (dashed stroke)", note)
	}
	copied := *s
	copied.Notes = slices.Clone(s.Notes)
	copied.Notes[i] = text + strings.TrimPrefix(s.Notes[i], note)
	return &copied, true
}
