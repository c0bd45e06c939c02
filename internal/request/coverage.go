package request

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

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
}

// mostCovering returns the population that gives the most of the selected values, the first of several;
// of the latest values, one that reaches furthest. The values are read only if each population has areas and years that
// another lacks. One that was published after the chosen version is not compared with one that was there.
func (from *Dividend) mostCovering(ctx context.Context, list []*transform.Population) (*transform.Population, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(p *transform.Population) bool { return p.IsLater != list[0].IsLater })
	c, mode := from.covered(), from.Query.Latest
	if mode != "" {
		last := 0
		for _, p := range list {
			last = max(last, c.lastYear(p, mode))
		}
		list = slices.DeleteFunc(list, func(p *transform.Population) bool { return c.lastYear(p, mode) != last })
		if mode != stat.LatestArea {
			c.years = []int{last}
		}
	}
	if len(list) == 1 {
		return list[0], nil
	}
	counts, all := make([]int, len(list)), 0
	for _, area := range c.areas {
		for _, year := range c.years {
			isKnown := false
			for i, p := range list {
				if p.Has(area, year) {
					counts[i], isKnown = counts[i]+1, true
				}
			}
			if isKnown {
				all++
			}
		}
	}
	if i := slices.Index(counts, slices.Max(counts)); counts[i] == all || mode != "" {
		return list[i], nil
	}
	i, err := from.mostValues(ctx, list)
	return list[i], err
}

// countedChoices remembers which population gives the most values of a query, so that a response that the
// caller has needs no reading.
type countedChoices struct {
	sync.Mutex
	best map[string]int
}

type countedChoicesKey struct{}

// maxCountedChoices bounds the choices that a vintage remembers.
const maxCountedChoices = 1000

// mostValues returns the position of the population that gives the most values, the first of several.
func (from *Dividend) mostValues(ctx context.Context, list []*transform.Population) (int, error) {
	known := from.Vintage.Memo(countedChoicesKey{}, func() any { return &countedChoices{best: map[string]int{}} }).(*countedChoices)
	q := *from.Query
	q.Flags = false
	key := fmt.Sprint(q)
	for _, p := range list {
		key += " " + p.Reference + " " + p.Version
	}
	known.Lock()
	best, ok := known.best[key]
	known.Unlock()
	if ok {
		return best, nil
	}
	counts, err := from.countValues(ctx, q, list)
	if err != nil {
		return 0, err
	}
	best = slices.Index(counts, slices.Max(counts))
	known.Lock()
	defer known.Unlock()
	if len(known.best) == maxCountedChoices {
		clear(known.best)
	}
	known.best[key] = best
	return best, nil
}

// countValues returns how many of the selected amounts each population gives.
func (from *Dividend) countValues(ctx context.Context, q stat.Query, list []*transform.Population) ([]int, error) {
	q.FirstN, q.LastN = 0, 0
	x, err := from.Vintage.Select(ctx, q)
	if err != nil {
		return nil, err
	}
	values := map[transform.AreaYear]int{}
	for b, err := range x.Blocks {
		if err != nil {
			return nil, err
		}
		if !list[0].IsAmount(b) {
			continue
		}
		for row, at := range b.Periods {
			year := x.Periods[at].Year()
			for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
				if !math.IsNaN(b.Value[i]) {
					values[transform.AreaYear{Area: b.Areas[b.Area[i]], Year: year}]++
				}
			}
		}
	}
	counts := make([]int, len(list))
	for of, n := range values {
		for i, p := range list {
			if p.Has(x.Dataset.Geography.Codes[of.Area].Area, of.Year) {
				counts[i] += n
			}
		}
	}
	return counts, nil
}
