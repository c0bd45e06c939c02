package request

import (
	"fmt"
	"slices"

	"almanac/internal/geo"
	"almanac/internal/store"
)

const withinParam = "within"

// maxWithin bounds the values of within, since each is compared with every area of the dataset.
const maxWithin = 1000

// selectWithin narrows a selection of areas, nil for all, to those that lie within the
// given ones. It adds a notice for each of the first values of which the dataset has no part, and one that counts
// the others.
func selectWithin(v *store.Vintage, selected []int32, values []string, notices []Notice) ([]int32, []Notice) {
	d := v.Dataset
	found := make([]bool, len(d.Geography.Codes))
	isRead := map[string]bool{}
	n := 0 // values without a part
	for _, value := range values {
		if isRead[value] {
			continue
		}
		isRead[value] = true
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
		if isKnown {
			if text == value {
				notices = append(notices, namesakes(v, withinParam, value)...)
			}
			continue
		}
		if n++; n <= maxNamed {
			notices = append(notices, noPart(v, value, len(notices)))
		}
	}
	within := make([]int32, 0, len(found))
	for i := range found {
		if found[i] && (selected == nil || slices.Contains(selected, int32(i))) {
			within = append(within, int32(i))
		}
	}
	return within, addOthers(notices, withinParam, n, "and parts of them are not in the dataset")
}

// noPart returns the notice for an area of which the dataset has no part, after count earlier notices.
func noPart(v *store.Vintage, value string, count int) Notice {
	n := NewNotice(withinParam, value, fmt.Sprintf("the dataset has no area that is %.*q or a part of it", maxNamedLength, value))
	if parts := joinedValues(v, len(v.Dataset.Dimensions), value); parts != nil {
		n.Message += severalValues(withinParam, parts)
		n.Nearest = parts
		return n
	}
	if count < maxSuggested && len(geo.Lookup(value)) == 0 {
		n.suggest(append(textsOf(&v.Dataset.Geography), geo.Spellings(value)...), count)
	}
	return n
}
