package exports

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// downloadUNCTAD matches the time that downloads have in their name.
var downloadUNCTAD = regexp.MustCompile(`_\d{14}[^.]*(?:\.csv)?$`)

// The endings of headings of columns that belong to another one.
const (
	labelOf    = " Label"
	footnoteOf = " Footnote"
	missingOf  = " Missing value"
)

// isUNCTAD recognises the CSV of UNCTADstat, with codes and labels: a column for each
// measure, with its footnotes and the reasons of missing values in columns of their own.
//
//	Year,Economy,Economy Label,Absolute value in thousands,Absolute value in thousands Footnote,Absolute value in thousands Missing value
//	1950,004,"Afghanistan",7480.461,,
//	1950,0001,"Individual economies",,,"Not applicable"
//
// Economies have M49 numbers with three digits, and groups the organization's own with
// four: 0001 is not the world. Other pairs of columns ("Flow", "Flow Label") are
// dimensions. The headings of the measures contain their units.
func isUNCTAD(rows [][]string) bool {
	hasMissing := func(h string) bool { return strings.HasSuffix(h, missingOf) }
	return table.HasHeadings(rows, "Economy", "Economy"+labelOf) && slices.ContainsFunc(rows[0], hasMissing)
}

// timesUNCTAD are the headings of periods.
var timesUNCTAD = []string{"Year", "Quarter", "Month", "Period"}

// reasonsUNCTAD are the texts in place of a value, with what they are in SDMX.
var reasonsUNCTAD = map[string]table.Mark{
	"Not applicable": {Flags: "M"}, "Not available": {Flags: "O"}, "Not available or not separately reported": {Flags: "O"},
	"Confidential": {Flags: "Q"}, "Not publishable": {Flags: "Q"},
	"Zero": {Zero: true}, "Nil": {Zero: true}, "Nil or negligible": {Flags: office.OwnFlag("unctad", "Nil-or-negligible")},
}

func mapUNCTAD(in format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{Numbers: table.DecimalPoint, Marks: reasonsUNCTAD}
	m.Dataset.Updated = timeUNCTAD(in.Name)
	has := func(heading string) bool { return slices.Contains(rows[0], heading) }
	missing := map[int]int{} // columns of reasonsUNCTAD by those of values
	for i, h := range rows[0] {
		switch {
		case slices.Contains(timesUNCTAD, h):
			m.Period.Columns = append(m.Period.Columns, h)
			m.Ignore = append(m.Ignore, h+labelOf)
		case strings.HasSuffix(h, labelOf), strings.HasSuffix(h, footnoteOf), strings.HasSuffix(h, missingOf):
			if !has(h[:strings.LastIndexByte(h, ' ')]) && !strings.HasSuffix(h, missingOf) {
				continue // unknown: the table refuses it
			}
			m.Ignore = append(m.Ignore, h)
		case h == "Economy":
			m.Axes = append(m.Axes, table.Axis{Codes: h, Labels: h + labelOf, Role: stat.RoleGeo})
		case has(h + labelOf):
			m.Axes = append(m.Axes, table.Axis{Codes: h, Labels: h + labelOf, Role: stat.RoleOther})
		default:
			m.Values = append(m.Values, table.Value{Column: h})
			missing[i] = slices.Index(rows[0], h+missingOf)
		}
	}
	m.Ignore = slices.DeleteFunc(m.Ignore, func(h string) bool { // labels are used by their dimension
		return slices.ContainsFunc(m.Axes, func(a table.Axis) bool { return a.Labels == h })
	})
	m.Row = func(r *table.Row) table.Action {
		for value, reason := range missing {
			if reason >= 0 && reason < len(r.Cells) && r.Cells[value] == "" {
				r.Cells[value] = r.Cells[reason]
			}
		}
		return table.Use
	}
	m.Observe = func(r *table.Row, o *stat.Observation) error {
		o.Note = strings.Clone(r.Cell(r.Heading + footnoteOf))
		return nil
	}
	return m, nil
}

// timeUNCTAD returns when UNCTADstat made a file, which only its name says. Its data are not newer, and
// many of its tables end with projections of years after.
func timeUNCTAD(name string) time.Time {
	download := downloadUNCTAD.FindString(name)
	if download == "" {
		return time.Time{}
	}
	made, _ := time.Parse("20060102150405", download[1:15]) // else it is not known
	return made
}
