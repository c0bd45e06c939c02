package chart

import (
	"cmp"
	"slices"

	"almanac/internal/geo"
)

// Parts of a ranking of areas that does not fit.
const (
	highestShare = 10. / 28 // of the bars, at least
	lowestShare  = 8. / 28
)

// Bars along time that are more than maxReadable are thinner than readers can tell apart. Of
// them, the last latestShown are drawn: five years of months, or three months of working days.
const maxReadable, latestShown = 80, 60

// latestBars returns the last of the periods of bars along time if there are too many to be
// read, with a note. Each series has a bar in each period.
func (s *Spec) latestBars(t *selection, periods []int32) []int32 {
	n := len(t.series)
	if len(periods)*n <= maxReadable {
		return periods
	}
	s.earlier = len(periods) - max(2, latestShown/n)
	t.notes = append(t.notes, s.Words().Text("The last %s of %s periods are shown.", len(periods)-s.earlier, len(periods)))
	return periods[s.earlier:]
}

// Earlier returns the number of periods that a Spec made by New leaves out, because their bars
// would be too thin.
func (s *Spec) Earlier() int { return s.earlier }

// barRows returns how many readable bars fit above one another, by the size of the picture.
// Narrow pictures have larger letters in relation to their width.
func (s *Spec) barRows() int {
	const width, narrowest, texts, row = 1200, 736, 150, 16 // in units of a picture 1200 wide
	height := float64(s.Height) * width / float64(max(s.Width, narrowest))
	return max(3, int((height-texts)/row))
}

// chooseBars leaves out areas if there are too many for readable bars. The highest, the
// lowest and the most populous stay, and a note says so: a ranking that is cut at one end
// would hide that it has another. Of amounts, whose lowest values are all near zero, the
// largest stay.
func (s *Spec) chooseBars(t *selection) {
	var plain []*dataSeries
	for _, st := range t.series {
		if !t.isApart(st.area) {
			plain = append(plain, st)
		}
	}
	rows := s.barRows() - (len(t.series) - len(plain))
	if len(plain) <= rows || s.Type == Bar && len(plain) <= maxVerticalBars {
		return
	}
	most := max(1, rows*7/8) // fewer than fit are easier to read
	last := func(st *dataSeries) float64 { return st.values[len(st.values)-1] }
	slices.SortStableFunc(plain, func(a, b *dataSeries) int { return cmp.Compare(last(b), last(a)) })
	kept := map[*dataSeries]bool{}
	keep := func(list []*dataSeries, n int) {
		for _, st := range list {
			if len(kept) < n {
				kept[st] = true
			}
		}
	}
	largest := slices.DeleteFunc(slices.Clone(plain), func(st *dataSeries) bool { return t.sizeOf(st) == 0 })
	slices.SortStableFunc(largest, func(a, b *dataSeries) int { return cmp.Compare(t.sizeOf(b), t.sizeOf(a)) })
	isAmount := areAmounts(plain, largest)
	if !isAmount {
		high := max(1, int(highestShare*float64(most)))
		keep(plain, high)
		reversed := slices.Clone(plain)
		slices.Reverse(reversed)
		keep(reversed, high+int(lowestShare*float64(most)))
		keep(largest, most)
	}
	keep(plain, most)
	switch w := s.Words(); {
	case isAmount:
		t.notes = append(t.notes, w.Text("Of %s areas, the %s with the largest values are shown.", len(plain), len(kept)))
	case len(largest) == 0:
		t.notes = append(t.notes, w.Text("Of %s areas, %s are shown: the highest and the lowest.", len(plain), len(kept)))
	default:
		t.notes = append(t.notes, w.Text("Of %s areas, %s are shown: the highest, the lowest and the most populous countries.", len(plain), len(kept)))
	}
	t.series = slices.DeleteFunc(t.series, func(st *dataSeries) bool { return !t.isApart(st.area) && !kept[st] })
}

// minLarge is the number of the most populous countries of which most are among the first
// manyRanks, or the first half, if values are amounts.
const minLarge, manyRanks = 12, 28

// areAmounts reports whether values grow with the size of areas, so that a ranking is one of
// sizes and its end is of no interest: most of the largest countries are among the first. Of
// areas whose size is not known, the values tell: the lowest quarter is near the lowest value.
// ranked are the series by value, largest those of countries by population.
func areAmounts(ranked, largest []*dataSeries) bool {
	last := func(st *dataSeries) float64 { return st.values[len(st.values)-1] }
	if len(largest) < minLarge {
		high, quarter, low := last(ranked[0]), last(ranked[len(ranked)*3/4]), last(ranked[len(ranked)-1])
		return quarter-low <= minStandOut*(high-low)
	}
	n := 0
	for _, st := range largest[:minLarge] {
		if slices.Contains(ranked[:min(manyRanks, len(ranked)/2)], st) {
			n++
		}
	}
	return 2*n > minLarge
}

// sizeOf ranks the area of a series among countries, by population; the office's own
// country is first. It is 0 for other areas.
func (t *selection) sizeOf(st *dataSeries) int {
	facts := t.factsOf(st.area)
	if facts.kind != geo.Country {
		return 0
	}
	if home, ok := geo.HomeOf(t.dataset.Source.ID); ok && home.Alpha2 == facts.alpha {
		return 1e7
	}
	return geo.Population(facts.alpha)
}

// thin leaves out grey lines if there are more than a chart can show, at even distances in
// the order of their last values.
func (s *Spec) thin(t *selection) {
	if s.Type != Line || len(s.Series) <= maxLineSeries {
		return
	}
	last := func(i int) float64 { return t.series[i].values[len(t.series[i].values)-1] }
	var grey []int
	for i := range s.Series {
		if !s.Series[i].Focus {
			grey = append(grey, i)
		}
	}
	slices.SortStableFunc(grey, func(a, b int) int { return cmp.Compare(last(a), last(b)) })
	free := maxLineSeries - (len(s.Series) - len(grey))
	isOut := map[int]bool{}
	for n, i := range grey {
		isOut[i] = n*free/len(grey) == (n+1)*free/len(grey)
	}
	w := s.Words()
	t.notes = append(t.notes, w.Text("Of %s series, %s are drawn, at even distances in their order.", len(s.Series), maxLineSeries))
	s.delete(t, isOut)
}

// delete removes series, by their indexes.
func (s *Spec) delete(t *selection, isOut map[int]bool) {
	var drawn []Series
	var series []*dataSeries
	for i := range s.Series {
		if !isOut[i] {
			drawn, series = append(drawn, s.Series[i]), append(series, t.series[i])
		}
	}
	s.Series, t.series = drawn, series
}
