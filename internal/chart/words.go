package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
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
	name := strings.TrimSpace(w.options.Title)
	if font.Clean(name) == "" {
		name = w.dataset.Name
	}
	switch {
	case !w.options.IncludeTitle:
		s.Name = name
	case s.Type == Map && w.options.IncludeDate:
		s.Title = name + ", " + s.Period
	default:
		s.Title = name
	}
	s.Subtitle = s.subtitle(w)
	if w.options.IncludeSource {
		s.Source = w.source()
	}
	s.Notes = slices.Concat(s.spanNotes(w), s.unitNotes(w), w.leftOut(), w.absent(s.Period), s.flagNotes())
}

// subtitle names what holds for the whole picture: the values that were chosen
// of dimensions with a choice, the unit, the area if there is one only, and
// the period.
func (s *Spec) subtitle(w *words) string {
	parts := w.chosen(s.Unit)
	first := w.strands[0]
	if s.Unit != "" {
		parts = append(parts, s.Unit)
	}
	if !w.areas && len(w.dataset.Geography.Codes) > 0 {
		parts = append(parts, w.areaLabel(first.area))
	}
	inTitle := s.Type == Map && w.options.IncludeTitle
	if !inTitle && (s.Type != Map || w.options.IncludeDate) {
		parts = append(parts, s.span())
	}
	return strings.Join(parts, " · ")
}

// chosen are the values that all strands share, of dimensions with a choice; with
// the dimension's name where two of them read alike. The unit is left out.
func (w *words) chosen(unit string) []string {
	var parts []string
	times := map[string]int{}
	for _, named := range []bool{false, true} { // first to see which read alike
		parts = nil
		for axis, d := range w.dataset.Dimensions {
			label := d.Codes[w.strands[0].key[axis]].Label
			if len(d.Codes) < 2 || slices.Contains(w.apart, axis) || label == unit {
				continue
			}
			times[label]++
			if named && times[label] > 2 {
				label = d.Label + ": " + label
			}
			parts = append(parts, label)
		}
	}
	return parts
}

// span is the time that a picture is about: "1955–2005".
func (s *Spec) span() string {
	n := len(s.Periods)
	switch n {
	case 0:
		return s.Period
	case 1:
		return s.Periods[0].String()
	}
	return s.Periods[0].String() + "–" + s.Periods[n-1].String()
}

// source is where the numbers come from.
func (w *words) source() string {
	d := w.dataset
	text := fmt.Sprintf("Source: %s, dataset %s", d.Source.Name, d.Code)
	if !w.updated.IsZero() {
		what := "updated"
		if d.Updated.IsZero() {
			what = "imported" // the office gives no time
		}
		text += ", " + what + " " + w.updated.Format(time.DateOnly)
	}
	if !strings.Contains(text, d.Attribution) {
		text += ". " + d.Attribution
	}
	return text
}

// spanNotes says which years stand for a span of years in the source.
func (s *Spec) spanNotes(w *words) []string {
	var spans []stat.Period
	for _, p := range w.occurring() {
		if period := w.periods[p]; w.dataset.PeriodLabels[period] != "" {
			spans = append(spans, period)
		}
	}
	if len(spans) == 0 {
		return nil
	}
	last := spans[len(spans)-1]
	text := fmt.Sprintf("%s stands for %s.", last, w.dataset.PeriodLabels[last])
	if len(spans) > 1 {
		text = "Years stand for spans that end in them: " + text
	}
	return []string{text}
}

// unitNotes warns where numbers of different units stand in one picture.
func (s *Spec) unitNotes(w *words) []string {
	units := w.units()
	if len(units) < 2 {
		return nil
	}
	return []string{"The units differ: " + enumerate(units) + "."}
}

// leftOut counts the areas that are not drawn beside countries.
func (w *words) leftOut() []string {
	var parts []string
	switch {
	case w.regions == 1:
		parts = append(parts, "1 region that is part of a country")
	case w.regions > 1:
		parts = append(parts, fmt.Sprintf("%d regions that are parts of countries", w.regions))
	}
	switch {
	case w.groups == 1:
		parts = append(parts, "1 other composition of a group of countries")
	case w.groups > 1:
		parts = append(parts, fmt.Sprintf("%d other compositions of groups of countries", w.groups))
	}
	if parts == nil {
		return nil
	}
	return []string{"Not shown: " + strings.Join(parts, "; ") + "."}
}

// absent names areas and values that were selected and have no number.
func (w *words) absent(period string) []string {
	if w.query.Select == nil {
		return nil
	}
	var names []string
	for axis, d := range w.dataset.Axes() {
		drawn := map[int32]bool{}
		for _, s := range w.strands {
			drawn[s.on(axis)] = true
		}
		for _, pos := range w.query.Select[axis] {
			if !drawn[pos] {
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
	separator := ", "
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, separator) }) {
		separator = "; "
	}
	if len(names) <= maxNamed+1 {
		return strings.Join(names, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], separator), len(names)-maxNamed)
}

// remarks are the flags that a reader of a picture should know, with their
// names in SDMX CL_OBS_STATUS.
var remarks = []struct{ code, name string }{
	{"F", "Forecast"},
	{"P", "Provisional"},
	{"E", "Estimated"},
	{"I", "Imputed"},
	{"B", breakRemark},
	{"D", "Definition differs"},
	{"U", "Low reliability"},
	{"G", "Experimental"},
	{"V", "Unvalidated"},
}

// flagNotes says which of the drawn values carry a remark.
func (s *Spec) flagNotes() []string {
	var notes []string
	for _, r := range remarks {
		if marked := s.marked(r.code); marked != nil {
			notes = append(notes, r.name+": "+enumerate(marked)+".")
		}
	}
	return notes
}

// marked names the values that carry a flag: all of them, the same periods of
// all series, or each on its own; where that is too many to read, how many.
func (s *Spec) marked(flag string) []string {
	var names []string
	count, all, alike := 0, 0, len(s.Series) > 1 && s.Periods != nil
	first := s.runs(&s.Series[0], flag)
	for i := range s.Series {
		series := &s.Series[i]
		runs := s.runs(series, flag)
		for _, r := range runs {
			names = append(names, s.place(series, r))
			count += r.last - r.first + 1
		}
		all += series.count()
		alike = alike && slices.Equal(runs, first)
	}
	switch {
	case count == all && count > 1:
		return []string{"all values"}
	case alike:
		names = nil
		for _, r := range first {
			names = append(names, s.when(r))
		}
	}
	if len(names) > maxNamed+1 {
		counts := scale.NumbersFor([]float64{float64(count), float64(all)}, "")
		return []string{counts.Write(float64(count)) + " of " + counts.Write(float64(all)) + " values"}
	}
	return names
}

// count is how many values a series has.
func (s *Series) count() int {
	n := 0
	for _, v := range s.Values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// run is neighbouring values of a series, by position, both ends included.
type run struct{ first, last int }

// runs finds the values of a series that carry a flag: along time those of
// neighbouring periods together, else each on its own.
func (s *Spec) runs(series *Series, flag string) []run {
	var runs []run
	for at, flags := range series.Flags {
		if math.IsNaN(series.Values[at]) || !flags.Has(flag) {
			continue
		}
		if n := len(runs); s.Periods != nil && n > 0 && runs[n-1].last == at-1 {
			runs[n-1].last = at
		} else {
			runs = append(runs, run{at, at})
		}
	}
	return runs
}

// place names a run of values: "Germany 2022–2024".
func (s *Spec) place(series *Series, r run) string {
	switch {
	case len(s.Series) == 1:
		return s.when(r)
	case s.Periods != nil:
		return series.Label + " " + s.when(r)
	}
	return s.when(r) + ", " + series.Label
}

// when names the positions of a run: its periods or its category.
func (s *Spec) when(r run) string {
	if s.Periods == nil {
		return s.Categories[r.first].Label
	}
	text := s.Periods[r.first].String()
	if r.last > r.first {
		text += "–" + s.Periods[r.last].String()
	}
	return text
}
