package chart

import (
	"cmp"
	"math"
	"slices"
)

// Limits of what [focus.dropOutliers] leaves out.
const (
	maxOutliers     = .2 // of the series
	bodyShare       = .02
	bodyMargin      = .25
	maxOutlierRange = .5 // of the axis, without the outliers
	minMiddle       = .1 // of the axis, for the middle of the others
)

// dropOutliers leaves out few series that take more than half of the axis, if the others
// can be read without them, and names them in a note with their extreme values. The axis
// without outliers has all values of the series in focus, nearly all values of the others,
// and a margin. Amounts of small and large countries have no outliers in this sense: most
// are near zero whatever is left out.
func (f *focus) dropOutliers() bool {
	t := f.selection
	if len(t.units()) > 1 {
		return false
	}
	low, high, all := f.body()
	full := valueRange{math.Min(all[0], 0), all[len(all)-1]}
	if all[0] >= 0 {
		low = min(low, 0)
	}
	if high-low >= maxOutlierRange*(full.high-full.low) {
		return false
	}
	var outliers, others []int
	var ends []float64
	for i, st := range t.series {
		if slices.Min(st.values) < low || slices.Max(st.values) > high {
			outliers = append(outliers, i)
		} else {
			others = append(others, i)
			ends = append(ends, st.values[len(st.values)-1])
		}
	}
	if float64(len(outliers)) > max(1, maxOutliers*float64(len(t.series))) {
		return false
	}
	slices.Sort(ends)
	if middle := ends[len(ends)/2]; middle-low < minMiddle*(high-low) {
		return false
	}
	f.leaveOut(outliers, valueRange{low, high})
	return true
}

type valueRange struct{ low, high float64 }

// body returns the ends of the axis without outliers, and all values, sorted.
func (f *focus) body() (low, high float64, all []float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for i, st := range f.selection.series {
		all = append(all, st.values...)
		if f.spec.Series[i].Focus {
			low, high = min(low, slices.Min(st.values)), max(high, slices.Max(st.values))
		}
	}
	slices.Sort(all)
	cut := int(bodyShare * float64(len(all)))
	least, most := all[cut], all[len(all)-1-cut]
	margin := bodyMargin * (most - least)
	return min(low, least-margin), max(high, most+margin), all
}

// leaveOut removes series from the chart and states their values farthest from an axis, the
// farthest first.
func (f *focus) leaveOut(outliers []int, axis valueRange) {
	t := f.selection
	type extreme struct {
		distance float64
		text     string
	}
	var extremes []extreme
	isOut := map[int]bool{}
	for _, i := range outliers {
		isOut[i] = true
		st := t.series[i]
		e := extreme{distance: math.Inf(-1)}
		at := 0
		for j, v := range st.values {
			if d := max(v-axis.high, axis.low-v); d > e.distance {
				e.distance, at = d, j
			}
		}
		e.text = t.valueText(st, at)
		extremes = append(extremes, e)
	}
	slices.SortStableFunc(extremes, func(a, b extreme) int { return cmp.Compare(b.distance, a.distance) })
	var names []string
	for _, e := range extremes {
		names = append(names, e.text)
	}
	t.notes = append(t.notes, tooLarge(names))
	var drawn []Series
	var series []*dataSeries
	for i := range f.spec.Series {
		if !isOut[i] {
			drawn, series = append(drawn, f.spec.Series[i]), append(series, t.series[i])
		}
	}
	f.spec.Series, t.series = drawn, series
}
