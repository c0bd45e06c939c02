package assemble

import (
	"slices"
	"strings"

	"almanac/internal/stat"
)

// Names by which concepts of SDMX and of the offices tell what a dimension
// stands for, lower case. geographies is in the order of preference: partner,
// counterpart and citizenship are no geography.
var (
	geographies = []string{
		"geo", "ref_area", "reference area", "geography", "country", "location", "reporter", "reporting_country", "exporter",
		"rep_country", "rep_cty", "der_rep_cty", "cities", "metroreg", "rep_mar", "geo_region",
	}
	frequencies = []string{"freq", "frequency"}
	units       = []string{"unit", "unit_measure", "units"}
	times       = []string{"time_period", "time", "period", "obs_time", "time_dim"}
)

// RoleOf tells by a dimension's ID what it stands for; [stat.RoleGeo] for
// every name that may be the geography, of which [Geography] chooses one.
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

// IsTime reports whether a dimension's ID says that it is the time.
func IsTime(id string) bool { return slices.Contains(times, strings.ToLower(id)) }

// Geography chooses the dimension that is the geography: stated, if the
// caller states one; else the first that the source itself gave the role; else
// the one whose ID comes first among the names of geographies. It is -1 where
// there is none.
func Geography(dims []stat.Dimension, stated string) (int, error) {
	ids := make([]string, len(dims))
	for i, d := range dims {
		ids[i] = d.ID
	}
	at, err := StatedGeography(ids, stated)
	if at >= 0 || err != nil {
		return at, err
	}
	if at = slices.IndexFunc(dims, func(d stat.Dimension) bool { return d.Role == stat.RoleGeo }); at >= 0 {
		return at, nil
	}
	for _, name := range geographies {
		if at = slices.IndexFunc(ids, func(id string) bool { return strings.EqualFold(id, name) }); at >= 0 {
			return at, nil
		}
	}
	return -1, nil
}

// matches compares with a pattern that has a * at its beginning, its end, both
// or neither.
func matches(pattern, id string) bool {
	inner := strings.Trim(pattern, "*")
	before, after := strings.HasPrefix(pattern, "*"), strings.HasSuffix(pattern, "*")
	switch {
	case before && after:
		return strings.Contains(id, inner)
	case before:
		return strings.HasSuffix(id, inner)
	case after:
		return strings.HasPrefix(id, inner)
	}
	return id == inner
}
