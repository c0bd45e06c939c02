// Package transform derives indices and rates of change from the values of an extract.
//
//	index         100 × value ÷ value in the base period; a base that holds several periods is their mean
//	change        value − value of the previous period; of a day, of the last day with observations
//	percent       change in per cent of the previous period, likewise
//	percent-year  change in per cent of the same period a year before
//	per-capita    value ÷ population of the area in the year
//
// Only values that the office published are used: a gap gives no derived value, because
// the change over a gap would look like that of one period. A ratio exists only if the
// earlier value is positive and the later one is not negative; otherwise its sign would
// say the opposite of what happened.
package transform

import (
	"strings"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// Kind is a way to derive values.
type Kind string

// The kinds, as callers write them. Index is followed by a colon and the base period; PerCapita
// may be followed by a colon and the dataset with the population.
const (
	Index       Kind = "index"
	Change      Kind = "change"
	Percent     Kind = "percent"
	PercentYear Kind = "percent-year"
	PerCapita   Kind = "per-capita"
)

// Transform says which values to derive. The zero Transform derives none.
type Transform struct {
	Kind Kind
	Base stat.Period // of an index
	// Of is the source and code of the dataset whose population values are divided by, as the
	// caller wrote it; empty if the caller left the choice. Population must be set before
	// [Transform.Apply] if the kind is PerCapita.
	Of         string
	Population *Population
	// OwnBreaks leaves the break flag to the first value after a break, as lines in charts show it.
	// Else all values have it that a break separates from what they are compared with.
	OwnBreaks bool
}

// Parse reads what String writes. The error is [stat.Invalid] and does not name the
// parameter.
func Parse(text string) (Transform, error) {
	const want = "must be index:2015 (with any period of the dataset), change, percent, percent-year or per-capita"
	switch kind := Kind(text); kind {
	case Change, Percent, PercentYear, PerCapita:
		return Transform{Kind: kind}, nil
	}
	if of, ok := strings.CutPrefix(text, string(PerCapita)+":"); ok && of != "" {
		return Transform{Kind: PerCapita, Of: of}, nil
	}
	base, isIndex := strings.CutPrefix(text, string(Index)+":")
	if !isIndex {
		return Transform{}, stat.Errorf(stat.Invalid, "%s, not %.40q", want, text)
	}
	p, err := stat.ParsePeriod(base)
	if err != nil {
		return Transform{}, stat.Errorf(stat.Invalid, "%s; %s", want, err)
	}
	return Transform{Kind: Index, Base: p}, nil
}

// String returns the transform as callers write it: "index:2015".
func (t Transform) String() string {
	switch {
	case t.Kind == Index:
		return string(Index) + ":" + t.Base.String()
	case t.Of != "":
		return string(t.Kind) + ":" + t.Of
	}
	return string(t.Kind)
}

// Identity returns everything that derived values depend on besides the office's values.
func (t Transform) Identity() string {
	if t.Population == nil {
		return t.String()
	}
	return string(t.Kind) + ":" + t.Population.Reference + " " + t.Population.Version
}

// IsZero reports whether nothing is derived.
func (t Transform) IsZero() bool { return t.Kind == "" }

// Query returns the query that selects what [Transform.Apply] needs for the result of q:
// all periods if earlier ones are compared with. The first and last values of series are chosen
// among the derived ones.
func (t Transform) Query(q stat.Query) stat.Query {
	if t.IsZero() {
		return q
	}
	if t.Kind != PerCapita {
		q.From, q.To, q.Within, q.Latest = stat.Period{}, stat.Period{}, stat.Period{}, ""
	}
	q.FirstN, q.LastN = 0, 0
	return q
}

// names are the names of one period of a frequency, in units.
var names = [...]string{
	stat.Annual: "year", stat.HalfYear: "half-year", stat.Quarter: "quarter", stat.Month: "month", stat.Week: "week", stat.Day: "day",
}

// Unit returns the unit of derived values from that of the office's values, which may be
// empty, in a language.
func (t Transform) Unit(unit string, f stat.Frequency, l *words.Language) string {
	switch {
	case t.Kind == Index:
		return l.Text("%s = 100", l.Period(t.Base))
	case t.Kind == PerCapita && unit == "":
		return l.Text("Value per inhabitant")
	case t.Kind == PerCapita:
		return unit + " " + l.Text("per inhabitant")
	case t.Kind == PercentYear && f != stat.Annual:
		return l.Text("% change on same " + names[f] + " of previous year")
	case t.Kind != Change:
		return l.Text("% change on previous " + names[f])
	case unit == "":
		return l.Text("Change on previous " + names[f])
	case isPercent(unit):
		unit = l.Text("percentage points")
	}
	return l.Text("Change on previous "+names[f]) + ", " + unit
}

// Stated returns the unit of the office's values from the one that [Transform.Unit] returned for
// the same frequency and language. It is empty if that does not say it.
func (t Transform) Stated(unit string, f stat.Frequency, l *words.Language) string {
	derived := t.Unit("", f, l)
	if t.Kind == PerCapita && unit != derived {
		return strings.TrimSpace(strings.TrimSuffix(unit, l.Text("per inhabitant")))
	}
	return strings.TrimPrefix(strings.TrimPrefix(unit, derived), ", ")
}

// isPercent reports whether differences of values in a unit are percentage points.
func isPercent(unit string) bool {
	unit = strings.ToLower(unit)
	return (strings.HasPrefix(unit, "%") || strings.HasPrefix(unit, "percent") || strings.HasPrefix(unit, "per cent")) && !strings.Contains(unit, "point")
}

// expected returns how many periods of a frequency make up a base, or 0 if that cannot
// be known, because some days and weeks have no data in principle.
func expected(base, f stat.Frequency) int {
	perYear := [...]int{stat.Annual: 1, stat.HalfYear: 2, stat.Quarter: 4, stat.Month: 12, stat.Week: 0, stat.Day: 0}
	if perYear[base] == 0 {
		return 0
	}
	return perYear[f] / perYear[base]
}

// earlier returns the period that a value of p is compared with.
func (t Transform) earlier(p stat.Period) stat.Period {
	f, start := p.Frequency(), p.Start()
	switch {
	case t.Kind == PercentYear && f == stat.Day:
		return stat.NewDay(start.Year()-1, int(start.Month()), start.Day())
	case t.Kind == PercentYear && f == stat.Week:
		year, week := start.ISOWeek()
		return stat.NewPeriod(stat.Week, year-1, week)
	case t.Kind == PercentYear && f != stat.Annual:
		return dayOf(start.AddDate(-1, 0, 0)).In(f)
	}
	return dayOf(start.AddDate(0, 0, -1)).In(f) // the period that ends the day before
}
