package chart

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// maxNotes is the number of letters of all notes from which lists in them are counted: more
// than about two lines of a usual picture.
const maxNotes = 270

// brevity says which notes count what they could list, to leave more height for the plot.
type brevity int

const (
	listed       brevity = iota
	countedFlags         // remarks of the office count values, unless it is one
	countedAreas         // and areas that are left out are counted together
)

// notes returns the footnotes, as long as two lines permit.
func (s *Spec) notes(w *textInput) []string {
	var notes []string
	for b := listed; b <= countedAreas; b++ {
		notes = s.notesOf(w, b)
		if utf8.RuneCountInString(strings.Join(notes, " ")) <= maxNotes {
			break
		}
	}
	return notes
}

// notesOf returns the footnotes: what the numbers stand for, what is left out, and remarks
// of the office on single values.
func (s *Spec) notesOf(w *textInput, b brevity) []string {
	l := s.Words()
	return slices.Concat(s.editionNote(), w.joinedNotes(s), s.ownPeriodNotes(), w.spanNotes(l), s.boundNotes(), s.addedNotes(), w.derivedNotes(l), s.unitNotes(w), s.totalsNote(),
		w.outlineNotes(s), w.leftOutNotes(s, b), w.missingNotes(s), w.largestNotes(s), w.unionNotes(s), s.zeroNotes(), s.projectionNotes(w), s.flagNotes(b), s.officeNotes(b))
}

// editionNote says which version was chosen if no source line says it.
func (s *Spec) editionNote() []string {
	if s.Source != "" || s.Edition == "" {
		return nil
	}
	return []string{s.Edition}
}

// joinedNotes says what each of several datasets shows, and which selected items it lacks.
func (w *textInput) joinedNotes(s *Spec) []string {
	if w.joined == nil {
		return nil
	}
	notes := slices.Clone(w.joined.notes)
	for _, p := range w.joined.parts {
		one := &textInput{selection: p.selection, query: p.Query, options: w.options, derived: p.derived}
		for _, note := range slices.Concat(one.spanNotes(s.Words()), one.missingNotes(s)) {
			notes = append(notes, s.Words().Office(p.dataset.Source.Name)+", "+p.dataset.Code+": "+note)
		}
	}
	return notes
}

// spanNotes explains years that represent a span of years in the source.
func (w *textInput) spanNotes(l *words.Language) []string {
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
	text := "%s stands for %s."
	if len(spans) > 1 {
		text = "Years stand for spans that end in them: %s is %s."
	}
	return []string{l.Text(text, l.Period(last), strings.ReplaceAll(w.dataset.PeriodLabels[last], "-", "–"))}
}

// unitNotes warns about different units in one picture.
func (s *Spec) unitNotes(w *textInput) []string {
	l := s.Words()
	if s.inCurrencies {
		return []string{l.Text("The values are in different currencies and cannot be compared.")}
	}
	units := slices.DeleteFunc(w.units(), func(unit string) bool { return unit == "" })
	if len(w.units()) < 2 {
		return nil
	}
	return []string{l.Text("The units differ: %s.", l.List(units))}
}

// outlineNotes counts the regions that are left out of a map because nobody gave their outlines.
func (w *textInput) outlineNotes(s *Spec) []string {
	switch l := s.Words(); w.withoutOutline {
	case 0:
		return nil
	case 1:
		return []string{l.Text("No outlines for 1 region within a country.")}
	default:
		return []string{l.Text("No outlines for %s regions within countries.", w.withoutOutline)}
	}
}

// leftOutNotes names the series that are left out because of their values, and counts the
// areas that are not comparable with the others.
func (w *textInput) leftOutNotes(s *Spec, b brevity) []string {
	l := s.Words()
	var parts []string
	add := func(n int, one, several string) {
		switch {
		case n == 1:
			parts = append(parts, one)
		case n > 1:
			parts = append(parts, several)
		}
	}
	add(w.regions, l.Text("1 region within a country"), l.Text("%s regions within countries", w.regions))
	add(w.groups, l.Text("1 other composition of a group of countries"), l.Text("%s other compositions of groups of countries", w.groups))
	add(w.others, l.Text("1 other group of countries"), l.Text("%s other groups of countries", w.others))
	add(w.kinds, l.Text("1 area of another kind"), l.Text("%s areas of other kinds", w.kinds))
	add(len(w.otherLevels), l.Text("1 area of another level"), l.Text("%s areas of other levels", len(w.otherLevels)))
	if b == countedAreas && len(parts) > 1 {
		parts = nil
		groups, others := w.groups+w.others, w.regions+w.kinds+len(w.otherLevels)
		add(groups, l.Text("1 other group of countries"), l.Text("%s other groups of countries", groups))
		add(others, l.Text("1 area of another kind"), l.Text("%s areas of other kinds", others))
	}
	notes := slices.Clone(w.notes)
	for _, axis := range w.ownAxes {
		if !w.variesIn(axis) {
			continue
		}
		d := &w.dataset.Dimensions[axis]
		if strings.Contains(strings.ToLower(d.ID), "currency") && !caption.IsAmountOfMoney(cmp.Or(s.Title, s.Name)) {
			continue // the currency of a country says nothing about its other values
		}
		if strings.EqualFold(d.ID, "source") {
			notes = append(notes, l.Text("The values of areas come from different surveys or registers."))
			continue
		}
		notes = append(notes, l.Text("“%s” differs between areas.", caption.DimensionName(d)))
	}
	notes = append(notes, s.implausibleNotes(w.selection)...)
	notes = append(notes, s.beyondNotes(w.beyond)...)
	if parts != nil {
		notes = append(notes, l.Text("Not shown: %s.", strings.Join(parts, "; ")))
	}
	return notes
}

// beyondNotes states values of series that are left out, because they would flatten the others.
func (s *Spec) beyondNotes(beyond []datum) []string {
	if len(beyond) == 0 {
		return nil
	}
	l := s.Words()
	var list []string
	if s.Stack == StackPercent { // on a scale of shares nothing is too large
		for _, d := range beyond {
			list = append(list, d.label)
		}
		return []string{l.Text("Not shown: %s.", l.List(list))}
	}
	highest := math.Inf(-1)
	for _, series := range s.Series {
		for _, v := range series.Values {
			if v > highest { // not NaN
				highest = v
			}
		}
	}
	isLarge := true
	for _, d := range beyond {
		list = append(list, s.write(d))
		isLarge = isLarge && d.value > highest
	}
	if isLarge {
		return []string{l.Text("Too large for the scale: %s.", l.List(list))}
	}
	return []string{l.Text("Outside the scale: %s.", l.List(list))}
}

// missingNotes names areas and values that were selected and have no number. Of parts that nobody
// asked for, it names none if most are missing: regions to which nobody travels.
func (w *textInput) missingNotes(s *Spec) []string {
	if w.query.Select == nil {
		return nil
	}
	names := slices.Clone(w.options.Unknown)
	for axis := range w.dataset.Axes() {
		drawn := map[int32]bool{}
		if axis == len(w.dataset.Dimensions) {
			maps.Copy(drawn, w.otherLevels)
		}
		for _, s := range slices.Concat(w.series, w.deleted) {
			drawn[s.codeAt(axis)] = true
		}
		selected := w.query.Select[axis]
		if slices.Contains(w.options.Parts, axis) && 2*len(drawn) < len(selected) {
			continue
		}
		isExpected := func(pos int32) bool {
			return drawn[pos] || axis == len(w.dataset.Dimensions) && w.isOfOtherLevel(pos)
		}
		names = append(names, w.namesOf(axis, slices.DeleteFunc(slices.Clone(selected), isExpected))...)
	}
	l := s.Words()
	switch {
	case names == nil:
		return nil
	case s.Period != "":
		return []string{l.Text("No values in %s: %s.", s.period(), l.List(names))}
	}
	return []string{l.Text("No values: %s.", l.List(names))}
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

// FlagNames returns the names of the flags that readers should know, by code.
func (s *Spec) FlagNames() map[string]string {
	names := map[string]string{}
	for _, r := range remarks {
		names[r.code] = s.Words().Text(r.name)
	}
	return names
}

// flagNotes lists the drawn values that have flags.
func (s *Spec) flagNotes(b brevity) []string {
	var notes []string
	l := s.Words()
	has := s.flagCodes()
	for _, r := range remarks {
		if !has[r.code] || r.code == "E" && s.EstimatesAhead { // see projectionNotes
			continue
		}
		most := words.MaxListed + 1
		if b >= countedFlags {
			most = 1
		}
		if marked := s.flagged(r.code, most); marked != nil {
			notes = append(notes, l.Text("%s: %s.", l.Text(r.name), l.List(marked)))
		}
	}
	return notes
}

// flagCodes returns the codes of the flags that observations have.
func (s *Spec) flagCodes() map[string]bool {
	codes := map[string]bool{}
	for i := range s.Series {
		var before stat.Flags // most values have the flags of the one before
		for _, f := range s.Series[i].Flags {
			if f == before {
				continue
			}
			before = f
			for _, code := range f.List() {
				codes[code] = true
			}
		}
	}
	return codes
}

// flagged names the values with a flag. If there are more than most, it counts them.
func (s *Spec) flagged(flag string, most int) []string {
	return s.placesOf(most, func(series *Series, at int) bool {
		isProjected := flag == "E" && s.Periods != nil && at >= len(s.Periods)-s.Projected // see projectionNotes
		return series.Flag(at).Has(flag) && !isProjected
	})
}

// placesOf names the values of which a claim is true: "all values", the periods that all series
// share, or each value. If there are more than most, it counts them.
func (s *Spec) placesOf(most int, isTrue func(series *Series, at int) bool) []string {
	var names []string
	count, all, alike := 0, 0, len(s.Series) > 1 && s.Periods != nil
	first := s.runs(&s.Series[0], isTrue)
	for i := range s.Series {
		series := &s.Series[i]
		runs := s.runs(series, isTrue)
		for _, r := range runs {
			names = append(names, s.place(series, r))
			count += r.last - r.first + 1
		}
		all += series.count()
		alike = alike && slices.Equal(runs, first)
	}
	switch {
	case count == all && count > 1:
		return []string{s.Words().Text("all values")}
	case alike:
		names = nil
		for _, r := range first {
			names = append(names, s.when(r))
		}
	}
	if len(names) > most {
		return []string{s.Words().Text("%s of %s values", count, all)}
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

// runs finds the values of a series of which a claim is true: neighbouring periods together, other
// values separately.
func (s *Spec) runs(series *Series, isTrue func(series *Series, at int) bool) []run {
	var runs []run
	for at, v := range series.Values {
		if math.IsNaN(v) || !isTrue(series, at) {
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
	return s.Words().Span(s.Periods[r.first], s.Periods[r.last])
}
