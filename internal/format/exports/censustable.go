package exports

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"iter"
	"regexp"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// censusTable reads tables of the U.S. Census Bureau as data.census.gov shows them. Headings
// hold the area, groups of columns and the measure, and spaces before a label its depth below
// others. The period is in the file's name.
//
//	"Label (Grouping)","Alabama!!Estimate","Alabama!!Margin of Error"
//	"Total:","2,464,438","±18,698"
//	"    Less than $10,000","169,088","±2,928"
var censusTable = format.Format{
	Name: "census-table",
	Recognise: func(_ string, head []byte) bool {
		rows := table.FirstRows(head, ',', 1)
		return len(rows) > 0 && len(rows[0]) > 1 && rows[0][0] == "Label (Grouping)"
	},
	Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		open := func() (table.Rows, error) {
			r := &pulledRows{at: []stat.Position{{Line: 1}}}
			r.next, r.stop = iter.Pull2(func(yield func([]string, error) bool) { r.readCensusTable(in, yield) })
			return r, nil
		}
		m := table.Mapping{
			Numbers: text.Style{Decimal: '.', Thousand: ','},
			Axes: []table.Axis{
				{Codes: "label", Labels: "title", ID: "LABEL", Label: "Label", Role: stat.RoleOther},
				{Codes: "area", ID: "GEO", Label: "Geography", Role: stat.RoleGeo},
				{Codes: "measure", ID: "MEASURE", Label: "Measure", Role: stat.RoleOther},
			},
			Values: []table.Value{{Column: "value"}},
			Marks:  map[string]table.Mark{},
		}
		for _, mark := range []string{"*****", "***", "**", "N", "(X)", "-"} {
			m.Marks[mark] = table.Mark{Flags: office.OwnFlag("census", mark)}
		}
		if found := censusYear.FindStringSubmatch(in.Name); found != nil {
			m.Stated = found[1]
		}
		return table.ReadRows(ctx, in, open, m)
	},
}

// censusYear matches the year, or the last of five years, in names such as
// ACSDT1Y2022.B19001-2024-02-12T120000.csv and DECENNIALPL2020.P1.csv.
var censusYear = regexp.MustCompile(`^(?:ACS[A-Z]{2}[135]Y|DECENNIAL[A-Z]+)(20[0-9]{2})\.`)

// readCensusTable yields the headings, and a row for each value.
func (r *pulledRows) readCensusTable(in format.Input, yield func([]string, error) bool) {
	file, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		yield(nil, err)
		return
	}
	defer file.Close()
	rows := csv.NewReader(file)
	columns, err := rows.Read()
	if err != nil || !yield([]string{"label", "title", "area", "measure", "value"}, nil) {
		return // Recognise has seen the headings
	}
	var path, depths []string // the labels above the row, and the spaces before them
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return
		} else if err != nil {
			yield(nil, stat.BadFile(r.at[0], "the row behind this cell cannot be read: %v", err))
			return
		}
		label := strings.TrimSpace(row[0])
		depth := row[0][:strings.Index(row[0], label)]
		for len(depths) > 0 && len(depths[len(depths)-1]) >= len(depth) {
			path, depths = path[:len(path)-1], depths[:len(depths)-1]
		}
		path, depths = append(path, strings.TrimSuffix(label, ":")), append(depths, depth)
		for i, cell := range row[1:] {
			heading := strings.Split(columns[i+1], "!!")
			line, column := rows.FieldPos(i + 1)
			r.at = []stat.Position{{Line: line, Column: column}}
			cell = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(cell), "±"), "%")
			measure := cmp.Or(strings.Join(heading[1:], ": "), "Value")
			if cell != "" && !yield([]string{strings.Join(path, "!!"), strings.Join(path, ": "), heading[0], measure, cell}, nil) {
				return
			}
		}
	}
}
