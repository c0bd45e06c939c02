package importer

import (
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// The geography of a dataset is
//
//   - the dimension that the caller names; readers take it ([format.Input]);
//   - else the one that an earlier import of the dataset had;
//   - else the one that the format's reader finds;
//   - else, where the file has none, the one area that its numbers are about:
//     that of --country, the one of an earlier import, the office's own country;
//   - else the one dimension all of whose codes are areas.
//
// All but the last are decided before values are read. A dimension that becomes
// the geography is moved there in the builder, once its codes are known.

const (
	// NoteGeographyRemembered tells that the geography is the dimension that an
	// earlier import of the dataset was told to take.
	NoteGeographyRemembered = "geography-remembered"
	// NoteGeographyByCodes tells that the geography is the dimension whose codes
	// are all areas, for want of anything that says so.
	NoteGeographyByCodes = "geography-by-codes"
)

// isMissing reports whether a dataset's geography is that of a file without one.
func isMissing(geography *stat.Dimension) bool {
	return geography.ID == "" && len(geography.Codes) == 0
}

// geographyOf decides on the geography before values are read: it returns the
// ID of the dimension that is to become it, or gives a dataset without a
// geography its one area, if somebody says which.
func (im *Importer) geographyOf(t *table) (dimension string) {
	d, before := t.dataset, t.previous()
	if before != nil && im.options.Geo == "" && before.Geography.ID != d.Geography.ID &&
		slices.ContainsFunc(d.Dimensions, func(dim stat.Dimension) bool { return dim.ID == before.Geography.ID }) {
		dimension = before.Geography.ID
	}
	if dimension != "" || !isMissing(&d.Geography) {
		if im.options.Country != "" {
			t.report.Add(stat.NoteCountryNotUsed, 1, im.options.Country)
		}
		return dimension
	}
	area, known := im.country, im.country.ID != ""
	if !known && before != nil && len(before.Geography.Codes) == 1 {
		g := before.Geography
		d.Geography = stat.Dimension{ID: g.ID, Label: g.Label, Role: g.Role, Codes: slices.Clone(g.Codes)}
		t.isPlaced = true
		return ""
	}
	if !known {
		area, known = geo.HomeOf(d.Source.ID)
	}
	if known {
		d.Geography = stat.Dimension{
			ID: "geo", Label: "Geography", Role: stat.RoleGeo,
			Codes: []stat.Code{{ID: area.ID, Label: area.Name, Area: area.ID}},
		}
		t.isPlaced = true
	}
	return ""
}

// setGeography makes a dimension the geography: the one that was decided on, or
// where the dataset has no geography yet the one that its codes tell.
func (t *table) setGeography(dimension string) error {
	note := NoteGeographyRemembered
	if dimension == "" {
		if !isMissing(&t.dataset.Geography) {
			return nil
		}
		found := areaDimensions(t.dataset)
		if len(found) != 1 {
			return stat.Errorf(stat.Refused, "the file has no geography: say which area its numbers are about, for example --country DE or --country EA20, or which dimension holds the areas, for example --geo %s",
				firstDimension(t.dataset))
		}
		dimension, note = found[0], NoteGeographyByCodes
	}
	t.builder.SetGeography(slices.IndexFunc(t.dataset.Dimensions, func(d stat.Dimension) bool { return d.ID == dimension }))
	t.report.Add(note, 1, dimension)
	return nil
}

// noGeography are parts of the names of dimensions that hold countries and are
// no geography.
var noGeography = []string{"citizen", "partner", "counterpart", "national", "birth", "origin", "destination", "import"}

// areaDimensions are the dimensions all of whose codes, or labels, are areas in
// the source's code system.
func areaDimensions(d *stat.Dataset) []string {
	var found []string
	for _, dim := range d.Dimensions {
		name := strings.ToLower(dim.ID + " " + dim.Label)
		if len(dim.Codes) < 2 || slices.ContainsFunc(noGeography, func(part string) bool { return strings.Contains(name, part) }) {
			continue
		}
		isOther := func(c stat.Code) bool {
			_, byCode := geo.Resolve(d.Source.ID, c.ID)
			_, byName := geo.ResolveName(d.Source.ID, c.Label)
			return !byCode && (c.Label == "" || !byName)
		}
		if !slices.ContainsFunc(dim.Codes, isOther) {
			found = append(found, dim.ID)
		}
	}
	return found
}

func firstDimension(d *stat.Dataset) string {
	if len(d.Dimensions) == 0 {
		return "GEO"
	}
	return d.Dimensions[0].ID
}
