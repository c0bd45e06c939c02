package plain

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// setPublisher sets the office that publishes a table: the one that the caller states, or
// the one whose files have such rows, or else "local". area is the heading of the office's
// codes of areas, if that does not say so.
func setPublisher(m *table.Mapping, in format.Input, first sample) (area string) {
	page := office.Page{Name: in.Name, Rows: first.rows, IsWhole: first.isAll}
	m.Decimal = office.Decimal(page)
	id, area := office.Sign(page)
	switch {
	case in.Source != "":
		m.Dataset.Source, area = office.Find(in.Source), ""
	case id != "":
		m.Dataset.Source = office.Find(id)
	default:
		m.Dataset.Source = stat.Source{ID: "local", Name: "Local file"}
	}
	return area
}

// setArea makes the dimension of the codes in a column the geography, if there is none.
func setArea(axes []table.Axis, area string) {
	isGeo := func(a table.Axis) bool { return a.Role == stat.RoleGeo }
	at := slices.IndexFunc(axes, func(a table.Axis) bool { return strings.EqualFold(a.Codes, area) })
	if at >= 0 && !slices.ContainsFunc(axes, isGeo) {
		axes[at].Role = stat.RoleGeo
	}
}
