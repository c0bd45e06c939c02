package chart

import (
	"iter"
	"maps"
	"math"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/transform"
)

// Limits from which lines leave out a value as implausible.
const (
	minTimesOthers    = 100  // a value, of every other value of its series
	minTimesBelow     = 1000 // every other value of its series, of a value: amounts of money
	minAmount         = 100  // the other values: small counts, rates and deaths in disasters do jump
	minTimesNeighbour = 8    // the values of a period, of those before and after
	maxTimesSpread    = 1.5  // between the series, so that one reason explains all
	seriesAlike       = .8   // of the series
	minAlikeSeries    = 5
	minOtherValues    = 3
)

// isExamined reports whether what is hardly true is left out.
func (t *selection) isExamined(o *Options) bool {
	return slices.Contains([]Type{Line, SmallMultiples, Area, Dumbbell}, o.Type) && !t.isAsked && !t.hasPeriods
}

// readPlausible is like read, but values are derived without those that are hardly true.
func readPlausible(x *stat.Extract, q stat.Query, o *Options) (*selection, *transform.Derived, error) {
	var found *selection
	if !o.Derive.IsZero() {
		var err error
		if x, found, err = withoutImplausible(x, q, o); err != nil {
			return nil, nil, err
		}
	}
	t, derived, err := read(x, q, o)
	if err == nil && found != nil {
		t.takeImplausible(found)
	}
	return t, derived, err
}

// withoutImplausible returns an extract from which values are going to be derived without those
// that are hardly true, and a selection that names these: nil if there are none.
func withoutImplausible(x *stat.Extract, q stat.Query, o *Options) (*stat.Extract, *selection, error) {
	empty := &selection{}
	if empty.readQuery(q); !empty.isExamined(o) {
		return x, nil, nil
	}
	var blocks []*stat.Block
	for b, err := range x.Blocks {
		if err != nil {
			return nil, nil, err
		}
		blocks = append(blocks, cloneBlock(b))
	}
	x = &stat.Extract{Dataset: x.Dataset, Periods: x.Periods, Blocks: blocksOf(blocks)}
	plain := *o
	plain.Derive, plain.Bounds = transform.Transform{}, nil
	t, err := gather(x, &plain)
	if err != nil || len(t.series) == 0 {
		return x, nil, err
	}
	t.prepare(q, &plain)
	left := t.leaveOutImplausible()
	for st, periods := range left {
		for _, b := range blocks {
			st.blank(b, periods)
		}
	}
	if len(left) == 0 {
		t = nil
	}
	return x, t, nil
}

// leaveOutImplausible leaves out what is hardly true and returns the periods of these values by
// series.
func (t *selection) leaveOutImplausible() map[*dataSeries][]int32 {
	left := map[*dataSeries][]int32{}
	for _, st := range t.series {
		left[st] = slices.Clone(st.periods)
	}
	t.nameAll(false)
	t.dropImplausible()
	for _, st := range t.series {
		left[st] = slices.DeleteFunc(left[st], func(p int32) bool { _, isDrawn := slices.BinarySearch(st.periods, p); return isDrawn })
	}
	maps.DeleteFunc(left, func(_ *dataSeries, periods []int32) bool { return len(periods) == 0 })
	return left
}

func blocksOf(blocks []*stat.Block) iter.Seq2[*stat.Block, error] {
	return func(yield func(*stat.Block, error) bool) {
		for _, b := range blocks {
			if !yield(b, nil) {
				return
			}
		}
	}
}

// cloneBlock returns a block that stays, as those of an extract do not.
func cloneBlock(b *stat.Block) *stat.Block {
	c := *b
	c.Key, c.Areas, c.Periods, c.RowStart = slices.Clone(b.Key), slices.Clone(b.Areas), slices.Clone(b.Periods), slices.Clone(b.RowStart)
	c.Area, c.Value, c.Flags, c.Note = slices.Clone(b.Area), slices.Clone(b.Value), slices.Clone(b.Flags), slices.Clone(b.Note)
	return &c
}

// blank removes the values of a series in some periods from a block, if they are there.
func (s *dataSeries) blank(b *stat.Block, periods []int32) {
	if !slices.Equal(b.Key, s.key) {
		return
	}
	for row, p := range b.Periods {
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			if b.Areas[b.Area[i]] == s.area && slices.Contains(periods, p) {
				b.Value[i] = math.NaN()
			}
		}
	}
}

// takeImplausible takes over what another selection, or this one, left out before values were
// derived. Notes state it in the office's unit.
func (t *selection) takeImplausible(found *selection) {
	for _, list := range [][]datum{found.implausible, found.implausiblyLow} {
		for i := range list {
			list[i].isUnderived = true
		}
	}
	t.implausible, t.implausiblyLow, t.firstZeros, t.implausiblePeriod = found.implausible, found.implausiblyLow, found.firstZeros, found.implausiblePeriod
}

// dropImplausible leaves out of lines what is hardly true, such as a GDP in another unit in a
// single year, a year with another sample, or zeros for years without a value. Notes state it; data keep it as published. The
// rules are for the default choice: who selects areas or periods sees all values.
func (t *selection) dropImplausible() {
	for _, st := range t.series {
		if at := st.implausible(); at >= 0 {
			t.implausible = append(t.implausible, t.datum(st, at))
			st.deleteValues(func(i int) bool { return i == at })
		} else if at := st.implausiblyLow(); at >= 0 {
			t.implausiblyLow = append(t.implausiblyLow, t.datum(st, at))
			st.deleteValues(func(i int) bool { return i == at })
		}
	}
	t.dropImplausiblePeriod()
	t.dropFirstZeros()
}

// implausibleNotes states the values that are left out because of the other values of their series.
func (s *Spec) implausibleNotes(t *selection) []string {
	var notes, zeros []string
	if t.implausiblePeriod != "" {
		notes = append(notes, t.implausiblePeriod)
	}
	for _, z := range t.firstZeros {
		zeros = append(zeros, z.label+" "+z.span)
	}
	if zeros != nil {
		notes = append(notes, s.Words().Text("Zeros before all other values are not drawn: %s.", s.Words().List(zeros)))
	}
	for _, n := range []struct {
		text string
		data []datum
	}{
		{"Not drawn, because over 100 times all other values of the line: %s.", t.implausible},
		{"Not drawn, because under a thousandth of all other values of the line: %s.", t.implausiblyLow},
		{"Not drawn, because single values beyond all lines: %s.", t.lone},
	} {
		var list []string
		for _, d := range n.data {
			isDrawn := slices.ContainsFunc(t.series, func(st *dataSeries) bool { return st.id() == d.series.id() })
			if s.Type != Area || isDrawn { // an area chart draws few series
				list = append(list, s.write(d))
			}
		}
		if list != nil {
			notes = append(notes, s.Words().Text(n.text, s.Words().List(list)))
		}
	}
	return notes
}

// implausiblyLow returns the index of a value above zero that is far below all others of its
// series, or -1.
func (s *dataSeries) implausiblyLow() int {
	if len(s.values) <= minOtherValues {
		return -1
	}
	at := 0
	for i, v := range s.values {
		if v < s.values[at] {
			at = i
		}
	}
	for i, v := range s.values {
		if i != at && (v < minAmount || s.values[at] <= 0 || v < minTimesBelow*s.values[at]) {
			return -1
		}
	}
	return at
}

// loneMargin is the part of the range of all lines by which a single value is beyond them.
const loneMargin = .05

// dropLoneValues leaves out areas with a single value that is beyond all lines: a dot without a
// name that would stretch the scale.
func (t *selection) dropLoneValues() {
	low, high, lines := math.Inf(1), math.Inf(-1), 0
	for _, st := range t.series {
		if len(st.values) > 1 {
			low, high = min(low, slices.Min(st.values)), max(high, slices.Max(st.values))
			lines++
		}
	}
	if !t.areas || lines <= maxFocus || len(t.units()) > 1 {
		return
	}
	margin := loneMargin * (high - low)
	t.series = slices.DeleteFunc(t.series, func(st *dataSeries) bool {
		if len(st.values) != 1 || st.values[0] <= high+margin && st.values[0] >= low-margin {
			return false
		}
		t.lone = append(t.lone, t.datum(st, 0))
		return true
	})
}

// implausible returns the index of a value that is far above all others of its series, or -1.
func (s *dataSeries) implausible() int {
	if len(s.values) <= minOtherValues {
		return -1
	}
	at := 0
	for i, v := range s.values {
		if v > s.values[at] {
			at = i
		}
	}
	for i, v := range s.values {
		if i != at && (v < minAmount || s.values[at] < minTimesOthers*v) {
			return -1
		}
	}
	return at
}

// dropImplausiblePeriod leaves out a period in which nearly all series are at about the same
// multiple of their values before and after it. Several such periods are a rhythm.
func (t *selection) dropImplausiblePeriod() {
	times := map[int32][]float64{}
	beside := map[int32][2]int32{}
	for _, st := range t.series {
		for i := 1; i < len(st.values)-1; i++ {
			if neighbour := max(st.values[i-1], st.values[i+1]); st.values[i-1] > 0 && st.values[i+1] > 0 {
				p := st.periods[i]
				times[p] = append(times[p], st.values[i]/neighbour)
				beside[p] = [2]int32{st.periods[i-1], st.periods[i+1]}
			}
		}
	}
	period, found, middle := int32(0), 0, 0.
	for p, all := range times {
		if m, ok := t.isAlike(all); ok {
			period, middle = p, m
			found++
		}
	}
	if found != 1 {
		return
	}
	for _, st := range t.series {
		st.deleteValues(func(i int) bool { return st.periods[i] == period })
	}
	t.series = slices.DeleteFunc(t.series, func(st *dataSeries) bool { return len(st.values) == 0 })
	name := func(p int32) string { return t.language.Period(t.periods[p]) }
	t.implausiblePeriod = t.language.Text("%s is not drawn: its values are about %s times those of %s and %s.",
		name(period), int(math.Round(middle)), name(beside[period][0]), name(beside[period][1]))
}

// isAlike returns the middle of the multiples of a period, if it is high and nearly all
// series are near it.
func (t *selection) isAlike(times []float64) (middle float64, ok bool) {
	if len(times) < minAlikeSeries || float64(len(times)) < seriesAlike*float64(len(t.series)) {
		return 0, false
	}
	slices.Sort(times)
	middle = quantile(times, .5)
	near := 0
	for _, v := range times {
		if v >= minTimesNeighbour && v <= middle*maxTimesSpread && v >= middle/maxTimesSpread {
			near++
		}
	}
	return middle, float64(near) >= seriesAlike*float64(len(t.series))
}
