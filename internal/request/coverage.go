package request

import (
	"slices"

	"almanac/internal/stat"
	"almanac/internal/transform"
)

// coverage is what a query selects, by area and year.
type coverage struct {
	areas []string // with a population to look for
	years []int    // in order
}

// covered returns the areas and years of a query. One for the latest values has all years.
func (from *Dividend) covered() coverage {
	var c coverage
	codes := from.Vintage.Dataset.Geography.Codes
	add := func(area string) {
		if area != "" {
			c.areas = append(c.areas, area)
		}
	}
	if q := from.Query; q.Select == nil || q.Select[len(q.Select)-1] == nil {
		for i := range codes {
			add(codes[i].Area)
		}
	} else {
		for _, at := range q.Select[len(q.Select)-1] {
			add(codes[at].Area)
		}
	}
	for _, p := range from.Vintage.Periods {
		if from.Query.SelectsPeriod(p) {
			c.years = append(c.years, p.Year())
		}
	}
	slices.Sort(c.years)
	c.years = slices.Compact(c.years)
	return c
}

// count returns for how many areas there is a population in a year.
func (c *coverage) count(p *transform.Population, year int) (n int) {
	for _, area := range c.areas {
		if p.Has(area, year) {
			n++
		}
	}
	return n
}

// minCovered is the share of the areas that have a population in any year from which one is known for
// enough of them.
const minCovered = 2. / 3

// lastYear returns the last year with a population, zero if there is none. The mode says whether one of
// any area is enough.
func (c *coverage) lastYear(p *transform.Population, mode stat.LatestMode) int {
	counts, most := make([]int, len(c.years)), 0
	for i, year := range c.years {
		counts[i] = c.count(p, year)
		most = max(most, counts[i])
	}
	least := 1.
	if mode == stat.LatestCovered {
		least = minCovered * float64(most)
	}
	for i, n := range slices.Backward(counts) {
		if n > 0 && float64(n) >= least {
			return c.years[i]
		}
	}
	return 0
}

// endWith lets a query for the latest values end with the last year of the population.
func (from *Dividend) endWith(p *transform.Population) {
	if from.Query.Latest == "" {
		return
	}
	c := from.covered()
	last := c.lastYear(p, from.Query.Latest)
	if last == 0 || last == c.years[len(c.years)-1] {
		return
	}
	from.Query.To, p.LastYear = stat.NewPeriod(stat.Annual, last, 1), last
	for _, other := range p.Others {
		if year := c.lastYear(other, from.Query.Latest); year > max(last, p.LaterYear) {
			p.Later, p.LaterYear = other, year
		}
	}
}

// has reports whether a population has any of the areas in any of the years.
func (c *coverage) has(p *transform.Population) bool {
	return slices.ContainsFunc(c.years, func(year int) bool { return c.count(p, year) > 0 })
}

// choose returns the first of several populations, or the next one that has anything selected if that has
// nothing. The others are those that the caller may name instead. One that was published after the
// chosen version is none of them if one was there.
func (from *Dividend) choose(list []*transform.Population) *transform.Population {
	list = slices.DeleteFunc(slices.Clone(list), func(p *transform.Population) bool { return p.IsLater != list[0].IsLater })
	selected := from.covered()
	at := max(0, slices.IndexFunc(list, selected.has))
	chosen := list[at]
	if !chosen.IsLater { // else further ones would change notices
		chosen.Others = slices.Delete(list, at, at+1)
	}
	return chosen
}

// coveredKey is the key under which a dataset remembers how much of it a population has.
type coveredKey struct{ reference, version string }

// coveredBy returns for how many areas and years of the whole dataset there is a population.
func (from *Dividend) coveredBy(p *transform.Population) int {
	return from.Vintage.Memo(coveredKey{p.Reference, p.Version}, func() any {
		whole := Dividend{Vintage: from.Vintage, Query: &stat.Query{}}
		c, n := whole.covered(), 0
		for _, year := range c.years {
			n += c.count(p, year)
		}
		return n
	}).(int)
}
