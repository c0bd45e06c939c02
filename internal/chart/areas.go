package chart

import (
	"cmp"
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/caption"
	"almanac/internal/chart/scale"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// areaFacts is what the choice of areas depends on.
type areaFacts struct {
	kind  geo.Kind
	class geo.GroupClass // of a group
	order int            // of a group, among all groups
	alpha string         // of a country: alpha-2
}

// factsOf returns the facts of an area.
func (t *selection) factsOf(area int32) areaFacts {
	if f, ok := t.facts[area]; ok {
		return f
	}
	if t.facts == nil {
		t.facts = map[int32]areaFacts{}
	}
	code := &t.own.Geography.Codes[area]
	a := geo.AreaOf(t.dataset.Source.ID, code.ID, code.Area)
	f := areaFacts{kind: a.Kind, alpha: a.Alpha2}
	if a.Kind == geo.Group {
		f.class, f.order = geo.ClassOf(code.Label) // what readers see, whatever the code is of
		if f.class == geo.SpecialGroup {
			f.class, f.order = geo.ClassOf(a.Name)
		}
	}
	t.facts[area] = f
	return f
}

func (t *selection) kind(area int32) geo.Kind { return t.factsOf(area).kind }

// isSmallRegion reports whether an area is a region with far fewer people than the others of
// its country.
func (t *selection) isSmallRegion(area int32) bool {
	return geo.IsSmallRegion(t.dataset.Geography.Codes[area].Area)
}

// isApart reports whether an area is set apart from the others: a group of countries, or
// the country whose regions are compared.
func (t *selection) isApart(area int32) bool {
	return t.kind(area) == geo.Group || t.whole != nil && *t.whole == area
}

// leaveOutAreas leaves out areas that are not comparable with most others if the caller
// selected none. Beside subdivisions of a country these are areas of other levels, but not
// territories that are countries in ISO 3166. Areas for which the caller has a colour or a
// name stay.
func (t *selection) leaveOutAreas(o *Options) {
	countries := t.areasOf(geo.Country)
	whole, parts := t.mostParts()
	switch {
	case o.Type == Map && len(countries) < 2:
	case o.Type != Map && len(parts) >= minParts && len(countries) < minParts:
		t.whole = whole
		t.addUnknown(parts)
		t.kinds = t.remove(o, func(area int32) bool { return t.kind(area) != geo.Country && !parts[area] })
	case len(countries) > 1:
		t.compareCountries(o, countries)
	case len(countries) == 1 && len(t.areasOf(geo.Region))+len(t.areasOf("")) > 1:
		for area := range countries {
			t.whole = &area
		}
		t.keepOneKind(o)
	default:
		if t.whole = cmp.Or(t.sumOfAll(), t.wholeByCode()); t.whole == nil {
			t.whole = t.wholeByName()
		}
	}
	t.findDistinctAxes()
}

// remove leaves out the areas for which isOut, except those that the caller names, and
// returns how many they are.
func (t *selection) remove(o *Options, isOut func(area int32) bool) int {
	out := map[int32]bool{}
	for _, s := range t.series {
		if isOut(s.area) && !t.isNamed(s.area, o) {
			out[s.area] = true
		}
	}
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool { return out[s.area] })
	return len(out)
}

// compareCountries leaves out regions, other compositions of groups and, except on maps,
// groups for special purposes such as borrowers of a bank, areas of which nothing is known or
// that are no places, and from lines countries that have ended: they would need a name.
func (t *selection) compareCountries(o *Options, countries map[int32]bool) {
	t.findNamedGroups()
	old := t.superseded()
	included := map[string]bool{}
	for area := range countries {
		included[t.factsOf(area).alpha] = true
	}
	isRegion := func(area int32) bool {
		f := t.factsOf(area)
		return f.kind == geo.Region || o.Type != Map && included[geo.IncludedIn(f.alpha)]
	}
	isMapped := func(area int32) bool {
		return o.Type != Map || o.atlas().Has(atlas.OutlineID(t.dataset.Geography.Codes[area].Area))
	}
	t.regions = t.remove(o, func(area int32) bool { return isRegion(area) && isMapped(area) })
	t.withoutOutline = t.remove(o, isRegion)
	if t.withoutOutline <= len(countries) { // countries would be compared even with outlines
		t.regions, t.withoutOutline = t.regions+t.withoutOutline, 0
	}
	t.groups = t.remove(o, func(area int32) bool { return old[area] })
	if o.Type == Map {
		t.kinds = t.remove(o, func(area int32) bool {
			return t.kind(area) == "" && caption.IsFiller(t.own.Geography.Codes[area].Label) // "All" of a table of any author
		})
		return
	}
	hidden := t.hiddenGroups(t.areasOf(geo.Group), countries)
	t.others = t.remove(o, func(area int32) bool { return hidden[area] })
	t.kinds = t.remove(o, func(area int32) bool {
		kind := t.kind(area)
		return kind == geo.Other || kind == geo.Former && o.Type == Line || kind == "" && geo.AreUnknownGroups(len(countries))
	})
}

// isNamed reports whether the caller has a colour or a name for an area.
func (t *selection) isNamed(area int32, o *Options) bool {
	code := t.dataset.Geography.Codes[area]
	return slices.ContainsFunc([]string{code.Label, code.ID, code.Area, t.shortAreaName(code)}, func(name string) bool { return has(o.Colours, name) || has(o.Labels, name) })
}

// areasOf returns the areas of a kind.
func (t *selection) areasOf(kind geo.Kind) map[int32]bool {
	areas := map[int32]bool{}
	for _, s := range t.series {
		if t.kind(s.area) == kind {
			areas[s.area] = true
		}
	}
	return areas
}

// findNamedGroups finds groups of countries by their labels, among areas with codes that
// are not known. Tables of any author have them.
func (t *selection) findNamedGroups() {
	for area := range t.areasOf("") {
		a, ok := geo.FindGroup(t.own.Geography.Codes[area].Label)
		if !ok {
			continue
		}
		f := areaFacts{kind: geo.Group}
		f.class, f.order = geo.ClassOf(a.Name)
		t.facts[area] = f
	}
}

// hiddenGroups returns the groups that a chart of countries does not show. It shows one
// composition each of the world and the European Union; if most countries are European, of
// the Union alone. Only without the world, it shows the OECD or the advanced economies, and
// only without the Union the euro area, whose line would run beside the Union's. It does not show
// the Union if most of the world is compared but few members are: it is no part of that, such as of
// those who receive aid.
func (t *selection) hiddenGroups(groups, countries map[int32]bool) map[int32]bool {
	best := map[geo.GroupClass]int32{}
	for area := range groups {
		f := t.factsOf(area)
		if other, ok := best[f.class]; !ok || cmp.Or(cmp.Compare(f.order, t.factsOf(other).order), cmp.Compare(area, other)) < 0 {
			best[f.class] = area
		}
	}
	shown := map[int32]bool{}
	for _, class := range t.classesFor(countries, best) {
		if area, ok := best[class]; ok {
			shown[area] = true
		}
	}
	hidden := map[int32]bool{}
	for area := range groups {
		if !shown[area] {
			hidden[area] = true
		}
	}
	return hidden
}

// classesFor returns the classes of groups to show beside countries.
func (t *selection) classesFor(countries map[int32]bool, has map[geo.GroupClass]int32) []geo.GroupClass {
	if n := t.countMembers(countries); !t.isEuropean(countries) {
		for _, class := range []geo.GroupClass{geo.World, geo.OECDMembers, geo.Advanced} {
			switch _, ok := has[class]; {
			case ok && n > 0 && n < minMembers && len(countries) >= mostOfWorld:
				return []geo.GroupClass{class}
			case ok:
				return []geo.GroupClass{class, geo.EuropeanUnion}
			}
		}
	}
	if _, ok := has[geo.EuropeanUnion]; ok {
		return []geo.GroupClass{geo.EuropeanUnion}
	}
	return []geo.GroupClass{geo.EuroArea}
}

// The European Union is shown beside half of its members, or if only some countries of the world
// are compared.
const (
	minMembers  = 14
	mostOfWorld = 100
)

// countMembers returns how many countries are members of the European Union.
func (t *selection) countMembers(countries map[int32]bool) int {
	n := 0
	for area := range countries {
		if geo.IsInEU(t.factsOf(area).alpha) {
			n++
		}
	}
	return n
}

// isEuropean reports whether at least three quarters of countries are in Europe. Of the
// members of the OECD, it is a little less.
func (t *selection) isEuropean(countries map[int32]bool) bool {
	n := 0
	for area := range countries {
		if geo.ContinentOf(t.factsOf(area).alpha) == europe {
			n++
		}
	}
	return 4*n >= 3*len(countries)
}

const europe = "un:150"

// maxTotal is how many times the largest country a group may be. More, and the group takes
// over half of the axis, so that the countries could not be compared.
const maxTotal = 2

// minCompared is the number of areas from which they are worth more than their total, if they are not all of its parts.
const minCompared = 5

// dropTotals leaves out groups whose values are sums of the countries', such as the
// population of the world, and states their last values in a note. A chart for which the
// caller named areas has all of them, and so has one of a few areas that are not all parts of the total: two
// provinces alone say little of the rice of a country.
func (s *Spec) dropTotals(t *selection, o *Options) {
	if s.Type == Map || len(t.distinctAxes) > 0 || len(t.units()) > 1 {
		return
	}
	largest, n := 0.0, 0
	for _, st := range t.series {
		if !t.isApart(st.area) {
			largest = max(largest, slices.Max(st.values))
			n++
		}
	}
	sum := t.sumOfAll()
	hasAllParts := s.Type == Area || sum != nil && t.isApart(*sum) // areas on one another and on their sum would count twice
	if n < 2 || n < minCompared && !hasAllParts {
		return
	}
	var dropped []datum
	t.series = slices.DeleteFunc(t.series, func(st *dataSeries) bool {
		if !t.isApart(st.area) || t.isNamed(st.area, o) || slices.Min(st.values) < 0 || slices.Max(st.values) <= maxTotal*largest {
			return false
		}
		dropped = append(dropped, t.datum(st, len(st.values)-1))
		t.deleted = append(t.deleted, st)
		return true
	})
	if dropped != nil {
		t.beyond = append(t.beyond, dropped...)
		t.findDistinctAxes()
	}
}

// datum is a value of a series with its label and period.
type datum struct {
	label  string
	value  float64
	period stat.Period
	unit   string
	series *dataSeries
	// isUnderived says that the picture shows what is derived from such values, in another unit.
	isUnderived bool
}

func (t *selection) datum(st *dataSeries, i int) datum {
	return datum{label: t.label(st, t.shown()), value: st.values[i], period: t.periods[st.periods[i]], unit: st.unit, series: st}
}

// dateBeyond replaces the values of totals after the last period of a picture by earlier ones.
func (t *selection) dateBeyond(last stat.Period) {
	for n, d := range t.beyond {
		for i := len(d.series.values) - 1; i >= 0 && t.beyond[n].period.Compare(last) > 0; i-- {
			t.beyond[n].value, t.beyond[n].period = d.series.values[i], t.periods[d.series.periods[i]]
		}
	}
}

// write names a value for a note: "World (8.1 billion in 2024)".
func (s *Spec) write(d datum) string {
	w, unit := s.Words(), s.NumberUnit()
	if d.isUnderived {
		unit = scale.Unit{Language: w}
		unit.Text, unit.Power = caption.CutMultiple(d.unit)
	}
	number := scale.NumbersFor([]float64{d.value}, unit).Write(d.value)
	if d.isUnderived && unit.Text != "" && !unit.HasSign() {
		number += " “" + unit.Text + "”"
	}
	return w.Text("%s (%s in %s)", d.label, number, w.Period(d.period))
}
