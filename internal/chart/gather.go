package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/caption"
	"almanac/internal/chart/words"
	"almanac/internal/stat"
	"almanac/internal/transform"
)

// dataSeries is one series of an extract, with one key, area, unit and frequency. A
// dataset may have years and months of the same key; a line through both would go up
// and down between them.
type dataSeries struct {
	key       []int32
	area      int32
	unit      string
	frequency stat.Frequency
	periods   []int32 // indexes in Extract.Periods, ascending
	values    []float64
	flags     []stat.Flags
	notes     map[int32]string     // of the office in words, by period; nil: none
	bounds    map[int32][2]float64 // of uncertainty, by period; nil: none
	column    int                  // its category, in a chart of categories
	segment   Segment              // of a ranking that does not fit
}

// id identifies a series among those of its dataset, apart from its codes on some axes.
func (s *dataSeries) id(apartFrom ...int) string {
	return fmt.Sprint(s.place(apartFrom...), " ", s.frequency)
}

// place is like id, but the same for all frequencies.
func (s *dataSeries) place(apartFrom ...int) string {
	key := slices.Clone(s.key)
	for _, axis := range apartFrom {
		key[axis] = -1
	}
	return fmt.Sprint(key, s.area)
}

// selection holds all series of an extract and what distinguishes them.
type selection struct {
	dataset           *stat.Dataset
	own               *stat.Dataset       // with the texts without a choice of language, by which is decided what is drawn
	ownUnits          map[string]string   // the unit in these texts, by unit
	language          *words.Language     // of the names of areas
	derive            transform.Transform // how the values were derived
	amounts           string              // the unit of the amounts of which indices were made, because areas have different currencies
	periods           []stat.Period
	series            []*dataSeries
	distinctAxes      []int            // axes of the dimensions in which the series differ
	ownAxes           []int            // axes of the dimensions of which each area has a value of its own
	areas             bool             // the series differ in area
	regions, groups   int              // areas that were left out because countries are compared
	withoutOutline    int              // regions that were left out for the same reason, and that no map can show
	others            int              // groups for special purposes that were left out for the same reason
	kinds             int              // areas of other levels or kinds, likewise
	hasPeriods        bool             // the caller selected the periods
	isAsked           bool             // the caller selected the areas
	areNamed          bool             // one by one
	isSpark           bool             // one series is drawn, and no text: only Alt has title, subtitle and notes
	otherFrequencies  []stat.Frequency // that were left out, because the series have others
	ownPeriods        bool             // each area has its own latest period
	whole             *int32           // the country whose parts are compared, else nil
	beyond            []datum          // values of series that were left out because of them
	implausible       []datum          // values that are not drawn because they are hardly true: too high
	implausiblyLow    []datum          // likewise: too low
	lone              []datum          // single values beyond all lines, which are not drawn
	firstZeros        []firstZeros     // likewise
	implausiblePeriod string           // a note on a period that is not drawn
	notes             []string         // on what else was left out
	deleted           []*dataSeries    // that have values, but are not drawn
	outlines          *atlas.Set       // of a map
	categoryAxis      *int             // the dimension along which bars run, else nil
	withoutValue      []string         // see [selection.largestWithoutValue]
	facts             map[int32]areaFacts
	otherLevels       areaSet   // areas that were left out because a map shows another level
	names             nameTable // of what is drawn, once that is known
}

// maxValues bounds the input of one picture. A line of daily values over forty years
// has 15,000.
const maxValues = 500_000

// gather reads an extract to the end, whose values may be derived. It leaves out observations
// without a value, and series without any.
func gather(x *stat.Extract, o *Options) (*selection, error) {
	t := &selection{dataset: x.Dataset, own: x.Dataset.Original(), ownUnits: map[string]string{}, periods: x.Periods, derive: o.Derive, language: o.words()}
	count := 0
	for b, err := range x.Blocks {
		if err != nil {
			return nil, err
		}
		if count += len(b.Value); count > maxValues {
			return nil, stat.Errorf(stat.Invalid, "the selection has more than %d values, too many for one picture; select fewer areas, dimension values or periods", maxValues)
		}
		if err := t.add(b); err != nil {
			return nil, err
		}
	}
	t.findDistinctAxes()
	return t, nil
}

// findDistinctAxes sets distinctAxes and areas.
func (t *selection) findDistinctAxes() {
	t.distinctAxes = nil
	for axis := range t.dataset.Dimensions {
		if !slices.Contains(t.ownAxes, axis) && t.variesIn(axis) {
			t.distinctAxes = append(t.distinctAxes, axis)
		}
	}
	t.areas = slices.ContainsFunc(t.series, func(s *dataSeries) bool { return s.area != t.series[0].area })
}

// variesIn reports whether the series differ in a dimension.
func (t *selection) variesIn(axis int) bool {
	return slices.ContainsFunc(t.series, func(s *dataSeries) bool { return s.key[axis] != t.series[0].key[axis] })
}

// varyingAxes returns the axes of the dimensions in which the series differ, also those of which
// each area has a value of its own.
func (t *selection) varyingAxes() []int {
	axes := slices.Clone(t.distinctAxes)
	for _, axis := range t.ownAxes {
		if t.variesIn(axis) {
			axes = append(axes, axis)
		}
	}
	return axes
}

// takeOwn keeps, of the series of an area that differ only in dimensions of which each area has
// a value of its own, the one with the latest values, then with the most.
func (t *selection) takeOwn(axes []int) {
	if axes == nil {
		return
	}
	t.ownAxes = axes
	best := map[string]*dataSeries{}
	for _, s := range t.series {
		old := best[s.id(axes...)]
		if old == nil || cmp.Or(cmp.Compare(s.lastPeriod(), old.lastPeriod()), cmp.Compare(len(s.values), len(old.values))) > 0 {
			best[s.id(axes...)] = s
		}
	}
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool { return best[s.id(axes...)] != s })
	t.findDistinctAxes()
}

// deleteValues removes the values at some indexes and returns their number. isOut sees each
// index before anything at it or after it has moved.
func (s *dataSeries) deleteValues(isOut func(i int) bool) int {
	n := 0
	for i := range s.values {
		if isOut(i) {
			delete(s.bounds, s.periods[i])
			delete(s.notes, s.periods[i])
			continue
		}
		s.values[n], s.periods[n] = s.values[i], s.periods[i]
		if s.flags != nil {
			s.flags[n] = s.flags[i]
		}
		n++
	}
	deleted := len(s.values) - n
	s.values, s.periods = s.values[:n], s.periods[:n]
	if s.flags != nil {
		s.flags = s.flags[:n]
	}
	return deleted
}

func (s *dataSeries) lastPeriod() int32 { return s.periods[len(s.periods)-1] }

// add adds the series of a block.
func (t *selection) add(b *stat.Block) error {
	at := map[stat.Frequency][]*dataSeries{} // by the position of the area in the block
	first := len(t.series)
	key := slices.Clone(b.Key)
	units := map[stat.Frequency]string{}
	for row, period := range b.Periods {
		frequency := t.periods[period].Frequency()
		byArea, ok := at[frequency]
		if !ok {
			byArea = make([]*dataSeries, len(b.Areas))
			at[frequency] = byArea
		}
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			if math.IsNaN(b.Value[i]) {
				continue
			}
			area := b.Areas[b.Area[i]]
			if math.IsInf(b.Value[i], 0) {
				return stat.Errorf(stat.Invalid, "the selection has an infinite value for %s in %s, which a chart cannot show", t.areaLabel(area), t.periods[period])
			}
			s := byArea[b.Area[i]]
			if s == nil {
				if _, ok := units[frequency]; !ok {
					units[frequency] = t.unitOf(b, frequency)
				}
				most := min(len(b.Periods)-row, 2*len(b.Value)/len(b.Areas)) // few areas have far more values than others
				s = &dataSeries{key: key, area: area, unit: units[frequency], frequency: frequency, periods: make([]int32, 0, most), values: make([]float64, 0, most)}
				byArea[b.Area[i]] = s
				t.series = append(t.series, s)
			}
			s.periods = append(s.periods, period)
			s.values = append(s.values, b.Value[i])
			if b.Flags != nil {
				s.flags = append(s.flags, b.Flags[i])
				setNote(&s.notes, period, b.Note[i])
			}
		}
	}
	slices.SortFunc(t.series[first:], func(s, u *dataSeries) int {
		return cmp.Or(cmp.Compare(s.area, u.area), cmp.Compare(s.frequency, u.frequency))
	})
	return nil
}

// unitOf returns the unit of the series of a block with values of a frequency. That of derived
// values says how they were derived.
func (t *selection) unitOf(b *stat.Block, f stat.Frequency) string {
	if t.derive.IsZero() {
		unit := caption.UnitOf(t.dataset, b.Key, b.Unit)
		t.ownUnits[unit] = caption.UnitOf(t.own, b.Key, b.Unit)
		return unit
	}
	stated := t.derive.Stated(b.Unit, f, t.language)
	if stated == t.dataset.UnitOf(b.Key, "") {
		stated = "" // it is not that of the block, but of a code or of the dataset
	}
	unit := caption.UnitOf(t.dataset, b.Key, stated)
	if caption.IsFillerUnit(unit) {
		unit = ""
	}
	return t.derive.Unit(unit, f, t.language)
}

// ownUnit returns a unit of the series in the texts without a choice of language.
func (t *selection) ownUnit(unit string) string {
	if own, ok := t.ownUnits[unit]; ok {
		return own
	}
	return unit
}

// usedPeriods returns the indexes of the periods in which any series has a value,
// ascending.
func (t *selection) usedPeriods() []int32 {
	var all []int32
	for _, s := range t.series {
		all = append(all, s.periods...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// units returns the distinct units of the series, in order of appearance.
func (t *selection) units() []string {
	var units []string
	for _, s := range t.series {
		if !slices.Contains(units, s.unit) {
			units = append(units, s.unit)
		}
	}
	return units
}

// codeAt returns the code index of the series on an axis; geography is the last axis.
func (s *dataSeries) codeAt(axis int) int32 {
	if axis == len(s.key) {
		return s.area
	}
	return s.key[axis]
}
