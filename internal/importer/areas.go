package importer

import (
	"cmp"
	"strings"
	"unicode"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// isName reports whether the code of an area is in fact a name: codes of areas
// have no lower-case letters after the first character.
func isName(id string) bool {
	return len(id) > 3 && strings.ContainsFunc(id[1:], unicode.IsLower)
}

// resolveAreas finds the areas that the codes of the geography mean as a whole, by
// the source's code system and by the labels that are known so far. The codes of the
// previous version help, because a later file may have too few to tell their system.
func (b *codebook) resolveAreas() {
	dim := &b.dataset.Geography
	if b.dataset.HasNoArea() {
		b.areas = map[string]geo.Area{stat.NoArea: {ID: stat.NoArea, Name: dim.Codes[0].Label}}
		return
	}
	codes := labelled(dim, b.knownLabels(dim))
	present := idSet(dim.Codes)
	for _, c := range dimensionOf(b.previous(), dim.ID).Codes {
		if !present[c.ID] {
			codes = append(codes, geo.Labelled{Code: c.ID, Label: cmp.Or(c.SourceLabel, c.Label)})
		}
	}
	resolution := geo.ResolveAll(b.dataset.Source.ID, dim.ID+" "+dim.Label, codes).First(len(dim.Codes))
	b.areas = make(map[string]geo.Area, len(codes))
	first := map[string]string{} // codes by area
	for i, c := range dim.Codes {
		b.areas[c.ID] = resolution.Areas[i]
		if other := first[resolution.Areas[i].ID]; other != "" && resolution.Known[i] {
			b.report.Add(NoteSameArea, 1, other+", "+c.ID)
		}
		first[resolution.Areas[i].ID] = c.ID
		if !resolution.Known[i] && c.Area == "" {
			b.report.Add(stat.NoteUnknownArea, 1, c.ID)
		}
	}
	if b.isGeoAdded {
		return
	}
	if text := resolution.String(); text != "" {
		b.report.Add(NoteAreas, 1, text)
	}
}

// labelled returns the codes of a dimension with their labels, or those that labelOf has.
func labelled(dim *stat.Dimension, labelOf func(code string) string) []geo.Labelled {
	codes := make([]geo.Labelled, len(dim.Codes))
	for i, c := range dim.Codes {
		codes[i] = geo.Labelled{Code: c.ID, Label: cmp.Or(tidyText(c.Label), tidyText(labelOf(c.ID)))}
	}
	return codes
}

// areaNames returns a function that names areas without a label in English, unless their code is a
// name. If most codes are names, short ones such as USSR are too.
func (t *table) areaNames() func(code string) string {
	codes := t.dataset.Geography.Codes
	names := 0
	for _, c := range codes {
		if isName(c.ID) {
			names++
		}
	}
	return func(code string) string {
		if isName(code) || len(code) > 2 && 2*names > len(codes) {
			return code // the office's own spelling
		}
		return cmp.Or(t.areas[code].Name, code)
	}
}

// completeAreas sets the area of each code of the geography.
func (t *table) completeAreas() {
	for i := range t.dataset.Geography.Codes {
		c := &t.dataset.Geography.Codes[i]
		c.Area = cmp.Or(c.Area, t.areas[c.ID].ID)
	}
}
