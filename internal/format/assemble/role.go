package assemble

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// IDs of dimensions in SDMX and at offices, by role, lower case. geographies is in
// the order of preference; partner, counterpart and citizenship are not geographies.
var (
	geographies = []string{
		"geo", "ref_area", "reference area", "geography", "country", "location", "reporter", "reporting_country", "exporter",
		"rep_country", "rep_cty", "l_rep_cty", "der_rep_cty", "borrowers_cty", "cou", "cities", "metroreg", "rep_mar", "geo_region",
	}
	frequencies = []string{"freq", "frequency"}
	units       = []string{"unit", "unit_measure", "units"}
	times       = []string{"time_period", "time", "period", "obs_time", "time_dim"}
)

// RoleOf returns the role of a dimension by its ID; [stat.RoleGeo] for every ID that may
// be the geography, of which [Geography] chooses one.
func RoleOf(id string) stat.Role {
	id = strings.ToLower(id)
	switch {
	case slices.Contains(geographies, id):
		return stat.RoleGeo
	case slices.Contains(frequencies, id):
		return stat.RoleFrequency
	case slices.Contains(units, id):
		return stat.RoleUnit
	}
	return stat.RoleOther
}

// IsTime reports whether a dimension's ID is one of the time.
func IsTime(id string) bool { return slices.Contains(times, strings.ToLower(id)) }

// IsAreaWord reports whether the values of a dimension are parts of a country by its name,
// up to the first sign or bracket.
func IsAreaWord(name string) bool {
	name, _, _ = strings.Cut(name, " (")
	name, _, _ = strings.Cut(name, "/")
	return Means("area part", Fold(name))
}

// Geography returns the position of the dimension that is the geography: the one
// that the caller states; else the first with that role in the source; else the one
// whose ID comes first among the names of geographies. It is -1 where there is none.
// The error names the dimensions if the stated one is not among them.
func Geography(dims []stat.Dimension, stated string) (int, error) {
	hasID := func(id string) func(stat.Dimension) bool {
		return func(d stat.Dimension) bool { return strings.EqualFold(d.ID, id) }
	}
	if stated != "" {
		at := slices.IndexFunc(dims, hasID(stated))
		if at < 0 {
			var ids []string
			for _, d := range dims {
				ids = append(ids, d.ID)
			}
			return -1, stat.BadFile(stat.Position{}, "the stated geography %q is not a dimension of the file; its dimensions are %s", stated, strings.Join(ids, ", "))
		}
		return at, nil
	}
	if at := slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.Role == stat.RoleGeo }); at >= 0 {
		return at, nil
	}
	for _, name := range geographies {
		if at := slices.IndexFunc(dims, hasID(name)); at >= 0 {
			return at, nil
		}
	}
	return -1, nil
}
