package importer

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// The geography of a dataset is the first of:
//
//   - the dimension that the caller names, which the reader uses ([format.Input])
//   - the geography of an earlier import of the dataset
//   - the dimension that the format's reader finds
//   - for a file without a geography, one area for all numbers: the caller's, that
//     of an earlier import, or the office's own country; or none, if the caller
//     or an earlier import states that
//   - the only dimension whose codes are nearly all areas
//
// All but the last are decided before values are read. The builder moves the
// dimension once its codes are known.

// hasGeography reports whether the geography of a dataset is known.
func hasGeography(geography *stat.Dimension) bool {
	return geography.ID != "" || len(geography.Codes) > 0
}

// decideGeography decides on the geography before values are read. It returns the ID
// of the dimension that will become the geography, or sets the only area of a dataset
// without a geography if it is known.
func (im *Importer) decideGeography(t *table) (dimension string, err error) {
	d, before := t.dataset, t.previous()
	if before != nil && im.options.Geo == "" && before.Geography.ID != d.Geography.ID &&
		slices.ContainsFunc(d.Dimensions, func(dim stat.Dimension) bool { return dim.ID == before.Geography.ID }) {
		dimension = before.Geography.ID
	}
	if dimension != "" || hasGeography(&d.Geography) {
		if im.options.NoGeo {
			return "", stat.Suggest(stat.Errorf(stat.Refused, "the file has a geography, %s, so its numbers describe areas", cmp.Or(dimension, d.Geography.ID)),
				stat.Suggestion{Option: "geo", Value: cmp.Or(dimension, d.Geography.ID)})
		}
		if im.options.Country != "" {
			t.report.Add(stat.NoteCountryNotUsed, 1, im.options.Country)
		}
		return dimension, nil
	}
	switch home, isKnown := geo.HomeOf(d.Source.ID); {
	case im.options.NoGeo:
		d.Geography = geographyOf(geo.Area{ID: stat.NoArea, Name: "No area"})
	case im.country.ID != "":
		d.Geography = geographyOf(im.country)
	case before != nil && len(before.Geography.Codes) == 1:
		g := before.Geography
		d.Geography = stat.Dimension{ID: g.ID, Label: g.Label, Role: g.Role, Codes: slices.Clone(g.Codes)}
	case isKnown:
		d.Geography = geographyOf(home)
	}
	t.isGeoAdded = hasGeography(&d.Geography)
	return "", nil
}

// errNoGeography refuses a table of which several dimensions, or none, are areas. It
// suggests the one that is likely the geography, else to state that there is none.
func (t *table) errNoGeography(found []string) error {
	switch {
	case len(found) > 1:
		return stat.Suggest(stat.Errorf(stat.Refused, "several dimensions hold areas (%s): state which is the geography", strings.Join(found, ", ")),
			stat.Suggestion{Option: "geo", Value: found[0]})
	case likelyGeography(t.dataset) != "":
		dim := likelyGeography(t.dataset)
		return stat.Suggest(stat.Errorf(stat.Refused, "the file has no geography: some codes of %s are areas; state that it is the geography, or the area that all numbers describe (--country DE, --country EA20)", dim),
			stat.Suggestion{Option: "geo", Value: dim})
	}
	example := "GEO"
	if len(t.dataset.Dimensions) > 0 {
		example = t.dataset.Dimensions[0].ID
	}
	return stat.Suggest(stat.Errorf(stat.Refused, "the file has no geography: state the area that its numbers describe, for example --country DE or --country EA20, or the dimension that holds the areas, for example --geo %s, or that they describe no area, --no-geo", example),
		stat.Suggestion{Option: "no-geo"})
}

func geographyOf(area geo.Area) stat.Dimension {
	return stat.Dimension{
		ID: "geo", Label: "Geography", Role: stat.RoleGeo,
		Codes: []stat.Code{{ID: area.ID, Label: area.Name, Area: area.ID}},
	}
}

// setGeography makes a dimension the geography: the given one, or if the dataset
// has no geography yet, the one whose codes are all areas.
func (t *table) setGeography(dimension string) error {
	note := NoteGeographyRemembered
	if dimension == "" {
		if hasGeography(&t.dataset.Geography) {
			return nil
		}
		found := areaDimensions(t.dataset)
		if len(found) != 1 {
			return t.errNoGeography(found)
		}
		dimension, note = found[0], NoteGeographyByCodes
	}
	t.builder.SetGeography(slices.IndexFunc(t.dataset.Dimensions, func(d stat.Dimension) bool { return d.ID == dimension }))
	t.report.Add(note, 1, dimension)
	return nil
}

// otherCountries lists parts of the names of dimensions that hold countries but
// are not the geography.
var otherCountries = []string{
	"citizen", "partner", "counterpart", "national", "birth", "origin", "destination", "import", "currency", "language",
}

// areaDimensions returns the dimensions of which nine tenths of the codes or labels are
// areas: those in the rank of whose names is highest (see [geo.HeadingRank]).
func areaDimensions(d *stat.Dataset) []string {
	var found []string
	best := 0
	for _, dim := range d.Dimensions {
		if len(dim.Codes) < 2 || 10*unknownAreas(d, &dim) > len(dim.Codes) {
			continue
		}
		switch rank := geo.HeadingRank(dim.ID + " " + dim.Label); {
		case len(found) == 0 || rank > best:
			found, best = []string{dim.ID}, rank
		case rank == best:
			found = append(found, dim.ID)
		}
	}
	return found
}

// likelyGeography returns the dimension with a name for areas, or of which a third of
// the codes are areas; "" if there is none.
func likelyGeography(d *stat.Dataset) string {
	for _, dim := range d.Dimensions {
		unknown := unknownAreas(d, &dim)
		if 3*unknown <= 2*len(dim.Codes) || unknown <= len(dim.Codes) && geo.HeadingRank(dim.ID) > 0 {
			return dim.ID
		}
	}
	return ""
}

// unknownAreas returns how many codes of a dimension are no areas: more than it has
// codes if its name says that it is not the geography.
func unknownAreas(d *stat.Dataset, dim *stat.Dimension) int {
	name := dim.ID + " " + dim.Label
	isOther := func(part string) bool { return strings.Contains(strings.ToLower(name), part) }
	if slices.ContainsFunc(otherCountries, isOther) {
		return 2*len(dim.Codes) + 1
	}
	labelled := make([]geo.Labelled, len(dim.Codes))
	for i, c := range dim.Codes {
		labelled[i] = geo.Labelled{Code: c.ID, Label: c.Label}
	}
	resolution := geo.ResolveAll(d.Source.ID, name, labelled)
	return resolution.Unknown()
}
