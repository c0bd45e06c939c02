package importer

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/geo"
	"almanac/internal/stat"
)

// The geography of a dataset is the first of:
//
//   - the dimension that the caller names, which the reader uses ([format.Input])
//   - the geography of an earlier import of the dataset
//   - the dimension that the format's reader finds
//   - one area for all numbers, or none, as the caller or an earlier import states
//   - the dimension whose codes as a whole are areas: those of a national office are
//     parts of its country
//   - the office's own country
//
// The last two are decided when all values are read, because only then all codes are
// known. The builder moves the dimension.

// hasGeography reports whether the geography of a dataset is known.
func hasGeography(geography *stat.Dimension) bool {
	return geography.ID != "" || len(geography.Codes) > 0
}

// decideGeography decides on the geography before values are read. It returns the ID
// of the dimension that will become the geography, or sets the only area of a dataset
// without a geography if it is known.
func (im *Importer) decideGeography(t *table) (dimension string, err error) {
	d, before := t.dataset, t.previous()
	if before != nil && im.options.Geo == "" && before.Geography.ID != d.Geography.ID {
		isSame := func(dim stat.Dimension) bool {
			return dim.ID == before.Geography.ID || isOfHeadings(&dim) && before.Geography.ID == geographyID && len(before.Geography.Codes) > 1
		}
		if i := slices.IndexFunc(d.Dimensions, isSame); i >= 0 {
			dimension = d.Dimensions[i].ID
		}
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
	switch {
	case im.options.NoGeo:
		d.Geography = geographyOf(geo.Area{ID: stat.NoArea, Name: "No area"})
	case im.country.ID != "":
		d.Geography = geographyOf(im.country)
	case before != nil && len(before.Geography.Codes) == 1:
		g := before.Geography
		d.Geography = stat.Dimension{ID: g.ID, Label: g.Label, Role: g.Role, Codes: slices.Clone(g.Codes)}
	}
	t.isGeoAdded = hasGeography(&d.Geography)
	return "", nil
}

// errNoGeography refuses a table in which no dimension, or several alike, are the
// geography. It suggests the one with most areas, each of several alike, or else to state
// that there is none.
func (t *table) errNoGeography(all []areaDimension, alike []string) error {
	slices.SortStableFunc(all, func(a, b areaDimension) int {
		return cmp.Or(cmp.Compare(b.known, a.known), cmp.Compare(b.rank, a.rank))
	})
	all = slices.DeleteFunc(all, func(a areaDimension) bool { return a.rank == 0 && 3*a.known < a.codes || a.known == 0 && a.codes == 1 })
	if i := slices.IndexFunc(all, func(a areaDimension) bool { return a.codes > 1 }); i > 0 { // a country is not the area of its parts
		all = all[i:]
	}
	if len(alike) == 0 && len(all) > 1 && all[0].known == all[1].known && all[0].rank == all[1].rank {
		alike = []string{all[0].id, all[1].id}
	}
	switch {
	case len(alike) > 0:
		var readings [][]stat.Suggestion
		for _, dim := range alike {
			readings = append(readings, []stat.Suggestion{{Option: "geo", Value: dim}})
		}
		return stat.Choose(stat.Errorf(stat.Refused, "several dimensions hold areas alike (%s): state which is the geography", strings.Join(alike, ", ")), readings...)
	case len(all) > 0:
		likely := all[0]
		return stat.Suggest(stat.Errorf(stat.Refused, "the file has no geography: %d of %d codes of %s are known areas; state that it is the geography, or the area that all numbers describe (--country DE, --country EA20)", likely.known, likely.codes, likely.id),
			stat.Suggestion{Option: "geo", Value: likely.id})
	}
	if id, line := areaInTitle(t.dataset); line != "" {
		return stat.Suggest(stat.Errorf(stat.Refused, "the file has no geography, but a line of its title is %q: state that its numbers describe this area, --country %s, or another one, or none, --no-geo", line, id),
			stat.Suggestion{Option: "country", Value: id})
	}
	example := "GEO"
	if at := slices.IndexFunc(t.dataset.Dimensions, func(d stat.Dimension) bool { return len(d.Codes) != 1 || d.Codes[0].ID != "-" }); at >= 0 {
		example = t.dataset.Dimensions[at].ID
	}
	return stat.Suggest(stat.Errorf(stat.Refused, "the file has no geography: state the area that its numbers describe, for example --country DE or --country EA20, or the dimension that holds the areas, for example --geo %s, or that they describe no area, --no-geo", example),
		stat.Suggestion{Option: "no-geo"})
}

// areaInTitle returns the only area that lines of a dataset's name or description say: with a
// heading of areas before it ("State: Georgia"), else a country alone. It is empty if there is
// none.
func areaInTitle(d *stat.Dataset) (id, found string) {
	isHeaded := false
	for line := range strings.Lines(d.Name + "\n" + d.Description) {
		line = strings.TrimSpace(line)
		heading, name, hasHeading := strings.Cut(line, ": ")
		if !hasHeading {
			heading, name = "country", line
		}
		if len(name) < 4 || len(line) > 60 || geo.HeadingRank(heading) <= 0 { // a code, a sentence
			continue
		}
		r := geo.ResolveAll("local", heading, []geo.Labelled{{Code: name}})
		area := r.Areas[0]
		switch {
		case !r.Known[0] || area.ID == id || area.Kind != geo.Country && !hasHeading || isHeaded && !hasHeading:
		case id != "" && hasHeading == isHeaded:
			return "", ""
		default:
			id, found, isHeaded = area.ID, line, hasHeading
		}
	}
	return id, found
}

// The name of a geography that the file does not name.
const geographyID, geographyLabel = "geo", "Geography"

// isOfHeadings reports whether a dimension is that of the columns of a table, whose headings were
// taken for indicators.
func isOfHeadings(dim *stat.Dimension) bool {
	made := assemble.Indicators(nil)
	return dim.ID == made.ID && dim.Label == made.Label
}

func geographyOf(area geo.Area) stat.Dimension {
	return stat.Dimension{
		ID: geographyID, Label: geographyLabel, Role: stat.RoleGeo,
		Codes: []stat.Code{{ID: area.ID, Label: area.Name, Area: area.ID}},
	}
}

// setGeography makes a dimension the geography: the given one, or if the dataset has no
// geography yet, the one whose codes are areas. Without one, all numbers describe the
// office's own country.
func (t *table) setGeography(dimension string) error {
	d, note := t.dataset, NoteGeographyRemembered
	if dimension == "" {
		if hasGeography(&d.Geography) {
			return nil
		}
		all := areaDimensions(d)
		found := finest(all, geographies(all))
		home, hasHome := geo.HomeOf(d.Source.ID)
		switch {
		case len(found) == 1, len(found) > 1 && hasHome: // a person lives in one region and works in another
			dimension, note = found[0], NoteGeographyByCodes
		case hasHome:
			if err := t.checkHome(home); err != nil {
				return err
			}
			if id, line := areaInTitle(d); id != home.ID && strings.Contains(line, ": ") {
				return t.errNoGeography(nil, nil)
			}
			d.Geography, t.isGeoAdded = geographyOf(home), true
			return nil
		default:
			return t.errNoGeography(all, found)
		}
	}
	t.builder.SetGeography(slices.IndexFunc(d.Dimensions, func(dim stat.Dimension) bool { return dim.ID == dimension }))
	if isOfHeadings(&d.Geography) { // they are areas
		d.Geography.ID, d.Geography.Label = geographyID, geographyLabel
	}
	t.report.Add(note, 1, dimension)
	return nil
}

// areaDimension is a dimension of which some codes may be areas.
type areaDimension struct {
	id           string
	list         []stat.Code
	rank         int // of its name as that of areas, see [geo.HeadingRank]
	codes, known int // all, and those whose area is known
	isGeography  bool
}

// areaDimensions returns the dimensions that may be the geography by their names.
func areaDimensions(d *stat.Dataset) (all []areaDimension) {
	for _, dim := range d.Dimensions {
		name := dim.ID + " " + dim.Label
		rank := geo.HeadingRank(name)
		if rank < 0 {
			continue
		}
		r := geo.ResolveAll(d.Source.ID, name, labelled(&dim, func(string) string { return "" }))
		all = append(all, areaDimension{dim.ID, dim.Codes, rank, len(dim.Codes), len(dim.Codes) - r.Unknown(), r.IsGeography()})
	}
	return all
}

// countAreas returns how many names are those of areas, if they may be the geography of a
// source's table under a heading, else 0.
func countAreas(source, heading string, names []string) int {
	codes := make([]geo.Labelled, len(names))
	for i, name := range names {
		codes[i].Code = name
	}
	r := geo.ResolveAll(source, heading, codes)
	if geo.HeadingRank(heading) < 0 || !r.IsGeography() {
		return 0
	}
	return len(names) - r.Unknown()
}

// geographies returns the dimensions that are geographies by their codes and have the
// highest rank.
func geographies(all []areaDimension) (ids []string) {
	best := 0
	for _, dim := range all {
		switch {
		case !dim.isGeography || len(ids) > 0 && dim.rank < best:
		case len(ids) == 0 || dim.rank > best:
			ids, best = []string{dim.id}, dim.rank
		default:
			ids = append(ids, dim.id)
		}
	}
	return ids
}

// finest replaces geographies by the dimensions of areas within theirs, if there are such by
// their codes: NUTS 3 beside NUTS 2, CZ0100 beside CZ010.
func finest(all []areaDimension, ids []string) (finest []string) {
	for _, id := range ids {
		best := all[slices.IndexFunc(all, func(a areaDimension) bool { return a.id == id })]
		for _, dim := range all {
			if (dim.rank > 0 || dim.isGeography) && areWithin(dim.list, best.list) {
				best = dim
			}
		}
		if !slices.Contains(finest, best.id) {
			finest = append(finest, best.id)
		}
	}
	return finest
}

// areWithin reports whether there are more codes than others, and each begins with one of them
// and is longer, or is the same for what has no code.
func areWithin(codes, others []stat.Code) bool {
	return len(codes) > len(others) && !slices.ContainsFunc(codes, func(c stat.Code) bool {
		return !slices.ContainsFunc(others, func(o stat.Code) bool {
			return len(o.ID) > 1 && len(c.ID) > len(o.ID) && strings.HasPrefix(c.ID, o.ID) || c.ID == o.ID && c.ID == stat.NoArea
		})
	})
}
