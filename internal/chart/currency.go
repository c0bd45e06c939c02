package chart

import (
	"slices"

	"almanac/internal/chart/caption"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// inCurrencies reports whether the series are amounts of several countries in their
// currencies, which are not comparable.
func (t *selection) inCurrencies() bool {
	countries := t.areasOf(geo.Country)
	units := t.units()
	if len(countries) < 2 {
		return false
	}
	if len(units) == 1 {
		return caption.IsNationalCurrency(units[0]) && !caption.SaysPureNumber(units[0])
	}
	for _, unit := range units {
		if !caption.IsPlainCurrency(unit) {
			return false
		}
	}
	return true
}

// minBased is the part of the series that must have a value in a period for an index.
const minBased = .9

// base returns the first period in which nearly all series have a positive value, to be
// 100 in an index of each. It is the zero Period if there is none.
func (t *selection) base() stat.Period {
	count := map[int32]int{}
	for _, s := range t.series {
		for i, p := range s.periods {
			if s.values[i] > 0 {
				count[p]++
			}
		}
	}
	for _, p := range t.usedPeriods() {
		if float64(count[p]) >= minBased*float64(len(t.series)) {
			return t.periods[p]
		}
	}
	return stat.Period{}
}

// indexBase returns the base of an index that makes amounts in several currencies comparable
// in a line chart. It is the zero Period if they are no such amounts, or the caller chose
// their units.
func (t *selection) indexBase(o *Options) stat.Period {
	if o.Type != Line && o.Type != SmallMultiples || o.UnitChosen || !o.Derive.IsZero() || len(t.usedPeriods()) < 2 || !t.inCurrencies() {
		return stat.Period{}
	}
	return t.base()
}

// index replaces the values of each series by o.Derive, an index. It is for series that
// have been read; [transform.Transform.Apply] derives the same from an extract.
func (t *selection) index(o *Options) *transform.Derived {
	d := &transform.Derived{}
	if units := t.units(); len(units) == 1 {
		t.amounts, _ = caption.CutMultiple(units[0])
	}
	t.derive = o.Derive
	series := t.series
	t.series = nil
	for _, s := range series {
		at := slices.IndexFunc(s.periods, func(p int32) bool { return t.periods[p] == o.Derive.Base })
		if at < 0 || s.values[at] <= 0 {
			d.Unbased++
			continue
		}
		indexed := &dataSeries{key: s.key, area: s.area, unit: o.Derive.Unit(s.unit, s.frequency, o.words()), frequency: s.frequency}
		for i, v := range s.values {
			if v < 0 {
				d.Undefined++
				continue
			}
			indexed.periods, indexed.values = append(indexed.periods, s.periods[i]), append(indexed.values, 100*(v/s.values[at]))
			if s.flags != nil {
				indexed.flags = append(indexed.flags, s.flags[i])
			}
			setNote(&indexed.notes, s.periods[i], s.notes[s.periods[i]])
		}
		t.series = append(t.series, indexed)
	}
	t.findDistinctAxes()
	return d
}

// InCurrencies reports whether a Spec made by New shows amounts of several countries in
// their currencies, which cannot be compared.
func (s *Spec) InCurrencies() bool { return s.inCurrencies }
