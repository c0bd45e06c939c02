package request

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Parse turns parameters into a query of a vintage. Unless followed is nil, the query is
// restricted to it: what the caller's organisation follows of the dataset. Values that the
// dataset does not have select nothing and become notices, in the order given. The error is
// [stat.Invalid] and names the parameter.
func Parse(v *store.Vintage, p *Data, followed stat.Selection) (stat.Query, []Notice, error) {
	q := stat.Query{Flags: p.Flags}
	mode, err := ParseMode(p.LatestMode, stat.LatestLast)
	if err != nil {
		return q, nil, err
	}
	if p.Latest {
		q.Latest = mode
	}
	s := newSelector(v)
	for _, f := range filtersOf(p) {
		if err := s.apply(f); err != nil {
			return q, nil, err
		}
	}
	geography := len(s.codes) - 1
	if len(p.Within) > maxWithin {
		return q, nil, stat.Errorf(stat.Invalid, "parameter within is given %d times; at most %d areas are accepted", len(p.Within), maxWithin)
	}
	if len(p.Within) > 0 {
		s.codes[geography], s.notices = selectWithin(v, s.codes[geography], p.Within, s.notices)
	}
	if p.NoAggregates {
		s.codes[geography] = withoutAggregates(v, s.codes[geography])
	}
	q.Select = s.selected()
	if err := setEnds(&q, p); err != nil {
		return q, nil, err
	}
	if q.Within, q.From, q.To, err = parsePeriods(v, p); err != nil {
		return q, nil, err
	}
	q, lost := Restrict(v, q, followed)
	return q, append(s.notices, lost...), nil
}

// ParseMode returns the mode with a name in the interface, or another one if the name is
// empty. The error is [stat.Invalid].
func ParseMode(name string, otherwise stat.LatestMode) (stat.LatestMode, error) {
	switch mode := stat.LatestMode(name); mode {
	case "":
		return otherwise, nil
	case stat.LatestLast, stat.LatestObserved, stat.LatestArea:
		return mode, nil
	}
	return "", stat.Errorf(stat.Invalid, "parameter latest_mode must be last, observed or area, not %.40q", name)
}

// axisParam returns the parameter of an axis: dim1 … dim8 or country.
func axisParam(d *stat.Dataset, axis int) string {
	if axis == len(d.Dimensions) {
		return "country"
	}
	return "dim" + strconv.Itoa(axis+1)
}

// dimensionOf returns the index of the dimension that dim1 … dim8 names.
func dimensionOf(param string) (i int, ok bool) {
	n, ok := strings.CutPrefix(param, "dim")
	if !ok || len(n) != 1 || n < "1" || n > strconv.Itoa(stat.MaxDimensions) {
		return 0, false
	}
	return int(n[0] - '1'), true
}

// errNoDimension returns the error that the dataset lacks the dimension of a parameter: a prefix,
// dim and the number.
func errNoDimension(d *stat.Dataset, prefix string, i int) error {
	has := "no dimensions other than geography and time"
	switch n := len(d.Dimensions); {
	case n == 1:
		has = prefix + "dim1 only"
	case n > 1:
		has = fmt.Sprintf("%sdim1 to %[1]sdim%d", prefix, n)
	}
	return stat.Errorf(stat.Invalid, "unknown parameter %sdim%d: dataset %d has %s", prefix, i+1, d.ID, has)
}

// positions returns the code positions of values on an axis, ascending and without
// duplicates. It adds a notice for each of the first unknown values, one that counts the others, and one for each region
// with the name of a city.
func positions(v *store.Vintage, axis int, values []string, notices []Notice) ([]int32, []Notice) {
	found := make([]int32, 0, len(values))
	isRead := map[string]bool{} // a caller may give thousands
	isGeography := axis == len(v.Dataset.Dimensions)
	mayBeRegions := isGeography && hasRegions(v)
	same := &sameCountries{}
	if isGeography && len(values) > 0 {
		same = sameCountriesOf(v)
	}
	n := 0
	for _, value := range values {
		if pos, ok := v.Find(axis, value); ok {
			found = append(found, pos)
			if (mayBeRegions || same.byLabel[pos] != nil) && !isRead[value] {
				isRead[value], notices = true, slices.Concat(notices, regionNotice(v, value, pos), same.labelNotice(v, value, pos))
			}
			continue
		}
		if isRead[value] {
			continue
		}
		isRead[value] = true
		areas, lost, ok := otherPositions(v, axis, value)
		if found = append(found, areas...); ok && lost == nil {
			if len(areas) == 1 {
				notices = append(notices, same.nameNotice(v, value, areas[0])...)
			}
			continue
		}
		if n++; n > maxNamed {
			continue
		}
		if !ok {
			lost = []Notice{unknownValue(v, axis, value, len(notices))}
		}
		notices = append(notices, lost...)
	}
	slices.Sort(found)
	return slices.Compact(found), addOthers(notices, axisParam(v.Dataset, axis), n, "are not in the dataset, or not in full")
}

// otherPositions returns the positions of a value that is no label and no code of an axis, but may
// mean an area or the members of a group, and notices of those that the dataset lacks. ok is false if
// the value means neither.
func otherPositions(v *store.Vintage, axis int, value string) (found []int32, lost []Notice, ok bool) {
	if axis < len(v.Dataset.Dimensions) {
		return nil, nil, false
	}
	if found, lost, ok = editionPositions(v, value); ok {
		return found, lost, true
	}
	if found, lost, ok = namedPositions(v, value); ok {
		return found, lost, true
	}
	return memberPositions(v, value)
}

type areaPositionsKey struct{}

// byArea returns the positions in the geography by the area, in lower case.
func byArea(v *store.Vintage) map[string][]int32 {
	return v.Memo(areaPositionsKey{}, func() any {
		at := map[string][]int32{}
		for i, c := range v.Dataset.Geography.Codes {
			area := strings.ToLower(c.Area)
			at[area] = append(at[area], int32(i))
		}
		return at
	}).(map[string][]int32)
}

// areaPositions returns the positions in the geography of the area that a code or name means, as
// [geo.AreasOf] says: by that code, else by the first of its other codes that the dataset has.
func areaPositions(v *store.Vintage, text string) []int32 {
	at, areas := byArea(v), geo.AreasOf(text)
	var found []int32
	for _, area := range areas.Exact {
		found = append(found, at[strings.ToLower(area)]...)
	}
	others := areas.Same
	if len(areas.Named) > 0 && geo.IsWrittenName(areas.Named[0], text) { // as labels, with its case
		others = slices.Concat(others, areas.Named)
	}
	for _, area := range others {
		if found != nil {
			break
		}
		found = at[strings.ToLower(area)]
	}
	return found
}

// setEnds sets how many values of each series a query selects. The error is [stat.Invalid].
func setEnds(q *stat.Query, p *Data) error {
	q.FirstN, q.LastN = p.FirstN, p.LastN
	for _, end := range []struct {
		name  string
		count int
	}{{"first_n", p.FirstN}, {"last_n", p.LastN}} {
		if end.count > 0 && q.Latest != "" {
			return stat.Errorf(stat.Invalid, "parameter %s cannot be combined with latest and latest_mode, which select one period; last_n=1 selects the last value of each series", end.name)
		}
	}
	return nil
}

// parsePeriods returns the periods of a query. Each parameter must be a period or empty; if Period
// is given, the range is ignored. The error is [stat.Invalid] and names the parameter.
func parsePeriods(v *store.Vintage, p *Data) (within, from, to stat.Period, err error) {
	parse := func(name, value string) (period stat.Period) {
		if value == "" || err != nil {
			return period
		}
		if period, err = stat.ParsePeriod(value); err != nil {
			if period, isSpan := spanOfYears(v, value); isSpan {
				err = nil
				return period
			}
			err = stat.Errorf(stat.Invalid, "parameter %s must be a period, not %q%s; periods of dataset %d are written %s", name, value, cmp.Or(paddedYear(v, value), ends(value)), v.Dataset.ID, periodFormats(v))
		}
		return period
	}
	within, from, to = parse("period", p.Period), parse("period_from", p.PeriodFrom), parse("period_to", p.PeriodTo)
	switch {
	case err != nil:
	case !within.IsZero():
		from, to = stat.Period{}, stat.Period{}
	case !from.IsZero() && !to.IsZero() && from.Start().After(to.End()):
		err = stat.Errorf(stat.Invalid, "parameter period_from (%s) is after period_to (%s); give the earlier period first", from, to)
	}
	return within, from, to, err
}

// spanOfYears returns the period that the office writes as a span of years: 2020 for "2015-2020".
func spanOfYears(v *store.Vintage, text string) (p stat.Period, ok bool) {
	plain := strings.NewReplacer("–", "-", " ", "").Replace
	for p, label := range v.Dataset.PeriodLabels {
		if plain(label) == plain(text) {
			return p, true
		}
	}
	return p, false
}

// ends returns a hint in parentheses if a text is two periods with a dash between them.
func ends(text string) string {
	for at, r := range text {
		from, fromErr := stat.ParsePeriod(text[:at])
		to, toErr := stat.ParsePeriod(strings.TrimLeft(text[at:], "-– /:"))
		if strings.ContainsRune("-–/: ", r) && fromErr == nil && toErr == nil && from.Frequency() == to.Frequency() {
			return fmt.Sprintf(" (from one period to another: period_from=%s&period_to=%s)", from, to)
		}
	}
	return ""
}

// paddedYear returns a hint in parentheses if a number is a year of the dataset that lacks zeros in
// front: 1 where the dataset has 0001.
func paddedYear(v *store.Vintage, number string) string {
	year, isNumber := parseDecimal(strings.TrimSpace(number))
	p, err := stat.ParsePeriod(fmt.Sprintf("%04d", year))
	isInside := func(of stat.Period) bool { return of.Start().Year() == year }
	if !isNumber || err != nil || !slices.ContainsFunc(v.Periods, isInside) {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", p)
}

// periodFormats returns the formats of the periods of a dataset, each with the newest
// period of its frequency as an example: "Qn/YYYY, such as Q4/2023".
func periodFormats(v *store.Vintage) string {
	var formats []string
	var seen []stat.Frequency
	for _, p := range slices.Backward(v.Periods) {
		if f := p.Frequency(); !slices.Contains(seen, f) {
			seen = append(seen, f)
			formats = append(formats, fmt.Sprintf("%s, such as %s", f.Format(), p))
		}
	}
	if len(formats) == 0 {
		return fmt.Sprintf("%s, such as %s", stat.Annual.Format(), stat.Annual.Example())
	}
	return strings.Join(formats, ", or ")
}
