package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// subject is what the choice of a series and of a period depends on besides the
// observations.
type subject struct {
	*stat.Dataset
	updated time.Time   // by the source, else of the import
	newest  stat.Period // last period with a value; zero if there is none
}

// latestOf returns the latest values of the default series of a selection, nil if it
// has no values.
func (c *columns) latestOf(s *subject, sel [][]int32, mode stat.LatestMode) *stat.Latest {
	choice := c.choose(s, sel)
	if choice == nil {
		return nil
	}
	return c.latestOfSeries(s, sel, mode, choice)
}

func (c *columns) latestOfSeries(s *subject, sel [][]int32, mode stat.LatestMode, choice *defaults.Choice) *stat.Latest {
	series := sel
	if !isKey(sel) {
		series = make([][]int32, len(c.keys))
		for axis, code := range choice.Key {
			series[axis] = []int32{code}
		}
		if sel != nil {
			series[len(choice.Key)] = sel[len(choice.Key)]
		}
	}
	values := c.latestValues(s, &stat.Query{Select: series, Latest: mode})
	if len(values) == 0 {
		return nil
	}
	slices.SortStableFunc(values, func(a, b areaValue) int { return cmp.Compare(a.area, b.area) })
	latest := &stat.Latest{
		Key: choice.Key, Rules: make([]string, 0, len(choice.Rules)),
		Areas: make([]int32, 0, len(values)), Values: make([]float64, 0, len(values)),
	}
	for _, r := range choice.Rules {
		latest.Rules = append(latest.Rules, string(r))
	}
	newest := int32(0)
	for i, v := range values {
		newest = max(newest, v.period)
		if v.unit != "" {
			latest.Units = setAt(latest.Units, i, v.unit, len(values))
		}
		if v.flags != "" {
			latest.Flags = setAt(latest.Flags, i, v.flags, len(values))
		}
		latest.Areas, latest.Values = append(latest.Areas, v.area), append(latest.Values, v.value)
		if mode == stat.LatestArea {
			latest.Periods = append(latest.Periods, c.periods[v.period])
		}
	}
	latest.Period = c.periods[newest]
	return latest
}

// setAt sets a text of n, all of which are empty if there are none yet.
func setAt[Text ~string](texts []Text, i int, text Text, n int) []Text {
	if texts == nil {
		texts = make([]Text, n)
	}
	texts[i] = text
	return texts
}

// areaValue is the value of an area in a period.
type areaValue struct {
	area, period int32
	value        float64
	unit         string // stated for the series
	flags        stat.Flags
}

// latestValues returns the latest values of one key, block by block: those of one key differ in unit
// and have different areas.
func (c *columns) latestValues(s *subject, q *stat.Query) (values []areaValue) {
	if q.Latest == stat.LatestLast {
		return c.valuesInLast(q.Select)
	}
	within := c.scopeOf(s, q)
	withFlags := *q
	withFlags.Flags = true
	for block := range c.extract(context.Background(), &withFlags, within) {
		values = slices.Grow(values, len(block.Value))
		for row, period := range block.Periods {
			for i := block.RowStart[row]; i < block.RowStart[row+1]; i++ {
				if !math.IsNaN(block.Value[i]) {
					values = append(values, areaValue{block.Areas[block.Area[i]], period, block.Value[i], block.Unit, block.Flags[i]})
				}
			}
		}
	}
	return values
}

// valuesInLast returns the values of a selection in the last period in which it has any.
func (c *columns) valuesInLast(sel [][]int32) (values []areaValue) {
	w := scratches.Get().(*scratch)
	defer scratches.Put(w)
	w.blocks = c.candidates(sel, w.blocks[:0])
	last := c.latestSpan(sel, span{hi: int32(len(c.periods))}, w)
	geo := c.geography()
	for _, b := range w.blocks {
		c.selectSeries(b, sel, w)
		values = slices.Grow(values, len(w.series))
		for _, s := range w.series {
			if p := c.lastPeriod[s]; last.has(p) {
				values = append(values, areaValue{geo[s], p, c.lastValue[s], c.unitOf(s), c.flagsOf(c.last[s])})
			}
		}
	}
	return values
}

// latestOf is [columns.latestOf] for observations in memory or on disk. For the latter it
// reads them once for each dimension.
func (o *observations) latestOf(s *subject, sel [][]int32, mode stat.LatestMode) (*stat.Latest, error) {
	axes := s.Axes()
	if o.whole != nil {
		return o.whole.indexed(axes).latestOf(s, sel, mode), nil
	}
	if s.newest.IsZero() {
		return nil, nil
	}
	for _, within := range []span{s.recent(o.periods), {hi: int32(len(o.periods))}} {
		choice, err := defaults.Choose(&defaults.Dataset{Dataset: s.Dataset, SubAnnual: isSubAnnual(o.periods, within),
			Count: func(axis int, key []int32) (map[int32]defaults.Tally, error) {
				tallies := map[int32]defaults.Tally{}
				for c, err := range o.segments() {
					if err != nil {
						return nil, err
					}
					c.indexed(axes).tallyCodes(c.candidateSeries(sel, within), axis, key, tallies)
				}
				return tallies, nil
			}})
		if err != nil {
			return nil, err
		}
		if choice == nil {
			continue
		}
		c, err := o.seriesOf(choice.Key)
		if err != nil {
			return nil, err
		}
		return c.indexed(axes).latestOfSeries(s, sel, mode, choice), nil
	}
	return nil, nil
}

// seriesOf returns the series whose dimensions have the codes of key, for all areas and
// units.
func (o *observations) seriesOf(key []int32) (*columns, error) {
	to := o.newColumns(len(key) + 1)
	for c, err := range o.segments() {
		if err != nil {
			return nil, err
		}
		for s := range c.seriesCount() {
			if c.hasKey(s, key) {
				to.appendSeries(c, s)
			}
		}
	}
	to.start = append(to.start, int32(len(to.value)))
	return to, nil
}

// hasKey reports whether a series has the codes of a key, where the key is not open.
func (c *columns) hasKey(series int, key []int32) bool {
	for axis, code := range key {
		if code != defaults.Open && c.keys[axis][series] != code {
			return false
		}
	}
	return true
}

// indexed returns c with an index.
func (c *columns) indexed(axes []*stat.Dimension) *columns {
	if c.posting == nil {
		c.index(axes)
	}
	return c
}

// candidate is a series of all areas, with counts of its values.
type candidate struct {
	first int32 // of its series of one area
	tally defaults.Tally
}

// choose chooses the key of the default series of a selection among the recent values,
// else among all. It returns nil if the selection has no values.
func (c *columns) choose(s *subject, sel [][]int32) *defaults.Choice {
	if s.newest.IsZero() {
		return nil
	}
	if isKey(sel) { // there is nothing to choose
		choice := &defaults.Choice{}
		for _, codes := range sel[:len(sel)-1] {
			choice.Key, choice.Rules = append(choice.Key, codes[0]), append(choice.Rules, defaults.Only)
		}
		return choice
	}
	within := s.recent(c.periods)
	candidates := c.candidateSeries(sel, within)
	if len(candidates) == 0 {
		within = span{hi: int32(len(c.periods))}
		candidates = c.candidateSeries(sel, within)
	}
	if len(candidates) == 0 {
		return nil
	}
	choice, _ := defaults.Choose(&defaults.Dataset{Dataset: s.Dataset, SubAnnual: isSubAnnual(c.periods, within),
		Count: func(axis int, key []int32) (map[int32]defaults.Tally, error) {
			// Codes are only added to the key.
			candidates = slices.DeleteFunc(candidates, func(d candidate) bool { return !c.hasKey(int(d.first), key) })
			tallies := map[int32]defaults.Tally{}
			c.tallyCodes(candidates, axis, key, tallies)
			return tallies, nil
		}})
	return choice
}

// recent returns the span of the periods that count as recent.
func (s *subject) recent(periods []stat.Period) span {
	at, _ := slices.BinarySearchFunc(periods, s.newest, stat.Period.Compare)
	horizon := min(defaults.Horizon(s.Dataset, periods, s.updated), int32(at)+1)
	lo, hi := defaults.Recent(periods[:at+1], horizon)
	return span{lo: lo, hi: hi}
}

// isSubAnnual reports whether any period of a span is a part of a year.
func isSubAnnual(periods []stat.Period, sp span) bool {
	return slices.ContainsFunc(periods[sp.lo:sp.hi], func(p stat.Period) bool { return p.Frequency() > stat.Annual })
}

// candidateSeries returns the selected series of all areas that have values in a span.
func (c *columns) candidateSeries(sel [][]int32, within span) []candidate {
	var w scratch
	var list []candidate
	for _, b := range c.candidates(sel, nil) {
		c.selectSeries(b, sel, &w)
		first, t := c.block[b], c.tally(w.series, within)
		switch last := len(list) - 1; {
		case t.Values == 0:
		case last >= 0 && c.isSameKey(list[last].first, first): // they differ in unit
			list[last].tally = joinTallies(list[last].tally, t)
		default:
			list = append(list, candidate{first, t})
		}
	}
	return list
}

func (c *columns) isSameKey(s, t int32) bool {
	for _, key := range c.keys[:len(c.keys)-1] {
		if key[s] != key[t] {
			return false
		}
	}
	return true
}

func joinTallies(t, u defaults.Tally) defaults.Tally {
	n := t.Values + u.Values
	return defaults.Tally{Series: 1, Areas: t.Areas + u.Areas, Values: n, Typical: t.Typical + (u.Typical-t.Typical)*float64(u.Values)/float64(n)}
}

// tally counts the values of series in a span.
func (c *columns) tally(series []int32, within span) defaults.Tally {
	t := defaults.Tally{Series: 1}
	sum, low, high := 0.0, math.Inf(1), math.Inf(-1)
	for _, s := range series {
		before := t.Values
		for i := c.last[s]; i >= c.start[s] && c.period[i] >= within.lo; i-- {
			if v := c.value[i]; c.period[i] < within.hi && !math.IsNaN(v) {
				t.Values++
				sum, low, high = sum+v, min(low, v), max(high, v)
			}
		}
		if t.Values > before {
			t.Areas++
		}
	}
	if t.Values > 0 {
		t.Typical, t.Trivial = sum/float64(t.Values), low == high && (low == 0 || low == 100) || c.neverChange(series)
	}
	return t
}

// minConstant is the number of equal values of a series from which they are no accident.
const minConstant = 3

// neverChange reports whether each of the series has one value at all times, whatever the
// period, and most have it several times: the minutes of a day, the number of a group that a
// country belongs to.
func (c *columns) neverChange(series []int32) bool {
	several := 0
	for _, s := range series {
		n, first := 0, math.NaN()
		for i := c.start[s]; i <= c.last[s]; i++ {
			switch v := c.value[i]; {
			case math.IsNaN(v):
				continue
			case n > 0 && v != first:
				return false
			default:
				n, first = n+1, v
			}
		}
		if n >= minConstant {
			several++
		}
	}
	return 2*several > len(series)
}

// tallyCodes adds the tallies of the candidates with a key to those of their codes on an
// axis.
func (c *columns) tallyCodes(candidates []candidate, axis int, key []int32, tallies map[int32]defaults.Tally) {
	for _, d := range candidates {
		if c.hasKey(int(d.first), key) {
			code := c.keys[axis][d.first]
			tallies[code] = tallies[code].Join(d.tally)
		}
	}
}
