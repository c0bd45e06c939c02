package exports

import (
	"context"
	"iter"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// portal reads tables of the ECB's data portal with a column for each series, whose keys
// have the areas:
//
//	"DATE","TIME PERIOD","HICP - Germany (ICP.M.DE.N.000000.4.ANR)","HICP - France (ICP.M.FR.N.000000.4.ANR)"
//	"2021-01-31","2021Jan","0.5","2.6"
//
// Tables of the euro area alone are plain tables.
var portal = format.Format{
	Name: "ecb-portal",
	Recognise: func(_ string, head []byte) bool {
		rows := table.FirstRows(head, ',', 1)
		if len(rows) == 0 {
			return false
		}
		for _, s := range office.PortalSeries(rows[0]) {
			if s.Area != "U2" {
				return true
			}
		}
		return false
	},
	Read: readPortal,
}

func readPortal(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
	report := &stat.Report{}
	open := func() (table.Rows, error) {
		rows, err := table.Open(in, ',', report)
		if err != nil {
			return nil, err
		}
		return &cellRows{TextRows: rows}, nil
	}
	return table.ReadRows(ctx, in, open, table.Mapping{
		Dataset: stat.Dataset{Source: office.Find("ecb")},
		Numbers: table.DecimalPoint,
		Axes: []table.Axis{
			{Codes: "area", ID: "REF_AREA", Label: "Reference area", Role: stat.RoleGeo},
			{Codes: "key", Labels: "title", ID: "SERIES", Label: "Series", Role: stat.RoleOther},
		},
		Period: table.Period{Columns: []string{"time"}},
		Values: []table.Value{{Column: "value"}},
		Preamble: func(rows [][]string, t *stat.Table) error {
			t.Dataset.Description = strings.Join(rows[0][2:], "\n")
			return nil
		},
	})
}

// cellRows are the cells of a table of the portal, each a row, below the headings in the
// file and those of the cells.
type cellRows struct {
	*table.TextRows
	series []office.Series
	begun  bool
	row    []string
	column int
}

func (c *cellRows) Next() ([]string, error) {
	if c.series == nil {
		headings, err := c.TextRows.Next()
		if err != nil {
			return nil, err
		}
		if c.series = commonTitles(office.PortalSeries(headings)); c.series == nil {
			return nil, stat.BadFile(c.TextRows.At(0), "the headings must be DATE, TIME PERIOD and the titles of series with their keys")
		}
		return headings, nil
	}
	if !c.begun {
		c.begun = true
		return []string{"area", "key", "title", "time", "value"}, nil
	}
	if c.column++; c.column >= len(c.row) {
		row, err := c.TextRows.Next()
		if err != nil {
			return nil, err
		}
		if len(row) != len(c.series)+2 {
			return nil, stat.BadFile(c.TextRows.At(0), "the row has %d cells, the headings have %d", len(row), len(c.series)+2)
		}
		c.row, c.column = row, 2
	}
	s := c.series[c.column-2]
	return []string{s.Area, s.Key, s.Title, c.row[1], c.row[c.column]}, nil
}

// At returns where the value of the last row is, or its period.
func (c *cellRows) At(cell int) stat.Position {
	if cell < 4 {
		return c.TextRows.At(1)
	}
	return c.TextRows.At(c.column)
}

// commonTitles gives series that differ in the area alone one title: the parts that their
// titles have in common.
func commonTitles(all []office.Series) []office.Series {
	common := map[string][]string{} // by key
	for _, s := range all {
		parts := titleParts(s.Title)
		if before, ok := common[s.Key]; ok {
			parts = slices.DeleteFunc(before, func(part string) bool { return !slices.Contains(parts, part) })
		}
		common[s.Key] = parts
	}
	for i, s := range all {
		all[i].Title = strings.TrimLeft(strings.Join(common[s.Key], ""), " -,")
	}
	return all
}

var titleSign = regexp.MustCompile(` - |, `)

// titleParts splits a title before its signs: "HICP", " - Germany", ", Monthly".
func titleParts(title string) (parts []string) {
	start := 0
	for _, at := range titleSign.FindAllStringIndex(title, -1) {
		parts, start = append(parts, title[start:at[0]]), at[0]
	}
	return append(parts, title[start:])
}
