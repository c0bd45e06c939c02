package chart

import (
	"cmp"
	"slices"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/words"
	"almanac/internal/geo"
)

// Segment is a part of a ranking of areas that does not fit. Segments are drawn apart, each with
// its heading, because areas between them are left out.
type Segment uint8

// The segments, from top to bottom; zero: the ranking is whole, or has its upper end only.
const (
	Highest Segment = iota + 1
	Populous
	Lowest
)

// Heading returns what is written above a segment.
func (s Segment) Heading(w *words.Language) string {
	switch s {
	case Highest:
		return w.Text("Highest")
	case Populous:
		return w.Text("Most populous")
	case Lowest:
		return w.Text("Lowest")
	}
	return ""
}

// Shares of the segments; the most populous have the rest.
const (
	highestShare = 7. / 20
	lowestShare  = 5. / 20
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

// Heights of rows, in units of a picture 1200 wide: the least at which a whole ranking is
// drawn, and that of a ranking of which only parts are.
const smallRow, comfortableRow = 16.4, 26.0

// barRows returns how many bars with rows of a height fit above one another, by the size of
// the picture. Narrow pictures have larger letters in relation to their width.
func (s *Spec) barRows(row float64) int {
	const width, narrowest, texts = 1200, 736, 150
	height := float64(s.Height) * width / float64(max(s.Width, narrowest))
	return max(3, int((height-texts)/row))
}

// chooseBars leaves out areas if there are too many for readable bars. The highest, the
// lowest and the most populous stay, and a note says so: a ranking that is cut at one end
// would hide that it has another. Of amounts, whose lowest values are all near zero, the
// largest stay.
func (s *Spec) chooseBars(w *textInput, rows int) {
	t := w.selection
	ranked := slices.DeleteFunc(slices.Clone(t.series), func(st *dataSeries) bool { return t.isApart(st.area) })
	apart := len(t.series) - len(ranked)
	slices.SortStableFunc(ranked, func(a, b *dataSeries) int { return cmp.Compare(s.rankValue(b), s.rankValue(a)) })
	largest := slices.DeleteFunc(slices.Clone(ranked), func(st *dataSeries) bool { return t.sizeOf(st) == 0 })
	slices.SortStableFunc(largest, func(a, b *dataSeries) int { return cmp.Compare(t.sizeOf(b), t.sizeOf(a)) })
	kept, note := map[*dataSeries]bool{}, ""
	most := max(1, rows-apart)
	switch l := s.Words(); {
	case s.areAmounts(w, ranked, largest):
		if s.Type == Dumbbell {
			return // the layout says by which of the two periods it ranks
		}
		keep(kept, ranked, most)
		note = l.Text("Of %s areas, the %s with the largest values are shown.", len(ranked), len(kept))
	case len(largest) == 0:
		keepSegments(kept, ranked, largest, most)
		note = l.Text("Of %s areas, %s are shown: the highest and the lowest.", len(ranked), len(kept))
	default:
		keepSegments(kept, ranked, largest, most)
		note = l.Text("Of %s areas, %s are shown: the highest, the lowest and the most populous countries.", len(ranked), len(kept))
	}
	t.notes = append(t.notes, note)
	t.series = slices.DeleteFunc(t.series, func(st *dataSeries) bool {
		isOut := !t.isApart(st.area) && !kept[st]
		if isOut {
			t.deleted = append(t.deleted, st)
		}
		return isOut
	})
}

// fitBars leaves out areas by [Spec.chooseBars] if the caller did not name them and their bars do
// not fit.
func (s *Spec) fitBars(w *textInput) {
	t := w.selection
	_, _, compared := t.extremesOfParts()
	isWhole := len(t.series) <= s.barRows(smallRow) || s.Type == Bar && compared <= maxVerticalBars
	if (!t.isAsked || w.options.IsWithin) && len(t.distinctAxes) == 0 && !isWhole {
		s.chooseBars(w, s.barRows(comfortableRow))
	}
}

// rankValue returns the value by which bars and rows are ranked: the last one, but the first of
// the two of a dumbbell.
func (s *Spec) rankValue(st *dataSeries) float64 {
	if s.Type == Dumbbell {
		return st.values[0]
	}
	return st.last()
}

// keep adds the first of a list until n are kept.
func keep(kept map[*dataSeries]bool, list []*dataSeries, n int) {
	for _, st := range list {
		if len(kept) < n {
			kept[st] = true
		}
	}
}

// keepSegments keeps the highest, the lowest and the largest areas, n together, and says of
// each to which segment it belongs.
func keepSegments(kept map[*dataSeries]bool, ranked, largest []*dataSeries, n int) {
	high, low := max(1, int(highestShare*float64(n))), int(lowestShare*float64(n))
	if len(largest) == 0 {
		high, low = (n+1)/2, n/2
	}
	keep(kept, ranked, high)
	reversed := slices.Clone(ranked)
	slices.Reverse(reversed)
	keep(kept, reversed, high+low)
	keep(kept, largest, n)
	keep(kept, ranked, n)
	markSegments(kept, ranked)
}

// markSegments says in which segment of the ranking a kept area is: the first ones up to one
// that is left out are the highest, the last ones the lowest.
func markSegments(kept map[*dataSeries]bool, ranked []*dataSeries) {
	first, last := 0, len(ranked)
	for first < len(ranked) && kept[ranked[first]] {
		ranked[first].segment = Highest
		first++
	}
	for last > first && kept[ranked[last-1]] {
		last--
		ranked[last].segment = Lowest
	}
	for _, st := range ranked[first:last] {
		st.segment = Populous
	}
}

// minLarge is the number of the most populous countries of which most are among the first
// manyRanks, or the first third, if values are amounts.
const minLarge, manyRanks = 12, 28

// areAmounts reports whether values grow with the size of areas, so that a ranking is one of
// sizes and its end is of no interest: most of the largest countries are among the first. Of
// areas whose size is not known, the unit and what is measured tell, and then the values: the lowest
// quarter is near the lowest value.
// ranked are the series by value, largest those of countries by population.
func (s *Spec) areAmounts(w *textInput, ranked, largest []*dataSeries) bool {
	if len(largest) < minLarge {
		if w.ratioText() != "" {
			return false
		}
		high, quarter, low := s.rankValue(ranked[0]), s.rankValue(ranked[len(ranked)*3/4]), s.rankValue(ranked[len(ranked)-1])
		return quarter-low <= minStandOut*(high-low)
	}
	n := 0
	for _, st := range largest[:minLarge] {
		if slices.Contains(ranked[:min(manyRanks, len(ranked)/3)], st) {
			n++
		}
	}
	return 2*n > minLarge
}

// hasLongNames reports whether the names of several upright bars would not fit below them in
// three lines, in a picture of the usual form.
func (s *Spec) hasLongNames() bool {
	const width, size, lines, few = 850.0, 12.5, 3, 4
	if len(s.Categories) < few {
		return false
	}
	isLong := func(c Category) bool {
		_, whole := font.Wrap(font.Clean(c.Label), size, scene.Regular, width/float64(len(s.Categories))*.95, lines)
		return !whole
	}
	return slices.ContainsFunc(s.Categories, isLong)
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
	t.notes = append(t.notes, w.Text("Of %s lines, %s are drawn; the others would hide them.", len(s.Series), maxLineSeries))
	s.delete(t, isOut)
}

// delete removes series, by their indexes.
func (s *Spec) delete(t *selection, isOut map[int]bool) {
	var drawn []Series
	var series []*dataSeries
	for i := range s.Series {
		if isOut[i] {
			t.deleted = append(t.deleted, t.series[i])
			continue
		}
		drawn, series = append(drawn, s.Series[i]), append(series, t.series[i])
	}
	s.Series, t.series = drawn, series
}
