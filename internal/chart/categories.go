package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/stat"
)

// choiceAxes returns the axes in which the dataset has a choice that is the same for all areas.
func (t *selection) choiceAxes() []int {
	var axes []int
	for axis, d := range t.dataset.Dimensions {
		if len(d.Codes) > 1 && !slices.Contains(t.ownAxes, axis) {
			axes = append(axes, axis)
		}
	}
	return axes
}

// grouping says what the categories of a chart, or the series in them, are: areas or
// values of dimensions.
type grouping struct {
	area bool
	axes []int
}

// label returns the name of a series in this grouping.
func (d grouping) label(st *dataSeries, n naming) string {
	if d.area {
		return n.area(st.area)
	}
	return n.dims(st.key, d.axes)
}

// key returns the same key for series at the same position of the grouping. Labels are
// not keys, because the joined labels of different values may be equal.
func (d grouping) key(st *dataSeries) string {
	if d.area {
		return fmt.Sprint(st.area)
	}
	positions := make([]int32, len(d.axes))
	for i, axis := range d.axes {
		positions[i] = st.key[axis]
	}
	return fmt.Sprint(positions)
}

// byCategory makes categories of the areas, else of the dimension in which the series
// differ most, and chart series of the other differences. If a group would have too
// many bars, the two are swapped.
func (s *Spec) byCategory(w *textInput) error {
	t := w.selection
	area, apart := grouping{area: true}, grouping{axes: t.distinctAxes}
	s.fitBars(w)
	switch {
	case len(t.distinctAxes) == 0:
		return s.fill(t, area, grouping{axes: t.choiceAxes()})
	case t.areas && t.distinct(apart) > maxGroups:
		return s.fill(t, apart, area)
	case t.areas:
		return s.fill(t, area, apart)
	case len(t.distinctAxes) == 1:
		return s.fill(t, apart, area)
	}
	one := func(axis int) grouping { return grouping{axes: []int{axis}} }
	widest := slices.MaxFunc(t.distinctAxes, func(a, b int) int { return cmp.Compare(t.distinct(one(a)), t.distinct(one(b))) })
	others := slices.DeleteFunc(slices.Clone(t.distinctAxes), func(a int) bool { return a == widest })
	return s.fill(t, one(widest), grouping{axes: others})
}

// distinct returns the number of positions of the series in a grouping.
func (t *selection) distinct(d grouping) int {
	seen := map[string]bool{}
	for _, st := range t.series {
		seen[d.key(st)] = true
	}
	return len(seen)
}

// fill puts the last value of each series under its category and chart series, both in
// the order of the code lists.
func (s *Spec) fill(t *selection, categories, series grouping) error {
	row := map[string]int{}
	for _, st := range t.series {
		if place := series.key(st); !has(row, place) {
			row[place] = len(row)
			key := t.write(func(n naming) string { return series.label(st, n) })
			s.Series = append(s.Series, Series{Key: cmp.Or(key, t.dataset.Name)})
		}
	}
	s.columns(t, categories)
	if len(s.Series) > maxGroups {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d series in %d categories, but bars show at most %d side by side; select fewer areas or dimension values", s.Type, len(s.Series), len(s.Categories), maxGroups)
	}
	if n := len(s.Series) * len(s.Categories); n > maxBars && s.Type != Map {
		return stat.Errorf(stat.Invalid, "chartType %s: the selection has %d bars, but a chart shows at most %d; select fewer areas or dimension values", s.Type, n, maxBars)
	}
	for i := range s.Series {
		s.Series[i] = blankSeries(s.Series[i].Key, len(s.Categories), t.series[0].flags != nil)
	}
	for _, st := range t.series {
		in := &s.Series[row[series.key(st)]]
		if !math.IsNaN(in.Values[st.column]) {
			return stat.Errorf(stat.Invalid, "the selection has several values for %s, in the units %s; select one unit", s.Categories[st.column].Label, strings.Join(t.units(), ", "))
		}
		i := len(st.values) - 1
		in.set(st.column, st, i)
	}
	return nil
}

// columns makes the categories and records the category of each series. Areas follow
// the order of the geography: series come key by key, and a later key may have areas
// that the first has not.
func (s *Spec) columns(t *selection, d grouping) {
	series := t.series
	var starts map[string]float64
	if !d.area && len(d.axes) == 1 {
		t.categoryAxis = &d.axes[0]
	}
	if d.area {
		series = slices.SortedStableFunc(slices.Values(series), func(a, b *dataSeries) int { return cmp.Compare(a.area, b.area) })
	} else if starts = t.rangeStarts(d); starts != nil {
		s.Ordered = true
		series = slices.SortedStableFunc(slices.Values(series), func(a, b *dataSeries) int { return cmp.Compare(starts[d.key(a)], starts[d.key(b)]) })
	}
	at := map[string]int{}
	var columnStarts []float64
	for _, st := range series {
		place := d.key(st)
		if !has(at, place) {
			at[place] = len(at)
			c := Category{Label: t.write(func(n naming) string { return d.label(st, n) })}
			if d.area {
				c = t.category(st.area)
				c.Segment = st.segment
			}
			s.Categories = append(s.Categories, c)
			columnStarts = append(columnStarts, starts[place])
		}
		st.column = at[place]
	}
	if s.Ordered {
		s.addMissingSteps(t, columnStarts)
	}
}

// rangeStarts returns where the ranges of a dimension begin, such as ages, by the keys of a
// grouping; nil if its values are none.
func (t *selection) rangeStarts(d grouping) map[string]float64 {
	if len(d.axes) != 1 {
		return nil
	}
	var keys []string
	var codes []stat.Code
	for _, st := range t.series {
		if key := d.key(st); !slices.Contains(keys, key) {
			keys = append(keys, key)
			codes = append(codes, t.dataset.Dimensions[d.axes[0]].Codes[st.key[d.axes[0]]])
		}
	}
	starts, ok := defaults.RangeStarts(codes)
	if !ok {
		return nil
	}
	byKey := map[string]float64{}
	for i, key := range keys {
		byKey[key] = starts[i]
	}
	return byKey
}
