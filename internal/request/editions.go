package request

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/store"
)

// editionPositions returns the position of a group of which a dataset may have several compositions, by its name:
// with its members of each time, else in the latest composition, unless its values are out of date beside those of another.
// A notice names the composition, unless the dataset has the code that the name stands for. ok is false if the text is no such name, or the
// dataset has no composition of it.
func editionPositions(v *store.Vintage, text string) (found []int32, named []Notice, ok bool) {
	areas := geo.AreasOf(text)
	if areas.Editions == nil {
		return nil, nil, false
	}
	for _, id := range slices.Concat(areas.Exact, areas.Named, areas.Editions) {
		found = append(found, byArea(v)[strings.ToLower(id)]...)
	}
	if len(found) == 0 {
		return nil, nil, false
	}
	chosen := found[0]
	if len(found) > 1 {
		chosen = mostRecentEdition(v, found)
	}
	id := v.Dataset.Geography.Codes[chosen].Area
	if id != slices.Concat(areas.Named, areas.Exact)[0] {
		named = []Notice{NewNotice("country", text, fmt.Sprintf("%.*q is read as %s", maxNamedLength, text, geo.EditionText(id)))}
	}
	return []int32{chosen}, named, true
}

// editionKey is the key of the composition of a group that is the most recent one, by the first of those that a dataset has.
type editionKey int32

// mostRecentEdition returns the most recent of several compositions, the first if their values cannot be read.
func mostRecentEdition(v *store.Vintage, found []int32) int32 {
	v = v.Stored() // the same areas in each language
	return v.Memo(editionKey(found[0]), func() any {
		chosen, err := v.MostRecent(make([][]int32, len(v.Dataset.Dimensions)), found)
		if err != nil {
			return found[0] // whoever reads the values has the error
		}
		return chosen
	}).(int32)
}

// otherEditions returns the texts and codes of the compositions of a group that a dataset has, if a value is the code
// of another one.
func otherEditions(v *store.Vintage, value string) (texts, codes []string) {
	for _, asked := range geo.Match(value) {
		for _, id := range geo.Editions(asked) {
			for _, pos := range byArea(v)[strings.ToLower(id)] {
				if code := v.Dataset.Geography.Codes[pos].ID; !slices.Contains(codes, code) {
					texts, codes = append(texts, geo.EditionText(id)), append(codes, code)
				}
			}
		}
	}
	return texts, codes
}
