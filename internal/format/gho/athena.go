package gho

import (
	"errors"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The observatory's older service (Athena) writes CSV with a column for each dimension,
// which is empty in records without it:
//
//	"GHO","PUBLISHSTATE","YEAR","REGION","WORLDBANKINCOMEGROUP","COUNTRY","SEX","Display Value","Numeric","Low","High","Comments"
//	"AIR_1","PUBLISHED","2012","AFR","","BFA","","1309","1308.90000","","",""
//	"AIR_1","PUBLISHED","2012","AFR","","","","175700 [145100-211100]","175700.00000","145100.00000","211100.00000",""
//
// The place of a record is its country, else its group, else its region. Records become
// those of the other forms, so that all are the same dataset.

// athenaFields are the headings that are not breakdowns.
var athenaFields = map[string]int{
	"GHO": indicator, "PUBLISHSTATE": unused, "YEAR": timeCode, "DATASOURCE": origin,
	"DISPLAY VALUE": shown, "NUMERIC": number, "LOW": low, "HIGH": high, "STDERR": unused, "STDDEV": unused, "COMMENTS": comments,
}

func isAthena(_ string, head []byte) bool {
	return table.HasHeadings(table.FirstRows(head, ',', 1), "GHO", "PUBLISHSTATE", "Display Value", "Numeric", "Low", "High")
}

// athenaColumns is the layout of a file.
type athenaColumns struct {
	headings   []string
	fields     []int // of each column; unused for places and breakdowns
	places     []int // in the order of preference
	breakdowns []int
}

func athenaRecords(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error) {
	rows, err := table.Open(in, ',', report)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var layout *athenaColumns
	for row, err := range table.All(rows) {
		switch {
		case err != nil:
			return "", err
		case layout == nil:
			if layout, err = newAthenaColumns(row, rows); err != nil {
				return "", err
			}
			continue
		case len(row) != len(layout.fields):
			return "", stat.BadFile(rows.At(0), "the row has %d cells, but the table has %d columns; the file may be cut off", len(row), len(layout.fields))
		}
		r, err := layout.record(row)
		if err != nil {
			return "", stat.BadFile(rows.At(0), "%v", err)
		}
		r.at = rows.At(0)
		if err := use(r); err != nil {
			return "", err
		}
	}
	table.NoteOpenEnd(rows, report)
	return "", nil
}

func newAthenaColumns(row []string, rows table.Rows) (*athenaColumns, error) {
	c := &athenaColumns{}
	var countries, groups, regions []int
	for i, heading := range row {
		name := strings.ToUpper(strings.TrimSpace(heading))
		c.headings = append(c.headings, strings.Clone(name))
		f, isField := athenaFields[name]
		switch {
		case isField:
			if f != unused && slices.Contains(c.fields, f) {
				return nil, stat.BadFile(rows.At(i), "%q is the second column of the same field", heading)
			}
			c.fields = append(c.fields, f)
			continue
		case name == "COUNTRY":
			countries = append(countries, i)
		case name == "REGION":
			regions = append(regions, i)
		case placeTypes[name]:
			groups = append(groups, i)
		default:
			c.breakdowns = append(c.breakdowns, i)
		}
		c.fields = append(c.fields, unused)
	}
	c.places = slices.Concat(countries, groups, regions)
	if !slices.Contains(c.fields, number) || !slices.Contains(c.fields, indicator) {
		return nil, stat.BadFile(rows.At(0), "the table has no column GHO or no column Numeric")
	}
	return c, nil
}

// record returns a row as a record of the other forms, which has at most three
// breakdowns.
func (c *athenaColumns) record(row []string) (*record, error) {
	var r record
	for i, f := range c.fields {
		if f != unused {
			r.cells[f] = strings.Clone(row[i])
		}
	}
	for _, i := range c.places {
		if r.cells[place] == "" {
			r.cells[place] = strings.Clone(row[i])
		} else if row[i] != "" {
			r.regions = append(r.regions, c.headings[i])
		}
	}
	n := 0
	for _, i := range c.breakdowns {
		if row[i] == "" {
			continue
		}
		if n == 3 {
			return nil, errors.New("the record has more than three breakdowns, which are not supported")
		}
		r.cells[dimType+n], r.cells[dimCode+n] = c.headings[i], strings.Clone(row[i])
		n++
	}
	r.cells[timeType] = "YEAR"
	return &r, nil
}
