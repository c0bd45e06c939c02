package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/words"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// Set returns the outlines of a map.
func (s *Spec) Set() *atlas.Set {
	switch {
	case s.set != nil:
		return s.set
	case s.Outlines != "":
		if set := atlas.New().Named(s.Outlines); set != nil {
			return set
		}
	}
	return atlas.Countries
}

func (s *Spec) setOutlines(set *atlas.Set) {
	if s.set = set; set != atlas.Countries {
		s.Outlines = set.Name()
	}
}

// isOnMap reports whether an area has an outline in the region that a map shows.
func (s *Spec) isOnMap(c *Category) bool {
	if set := s.Set(); set != atlas.Countries {
		return set.Has(atlas.OutlineID(c.Area))
	}
	return s.Region.Has(c.Area)
}

// OnMap returns the categories with a value that a map shows, in the region that the caller
// chose.
func (s *Spec) OnMap() []Category {
	var shown []Category
	for i := range s.Categories {
		if c := &s.Categories[i]; s.isOnMap(c) && !math.IsNaN(s.Series[0].Values[i]) {
			shown = append(shown, *c)
		}
	}
	return shown
}

// outlinesFor returns the outlines of a map of the selection: those of most of its areas. If
// the caller chose a region, they are countries, unless the region contains all the others.
// Other charts compare countries.
func (t *selection) outlinesFor(o *Options) *atlas.Set {
	if o.Type != Map {
		return atlas.Countries
	}
	areas := make([]string, len(t.series))
	for i, s := range t.series {
		areas[i] = t.dataset.Geography.Codes[s.area].Area
	}
	set := o.atlas().Fitting(areas)
	if o.Region != atlas.World && !set.In(o.Region) {
		return atlas.Countries
	}
	return set
}

// atlas returns the outlines from which maps are made.
func (o *Options) atlas() *atlas.Atlas {
	if o.Atlas == nil {
		return atlas.New()
	}
	return o.Atlas
}

// areaSet holds positions in the geography of a dataset.
type areaSet = map[int32]bool

// keepLevel leaves out the areas of other levels than that of a set of outlines: countries
// on a map of their regions, regions of two levels. It keeps groups of countries, and the
// country itself on a map of its parts, for the legend, and areas of the same level that
// have no outline, so that the map can name them.
func (t *selection) keepLevel(set *atlas.Set) {
	count := map[string]int{}
	for _, s := range t.series {
		if set.Has(atlas.OutlineID(t.dataset.Geography.Codes[s.area].Area)) {
			count[t.level(s.area)]++
		}
	}
	old := t.superseded()
	_, parts := t.mostParts()
	if len(parts) >= minParts {
		t.addUnknown(parts)
	}
	t.groups = len(old)
	t.otherLevels = areaSet{}
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool {
		area := t.dataset.Geography.Codes[s.area].Area
		switch isPlaced := set.Has(atlas.OutlineID(area)); {
		case old[s.area]:
			return true
		case set.IsOf(area):
			t.whole = &s.area
			return false
		case isPlaced || t.factsOf(s.area).kind == geo.Group || count[t.level(s.area)] > 0, parts[s.area] && t.kind(s.area) == "":
			return false
		}
		t.otherLevels[s.area] = true
		return true
	})
	t.findDistinctAxes()
}

// keepFittingLevel leaves out regions of other levels, so that no region stands beside its own parts:
// of the levels that fit it keeps the finest, else it keeps the coarsest. The only area of
// another level is that of which they are parts.
func (t *selection) keepFittingLevel(o *Options) {
	levels := map[string]areaSet{}
	for _, s := range t.series {
		if level := t.level(s.area); t.kind(s.area) != geo.Group {
			if levels[level] == nil {
				levels[level] = areaSet{}
			}
			levels[level][s.area] = true
		}
	}
	best, room := "", o.room()
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		n, most := len(levels[level]), len(levels[best])
		if n > 1 && (most == 0 || n <= room && (n > most || most > room) || n < most && most > room) {
			best = level
		}
	}
	if best == "" || len(levels) < 2 {
		return
	}
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		if areas := levels[level]; level != best && len(areas) == 1 && (t.whole == nil || level == string(geo.Country)) {
			for area := range areas {
				t.whole = &area
			}
		}
	}
	t.otherLevels = areaSet{}
	t.series = slices.DeleteFunc(t.series, func(s *dataSeries) bool {
		if t.isApart(s.area) || levels[best][s.area] || t.isNamed(s.area, o) {
			return false
		}
		t.otherLevels[s.area] = true
		return true
	})
	t.findDistinctAxes()
}

// room returns how many areas a picture shows each in a colour, a panel or a bar of its own.
func (o *Options) room() int {
	switch o.Type {
	case Line:
		return maxAsked
	case SmallMultiples:
		return maxPanels
	case Area:
		return maxGroups
	}
	return (&Spec{Width: o.Width, Height: o.Height}).barRows(smallRow)
}

// isOfOtherLevel reports whether an area has not the level of any that is drawn, if the picture shows
// one level of regions.
func (t *selection) isOfOtherLevel(area int32) bool {
	level := t.level(area)
	return t.otherLevels != nil && !slices.ContainsFunc(t.series, func(s *dataSeries) bool { return !t.isApart(s.area) && t.level(s.area) == level })
}

// level returns what the areas of one level of a territorial classification have in common:
// their kind and the form of their codes.
func (t *selection) level(area int32) string {
	id := t.dataset.Geography.Codes[area].Area
	switch source, code, isOwn := strings.Cut(id, ":"); {
	case isOwn:
		return fmt.Sprintf("%s %d", source, len(code))
	case strings.Contains(id, "-"):
		return "ISO 3166-2"
	case t.factsOf(area).kind == geo.Region:
		return fmt.Sprintf("region %d", len(id)) // NUTS: one character more for each level
	}
	return string(t.factsOf(area).kind)
}

// onMap makes the single series of a map.
func (s *Spec) onMap(t *selection) error {
	if len(t.distinctAxes) > 0 {
		return stat.Errorf(stat.Invalid, "a map shows one series, but the selection has several values of %s; select one", t.dataset.Dimensions[t.distinctAxes[0]].Label)
	}
	if t.dataset.HasNoArea() {
		return stat.Errorf(stat.Invalid, "the dataset has no geography, and a map shows countries; draw its data as line, bar or horizontal-bar")
	}
	placed := func(st *dataSeries) bool {
		return s.Set().Has(atlas.OutlineID(t.dataset.Geography.Codes[st.area].Area))
	}
	if !slices.ContainsFunc(t.series, placed) {
		return t.errNoOutline()
	}
	if s.Set() == atlas.Countries {
		s.Uncovered = t.uncovered()
	} else {
		s.HasUnknownAreas = slices.ContainsFunc(t.series, func(st *dataSeries) bool { return t.isUnknown(st.area) })
	}
	if err := s.fill(t, grouping{area: true}, grouping{axes: t.choiceAxes()}); err != nil {
		return err
	}
	s.fillMembers(t)
	return nil
}

// minWorldShare is the share of the countries with an outline from which a dataset is about the
// whole world.
const minWorldShare = .5

// uncovered returns the countries on the map of the world of which the dataset has no value in
// any period or dimension. That they have none here says nothing: nobody asked them. It returns
// nil if the dataset is about the whole world, and leaves out members of the European Union if the
// dataset is about Europe and has most of them, because readers expect those.
func (t *selection) uncovered() []string {
	covered, countries := map[string]bool{}, map[int32]bool{}
	for i := range t.dataset.Geography.Codes {
		covered[t.dataset.Geography.Codes[i].Area] = true
		if t.kind(int32(i)) == geo.Country {
			countries[int32(i)] = true
		}
	}
	var missing, missingInEU []string
	all, inEU := atlas.Countries.IDs(), 0
	for _, id := range all {
		isMember := geo.IsInEU(id)
		if isMember {
			inEU++
		}
		whole, isPart := atlas.Whole(id)
		switch {
		case covered[id] || isPart && covered[whole]:
		case isMember:
			missingInEU = append(missingInEU, id)
		default:
			missing = append(missing, id)
		}
	}
	if n := len(missing) + len(missingInEU); float64(len(all)-n) >= minWorldShare*float64(len(all)) {
		return nil
	}
	if 2*len(missingInEU) > inEU || !t.isEuropean(countries) {
		missing = append(missing, missingInEU...)
	}
	return missing
}

// errNoOutline says that no area of a map has an outline.
func (t *selection) errNoOutline() error {
	var names []string
	for _, st := range t.series {
		names = append(names, t.areaLabel(st.area))
	}
	return stat.Errorf(stat.Invalid, "no area in the selection with a value in %s has an outline on a map; areas with values: %s; draw them as horizontal-bar, or select countries", t.periods[t.series[0].periods[0]], words.In("").List(names))
}
