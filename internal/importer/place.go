package importer

import (
	"context"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// placeWithoutGeography gives a dataset without a geography the one area that
// its numbers are about: that of --country, else the one it had before, else
// the office's own country.
func (im *Importer) placeWithoutGeography(ctx context.Context, d *stat.Dataset, report *stat.Report) (placing, error) {
	if d.Geography.ID != "" || len(d.Geography.Codes) > 0 {
		if im.options.Country != "" {
			report.Add(stat.NoteCountryNotUsed, 1, im.options.Country)
		}
		return stated, nil
	}
	placed, area := stated, im.country
	if area.ID == "" {
		before, err := im.store.Current(ctx, d.Source.ID, d.Code)
		if err != nil {
			return stated, wrap("reading the current vintage of "+d.Code, err)
		}
		if before != nil && len(before.Geography.Codes) == 1 {
			g := before.Geography
			d.Geography = stat.Dimension{ID: g.ID, Label: g.Label, Role: g.Role, Codes: slices.Clone(g.Codes)}
			return stated, nil
		}
		home, ok := geo.HomeOf(d.Source.ID)
		if !ok {
			placed, home = guessed, nowhere
		}
		area = home
	}
	d.Geography = stat.Dimension{
		ID: "geo", Label: "Geography", Role: stat.RoleGeo,
		Codes: []stat.Code{{ID: area.ID, Label: area.Name, Area: area.ID}},
	}
	return placed, nil
}

// placing says who says which area a dataset without a geography is about.
type placing int

const (
	stated  placing = iota // the file, the caller, or earlier imports
	guessed                // nobody
)

// nowhere stands for the area of a dataset while only its codes may tell.
var nowhere = geo.Area{}

// NoteGeographyByCodes tells that the geography is the dimension whose codes
// are all areas, for want of anything that says so.
const NoteGeographyByCodes = "geography-by-codes"

// noGeography are parts of the names of dimensions that hold countries and are
// no geography.
var noGeography = []string{"citizen", "partner", "counterpart", "national", "birth", "origin", "destination", "import"}

// geographyByCodes looks for the one dimension all of whose codes, or labels,
// are areas in the source's code system. It returns an [otherGeography] for
// it, or refuses the file.
func geographyByCodes(d *stat.Dataset) error {
	var found []string
	for _, dim := range d.Dimensions {
		name := strings.ToLower(dim.ID + " " + dim.Label)
		if slices.ContainsFunc(noGeography, func(part string) bool { return strings.Contains(name, part) }) {
			continue
		}
		areas := 0
		for _, c := range dim.Codes {
			_, byCode := geo.Resolve(d.Source.ID, c.ID)
			_, byName := geo.ResolveName(d.Source.ID, c.Label)
			if byCode || c.Label != "" && byName {
				areas++
			}
		}
		if areas == len(dim.Codes) && areas > 1 {
			found = append(found, dim.ID)
		}
	}
	if len(found) == 1 {
		return &otherGeography{dimension: found[0], note: NoteGeographyByCodes}
	}
	return stat.Errorf(stat.Refused, "the file has no geography: say which area its numbers are about, for example --country DE or --country EA20, or which dimension holds the areas, for example --geo %s",
		firstDimension(d))
}

func firstDimension(d *stat.Dataset) string {
	if len(d.Dimensions) == 0 {
		return "GEO"
	}
	return d.Dimensions[0].ID
}

// NoteGeographyRemembered tells that the geography is the dimension that an
// earlier import of the dataset was told to take.
const NoteGeographyRemembered = "geography-remembered"

// otherGeography says that a file must be read with another dimension as its
// geography.
type otherGeography struct {
	dimension string
	member    string // of the archive that it is in
	note      string // that tells why
}

// geographies are those that files or members of an archive, by their name, must
// be read with.
type geographies map[string]*otherGeography

func (e *otherGeography) Error() string {
	return "the geography is to be dimension " + e.dimension + ": state it with --geo " + e.dimension
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
			return &otherGeography{dimension: dim.ID, note: NoteGeographyRemembered}
		}
	}
	return nil
}
