package request

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart/words"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/transform"
)

// Derivation says which values a read of a dataset derives from the office's. The zero
// Derivation derives none.
type Derivation struct{ transform.Transform }

// ParseTransform reads a value of the parameter transform for a query of a vintage. If the query is
// for the latest period, it gets the office's latest one. The error is [stat.Invalid] and
// names the parameter.
func ParseTransform(v *store.Vintage, text string, q *stat.Query) (Derivation, error) {
	t, err := transform.Parse(text)
	if err != nil {
		return Derivation{}, stat.Errorf(stat.Invalid, "parameter transform %s", err)
	}
	return Derivation{t}, fitTransform(v, t, q)
}

// fitTransform checks a transform against a vintage, and replaces the query's latest mode
// by the period. Derived values have no coverage of their own: the period is that of the
// office's.
func fitTransform(v *store.Vintage, t transform.Transform, q *stat.Query) (err error) {
	if t.Kind == transform.PerCapita {
		return nil // compares no periods
	}
	isBase := func(p stat.Period) bool { return p.Within(t.Base) }
	if t.Kind == transform.Index && !v.Oldest.IsZero() && !slices.ContainsFunc(v.Periods, isBase) {
		return stat.Errorf(stat.Invalid, "transform=%s needs a base that the dataset has; it covers %s to %s, written %s", t, v.Oldest, v.Newest, periodFormats(v))
	}
	switch q.Latest {
	case "":
		return nil
	case stat.LatestArea:
		return stat.Errorf(stat.Invalid, "latest_mode=area and transform cannot be combined: derived values of different periods are not comparable")
	}
	if q.Within, err = v.LatestPeriod(*q); q.Within.IsZero() {
		return err // the query selects nothing
	}
	q.Latest = ""
	return err
}

// Select returns the observations of a query of a vintage, or what is derived from them.
func (d Derivation) Select(ctx context.Context, v *store.Vintage, q stat.Query) (*transform.Derived, error) {
	if d.Kind == transform.PerCapita && d.Population == nil {
		return nil, stat.Errorf(stat.Invalid, "transform=%s is not possible here", d)
	}
	x, err := v.Select(ctx, d.Query(q))
	if err != nil || d.IsZero() {
		return &transform.Derived{Extract: x}, err
	}
	return d.Apply(x, q, words.In("")), nil
}

// Notices says how many values could not be derived, once all blocks have been read.
func (d Derivation) Notices(from *transform.Derived, isEmpty bool) []Notice {
	if d.IsZero() {
		return nil
	}
	var notices []Notice
	add := func(n int, one, many string) {
		switch {
		case n == 1:
			notices = append(notices, NewNotice("transform", d.String(), one))
		case n > 1:
			notices = append(notices, NewNotice("transform", d.String(), fmt.Sprintf(many, n)))
		}
	}
	if by := d.Population; by != nil {
		add(1, fmt.Sprintf("values are divided by the population of the same area and year in %s, version %s", by.Reference, by.Version), "")
		if by.IsLater {
			add(1, "no population was here when the chosen version was current; that of the oldest version that is kept is used", "")
		}
		notices = append(notices, d.endNotice()...)
		lacking := lackingOf(from) + d.otherPopulation(from)
		add(from.Unpopulated, "1 value is left out because that dataset has no population of its area and year"+lacking, "%d values are left out because that dataset has no population of their areas and years"+strings.ReplaceAll(lacking, "%", "%%"))
		add(from.Spans, "1 value is left out because it is that of several years together", "%d values are left out because they are those of several years together")
		add(from.Ratios, "1 series is left out because its unit, labels or title do not show an amount or a count", "%d series are left out because their units, labels or titles do not show amounts or counts")
		add(from.Selves, "1 series is left out because it is the population itself", "%d series are left out because they are the population itself")
		return notices
	}
	add(from.Undefined, "1 value is left out because it or the value it is compared with is zero or negative",
		"%d values are left out because they or the values they are compared with are zero or negative")
	add(from.Gaps, "1 value is left out because the value it would be compared with is missing: "+from.Gap(),
		"%d values are left out because the values they would be compared with are missing, such as: "+from.Gap())
	add(from.Unbased, fmt.Sprintf("1 series is left out because it does not have a value for all of %s", d.Base),
		"%d series are left out because they do not have values for all of "+d.Base.String())
	if isEmpty && from.Values > 0 && notices == nil {
		add(1, "no selected value has an earlier value to be compared with", "")
	}
	return notices
}

// endNotice returns the notice that the latest values are not the office's latest.
func (d Derivation) endNotice() []Notice {
	if d.Population == nil || d.Population.LastYear == 0 {
		return nil
	}
	by := d.Population
	message := fmt.Sprintf("the latest values are of %d or before, because %s has no later population of enough of the selected areas", by.LastYear, by.Reference)
	if by.Later != nil {
		message += fmt.Sprintf("; %s:%s reaches %d", transform.PerCapita, by.Later.Reference, by.LaterYear)
	}
	return []Notice{NewNotice("transform", d.String(), message)}
}

// otherPopulation names the dataset that has the most of the areas and years without a population:
// "; per-capita:eurostat:demo_pjan has 2 of them".
func (d Derivation) otherPopulation(from *transform.Derived) string {
	if from.Unpopulated == 0 {
		return ""
	}
	if len(from.InOthers) == 0 || slices.Max(from.InOthers) == 0 {
		return d.missingPopulation(from)
	}
	best := slices.Index(from.InOthers, slices.Max(from.InOthers))
	name := string(transform.PerCapita) + ":" + d.Population.Others[best].Reference
	switch n := from.InOthers[best]; {
	case from.Unpopulated == 1:
		return "; " + name + " has it"
	case n == from.Unpopulated:
		return "; " + name + " has them"
	default:
		return fmt.Sprintf("; %s has %d of them", name, n)
	}
}

// missingPopulation names the well-known datasets of population that are not here and have such areas, else the
// dataset of which a newer version may have the years.
func (d Derivation) missingPopulation(from *transform.Derived) string {
	isHere := func(reference string) bool {
		is := func(p *transform.Population) bool { return strings.EqualFold(p.Reference, reference) }
		return is(d.Population) || slices.ContainsFunc(d.Population.Others, is)
	}
	isEuropean := func(of transform.AreaYear) bool {
		return geo.ContinentOf(from.Dataset.Geography.Codes[of.Area].Area) == "un:150"
	}
	var missing []string
	if europe := "eurostat:demo_pjan"; !isHere(europe) && slices.ContainsFunc(from.Lacking, isEuropean) {
		missing = append(missing, europe)
	}
	if world := "worldbank:SP.POP.TOTL"; !isHere(world) {
		missing = append(missing, world)
	}
	if missing == nil {
		return "; a newer version of " + d.Population.Reference + " may have it"
	}
	return "; no other dataset here has it; an import of " + strings.Join(missing, " or ") + " may bring it"
}

// lackingOf names the areas and years without a population: ": Germany 2024, France 2024 and others".
func lackingOf(from *transform.Derived) string {
	var names []string
	for _, of := range from.Lacking[:min(len(from.Lacking), transform.MaxLacking)] {
		names = append(names, fmt.Sprintf("%s %d", from.Dataset.Geography.Codes[of.Area].Label, of.Year))
	}
	switch {
	case names == nil:
		return ""
	case len(from.Lacking) > transform.MaxLacking:
		return ": " + strings.Join(names, ", ") + " and others"
	}
	return ": " + strings.Join(names, ", ")
}
