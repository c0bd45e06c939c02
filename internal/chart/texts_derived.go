package chart

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// derivedNotes says that the values are not the office's own, and how many could not be
// derived.
func (w *textInput) derivedNotes(l *words.Language) []string {
	if w.options.Derive.IsZero() {
		return nil
	}
	notes := append([]string{l.Text("Calculated from the values of the source.")}, w.populationNotes(l)...)
	if n := w.derived.Unpopulated; n > 0 {
		notes = append(notes, l.Text("Values without a population of their area and year: %s.", n))
	}
	switch n := w.derived.Undefined; {
	case n == 1:
		notes = append(notes, l.Text("1 value is left out because it or the value it is compared with is zero or negative."))
	case n > 1:
		notes = append(notes, l.Text("%s values are left out because they or the values they are compared with are zero or negative.", n))
	}
	if n := w.derived.Unbased; n > 0 {
		notes = append(notes, l.Text("Series without values for all of %s: %s.", l.Period(w.options.Derive.Base), n))
	}
	return notes
}

// populationNotes names the population that values are divided by, of each dataset if these differ in it.
func (w *textInput) populationNotes(l *words.Language) []string {
	note := func(by *transform.Population) string {
		return l.Text("Divided by the population in %s.", by.Reference+" "+by.Version)
	}
	switch {
	case w.options.Derive.Kind != transform.PerCapita:
		return nil
	case w.joined == nil:
		return []string{note(w.options.Derive.Population)}
	}
	var all, named []string
	for _, p := range w.joined.parts {
		text := note(p.Derive.Population)
		all = append(all, text)
		if name := l.Office(p.dataset.Source.Name) + ", " + p.dataset.Code + ": " + text; !slices.Contains(named, name) {
			named = append(named, name)
		}
	}
	if all = slices.Compact(all); len(all) == 1 {
		return all
	}
	return named
}

// errNoValues says why nothing can be drawn: all reasons for which selected values have no
// derived value.
func errNoValues(d *transform.Derived, o *Options) error {
	if d.Values == 0 && d.Ratios+d.Selves+d.Spans == 0 {
		return ErrNoData
	}
	var reasons []string
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			reasons = append(reasons, one)
		case n > 1:
			reasons = append(reasons, fmt.Sprintf(many, n))
		}
	}
	add(d.Ratios, "unit, labels or title of the selected series do not show an amount or a count", "units, labels or titles of the %d selected series do not show amounts or counts")
	add(d.Selves, "the selected series is the population itself", "%d selected series are the population itself")
	add(d.Spans, "1 selected value is that of several years together", "%d selected values are those of several years together")
	add(d.Unpopulated, "there is no population of the area and year of 1 selected value", "there is no population of the areas and years of %d selected values")
	add(d.Undefined, "1 selected value, or the one that it is compared with, is zero or negative",
		"%d selected values, or those that they are compared with, are zero or negative")
	add(d.Gaps, "the value that 1 selected value would be compared with is missing ("+d.Gap()+")",
		"the values that %d selected values would be compared with are missing (such as: "+d.Gap()+")")
	add(d.Unbased, fmt.Sprintf("1 selected series does not have a value for all of %s", o.Derive.Base),
		"%d selected series do not have values for all of "+o.Derive.Base.String())
	if reasons == nil {
		reasons = []string{"no selected value has an earlier value to be compared with"}
	}
	if d.Unbased > 0 && d.Undefined == 0 {
		reasons = append(reasons, "give another base period")
	}
	return stat.Errorf(stat.Invalid, "transform=%s has no values: %s", o.Derive, strings.Join(reasons, "; "))
}
