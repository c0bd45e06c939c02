package plain

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// publisher returns the office that publishes a table: the one that the caller states, or
// the one whose files have such rows, or else "local". area is the heading of the office's
// codes of areas, if that does not say so.
func publisher(in format.Input, first sample) (source stat.Source, area string) {
	if in.Source != "" {
		return office.Find(in.Source), ""
	}
	id, area := office.Sign(office.Page{Name: in.Name, Rows: first.rows, IsWhole: first.isAll})
	if id == "" {
		return office.Local, ""
	}
	return office.Find(id), area
}

// setArea makes the dimension of the codes in a column the geography, if there is none.
func setArea(axes []table.Axis, area string) {
	isGeo := func(a table.Axis) bool { return a.Role == stat.RoleGeo }
	at := slices.IndexFunc(axes, func(a table.Axis) bool { return strings.EqualFold(a.Codes, area) })
	if at >= 0 && !slices.ContainsFunc(axes, isGeo) {
		axes[at].Role = stat.RoleGeo
	}
}
