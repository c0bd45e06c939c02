package plain

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// publisher returns what the rows of a table tell about its publisher, and the source: what
// the caller states, else the publisher, or else "local".
func publisher(in format.Input, first sample) (stat.Source, office.Signatory) {
	signed := office.Sign(office.Page{Name: in.Name, Rows: first.rows, IsWhole: first.isAll})
	switch {
	case in.Source != "":
		return office.Find(in.Source), signed
	case signed.ID != "":
		return office.Find(signed.ID), signed
	}
	return office.Local, signed
}

// setArea makes the dimension of the codes in a column the geography, if there is none.
func setArea(axes []table.Axis, area string) {
	isGeo := func(a table.Axis) bool { return a.Role == stat.RoleGeo }
	at := slices.IndexFunc(axes, func(a table.Axis) bool { return strings.EqualFold(a.Codes, area) })
	if at >= 0 && !slices.ContainsFunc(axes, isGeo) {
		axes[at].Role = stat.RoleGeo
	}
}

// noteNamed notes that the publisher is only named.
func noteNamed(m *table.Mapping, signed office.Signatory) {
	if before := m.Preamble; signed.IsNamed && m.Dataset.Source.ID == signed.ID {
		m.Preamble = func(rows [][]string, t *stat.Table) error {
			t.Report.Add(stat.NoteSourceNamed, 1, m.Dataset.Source.Name)
			if before == nil {
				return nil
			}
			return before(rows, t)
		}
	}
}
