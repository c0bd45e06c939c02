package store

import (
	"context"
	"math"

	"almanac/internal/stat"
)

// Available counts what a selection has: series with at least one value, the values, and the
// first and last period with one, which are zero if there are none. Under a query with flags,
// observations that have only flags or a note count as values do.
type Available struct {
	Series, Observations int
	Oldest, Newest       stat.Period
}

// Availability is what still gives data under a query.
type Availability struct {
	Selected Available
	// Codes holds for each of [stat.Dataset.Axes] what each code gives, by its position, if
	// the query's own selection on that axis is left out.
	Codes [][]Available
	// Coverage holds for each code of the geography the spans of periods in which a series that
	// Codes counts has a value, in order; nil unless wanted.
	Coverage [][]PeriodSpan
}

// PeriodSpan is a sequence of periods of one frequency that follow one another. Of days it may lack those that the dataset does not have.
type PeriodSpan struct{ First, Last stat.Period }

// Availability counts what a query selects, and what each code of each axis would give in its
// place. Only Select, the periods and Flags of the query matter. All series are visited once, also
// if the coverage of areas is wanted.
func (v *Vintage) Availability(ctx context.Context, q stat.Query, withCoverage bool) (*Availability, error) {
	if v.of != nil {
		return v.of.Availability(ctx, q, withCoverage)
	}
	n := newAvailabilityCounter(v.Dataset.Axes(), &q)
	if withCoverage {
		n.coverage = newAreaPeriods(len(v.Dataset.Geography.Codes), len(v.Periods))
	}
	if v.isLarge() {
		o, err := v.stored(ctx, nil)
		if err != nil {
			return nil, err
		}
		for c, err := range o.segments() {
			if err != nil {
				return nil, stat.Wrap(err, "reading dataset %d, version %s", v.Dataset.ID, v.Version)
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			n.add(c.indexed(v.Dataset.Axes()), &q)
		}
		return n.result(v.Periods), nil
	}
	c, err := v.load(ctx)
	if err != nil {
		return nil, err
	}
	n.add(c, &q)
	return n.result(v.Periods), nil
}

// seriesTally counts series and values, with positions of periods.
type seriesTally struct {
	series, values int
	first, last    int32
}

func (t *seriesTally) add(u seriesTally) {
	if u.series == 0 {
		return
	}
	if t.series == 0 {
		t.first, t.last = u.first, u.last
	}
	t.series, t.values = t.series+u.series, t.values+u.values
	t.first, t.last = min(t.first, u.first), max(t.last, u.last)
}

// availabilityCounter counts for each code of each axis.
type availabilityCounter struct {
	isSelected [][]bool // of each axis, by code; nil: all
	all        seriesTally
	codes      [][]seriesTally
	coverage   *areaPeriods // nil: not wanted
}

func newAvailabilityCounter(axes []*stat.Dimension, q *stat.Query) *availabilityCounter {
	n := &availabilityCounter{isSelected: make([][]bool, len(axes))}
	for i, axis := range axes {
		n.codes = append(n.codes, make([]seriesTally, len(axis.Codes)))
		if q.Select == nil || q.Select[i] == nil {
			continue
		}
		n.isSelected[i] = make([]bool, len(axis.Codes))
		for _, code := range q.Select[i] {
			n.isSelected[i][code] = true
		}
	}
	return n
}

func (n *availabilityCounter) selects(axis int, code int32) bool {
	return n.isSelected[axis] == nil || n.isSelected[axis][code]
}

// add counts the series of columns. A series that one axis alone does not select counts for its
// code on that axis.
func (n *availabilityCounter) add(c *columns, q *stat.Query) {
	geography := len(c.keys) - 1
	sp := c.spanOf(q)
	areas := c.geography()
	for b := range c.blockCount() {
		first, end := c.block[b], c.block[b+1]
		missed, at := 0, -1 // axes of the block that do not select it
		for axis := range geography {
			if !n.selects(axis, c.keys[axis][first]) {
				missed, at = missed+1, axis
			}
		}
		if missed > 1 {
			continue
		}
		var block seriesTally // of the selected areas
		for s := first; s < end; s++ {
			isSelected := n.selects(geography, areas[s])
			if !isSelected && missed > 0 {
				continue
			}
			t := c.tallyIn(s, sp, q.Flags)
			if isSelected {
				block.add(t)
			}
			if missed == 0 {
				n.codes[geography][areas[s]].add(t)
				if n.coverage != nil && t.series > 0 {
					n.coverage.add(areas[s], c.periodsWithValue(s, sp, q.Flags))
				}
			}
		}
		if missed == 1 {
			n.codes[at][c.keys[at][first]].add(block)
			continue
		}
		n.all.add(block)
		for axis := range geography {
			n.codes[axis][c.keys[axis][first]].add(block)
		}
	}
}

// tallyIn counts the values of a series in a span, with flags all of its observations.
func (c *columns) tallyIn(s int32, sp span, flags bool) seriesTally {
	r := c.within(s, sp)
	if (flags || !c.gaps) && sp.keep == nil {
		if r.first == r.end {
			return seriesTally{}
		}
		return seriesTally{1, int(r.end - r.first), c.periodIn(r, r.first), c.periodIn(r, r.end-1)}
	}
	var t seriesTally
	for i := r.first; i < r.end; i++ {
		if p := c.periodIn(r, i); (flags || !math.IsNaN(c.value[i])) && sp.has(p) {
			if t.series == 0 {
				t.series, t.first = 1, p
			}
			t.values, t.last = t.values+1, p
		}
	}
	return t
}

func (n *availabilityCounter) result(periods []stat.Period) *Availability {
	available := func(t seriesTally) Available {
		if t.series == 0 {
			return Available{}
		}
		return Available{t.series, t.values, periods[t.first], periods[t.last]}
	}
	a := &Availability{Selected: available(n.all)}
	for _, tallies := range n.codes {
		codes := make([]Available, len(tallies))
		for i, t := range tallies {
			codes[i] = available(t)
		}
		a.Codes = append(a.Codes, codes)
	}
	if n.coverage != nil {
		a.Coverage = n.coverage.spans(periods)
	}
	return a
}
