package chart

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/scale"
	"almanac/internal/stat"
)

// Curve is how a line runs from one value to the next.
type Curve string

// The curves, as callers write them.
const (
	Smooth   Curve = "smooth"   // monotone between neighbours, so that peaks are at values
	Straight Curve = "straight" // the shortest way
	Step     Curve = "step"     // a value holds until the next one, as a policy rate does
)

// Lines are the choices for a line chart that other types do not have.
type Lines struct {
	Curve Curve `json:",omitempty"` // empty: smooth
	Log   bool  `json:",omitempty"` // equal distances are equal ratios; all values are above zero
	// References are values to compare with, Spans parts of the time, and Remarks points in
	// it. Each is in ascending order.
	References []Reference `json:",omitempty"`
	Spans      []TimeSpan  `json:",omitempty"`
	Remarks    []Remark    `json:",omitempty"`
}

// Reference is a value with a name, such as a target.
type Reference struct {
	Value float64
	Label string
}

// TimeSpan is a part of the time with a name, such as a recession. Both ends belong to it.
type TimeSpan struct {
	From, To stat.Period
	Label    string
}

// Remark is a text about the beginning of a period, such as a change of the law.
type Remark struct {
	At    stat.Period
	Label string
}

// maxAdded is the number of reference lines, spans or remarks of one chart.
const maxAdded = 12

// SetReferences sets the reference lines from their values, written as numbers, and labels.
func (l *Lines) SetReferences(labels map[string]string) error {
	l.References = nil
	for _, text := range slices.Sorted(maps.Keys(labels)) {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("has the value %.40q, which is not a number", text)
		}
		l.References = append(l.References, Reference{v, labels[text]})
	}
	slices.SortStableFunc(l.References, func(a, b Reference) int { return cmp.Compare(a.Value, b.Value) })
	return checkAdded(len(l.References))
}

// SetSpans sets the shaded spans from their periods, "2008..2009" or one period, and
// labels.
func (l *Lines) SetSpans(labels map[string]string) error {
	l.Spans = nil
	for _, text := range slices.Sorted(maps.Keys(labels)) {
		first, last, ok := strings.Cut(text, "..")
		if !ok {
			last = first
		}
		from, err := stat.ParsePeriod(strings.TrimSpace(first))
		to, err2 := stat.ParsePeriod(strings.TrimSpace(last))
		if err != nil || err2 != nil || endDay(to) < from.StartDay() {
			return fmt.Errorf("has the span %.60q; it must be two periods in order, such as 2008..2009 or 12/2007..06/2009, or one period", text)
		}
		l.Spans = append(l.Spans, TimeSpan{from, to, labels[text]})
	}
	slices.SortStableFunc(l.Spans, func(a, b TimeSpan) int { return cmp.Compare(a.From.StartDay(), b.From.StartDay()) })
	return checkAdded(len(l.Spans))
}

// SetRemarks sets the notes at dates from their periods and texts.
func (l *Lines) SetRemarks(texts map[string]string) error {
	l.Remarks = nil
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		at, err := stat.ParsePeriod(strings.TrimSpace(text))
		if err != nil {
			return fmt.Errorf("has the period %.40q; it must be a period such as 2020, Q1/2020, 03/2020 or 31/03/2020", text)
		}
		l.Remarks = append(l.Remarks, Remark{at, texts[text]})
	}
	slices.SortStableFunc(l.Remarks, func(a, b Remark) int { return cmp.Compare(a.At.StartDay(), b.At.StartDay()) })
	return checkAdded(len(l.Remarks))
}

func checkAdded(n int) error {
	if n > maxAdded {
		return fmt.Errorf("has %d members, but a chart shows at most %d", n, maxAdded)
	}
	return nil
}

// setLines copies the caller's choices for lines into a Spec along time. What lies outside
// of the time that is drawn is left out; see Unused.
func (s *Spec) setLines(o *Options) error {
	lines := o.Lines
	if lines.Curve == Smooth { // as without a choice
		lines.Curve = ""
	}
	if lines.Log {
		s.dropBounds()
		for i := range s.Series {
			for at, v := range s.Series[i].Values {
				if v <= 0 {
					return stat.Errorf(stat.Invalid, "scale=log needs values above zero, but %s has %v in %s; leave scale out, or select other series or periods", s.Series[i].Key, v, s.Periods[at])
				}
			}
		}
		for _, r := range lines.References {
			if r.Value <= 0 {
				return stat.Errorf(stat.Invalid, "scale=log needs values above zero, but referenceLines has %v", r.Value)
			}
		}
	}
	first, last := s.Periods[0].StartDay(), endDay(s.Periods[len(s.Periods)-1])
	lines.Spans, lines.Remarks = nil, nil
	for _, t := range o.Lines.Spans {
		if endDay(t.To) < first || t.From.StartDay() > last {
			s.unused.Spans = append(s.unused.Spans, t.From.String())
		} else {
			lines.Spans = append(lines.Spans, t)
		}
	}
	for _, r := range o.Lines.Remarks {
		if r.At.StartDay() < first || r.At.StartDay() > last {
			s.unused.Remarks = append(s.unused.Remarks, r.At.String())
		} else {
			lines.Remarks = append(lines.Remarks, r)
		}
	}
	if !lines.isEmpty() {
		s.Lines = &lines
	}
	return nil
}

// addedNotes says what was added to small multiples, whose panels have no space for labels.
func (s *Spec) addedNotes() []string {
	if s.Lines == nil || s.Type != SmallMultiples {
		return nil
	}
	l := s.Words()
	withLabel := func(label, place string) string {
		if label = strings.TrimSpace(label); label == "" {
			return place
		}
		return label + " (" + place + ")"
	}
	var spans, values, times, notes []string
	for _, t := range s.Lines.Spans {
		spans = append(spans, withLabel(t.Label, l.Span(t.From, t.To)))
	}
	for _, r := range s.Lines.References {
		values = append(values, withLabel(r.Label, scale.NumbersFor([]float64{r.Value}, s.NumberUnit()).Write(r.Value)))
	}
	for _, r := range s.Lines.Remarks {
		times = append(times, withLabel(r.Label, l.Period(r.At)))
	}
	if spans != nil {
		notes = append(notes, l.Text("Shaded background: %s.", l.List(spans)))
	}
	if values != nil {
		notes = append(notes, l.Text("Horizontal line: %s.", l.List(values)))
	}
	if times != nil {
		notes = append(notes, l.Text("Vertical line: %s.", l.List(times)))
	}
	return notes
}

func endDay(p stat.Period) int32 { return int32(p.End().Unix() / 86400) }

func (l *Lines) isEmpty() bool {
	return l.Curve == "" && !l.Log && len(l.References)+len(l.Spans)+len(l.Remarks) == 0
}

// minValuesShare is the part of the scale that values must take beside a reference line.
const minValuesShare = .1

// FarReferences returns the values of the reference lines because of which the values of a line
// chart take little of the scale. Values that are nearly equal take a part of it in any case.
func (s *Spec) FarReferences() []float64 {
	if s.Lines == nil || s.Type != Line && s.Type != SmallMultiples {
		return nil
	}
	place := func(v float64) float64 { return v }
	if s.Lines.Log {
		place = math.Log10
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, series := range s.Series {
		for _, v := range series.Values {
			if !math.IsNaN(v) {
				low, high = min(low, place(v)), max(high, place(v))
			}
		}
	}
	size := max(high-low, minValuesShare*max(math.Abs(low), math.Abs(high)))
	var far []float64
	for _, r := range s.Lines.References {
		if at := place(r.Value); size < minValuesShare*(max(high, at)-min(low, at)) {
			far = append(far, r.Value)
		}
	}
	return far
}
