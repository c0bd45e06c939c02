package chart

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/geo"
)

// Limits of the lines in colour if there are more than maxGroups.
const (
	maxFocus   = 8  // if the caller selected no areas: as many as there are colours, without dashes
	maxAsked   = 24 // if the caller selected them: eight colours, each in three dashes
	maxApart   = 3  // of maxFocus, groups of countries
	maxLargest = 4  // of maxFocus, the countries with the most people
)

// chooseFocus chooses which of many lines are in colour. The areas that the caller selected
// all are. Otherwise these are in colour: groups of countries, the office's own country, the
// largest countries, and those with the highest and the lowest value, both in the whole
// span and at its end. So the line that stands out has a name. If the others are a crowd that
// nobody can follow, they are left out.
func (s *Spec) chooseFocus(t *selection) {
	n := len(s.Series)
	if n <= maxGroups {
		return
	}
	if n <= maxFocus || t.isAsked && n <= maxAsked {
		for i := range s.Series {
			s.Series[i].Focus = true
		}
		return
	}
	f, totals := newFocus(s, t), len(t.beyond)
	if !t.isAsked && t.areas && f.dropOutliers() {
		f = newFocus(s, t)
	}
	if !t.isAsked && f.isCrowd() {
		outliers := len(t.beyond) - totals
		t.beyond = t.beyond[:totals]
		f.leaveOutCrowd(outliers)
		return
	}
	f.chooseExtremes()
}

// keepFocus leaves out the series that would be grey lines, because they have no panel.
func (s *Spec) keepFocus(t *selection) {
	all := len(s.Series)
	if !slices.ContainsFunc(s.Series, func(series Series) bool { return series.Focus }) {
		return
	}
	var kept []Series
	var from []*dataSeries
	for i, series := range s.Series {
		if series.Focus {
			series.Focus = false
			kept, from = append(kept, series), append(from, t.series[i])
		}
	}
	s.Series, t.series, s.withoutPanel = kept, from, all-len(kept)
}

// WithoutPanel returns how many series a Spec of small multiples made by New leaves out,
// because the request chose no areas.
func (s *Spec) WithoutPanel() int { return s.withoutPanel }

// focus chooses the lines in colour.
type focus struct {
	spec      *Spec
	selection *selection

	plain                          []int // indexes of series that may be chosen for their values or as a country
	apart, home, largest, extremes []int // indexes of chosen series
}

// newFocus chooses what is in focus whatever its values are.
func newFocus(s *Spec, t *selection) *focus {
	f := &focus{spec: s, selection: t}
	home, _ := geo.HomeOf(t.dataset.Source.ID)
	for i := range s.Series {
		s.Series[i].Focus = false
		facts := t.factsOf(t.series[i].area)
		switch {
		case !t.areas:
			f.plain = append(f.plain, i)
		case s.Series[i].Group:
			f.apart = f.take(f.apart, i, maxApart)
		case facts.alpha != "" && facts.alpha == home.Alpha2:
			f.home = f.take(f.home, i, 1)
		case len(t.series[i].values) == 1 && len(s.Periods) > 1: // a dot is no line
		case facts.kind != geo.Former:
			f.plain = append(f.plain, i)
		}
	}
	if t.whole == nil && t.areas {
		f.chooseLargest(min(maxLargest, maxLargest+1-len(f.apart))) // leave space for extremes
	}
	return f
}

// smallState is the population, in thousand, below which a country is not in colour for its
// values alone: readers of a chart of the world or of Europe do not look for it.
const smallState = 1000

// chooseExtremes adds the series that stand out, without small states unless most are small.
func (f *focus) chooseExtremes() {
	large := slices.DeleteFunc(slices.Clone(f.plain), func(i int) bool {
		if !f.selection.areas {
			return false
		}
		facts := f.selection.factsOf(f.selection.series[i].area)
		people := geo.Population(facts.alpha)
		return facts.kind == geo.Country && people > 0 && people < smallState
	})
	if 2*len(large) < len(f.plain) {
		large = f.plain
	}
	outer, inner := f.extremesOf(large)
	for _, i := range outer {
		f.extremes = f.take(f.extremes, i, maxFocus-f.count()+len(f.extremes))
	}
	for _, i := range inner {
		f.extremes = f.take(f.extremes, i, maxFocus-f.count()+len(f.extremes))
	}
}

// take puts a series in focus and appends it to a list, unless it is in focus already or
// the list is full.
func (f *focus) take(list []int, i, most int) []int {
	if f.spec.Series[i].Focus || len(list) >= most {
		return list
	}
	f.spec.Series[i].Focus = true
	return append(list, i)
}

func (f *focus) count() int {
	return len(f.apart) + len(f.home) + len(f.largest) + len(f.extremes)
}

// chooseLargest chooses up to n of the largest countries that have a value at the end: the
// first three by population, then the largest of each continent that has none, then others.
// In European data, present and former members of the European Union come before others.
func (f *focus) chooseLargest(n int) {
	end := f.spec.CommonEnd()
	countries := map[int32]bool{}
	var order []int
	for _, i := range f.plain {
		area := f.selection.series[i].area
		if facts := f.selection.factsOf(area); facts.kind == geo.Country {
			countries[area] = true
			if geo.Population(facts.alpha) > 0 && !math.IsNaN(f.spec.Series[i].Values[end]) {
				order = append(order, i)
			}
		}
	}
	isEuropean := f.selection.isEuropean(countries)
	alpha := func(i int) string { return f.selection.factsOf(f.selection.series[i].area).alpha }
	size := func(i int) int {
		if isEuropean && (geo.IsInEU(alpha(i)) || alpha(i) == "GB") {
			return geo.Population(alpha(i)) + 1e7 // more than any country
		}
		return geo.Population(alpha(i))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	seen := map[string]bool{}
	for _, isAnyContinent := range []bool{isEuropean, true} {
		for _, i := range order {
			continent := geo.ContinentOf(alpha(i))
			if isAnyContinent || len(f.largest) < fromContinents || !seen[continent] {
				f.largest = f.take(f.largest, i, n)
			}
			seen[continent] = seen[continent] || f.spec.Series[i].Focus
		}
	}
}

// fromContinents is the number of countries after which continents are represented.
const fromContinents = 3

// extremesOf returns the series that stand out. outer has those with the highest and the
// lowest value of all, and those at the end; inner the second highest and lowest at the end,
// and so on. Lows or highs that a quarter of the series come near to do not stand out, such
// as the smallest of many populations.
func (f *focus) extremesOf(plain []int) (outer, inner []int) {
	if len(plain) == 0 {
		return nil, nil
	}
	at := f.spec.CommonEnd()
	end := func(i int) float64 { return f.spec.Series[i].Values[at] }
	peak := func(i int) float64 { return slices.Max(f.selection.series[i].values) }
	trough := func(i int) float64 { return slices.Min(f.selection.series[i].values) }
	high := slices.MaxFunc(plain, func(a, b int) int { return cmp.Compare(peak(a), peak(b)) })
	low := slices.MinFunc(plain, func(a, b int) int { return cmp.Compare(trough(a), trough(b)) })
	order := slices.DeleteFunc(slices.Clone(plain), func(i int) bool { return math.IsNaN(end(i)) })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(end(b), end(a)) })
	least := minStandOut * (peak(high) - trough(low))
	highs := peak(high)-end(order[len(order)/4]) > least
	lows := end(order[len(order)*3/4])-trough(low) > least
	if !highs && !lows {
		highs, lows = true, true
	}
	if highs {
		outer = append(outer, high)
	}
	if lows {
		outer = append(outer, low, order[len(order)-1])
	}
	if highs {
		outer = append(outer, order[0])
	}
	for n := range len(order) / 2 {
		if highs {
			inner = append(inner, order[n])
		}
		if lows {
			inner = append(inner, order[len(order)-1-n])
		}
	}
	return outer, inner
}

// minStandOut is the part of the range of all values by which the highest differs from the
// upper quarter, or the lowest from the lower one, to stand out.
const minStandOut = .05
