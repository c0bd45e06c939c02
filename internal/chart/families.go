package chart

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/geo"
)

// families are the groups of countries that offices publish in one composition
// after another: the first that a chart has stands for the family. What is not
// named here comes after those that are.
var families = map[string][]string{
	"EU": {"EU27_2020", "EU", "EU28", "EU27_2007", "EU25", "EU15"},
	"EA": {"EA20", "EA", "EA21", "EA19", "EA18", "EA17"},
}

// familyOf returns the family of a group's area, and its rank in it.
func familyOf(area string) (family string, rank int) {
	for family, members := range families {
		rest, ok := strings.CutPrefix(area, family)
		if !ok || rest != "" && (rest[0] < '0' || rest[0] > '9') {
			continue
		}
		if rank := slices.Index(members, area); rank >= 0 {
			return family, rank
		}
		return family, len(members)
	}
	return "", 0
}

// superseded returns the areas of groups of which a newer composition is among
// the strands: the European Union of 28 countries beside that of 27.
func (t *tangle) superseded() map[int32]bool {
	type member struct {
		area int32
		rank int
	}
	byFamily := map[string][]member{}
	seen := map[int32]bool{}
	for _, s := range t.strands {
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
