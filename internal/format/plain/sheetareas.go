package plain

import (
	"slices"

	"almanac/internal/format"
	"almanac/internal/format/crosstab"
	"almanac/internal/stat"
)

// noteArea notes areas that are the names of sheets.
const noteArea = "areas-of-sheets"

// nameAreas makes the names of sheets the areas of their tables, if these have no
// geography and are all alike, and the names are those of areas.
func (a *sheets) nameAreas() {
	all := slices.DeleteFunc(slices.Clone(a.tables), func(s *sheet) bool {
		g := s.table.Dataset.Geography
		return g.ID != "" || len(g.Codes) > 0
	})
	if len(all) < 2 || a.in.Geo != "" || a.in.CountAreas(all[0].table.Dataset.Source.ID, "", sheetNames(all)) == 0 {
		return
	}
	bare := make([]sheet, len(all))
	for i, s := range all {
		d := *s.table.Dataset
		bare[i] = *s
		bare[i].table = &stat.Table{Dataset: &d}
		bare[i].dropName()
		if !isSameTable(&bare[0], &bare[i]) {
			return
		}
	}
	for i, s := range all {
		s.above, s.table.Dataset.Name, s.table.Dataset.Description = bare[i].above, bare[i].table.Dataset.Name, bare[i].table.Dataset.Description
		s.table.Dataset.Geography = stat.Dimension{ID: "geo", Label: "Geography", Role: stat.RoleGeo, Codes: []stat.Code{{ID: s.from.Name}}}
		s.isArea = true
		s.table.Report.Add(noteArea, 1, s.from.Name)
	}
}

// shareNation makes the nation the area of sheets of series that name no areas, beside
// sheets of series that do.
func (a *sheets) shareNation() {
	if !slices.ContainsFunc(a.tables, func(s *sheet) bool { return s.table.Dataset.Geography.ID == crosstab.RegionOfSeries }) {
		return
	}
	for _, s := range a.tables {
		if g := &s.table.Dataset.Geography; g.ID == "" && len(g.Codes) == 0 {
			*g = crosstab.Regions()
			g.Codes = []stat.Code{{ID: crosstab.Nation}}
		}
	}
}

// checkAreas returns an error if a dimension holds areas, too: regions within the
// countries that the sheets are called by.
func (s *sheet) checkAreas(in *format.Input) error {
	d := s.table.Dataset
	for _, dim := range d.Dimensions {
		names := make([]string, len(dim.Codes))
		for i, c := range dim.Codes {
			names[i] = c.ID
		}
		if s.isArea && in.CountAreas(d.Source.ID, dim.ID+" "+dim.Label, names) > 0 {
			return stat.Suggest(stat.BadFile(stat.Position{}, "the sheets are called by areas, but %s holds areas, too: state the sheet", dim.ID), s.suggestion())
		}
	}
	return nil
}
