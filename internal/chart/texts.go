package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// textInput holds what the texts of a picture depend on.
type textInput struct {
	*selection
	query   stat.Query
	options *Options
	updated time.Time
	derived *transform.Derived
}

// describe writes the texts: title, subtitle, notes and source.
func (s *Spec) describe(w *textInput) {
	if units := w.units(); len(units) == 1 {
		s.Unit = units[0]
	}
	title := strings.TrimSpace(w.options.Title)
	if font.Clean(title) == "" {
		title = ""
	}
	c := caption.Of(&caption.Picture{Dataset: w.dataset, Key: w.series[0].key, Varies: w.distinctAxes, Title: title, Unit: s.Unit})
	switch {
	case !w.options.IncludeTitle:
		s.Name = c.Title
	case s.Type == Map && w.options.IncludeDate:
		s.Title = strings.TrimRight(c.Title, ".:; ") + ", " + s.Period
	default:
		s.Title = c.Title
	}
	s.Subtitle = s.subtitle(w, &c)
	if w.options.IncludeSource {
		s.Source = w.source(s.Words())
	}
	s.Notes = slices.Concat(s.spanNotes(w), w.derivedNotes(s.Words()), s.unitNotes(w), w.leftOutNotes(), w.missingNotes(s.Period), s.flagNotes())
}

// subtitle names what applies to the whole picture: what is measured and for whom, the
// unit, the area if there is only one, and the period.
func (s *Spec) subtitle(w *textInput, c *caption.Caption) string {
	parts := c.Parts
	if c.Unit != "" {
		parts = append(parts, c.Unit)
	}
	if area := w.areaLabel(w.series[0].area); !w.areas && !w.dataset.HasNoArea() && !caption.IsFiller(area) && !caption.Contains(c.Title, area) {
		parts = append(parts, area)
	}
	inTitle := s.Type == Map && w.options.IncludeTitle
	if !inTitle && (s.Type != Map || w.options.IncludeDate) {
		parts = append(parts, s.Span())
	}
	return capitalised(strings.Join(parts, " · "))
}

// capitalised returns a text with a capital first letter, unless its first word is written
// in small and capital letters, as kWh.
func capitalised(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if text == "" || strings.ContainsFunc(first, unicode.IsUpper) {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToTitle(r)) + text[size:]
}

// Span returns the time that a picture is about: "1955–2005".
func (s *Spec) Span() string {
	n := len(s.Periods)
	switch n {
	case 0:
		return s.Period
	case 1:
		return s.Periods[0].String()
	}
	return s.Periods[0].String() + "–" + s.Periods[n-1].String()
}

// source returns the source line.
func (w *textInput) source(l *words.Language) string {
	d, day := w.dataset, l.Date(w.updated)
	text := l.Text("Source: %s, dataset %s", d.Source.Name, d.Code)
	switch {
	case w.updated.IsZero():
	case d.Updated.IsZero(): // the office gives no time
		text = l.Text("Source: %s, dataset %s, imported %s", d.Source.Name, d.Code, day)
	default:
		text = l.Text("Source: %s, dataset %s, updated %s", d.Source.Name, d.Code, day)
	}
	if !strings.Contains(text, d.Attribution) {
		text += ". " + d.Attribution
	}
	return text
}

// spanNotes explains years that represent a span of years in the source.
func (s *Spec) spanNotes(w *textInput) []string {
	var spans []stat.Period
	for _, p := range w.usedPeriods() {
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

// unitNotes warns about different units in one picture.
func (s *Spec) unitNotes(w *textInput) []string {
	units := w.units()
	if len(units) < 2 {
		return nil
	}
	return []string{"The units differ: " + Enumerate(units) + "."}
}

// leftOutNotes counts the areas that are left out because countries are compared.
func (w *textInput) leftOutNotes() []string {
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

// missingNotes names areas and values that were selected and have no number.
func (w *textInput) missingNotes(period string) []string {
	if w.query.Select == nil {
		return nil
	}
	var names []string
	for axis, d := range w.dataset.Axes() {
		drawn := map[int32]bool{}
		for _, s := range w.series {
			drawn[s.codeAt(axis)] = true
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
	return []string{"No values" + period + ": " + Enumerate(names) + "."}
}

// codeAt returns the code index of the series on an axis; geography is the last axis.
func (s *dataSeries) codeAt(axis int) int32 {
	if axis == len(s.key) {
		return s.area
	}
	return s.key[axis]
}

// MaxNamed is the number of items that a note lists before it counts the rest.
const MaxNamed = 6

// Enumerate joins names for a sentence.
func Enumerate(names []string) string {
	separator := ", "
	if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, separator) }) {
		separator = "; "
	}
	if len(names) <= MaxNamed+1 {
		return strings.Join(names, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:MaxNamed], separator), len(names)-MaxNamed)
}

// remarks lists the flags that readers of a picture should know, with their names in
// SDMX CL_OBS_STATUS.
var remarks = []struct{ code, name string }{
	{"F", "Forecast"},
	{"P", "Provisional"},
	{"E", "Estimated"},
	{"I", "Imputed"},
	{"B", BreakRemark},
	{"D", "Definition differs"},
	{"U", "Low reliability"},
	{"G", "Experimental"},
	{"V", "Unvalidated"},
}

// flagNotes lists the drawn values that have flags.
func (s *Spec) flagNotes() []string {
	var notes []string
	for _, r := range remarks {
		if marked := s.flagged(r.code); marked != nil {
			notes = append(notes, r.name+": "+Enumerate(marked)+".")
		}
	}
	return notes
}

// flagged names the values with a flag: "all values", the periods that all series share,
// or each value. If the list would be too long to read, it counts them.
func (s *Spec) flagged(flag string) []string {
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
	if len(names) > MaxNamed+1 {
		counts := scale.NumbersFor([]float64{float64(count), float64(all)}, scale.Unit{Language: s.Words()})
		return []string{counts.Write(float64(count)) + " of " + counts.Write(float64(all)) + " values"}
	}
	return names
}

// count returns the number of values of a series.
func (s *Series) count() int {
	n := 0
	for _, v := range s.Values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// run is a range of neighbouring values of a series, by index, including both ends.
type run struct{ first, last int }

// runs finds the values of a series with a flag: neighbouring periods together, other
// values separately.
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

// when names the periods or the category of a run.
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
