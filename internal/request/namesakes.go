package request

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/store"
)

// namesakes returns a notice if the name by which a parameter selects an area is also that of another country or region. Where a
// country is selected, regions are named only if the dataset has them: few people mean the state by Georgia.
func namesakes(v *store.Vintage, param, text string) []Notice {
	named := geo.AreasOf(text).Named
	if len(named) == 0 {
		return nil
	}
	taken, here, codes, elsewhere := placeText(v, named[0]), []string{}, []string{}, []string{}
	for _, e := range geo.Namesakes(text, named[0]) {
		switch found := areaOf(v, e.ID); {
		case found != nil:
			here, codes = append(here, placeText(v, e.ID)), append(codes, v.Dataset.Geography.Codes[found[0]].ID)
		case e.Kind == geo.Country || geo.IsRegion(named[0]):
			elsewhere = append(elsewhere, placeText(v, e.ID))
		}
	}
	message := fmt.Sprintf("the name %.*q is taken to mean %s", maxNamedLength, text, taken)
	switch {
	case len(here) > 0:
		message += fmt.Sprintf("; for %s of the same name, give the code", alternatives(here))
	case len(elsewhere) > 0:
		message += fmt.Sprintf("; the dataset does not have %s of the same name", alternatives(elsewhere))
	default:
		return nil
	}
	n := NewNotice(param, text, message)
	n.Nearest = append(n.Nearest, codes[:min(maxSuggested, len(codes))]...)
	return []Notice{n}
}

// namesakesHere returns the areas of a dataset that have a name which is usually that of an area that the dataset does not have.
func namesakesHere(v *store.Vintage, text string) (texts, codes []string) {
	named := geo.AreasOf(text).Named
	if len(named) == 0 {
		return nil, nil
	}
	for _, e := range geo.Namesakes(text, named[0]) {
		if found := areaOf(v, e.ID); found != nil && len(texts) < maxSuggested {
			texts, codes = append(texts, placeText(v, e.ID)), append(codes, v.Dataset.Geography.Codes[found[0]].ID)
		}
	}
	return texts, codes
}

// areaOf returns the positions in the geography of an area, by its ID in any list.
func areaOf(v *store.Vintage, id string) []int32 {
	for _, same := range geo.SameAreas(id) {
		if found := byArea(v)[strings.ToLower(same)]; found != nil {
			return found
		}
	}
	return nil
}

// placeText returns the label of an area in a dataset with its code, or its full name if the dataset does not have it.
func placeText(v *store.Vintage, id string) string {
	if found := areaOf(v, id); found != nil {
		return codeText(&v.Dataset.Geography.Codes[found[0]])
	}
	e, ok := geo.FindEntry(id)
	if !ok {
		return id
	}
	return fmt.Sprintf("%s [%s]", e.FullName(), e.Key)
}

// alternatives joins the first of several texts.
func alternatives(texts []string) string {
	if len(texts) > maxSuggested {
		texts = append(slices.Clone(texts[:maxSuggested]), "others")
	}
	return strings.Join(texts, " or ")
}
