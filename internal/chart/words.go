package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// words is what the texts of a picture are made from.
type words struct {
	*tangle
	query   stat.Query
	options *Options
	updated time.Time
}

// describe writes the texts: title, subtitle, notes and source.
func (s *Spec) describe(w *words) {
	if units := w.units(); len(units) == 1 {
		s.Unit = units[0]
	}
	if w.options.IncludeTitle {
		s.Title = cmp.Or(strings.TrimSpace(w.options.Title), w.dataset.Name)
		if s.Type == Map && w.options.IncludeDate {
			s.Title += ", " + s.Period
		}
	}
	s.Subtitle = s.subtitle(w)
	if w.options.IncludeSource {
		s.Source = w.source()
	}
	s.Notes = slices.Concat(s.unitNotes(w), w.absent(s.Period), s.flagNotes())
}

// subtitle names what holds for the whole picture: the values that were chosen
// of dimensions with a choice, the unit, the area if there is one only, and the
// period.
func (s *Spec) subtitle(w *words) string {
	var parts []string
	first := w.strands[0]
	for axis, d := range w.dataset.Dimensions {
		label := d.Codes[first.key[axis]].Label
		if len(d.Codes) > 1 && !slices.Contains(w.apart, axis) && d.Role != stat.RoleUnit && label != s.Unit {
			parts = append(parts, label)
		}
	}
	if s.Unit != "" {
		parts = append(parts, s.Unit)
	}
	if !w.areas && len(w.dataset.Geography.Codes) > 0 {
		parts = append(parts, w.areaLabel(first.area))
	}
	switch n := len(s.Periods); {
	case n == 1:
		parts = append(parts, s.Periods[0].String())
	case n > 1:
		parts = append(parts, s.Periods[0].String()+"–"+s.Periods[n-1].String())
	case s.Type != Map:
		parts = append(parts, s.Period)
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, " · ")
}

// source is where the numbers come from.
func (w *words) source() string {
	d := w.dataset
	text := fmt.Sprintf("Source: %s, dataset %s", d.Source.Name, d.Code)
	if !w.updated.IsZero() {
		text += ", updated " + w.updated.Format(time.DateOnly)
	}
	if d.Attribution != "" {
		text += ". " + d.Attribution
	}
	return text
}

// unitNotes warns where numbers of different units stand in one picture.
func (s *Spec) unitNotes(w *words) []string {
	units := w.units()
	if len(units) < 2 {
		return nil
	}
	return []string{"The units differ: " + enumerate(units) + "."}
}

// absent names areas and values that were selected and have no number.
func (w *words) absent(period string) []string {
	if w.query.Select == nil {
		return nil
	}
	var names []string
	for axis, d := range w.dataset.Axes() {
		for _, pos := range w.query.Select[axis] {
			if !slices.ContainsFunc(w.strands, func(s *strand) bool { return s.on(axis) == pos }) {
				names = append(names, d.Codes[pos].Label)
			}
		}
	}
	if names == nil {
		return nil
	}
	if period != "" {
		period = " in " + period
	}
	return []string{"No values" + period + ": " + enumerate(names) + "."}
}

// on returns the code position of the strand on an axis, geography last.
func (s *strand) on(axis int) int32 {
	if axis == len(s.key) {
		return s.area
	}
	return s.key[axis]
}

// maxNamed is how many things a note names before it counts the rest.
const maxNamed = 6

// enumerate joins names for a sentence.
func enumerate(names []string) string {
	if len(names) <= maxNamed+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

// remarks are the flags that a reader of a picture should know, with their
// names in SDMX CL_OBS_STATUS.
var remarks = []struct{ code, name string }{
	{"F", "Forecast"},
	{"P", "Provisional"},
	{"E", "Estimated"},
	{"I", "Imputed"},
	{"B", "Break in the series"},
	{"D", "Definition differs"},
	{"U", "Low reliability"},
	{"G", "Experimental"},
	{"V", "Unvalidated"},
}

// flagNotes says which of the drawn values carry a remark.
func (s *Spec) flagNotes() []string {
	var notes []string
	for _, r := range remarks {
		var marked []string
		for i := range s.Series {
			marked = append(marked, s.spans(&s.Series[i], r.code)...)
		}
		if marked != nil {
			notes = append(notes, r.name+": "+enumerate(marked)+".")
		}
	}
	return notes
}

// spans names the values of a series that carry a flag, those of neighbouring
// periods together: "Germany 2022–2024".
func (s *Spec) spans(series *Series, flag string) []string {
	marked := func(at int) bool { return !math.IsNaN(series.Values[at]) && series.Flags[at].Has(flag) }
	var names []string
	for at := 0; at < len(series.Flags); at++ {
		if !marked(at) {
			continue
		}
		name := s.place(series, at)
		first := at
		for s.Periods != nil && at+1 < len(series.Flags) && marked(at+1) {
			at++
		}
		if at > first {
			name += "–" + s.Periods[at].String()
		}
		names = append(names, name)
	}
	return names
}

// place names one value: "Germany 2024".
func (s *Spec) place(series *Series, at int) string {
	var parts []string
	if len(s.Series) > 1 {
		parts = append(parts, series.Label)
	}
	if s.Periods != nil {
		parts = append(parts, s.Periods[at].String())
	} else {
		parts = append(parts, s.Categories[at].Label)
	}
	return strings.Join(parts, " ")
}
