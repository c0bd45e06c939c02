package chart

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/transform"
)

// Limits of what [focus.dropOutliers] leaves out.
const (
	maxOutliers     = .2  // of the series
	maxBeyond       = 2   // series with most of their values; more are a group to compare with
	valueShare      = .02 // of all values, at either end, may be outliers
	seriesShare     = .1  // of the highest values of each series, and of the lowest, too
	bodyMargin      = .1  // of the range of the others, beyond it
	maxOutlierRange = .5  // of the axis, for nearly all values
	minMiddle       = .05 // of the axis, for the middle of the others
)

// dropOutliers leaves out few series that take more than half of the axis, if the others
// can be read without them, and names them in a note with their extreme values. What must be
// readable are all values of the series in focus and nearly all of the others; the series
// that reach beyond twice this range are left out. Amounts of small
// and large areas have no outliers in this sense: most are near zero whatever is left out, or
// many are always beyond.
func (f *focus) dropOutliers() bool {
	t := f.selection
	if len(t.units()) > 1 {
		return false
	}
	if t.derive.Kind == transform.Index {
		return f.dropFarIndices()
	}
	body, all := f.body()
	axis := valueRange{all[0], all[len(all)-1]}
	if axis.low >= 0 {
		axis.low, body.low = 0, 0
	}
	if body.length() >= maxOutlierRange*axis.length() {
		return false
	}
	axis = body.widened(axis)
	var outliers []int
	var ends []float64
	beyond := 0 // with most of their values
	for i, st := range t.series {
		if slices.Min(st.values) >= axis.low && slices.Max(st.values) <= axis.high {
			ends = append(ends, st.values[len(st.values)-1])
			continue
		}
		outliers = append(outliers, i)
		if middle := quantile(slices.Sorted(slices.Values(st.values)), .5); middle < axis.low || middle > axis.high {
			beyond++
		}
	}
	n := float64(len(t.series))
	if float64(len(outliers)) > max(1, maxOutliers*n) || beyond > maxBeyond {
		return false
	}
	slices.Sort(ends)
	if middle := ends[len(ends)/2]; middle-axis.low < minMiddle*axis.length() {
		return false
	}
	f.leaveOut(outliers, axis)
	return true
}

// dropFarIndices leaves out indices that would flatten those of the series in focus: they reach
// beyond twice their range. Indices with one base have no usual size, because prices
// of one country rise a thousandfold, so that those of the main areas decide. At most half of all
// series are left out.
func (f *focus) dropFarIndices() bool {
	t := f.selection
	highest := 0.
	for _, i := range slices.Concat(f.apart, f.home, f.largest) {
		highest = max(highest, slices.Max(t.series[i].values))
	}
	var outliers []int
	for i, st := range t.series {
		if slices.Max(st.values) > highest/maxOutlierRange {
			outliers = append(outliers, i)
		}
	}
	if len(outliers) == 0 || 2*len(outliers) > len(t.series) {
		return false
	}
	f.leaveOut(outliers, valueRange{0, highest / maxOutlierRange})
	return true
}

type valueRange struct{ low, high float64 }

func (r valueRange) length() float64 { return r.high - r.low }

// widened returns the part of a full axis of which r takes half, with the same share of what is
// beyond r at both ends.
func (r valueRange) widened(full valueRange) valueRange {
	share := (r.length()/maxOutlierRange - r.length()) / (full.length() - r.length())
	return valueRange{r.low - share*(r.low-full.low), r.high + share*(full.high-r.high)}
}

// body returns the ends of the axis for what must be readable, and all values, sorted.
func (f *focus) body() (body valueRange, all []float64) {
	var peaks, troughs []float64
	low, high := math.Inf(1), math.Inf(-1)
	for i, st := range f.selection.series {
		all = append(all, st.values...)
		trough, peak := slices.Min(st.values), slices.Max(st.values)
		peaks, troughs = append(peaks, peak), append(troughs, trough)
		if f.spec.Series[i].Focus {
			low, high = min(low, trough), max(high, peak)
		}
	}
	slices.Sort(all)
	slices.Sort(peaks)
	slices.Sort(troughs)
	most := min(quantile(all, 1-valueShare), quantile(peaks, 1-seriesShare))
	least := max(quantile(all, valueShare), quantile(troughs, seriesShare))
	margin := bodyMargin * (most - least)
	return valueRange{max(min(low, least-margin), all[0]), min(max(high, most+margin), all[len(all)-1])}, all
}

// quantile returns the value below which a share of sorted values are.
func quantile(sorted []float64, share float64) float64 {
	return sorted[int(math.Round(share*float64(len(sorted)-1)))]
}

// leaveOut removes series from the chart and states their values farthest from an axis, the
// farthest first.
func (f *focus) leaveOut(outliers []int, axis valueRange) {
	t := f.selection
	type extreme struct {
		distance float64
		datum
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
		e.datum = t.datum(st, at)
		extremes = append(extremes, e)
	}
	slices.SortStableFunc(extremes, func(a, b extreme) int { return cmp.Compare(b.distance, a.distance) })
	for _, e := range extremes {
		t.beyond = append(t.beyond, e.datum)
	}
	f.spec.delete(t, isOut)
}
