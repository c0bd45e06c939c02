package chart

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/geo"
	"almanac/internal/lazyregexp"
)

// family is a group of countries that offices publish in successive compositions.
type family struct {
	prefix  string // of its area codes, before the number of countries or a year
	members []composition
}

// composition is the group at one time.
type composition struct{ area, name string }

// families lists the most common groups, each with its compositions and their names in a
// legend. The first composition that a chart has represents the family. Groups that are
// not listed come after these.
var families = []family{
	{"WLD", []composition{{"WLD", "World"}}},
	{"EU", []composition{
		{"EU27_2020", "EU"}, {"EU", "EU"}, {"EU28", "EU-28"}, {"EU27_2007", "EU-27"}, {"EU25", "EU-25"}, {"EU15", "EU-15"},
	}},
	{"EA", []composition{
		{"EA20", "Euro area (20)"}, {"EA", "Euro area"}, {"EA21", "Euro area (21)"}, {"EA19", "Euro area (19)"},
		{"EA18", "Euro area (18)"}, {"EA17", "Euro area (17)"},
	}},
}

// familyOf returns the family of a group's area, and its rank in it.
func familyOf(area string) (prefix string, rank int) {
	for _, f := range families {
		rest, ok := strings.CutPrefix(area, f.prefix)
		if len(f.members) == 1 || !ok || rest != "" && (rest[0] < '0' || rest[0] > '9') {
			continue
		}
		if rank := slices.IndexFunc(f.members, func(m composition) bool { return m.area == area }); rank >= 0 {
			return f.prefix, rank
		}
		return f.prefix, len(f.members)
	}
	return "", 0
}

// GroupInfo describes a known group of countries.
type GroupInfo struct {
	Name, Family string
	Position     int // among all compositions
}

// KnownGroup finds a group by its area or its name. ok is false for groups that are not
// listed; their position is after all others.
func KnownGroup(area, name string) (k GroupInfo, ok bool) {
	for _, f := range families {
		for _, m := range f.members {
			if m.area == area || m.name == name {
				return GroupInfo{m.name, f.prefix, k.Position}, true
			}
			k.Position++
		}
	}
	return k, false
}

// LegendName returns the name of a group of countries in a legend, or "" if it has no short
// name. An office that labels a code otherwise than it is known means its label: the OECD has
// published the euro area as EU15.
func (c *Category) LegendName() string {
	name := font.Clean(c.Label)
	isShort := len([]rune(name)) <= maxLegendName
	if isShort && saysYear.MatchString(name) { // "EU-27 (2020)", which "EU" would not tell from other compositions
		return name
	}
	if k, ok := KnownGroup(c.Area, ""); ok {
		g, isNamed := geo.FindGroup(cmp.Or(c.OwnLabel, c.Label))
		if family, _ := familyOf(g.ID); !isNamed || family == k.Family || family == "" {
			return k.Name
		}
		return g.Name
	}
	if isShort {
		return name
	}
	return ""
}

// saysYear matches names that end with the year from which a group has its members.
var saysYear = lazyregexp.New(`\(\d{4}\)$`)

// maxLegendName is the number of letters of the name of an unknown group in a legend.
const maxLegendName = 12

// superseded returns the areas of groups of which the selection also has the composition that represents the
// family, such as the European Union of 28 countries next to that of 27. It need not be an earlier one: a
// chart shows the euro area of 20 countries, of which most values are, next to that of 21.
func (t *selection) superseded() map[int32]bool {
	type member struct {
		area int32
		rank int
	}
	byFamily := map[string][]member{}
	seen := map[int32]bool{}
	for _, s := range t.series {
		if seen[s.area] || t.kind(s.area) != geo.Group {
			continue
		}
		seen[s.area] = true
		if family, rank := familyOf(t.dataset.Geography.Codes[s.area].Area); family != "" {
			byFamily[family] = append(byFamily[family], member{s.area, rank})
		}
	}
	old := map[int32]bool{}
	for _, members := range byFamily {
		slices.SortFunc(members, func(a, b member) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.area, b.area))
		})
		for _, m := range members[1:] {
			old[m.area] = true
		}
	}
	return old
}
