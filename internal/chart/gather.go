package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// strand is one series of an extract as it came: the values of one key in one
// area, one unit and one frequency. A dataset may have years and months of the
// same key; a line through both would go up and down between them.
type strand struct {
	key       []int32
	area      int32
	unit      string
	frequency stat.Frequency
	periods   []int32 // positions in Extract.Periods, ascending
	values    []float64
	flags     []stat.Flags
	column    int // its category, in a chart of categories
}

// tangle is all strands of an extract, with what tells them apart.
type tangle struct {
	dataset         *stat.Dataset
	periods         []stat.Period
	strands         []*strand
	apart           []int // axes of the dimensions in which the strands differ
	areas           bool  // the strands differ in area
	regions, groups int   // areas that were left out because countries are compared
}

// maxValues bounds what one picture is made of. A line of daily values over
// forty years has 15,000.
const maxValues = 500_000

// gather reads an extract to the end. Observations without a number are left
// out; strands that have none are not there.
func gather(x *stat.Extract) (*tangle, error) {
	t := &tangle{dataset: x.Dataset, periods: x.Periods}
	count := 0
	for b, err := range x.Blocks {
		if err != nil {
			return nil, err
		}
		if count += len(b.Value); count > maxValues {
			return nil, stat.Errorf(stat.Invalid, "the selection holds more than %d values, too many for one picture; select fewer areas, dimension values or periods", maxValues)
		}
		if err := t.add(b); err != nil {
			return nil, err
		}
	}
	t.tellApart()
	return t, nil
}

// tellApart finds out what the strands differ in.
func (t *tangle) tellApart() {
	t.apart = nil
	for axis := range t.dataset.Dimensions {
		if slices.ContainsFunc(t.strands, func(s *strand) bool { return s.key[axis] != t.strands[0].key[axis] }) {
			t.apart = append(t.apart, axis)
		}
	}
	t.areas = slices.ContainsFunc(t.strands, func(s *strand) bool { return s.area != t.strands[0].area })
}

// compareCountries leaves out regions and earlier compositions of groups where
// nobody asked for areas and there are countries to compare: among countries,
// their parts are no peers, and one European Union is enough.
func (t *tangle) compareCountries() {
	region, countries := map[int32]bool{}, map[int32]bool{}
	for _, s := range t.strands {
		switch t.kind(s.area) {
		case geo.Region:
			region[s.area] = true
		case geo.Country:
			countries[s.area] = true
		}
	}
	if len(countries) < 2 {
		return
	}
	old := t.superseded()
	t.regions, t.groups = len(region), len(old)
	t.strands = slices.DeleteFunc(t.strands, func(s *strand) bool { return region[s.area] || old[s.area] })
	t.tellApart()
}

// add takes the strands of a block.
func (t *tangle) add(b *stat.Block) error {
	type place struct {
		area      int32
		frequency stat.Frequency
	}
	at := map[place]*strand{}
	first := len(t.strands)
	key := slices.Clone(b.Key)
	unit := t.dataset.UnitOf(key, b.Unit)
	for row, period := range b.Periods {
		frequency := t.periods[period].Frequency()
		for i := b.RowStart[row]; i < b.RowStart[row+1]; i++ {
			if math.IsNaN(b.Value[i]) {
				continue
			}
			area := b.Areas[b.Area[i]]
			if math.IsInf(b.Value[i], 0) {
				return stat.Errorf(stat.Invalid, "the selection holds an infinite value for %s in %s, which no chart can show", t.areaLabel(area), t.periods[period])
			}
			s := at[place{area, frequency}]
			if s == nil {
				s = &strand{key: key, area: area, unit: unit, frequency: frequency}
				at[place{area, frequency}] = s
				t.strands = append(t.strands, s)
			}
			s.periods = append(s.periods, period)
			s.values = append(s.values, b.Value[i])
			if b.Flags != nil {
				s.flags = append(s.flags, b.Flags[i])
			}
		}
	}
	slices.SortFunc(t.strands[first:], func(s, u *strand) int {
		return cmp.Or(cmp.Compare(s.area, u.area), cmp.Compare(s.frequency, u.frequency))
	})
	return nil
}

// occurring returns the positions of the periods in which any strand has a
// value, ascending.
func (t *tangle) occurring() []int32 {
	var all []int32
	for _, s := range t.strands {
		all = append(all, s.periods...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// units returns the different units of the strands, in order of appearance.
func (t *tangle) units() []string {
	var units []string
	for _, s := range t.strands {
		if !slices.Contains(units, s.unit) {
			units = append(units, s.unit)
		}
	}
	return units
}

// areaLabel is the name of a strand's area.
func (t *tangle) areaLabel(area int32) string { return t.dataset.Geography.Codes[area].Label }

// dimLabels joins the labels of a key on some axes.
func (t *tangle) dimLabels(key []int32, axes []int) string {
	var labels []string
	for _, axis := range axes {
		labels = append(labels, t.dataset.Dimensions[axis].Codes[key[axis]].Label)
	}
	return strings.Join(labels, ", ")
}

// label is what a strand is called in a legend: its area and the dimensions
// that tell it from the others; alone, its area, unless all of the dataset is
// about one.
func (t *tangle) label(s *strand) string {
	var parts []string
	if t.areas || len(t.apart) == 0 && (len(t.dataset.Geography.Codes) > 1 || len(t.dataset.Dimensions) == 0) {
		parts = append(parts, t.areaLabel(s.area))
	}
	axes := t.apart
	if len(parts) == 0 && len(axes) == 0 {
		axes = t.telling()
	}
	if dims := t.dimLabels(s.key, axes); dims != "" {
		parts = append(parts, dims)
	}
	return strings.Join(parts, ", ")
}

// telling is the first dimension in which the dataset has a choice, or the
// first of all.
func (t *tangle) telling() []int {
	for axis, d := range t.dataset.Dimensions {
		if len(d.Codes) > 1 {
			return []int{axis}
		}
	}
	return []int{0}
}

// category makes a category of an area.
func (t *tangle) category(area int32) Category {
	code := t.dataset.Geography.Codes[area]
	return Category{Label: code.Label, Area: code.Area, Group: t.kind(area) == geo.Group}
}

// kind is what sort of area a code of the geography means in its office's code
// system: DEA is a region for Eurostat and a group of countries for the World
// Bank.
func (t *tangle) kind(area int32) geo.Kind {
	code := t.dataset.Geography.Codes[area]
	if a, ok := geo.Resolve(t.dataset.Source.ID, code.ID); ok && a.ID == code.Area {
		return a.Kind
	}
	if a, ok := geo.Find(code.Area); ok && a.Alpha2 == code.Area {
		return a.Kind
	}
	return ""
}
