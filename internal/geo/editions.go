package geo

import (
	"fmt"
	"slices"
	"strings"
)

// A group whose members change has several codes: one for its members of each time, such as EA, and one for
// each of its compositions, such as EA19 and EA20. They are different areas, and a code never means
// another. A name without a number of members ("euro area") means the group in any composition.

// editions are the IDs of a group of which offices publish several compositions.
type editions struct {
	group  []string // its members of each time
	single []string // its compositions, the latest first
}

func (all *compositions) addGroup(ids []string) {
	e := &editions{group: ids}
	for _, id := range ids {
		all.series[id] = e
	}
}

// addEdition adds the IDs of a composition of a group. They come in the order of time.
func (all *compositions) addEdition(group string, ids []string) {
	e := all.series[group]
	e.single = slices.Concat(ids, e.single)
	for _, id := range ids {
		all.series[id] = e
	}
}

// Editions returns the IDs of a group in all its compositions, by the ID of any of them: those with its members of
// each time first, then the latest composition. It is empty for areas that have no other composition.
func Editions(id string) []string {
	e := loadCompositions().series[id]
	if e == nil || e.single == nil {
		return nil
	}
	return slices.Concat(e.group, e.single)
}

// EditionText says which composition of a group an ID means: "Euro area (EA19), 19 countries, 2015–2022". It
// is empty for areas that have no other composition.
func EditionText(id string) string {
	c, e := loadCompositions().byGroup[id], loadCompositions().series[id]
	entry, ok := FindEntry(id)
	if !ok || e == nil || e.single == nil {
		return ""
	}
	name, remark, _ := strings.Cut(entry.Name, " (")
	switch text := fmt.Sprintf("%s (%s)", name, id); {
	case c.isEdition() && c.To == "":
		return fmt.Sprintf("%s, %d countries, from %.4s", text, len(c.Members), c.From)
	case c.isEdition() && c.From[:4] == c.To[:4]:
		return fmt.Sprintf("%s, %d countries, %.4s", text, len(c.Members), c.From)
	case c.isEdition():
		return fmt.Sprintf("%s, %d countries, %.4s–%.4s", text, len(c.Members), c.From, c.To)
	case remark != "":
		return text + ", " + strings.TrimSuffix(remark, ")")
	default:
		return text
	}
}
