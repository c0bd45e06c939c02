package store

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// recentYears is the age up to which the last value of a series counts as recent.
const recentYears = 5

// latestOf returns the latest values of the default series of a selection, nil if it
// has no values. newest is the dataset's last period with a value.
func (c *columns) latestOf(axes []*stat.Dimension, sel [][]int32, newest stat.Period) *stat.Latest {
	key := c.defaultKey(axes, sel, newest)
	if key == nil {
		return nil
	}
	series := make([][]int32, len(axes))
	for axis, code := range key {
		series[axis] = []int32{code}
	}
	if sel != nil {
		series[len(key)] = sel[len(key)]
	}
	type value struct {
		area  int32
		value float64
	}
	var values []value
	latest := &stat.Latest{Key: key}
	// The blocks of one key differ in unit and have different areas.
	for block := range c.extract(context.Background(), &stat.Query{Select: series, Latest: true}, nil) {
		latest.Period = c.periods[block.Periods[0]]
		for i, area := range block.Area {
			values = append(values, value{block.Areas[area], block.Value[i]})
		}
	}
	slices.SortStableFunc(values, func(a, b value) int { return cmp.Compare(a.area, b.area) })
	for _, v := range values {
		latest.Areas, latest.Values = append(latest.Areas, v.area), append(latest.Values, v.value)
	}
	return latest
}

// latestOf is [columns.latestOf] for observations in memory or on disk. For the latter it
// reads them once for each dimension.
func (o *observations) latestOf(axes []*stat.Dimension, sel [][]int32, newest stat.Period) (*stat.Latest, error) {
	indexed := func(c *columns) *columns {
		if c.posting == nil {
			c.index(axes)
		}
		return c
	}
	if o.whole != nil {
		return indexed(o.whole).latestOf(axes, sel, newest), nil
	}
	if newest.IsZero() {
		return nil, nil
	}
	for _, from := range []int32{recentPeriod(o.periods, newest), 0} {
		var key []int32
		for range len(axes) - 1 {
			counts := map[int32]int{}
			for c, err := range o.segments() {
				if err != nil {
					return nil, err
				}
				indexed(c).countCodes(sel, from, key, counts)
			}
			if len(counts) == 0 {
				break
			}
			key = append(key, chooseCode(axes[len(key)], counts))
		}
		if len(key) < len(axes)-1 {
			continue
		}
		c, err := o.seriesOf(key)
		if err != nil {
			return nil, err
		}
		return indexed(c).latestOf(axes, sel, newest), nil
	}
	return nil, nil
}

// countCodes counts the selected values from a period on by their code on the axis after
// those of key, in the blocks that begin with key.
func (c *columns) countCodes(sel [][]int32, from int32, key []int32, counts map[int32]int) {
	for _, ch := range c.choices(sel, from) {
		first := c.block[ch.block]
		if c.hasKey(int(first), key) {
			counts[c.keys[len(key)][first]] += ch.count
		}
	}
}

// hasKey reports whether the key of a series begins with codes.
func (c *columns) hasKey(series int, codes []int32) bool {
	for axis, code := range codes {
		if c.keys[axis][series] != code {
			return false
		}
	}
	return true
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

// choice is a candidate for the default series, with its number of values.
type choice struct {
	block int32
	count int
}

// defaultKey chooses the key of the default series, one dimension after another, among
// the codes with data. It returns nil if the selection has no values.
func (c *columns) defaultKey(axes []*stat.Dimension, sel [][]int32, newest stat.Period) []int32 {
	if newest.IsZero() {
		return nil
	}
	choices := c.choices(sel, recentPeriod(c.periods, newest))
	if len(choices) == 0 {
		choices = c.choices(sel, 0)
	}
	if len(choices) == 0 {
		return nil
	}
	key := make([]int32, len(axes)-1)
	for axis := range key {
		codeOf := func(ch choice) int32 { return c.keys[axis][c.block[ch.block]] }
		counts := map[int32]int{}
		for _, ch := range choices {
			counts[codeOf(ch)] += ch.count
		}
		key[axis] = chooseCode(axes[axis], counts)
		choices = slices.DeleteFunc(choices, func(ch choice) bool { return codeOf(ch) != key[axis] })
	}
	return key
}

// recentPeriod returns the position of the first period that counts as recent.
func recentPeriod(periods []stat.Period, newest stat.Period) int32 {
	since := newest.End().AddDate(-recentYears, 0, 0)
	return int32(slices.IndexFunc(periods, func(p stat.Period) bool { return p.End().After(since) }))
}

// choices returns the selected blocks that have values at or after a period.
func (c *columns) choices(sel [][]int32, from int32) []choice {
	var w scratch
	var list []choice
	for _, b := range c.candidates(sel, nil) {
		c.selectSeries(b, sel, &w)
		count := 0
		for _, s := range w.series {
			for i := c.last[s]; i >= c.start[s] && c.period[i] >= from; i-- {
				if !math.IsNaN(c.value[i]) {
					count++
				}
			}
		}
		if count > 0 {
			list = append(list, choice{b, count})
		}
	}
	return list
}

// chooseCode chooses a dimension's code for the default series: the curator's choice,
// else the office's total, else one whose label or code means the total, else the one
// with the most values. The first in the code list wins among equals.
func chooseCode(d *stat.Dimension, counts map[int32]int) int32 {
	codes := slices.Sorted(maps.Keys(counts))
	for _, id := range []string{d.Default, d.Total} {
		for _, code := range codes {
			if id != "" && d.Codes[code].ID == id {
				return code
			}
		}
	}
	if d.Role != stat.RoleFrequency && d.Role != stat.RoleUnit {
		for _, isTotal := range totals {
			for _, code := range codes {
				if isTotal(d.Codes[code]) {
					return code
				}
			}
		}
	}
	best := codes[0]
	for _, code := range codes {
		if counts[code] > counts[best] {
			best = code
		}
	}
	return best
}

// totals are tests whether a code means the total, most certain first.
var totals = []func(stat.Code) bool{
	func(c stat.Code) bool { return slices.Contains(totalLabels, plainLabel(c)) },
	func(c stat.Code) bool {
		label := plainLabel(c)
		for _, word := range []string{"total", "all"} {
			if rest, ok := strings.CutPrefix(label, word); ok && strings.IndexAny(strings.TrimSpace(rest), "-–—,:(") == 0 {
				return true
			}
		}
		return strings.HasPrefix(label, "all ")
	},
	func(c stat.Code) bool {
		id := strings.ToUpper(c.ID)
		return slices.Contains(totalCodes, id) || strings.HasSuffix(id, "_BTSX")
	},
}

var (
	totalLabels = []string{"total", "all", "both sexes", "grand total", "totals"}
	totalCodes  = []string{"TOTAL", "_T", "T", "-", "TOT", "ALL"}
)

func plainLabel(c stat.Code) string { return strings.ToLower(cmp.Or(c.SourceLabel, c.Label)) }
