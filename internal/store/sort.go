package store

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"almanac/internal/stat"
	"almanac/internal/store/spill"
)

// sortSeries returns the series sorted by key: dimensions, unit, geography.
func (b *Builder) sortSeries(codes [][]int32) []int32 {
	order := numbersTo(len(b.frequency))
	geography, unit := b.width-2, b.width-1
	slices.SortFunc(order, func(s, t int32) int {
		key, other := b.keys[int(s)*b.width:], b.keys[int(t)*b.width:]
		for axis := range geography {
			if c := cmp.Compare(codes[axis][key[axis]], codes[axis][other[axis]]); c != 0 {
				return c
			}
		}
		if c := cmp.Compare(key[unit], other[unit]); c != 0 {
			return c
		}
		return cmp.Compare(codes[geography][key[geography]], codes[geography][other[geography]])
	})
	return order
}

func numbersTo(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

// redate replaces dates by the longer periods that they represent (see [datedAs]). The
// observations are sorted, series are the numbers of their series by rank. It returns the
// periods that are left.
func (b *Builder) redate(series []int32, periods []stat.Period) []stat.Period {
	if !slices.ContainsFunc(b.frequency, func(f stat.Frequency) bool { return f != asDated }) {
		return periods
	}
	b.periods = interned[stat.Period]{}
	var dates []stat.Period
	for first, end := 0, 0; first < len(b.of); first = end {
		dates = dates[:0]
		for ; end < len(b.of) && b.of[end] == b.of[first]; end++ {
			dates = append(dates, periods[b.period[end]])
		}
		f := datedAs(dates, b.frequency[series[b.of[first]]])
		for i, p := range dates {
			if f != asDated {
				p = p.In(f)
			}
			b.period[first+i] = b.periods.of(p)
		}
	}
	periods, at := b.sortPeriods()
	for i, p := range b.period {
		b.period[i] = at[p]
	}
	return periods
}

// datedAs returns the frequency of the periods that the ascending dates of a series
// represent: that which the source states, if all are the first day of such a period, or
// all the last, and no two are in the same. It returns asDated if they stay.
func datedAs(dates []stat.Period, stated stat.Frequency) stat.Frequency {
	if stated == asDated {
		return asDated
	}
	allFirst, allLast := true, true
	for i, day := range dates {
		longer := day.In(stated)
		allFirst = allFirst && day.Start().Equal(longer.Start())
		allLast = allLast && day.Start().Equal(longer.End())
		if !allFirst && !allLast || i > 0 && dates[i-1] != day && dates[i-1].In(stated) == longer {
			return asDated
		}
	}
	return stated
}

// sortObservations sorts the observations by series and period, drops duplicates
// and counts them in the draft. Afterwards b.of holds the rank of the series.
func (b *Builder) sortObservations(draft *Draft, series, periodAt []int32) error {
	rank := make([]int32, len(series))
	for r, s := range series {
		rank[s] = int32(r)
	}
	isSorted := true
	for i := range b.of {
		b.of[i], b.period[i] = rank[b.of[i]], periodAt[b.period[i]]
		isSorted = isSorted && (i == 0 || b.compare(i-1, i) < 0)
	}
	if isSorted {
		return nil
	}
	order := numbersTo(len(b.of))
	slices.SortStableFunc(order, func(i, j int32) int { return b.compare(int(i), int(j)) })
	kept := order[:0]
	for _, i := range order {
		last := len(kept) - 1
		if last < 0 || b.compare(int(kept[last]), int(i)) != 0 {
			kept = append(kept, i)
			continue
		}
		first, second := b.observation(kept[last]), b.observation(i)
		keepsFirst, err := b.choose(draft, &first, &second)
		if err != nil {
			return err
		}
		if !keepsFirst {
			kept[last] = i
		}
	}
	b.of, b.period = pick(b.of, kept), pick(b.period, kept)
	b.value, b.flag, b.note = pick(b.value, kept), pick(b.flag, kept), pick(b.note, kept)
	return nil
}

func (b *Builder) compare(i, j int) int {
	if b.of[i] != b.of[j] {
		return cmp.Compare(b.of[i], b.of[j])
	}
	return cmp.Compare(b.period[i], b.period[j])
}

func (b *Builder) observation(i int32) spill.Observation {
	return spill.Observation{
		Value: b.value[i], Period: b.period[i], Flag: int32(b.flag[i]), Note: b.note[i],
		Line: b.line[i], Column: b.column[i], Index: int(i),
	}
}

// choose selects one of two observations of the same series and period: that of the
// part prepared later, else the first, which was added first, if both are equal. The draft
// counts the other one.
func (b *Builder) choose(draft *Draft, first, second *spill.Observation) (keepsFirst bool, err error) {
	one, other := b.partOf(first.Index), b.partOf(second.Index)
	if !one.prepared.IsZero() && !other.prepared.IsZero() && !one.prepared.Equal(other.prepared) {
		keepsFirst = !one.prepared.Before(other.prepared)
		if keepsFirst {
			draft.Superseded.add(b.place(second, first))
		} else {
			draft.Superseded.add(b.place(first, second))
		}
		return keepsFirst, nil
	}
	if !isSame(first, second) {
		at := stat.Position{Line: int(second.Line), Column: int(second.Column)}
		in := ""
		if other.name != one.name {
			in = " in " + other.name
		}
		return false, stat.BadFile(at, "%s%s conflicts with %s at %s, for the same series and period: if both are right, a column that tells them apart is missing, else remove one",
			b.text(second), in, b.text(first), b.place(first, second))
	}
	draft.Doubled.add(b.place(second, first))
	return true, nil
}

// isSame reports whether two observations of the same series and period say the same.
func isSame(first, second *spill.Observation) bool {
	return sameValue(first.Value, second.Value) && first.Flag == second.Flag && first.Note == second.Note
}

// place describes the place of an observation in a message about it and another one.
func (b *Builder) place(o, other *spill.Observation) string {
	place := fmt.Sprintf("line %d, column %d", o.Line, o.Column)
	if p := b.partOf(o.Index); p.name != b.partOf(other.Index).name {
		place += " of " + p.name
	}
	return place
}

func (b *Builder) text(o *spill.Observation) string {
	text := "no value"
	if !math.IsNaN(o.Value) {
		text = fmt.Sprintf("the value %v", o.Value)
	}
	if f := b.flags.values[o.Flag]; f != "" {
		text += fmt.Sprintf(" with flags %s", f)
	}
	return text
}

func sameValue(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func pick[T any](from []T, at []int32) []T {
	picked := make([]T, len(at))
	for i, j := range at {
		picked[i] = from[j]
	}
	return picked
}
