package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// RegionOfSeries is the ID of the geography of series whose labels name areas:
// "> Victoria ;  Employed total ;  > Males ;". Nation is the area of those that name none.
const (
	RegionOfSeries = "REGION"
	Nation         = "National"
)

// Regions returns the geography of series, without codes.
func Regions() stat.Dimension {
	return stat.Dimension{ID: RegionOfSeries, Label: "Region", Role: stat.RoleGeo}
}

// seriesAreas returns the areas that the labels of series name, as one of their parts
// between semicolons; nil if none does, or if one names several. Series that name none have
// fewer parts than all others: else these may be areas that are not known.
func (r *reader) seriesAreas(series []stat.Code) []stat.Code {
	areas := make([]stat.Code, len(series))
	isArea := r.areasOf(series)
	least, most := 0, 0 // parts of series with an area, and without
	for j, c := range series {
		parts := partsOf(c.Label)
		named := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return !isArea[part] })
		switch {
		case len(parts) == 1 || len(named) == 0:
			areas[j].ID = Nation
			most = max(most, len(parts))
		case len(named) > 1:
			return nil
		default:
			areas[j].ID = named[0]
			if least == 0 || len(parts) < least {
				least = len(parts)
			}
		}
	}
	if most >= least {
		return nil
	}
	return areas
}

// areasOf returns which parts of labels are areas of a country, or this itself beside them.
func (r *reader) areasOf(series []stat.Code) map[string]bool {
	count := func(names ...string) int { return r.in.CountAreas(r.dataset.Source.ID, "state", names) }
	var all []string
	for _, c := range series {
		all = append(all, partsOf(c.Label)...)
	}
	all = distinct(all)
	first := slices.IndexFunc(all, func(part string) bool { return !text.IsDigits(part) && count(part) == 1 })
	areas := map[string]bool{}
	for _, part := range all {
		areas[part] = first >= 0 && !text.IsDigits(part) && count(all[first], part) == 2
	}
	return areas
}

// partsOf returns the parts of a label: "> Victoria ;  Employed total ;" has two, and so has
// "Births - Normandie".
func partsOf(label string) (parts []string) {
	sign := ";"
	if !strings.Contains(label, sign) {
		sign = " - "
	}
	for part := range strings.SplitSeq(strings.TrimRight(label, "; "), sign) {
		parts = append(parts, strings.TrimSpace(strings.TrimLeft(part, "> ")))
	}
	return parts
}
