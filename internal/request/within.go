package request

import (
	"fmt"
	"slices"

	"almanac/internal/geo"
	"almanac/internal/store"
)

const withinParam = "within"

// selectWithin narrows a selection of areas, nil for all, to those that lie within the
// given ones. It adds a notice for each value of which the dataset has no part.
func selectWithin(v *store.Vintage, selected []int32, values []string, notices []Notice) ([]int32, []Notice) {
	d := v.Dataset
	found := make([]bool, len(d.Geography.Codes))
	for _, value := range values {
		text := value
		if at, ok := v.Find(len(d.Dimensions), value); ok {
			text, found[at] = d.Geography.Codes[at].Area, true
		}
		whole, isKnown := geo.WholeOf(text), text != value
		for i, code := range d.Geography.Codes {
			if whole.Has(d.Source.ID, code.Area) {
				found[i], isKnown = true, true
			}
		}
		if !isKnown {
			n := NewNotice(withinParam, value, fmt.Sprintf("the dataset has no area that is %q or a part of it", value))
			if len(notices) < maxSuggested && len(geo.Lookup(value)) == 0 {
				n.suggest(append(textsOf(&d.Geography), geo.Spellings(value)...), len(notices))
			}
			notices = append(notices, n)
		}
	}
	within := make([]int32, 0, len(found))
	for i := range found {
		if found[i] && (selected == nil || slices.Contains(selected, int32(i))) {
			within = append(within, int32(i))
		}
	}
	return within, notices
}
