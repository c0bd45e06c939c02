package importer

import (
	"context"
	"slices"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// placeWithoutGeography gives a dataset without a geography the one area that
// its numbers are about: that of --country, else the one it had before, else
// the office's own country.
func (im *Importer) placeWithoutGeography(ctx context.Context, d *stat.Dataset, report *stat.Report) error {
	if d.Geography.ID != "" || len(d.Geography.Codes) > 0 {
		if im.options.Country != "" {
			report.Add(stat.NoteCountryNotUsed, 1, false, im.options.Country)
		}
		return nil
	}
	area := im.country
	if area.ID == "" {
		before, err := im.store.Current(ctx, d.Source.ID, d.Code)
		if err != nil {
			return wrap("reading the current vintage of "+d.Code, err)
		}
		if before != nil && len(before.Geography.Codes) == 1 {
			g := before.Geography
			d.Geography = stat.Dimension{ID: g.ID, Label: g.Label, Role: g.Role, Codes: slices.Clone(g.Codes)}
			return nil
		}
		home, ok := geo.HomeOf(d.Source.ID)
		if !ok {
			return stat.Errorf(stat.Refused, "the file has no geography: say which area its numbers are about, for example --country DE or --country EA20")
		}
		area = home
	}
	d.Geography = stat.Dimension{
		ID: "geo", Label: "Geography", Role: stat.RoleGeo,
		Codes: []stat.Code{{ID: area.ID, Label: area.Name, Area: area.ID}},
	}
	return nil
}

// NoteGeographyRemembered tells that the geography is the dimension that an
// earlier import of the dataset was told to take.
const NoteGeographyRemembered = "geography-remembered"

// otherGeography says that a file must be read with another dimension as its
// geography.
type otherGeography struct{ dimension string }

func (e *otherGeography) Error() string {
	return "earlier vintages of the dataset have dimension " + e.dimension + " as their geography: state it with --geo " + e.dimension
}

// rememberedGeography compares the geography with that of the previous
// vintage. Where this call states none and the file has the previous one as
// an ordinary dimension, the error is an [otherGeography].
func (im *Importer) rememberedGeography(ctx context.Context, t *stat.Table, stated string) error {
	d := t.Dataset
	if im.options.Geo != "" || d.Code == "" {
		return nil
	}
	if stated != "" {
		t.Report.Add(NoteGeographyRemembered, 1, false, stated)
		return nil
	}
	before, err := im.store.Current(ctx, d.Source.ID, d.Code)
	if err != nil {
		return wrap("reading the current vintage of "+d.Code, err)
	}
	if before == nil || before.Geography.ID == d.Geography.ID {
		return nil
	}
	for _, dim := range d.Dimensions {
		if dim.ID == before.Geography.ID {
			return &otherGeography{dim.ID}
		}
	}
	return nil
}
