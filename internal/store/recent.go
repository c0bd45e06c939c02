package store

import (
	"math"
	"slices"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// scope is what a query selects of the selected series: the periods of a span, and of
// them only the last observed value of each series if own is not nil.
type scope struct {
	span
	own *observed
}

// observed tells observed values from forecasts.
type observed struct {
	horizon    int32  // end of the periods before projections, see [defaults.Horizon]
	isForecast []bool // for each position in flagSet; nil: none is
}

func (c *columns) observedOf(s *subject) *observed {
	o := &observed{horizon: defaults.Horizon(s.Dataset, c.periods, s.updated)}
	for i, flags := range c.flagSet {
		if c.flag != nil && defaults.IsForecast(s.Dataset, flags) {
			if o.isForecast == nil {
				o.isForecast = make([]bool, len(c.flagSet))
			}
			o.isForecast[i] = true
		}
	}
	return o
}

// IsForecast reports whether a value of a period, with its flags, is a forecast or a projection: one of a period that had not begun
// when the dataset was updated, or after the date of an outlook, or one that the flags say to be.
func (v *Vintage) IsForecast(p stat.Period, flags stat.Flags) bool {
	at, _ := slices.BinarySearchFunc(v.Periods, p, stat.Period.Compare)
	return int32(at) >= defaults.Horizon(v.Dataset, v.Periods, v.LastUpdate) || defaults.IsForecast(v.Dataset, flags)
}

// has reports whether an observation is a value and no forecast.
func (o *observed) has(c *columns, i int32) bool {
	return c.period[i] < o.horizon && !math.IsNaN(c.value[i]) && (o.isForecast == nil || !o.isForecast[c.flag[i]])
}

// scopeOf returns what a query selects.
func (c *columns) scopeOf(s *subject, q *stat.Query) scope {
	var n coverage
	if q.Latest != "" {
		if q.Latest != stat.LatestLast {
			n.counts = make([]int32, len(c.periods))
		}
		n.add(c, s, q)
	}
	return n.scope(c, s, q)
}

// coverage counts series with an observed value, in each period and altogether, and finds
// the last period with a value. Columns may be added one after the other.
type coverage struct {
	counts []int32
	series int
	last   span
}

// add counts the selected series of columns. It does nothing for a query of all periods.
func (n *coverage) add(c *columns, s *subject, q *stat.Query) {
	if q.Latest == "" {
		return
	}
	w := scratches.Get().(*scratch)
	defer scratches.Put(w)
	w.blocks = c.candidates(q.Select, w.blocks[:0])
	sp := c.spanOf(q)
	if last := c.latestSpan(q.Select, sp, w); last.hi > n.last.hi {
		n.last = last
	}
	if q.Latest == stat.LatestLast {
		return
	}
	o := c.observedOf(s)
	for _, b := range w.blocks {
		c.selectSeries(b, q.Select, w)
		for _, series := range w.series {
			isCounted := false
			r := c.within(series, sp)
			for i := r.first; i < r.end; i++ {
				if p := c.periodIn(r, i); sp.has(p) && o.has(c, i) {
					n.counts[p]++
					isCounted = true
				}
			}
			if isCounted {
				n.series++
			}
		}
	}
}

// scope returns what a query selects of the counted columns.
func (n *coverage) scope(c *columns, s *subject, q *stat.Query) scope {
	switch {
	case q.Latest == "":
		return scope{span: c.spanOf(q)}
	case q.Latest == stat.LatestLast, n.series == 0: // only forecasts
		return scope{span: n.last}
	case q.Latest == stat.LatestArea:
		return scope{span: c.spanOf(q), own: c.observedOf(s)}
	}
	at := defaults.LatestPeriod(q.Latest, c.periods, n.counts, n.series)
	return scope{span: span{lo: at, hi: at + 1}}
}
