package chart

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"almanac/internal/geo"
)

// Limits of the lines in colour if there are more than maxGroups.
const (
	maxFocus   = 8  // if the caller selected no areas: as many as there are colours, without dashes
	maxAsked   = 24 // if the caller selected them: eight colours, each in three dashes
	maxApart   = 3  // of maxFocus, groups of countries
	maxLargest = 4  // of maxFocus, the countries with the most people; with two groups fewer
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
	if s.Type != Area && (n <= maxFocus || t.isAsked && n <= maxAsked) {
		for i := range s.Series {
			s.Series[i].Focus = true
		}
		return
	}
	f, totals := newFocus(s, t), len(t.beyond)
	if s.Type == Area {
		return
	}
	if !t.isAsked && !t.isSpark && t.areas && totals == 0 && f.dropOutliers() { // amounts, which have totals, have no outliers
		f = newFocus(s, t)
	}
	if !t.isAsked && f.isCrowd() {
		outliers := len(t.beyond) - totals
		t.beyond = t.beyond[:totals]
		f.leaveOutCrowd(outliers)
		return
	}
	f.chooseExtremes()
	if !t.isAsked && f.isSlab() {
		f.chooseHighest()
		f.leaveOutGrey(0)
	}
}

// chooseHighest puts the highest lines in focus, in place of others than totals and the office's own
// country: beside lines that are left out, a smaller one would look like the next in size.
func (f *focus) chooseHighest() {
	n := f.count()
	for _, i := range slices.Concat(f.largest, f.extremes) {
		f.spec.Series[i].Focus = false
	}
	f.largest, f.extremes = nil, nil
	f.takeHighest(n - f.count())
}

// takeHighest puts the n lines in focus that are highest in the last period of most.
func (f *focus) takeHighest(n int) {
	end, order := f.spec.CommonEnd(), slices.Clone(f.plain)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(f.spec.Series[b].Values[end], f.spec.Series[a].Values[end]) })
	for _, i := range order {
		f.largest = f.take(f.largest, i, n)
	}
}

// keepFocus leaves out the series that would be grey lines, because they have no panel or no
// part of an area, with a note that counts them.
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
	if s.withoutPanel > 0 {
		s.Undrawn = s.withoutPanel
		t.notes = append(t.notes, s.Words().Text("Not drawn: %s others.", s.Undrawn))
	}
}

// WithoutPanel returns how many series a Spec of small multiples made by New leaves out,
// because the request chose no areas.
func (s *Spec) WithoutPanel() int { return s.withoutPanel }

// focus chooses the lines in colour.
type focus struct {
	spec       *Spec
	selection  *selection
	isEuropean bool // most countries are in Europe

	plain                          []int // indexes of series that may be chosen for their values or as a country
	apart, home, largest, extremes []int // indexes of chosen series
}

// newFocus chooses what is in focus whatever its values are, and of an area chart the largest parts.
func newFocus(s *Spec, t *selection) *focus {
	f := &focus{spec: s, selection: t, isEuropean: t.areas && t.isEuropean(t.areasOf(geo.Country))}
	home, _ := geo.HomeOf(t.dataset.Source.ID)
	for i := range s.Series {
		s.Series[i].Focus = false
		facts := t.factsOf(t.series[i].area)
		switch {
		case !t.areas:
			f.plain = append(f.plain, i)
		case s.Series[i].Group && s.Type == Area: // it contains others
		case s.Series[i].Group:
			f.apart = f.take(f.apart, i, maxApart)
		case facts.alpha != "" && facts.alpha == home.Alpha2 && s.Type != Area:
			f.home = f.take(f.home, i, 1)
		case len(t.series[i].values) <= maxDots && len(s.Periods) > 2*maxDots, len(t.series[i].values) == 1 && len(s.Periods) > 1: // dots are no line
		case facts.kind != geo.Former:
			f.plain = append(f.plain, i)
		}
	}
	if s.Type == Area {
		f.leaveOutShort()
		f.takeHighest(maxGroups)
		return f
	}
	if t.whole == nil && t.areas {
		f.chooseLargest(maxLargest - max(0, len(f.apart)-1))
	}
	if t.areas && len(f.largest) == 0 {
		f.chooseMainRegions(maxLargest)
	}
	return f
}

// Populations, in thousand, below which a country is not in colour for its values alone, because
// readers of a chart of the world or of Europe do not look for it: small states, and countries of
// Europe that never were in the European Union.
const (
	smallestState  = 300 // is not in colour even if its line is the highest
	smallState     = 1000
	smallOutsideEU = 5000
)

// chooseExtremes adds the series that stand out: of European data members of the European
// Union and large countries, of others no small states unless most are small.
func (f *focus) chooseExtremes() {
	large := slices.DeleteFunc(slices.Clone(f.plain), f.isLittleKnown)
	if 2*len(large) < len(f.plain) {
		large = f.plain
	}
	if rest := f.selection.withoutOddZeros(large); len(rest) > 0 {
		large = rest
	}
	outer, inner := f.extremesOf(large)
	if i, ok := f.top(); ok {
		outer = slices.Insert(outer, 0, i)
	}
	for _, i := range slices.Concat(outer, inner) {
		f.extremes = f.take(f.extremes, i, maxFocus-f.count()+len(f.extremes))
	}
}

// top returns the series with the highest value of all but the smallest states, because a line
// above all others needs a name. ok is false if a series in focus is as high.
func (f *focus) top() (i int, ok bool) {
	highest := math.Inf(-1)
	for n, s := range f.selection.series {
		people := geo.Population(f.selection.factsOf(s.area).alpha)
		isSmall := f.selection.areas && (people > 0 && people < smallestState || f.selection.isSmallRegion(s.area))
		switch high := slices.Max(s.values); {
		case f.spec.Series[n].Focus && high >= highest:
			highest, ok = high, false
		case high > highest && !isSmall && slices.Contains(f.plain, n):
			highest, i, ok = high, n, true
		}
	}
	return i, ok
}

// isLittleKnown reports whether a series is that of a country that readers do not look for.
func (f *focus) isLittleKnown(i int) bool {
	t := f.selection
	facts := t.factsOf(t.series[i].area)
	switch people := geo.Population(facts.alpha); {
	case t.areas && facts.kind == geo.Region:
		return t.isSmallRegion(t.series[i].area)
	case !t.areas || facts.kind != geo.Country:
		return false
	case f.isEuropean:
		return !isMember(facts.alpha) && people < smallOutsideEU
	default:
		return people > 0 && people < smallState
	}
}

// isMember reports whether a country is or was a member of the European Union.
func isMember(alpha2 string) bool { return geo.IsInEU(alpha2) || alpha2 == "GB" }

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

// chooseLargest chooses up to n of the largest countries that have a value at the end, by their
// weight. If the first three are from two continents, the fourth is from another one. In
// European data, present and former members of the European Union come before others instead.
func (f *focus) chooseLargest(n int) {
	end := f.spec.CommonEnd()
	var order []int
	for _, i := range f.plain {
		facts := f.selection.factsOf(f.selection.series[i].area)
		if facts.kind == geo.Country && geo.Population(facts.alpha) > 0 && !math.IsNaN(f.spec.Series[i].Values[end]) {
			order = append(order, i)
		}
	}
	alpha := func(i int) string { return f.selection.factsOf(f.selection.series[i].area).alpha }
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(weightAmong(alpha(b), f.isEuropean), weightAmong(alpha(a), f.isEuropean))
	})
	seen := map[string]bool{}
	for _, i := range order[:min(len(order), fromContinents)] {
		seen[geo.ContinentOf(alpha(i))] = true
	}
	if len(order) > fromContinents && len(seen) < fromContinents && !f.isEuropean {
		other := slices.IndexFunc(order, func(i int) bool { return !seen[geo.ContinentOf(alpha(i))] })
		if other > fromContinents {
			order = slices.Insert(slices.Delete(slices.Clone(order), other, other+1), fromContinents, order[other])
		}
	}
	for _, i := range order {
		f.largest = f.take(f.largest, i, n)
	}
}

// weightAmong returns the weight of a country by which the largest are chosen. Among countries of
// Europe, members of the EU and the United Kingdom come before all others.
func weightAmong(alpha string, isEuropean bool) float64 {
	if isEuropean && isMember(alpha) {
		return geo.Weight(alpha) + 1e15 // more than any country
	}
	return geo.Weight(alpha)
}

// chooseMainRegions chooses up to n of the regions that have a value at the end and that readers
// look for first: of one country, those of its capital and with the most people; of several
// countries, the first of each of the largest countries.
func (f *focus) chooseMainRegions(n int) {
	end := f.spec.CommonEnd()
	type region struct {
		series, place int
		country       string
	}
	var order []region
	first := map[string]int{} // place of the first region that is there, by country
	for _, i := range f.plain {
		country, place, ok := geo.MainRegion(f.selection.dataset.Geography.Codes[f.selection.series[i].area].Area)
		if !ok || math.IsNaN(f.spec.Series[i].Values[end]) {
			continue
		}
		order = append(order, region{i, place, country})
		if other, ok := first[country]; !ok || place < other {
			first[country] = place
		}
	}
	slices.SortStableFunc(order, func(a, b region) int {
		return cmp.Or(cmp.Compare(geo.Weight(b.country), geo.Weight(a.country)), cmp.Compare(a.place, b.place))
	})
	for _, r := range order {
		if len(first) == 1 || r.place == first[r.country] {
			f.largest = f.take(f.largest, r.series, n)
		}
	}
}

// maxDots is the number of values up to which a series beside longer ones is taken for dots.
const maxDots = 2

// fromContinents is the number of countries that are chosen before one of another continent.
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
	end := func(i int) float64 {
		if v := f.spec.Series[i].Values[at]; !math.IsNaN(v) || !f.isLong(i) || !f.endsLate(i) {
			return v
		}
		return f.selection.series[i].last() // of a country that has left
	}
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
		if i, ok := f.firstLeader(plain); ok {
			outer = append(outer, i)
		}
		outer = append(outer, f.leaders(plain, least)...)
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

// isLong reports whether a series has values in at least half of the periods.
func (f *focus) isLong(i int) bool { return 2*f.spec.Series[i].count() >= len(f.spec.Periods) }

// endsLate reports whether a series has a value in the last two fifths of the time, so that its name
// can stand near its end.
func (f *focus) endsLate(i int) bool {
	values := f.spec.Series[i].Values
	return slices.ContainsFunc(values[3*len(values)/5:], func(v float64) bool { return !math.IsNaN(v) })
}

// leaders returns the series that are above all others by at least a margin for a time, the
// highest first.
func (f *focus) leaders(plain []int, margin float64) []int {
	peaks := map[int]float64{}
	for at := range f.spec.Periods {
		first, high, second := -1, math.Inf(-1), math.Inf(-1)
		for _, i := range plain {
			switch v := f.spec.Series[i].Values[at]; {
			case v > high:
				first, high, second = i, v, high
			case v > second:
				second = v
			}
		}
		if high-second >= margin && !math.IsInf(second, -1) && f.endsLate(first) {
			peaks[first] = slices.Max(f.selection.series[first].values)
		}
	}
	return slices.SortedFunc(maps.Keys(peaks), func(a, b int) int { return cmp.Or(cmp.Compare(peaks[b], peaks[a]), cmp.Compare(a, b)) })
}

// firstLeader returns the series with the highest value at the start of the chart, if that is
// higher than its own last value by far: a line that falls from the top needs a name.
func (f *focus) firstLeader(plain []int) (leader int, ok bool) {
	high := math.Inf(-1)
	for _, i := range plain {
		if v := f.spec.Series[i].Values[0]; v > high {
			leader, high = i, v
		}
	}
	if math.IsInf(high, -1) {
		return 0, false
	}
	return leader, f.selection.series[leader].last() < high/minFall
}

// minFall is how many times its last value the first one of a line is that falls by far.
const minFall = 4

// minStandOut is the part of the range of all values by which the highest differs from the
// upper quarter, or the lowest from the lower one, to stand out.
const minStandOut = .05
