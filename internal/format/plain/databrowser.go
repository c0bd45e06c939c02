package plain

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// A spreadsheet of Eurostat's data browser has a sheet for each combination of the dimensions
// that are not in the table:
//
//	Data extracted on 12/03/2024 10:11:12 from [ESTAT]
//	Dataset:         Unemployment by sex and age [une_rt_a__custom_10223344]
//	Last updated:    12/03/2024 11:00
//
//	Time frequency          Annual
//	Unit of measure         Percentage
//	Sex                     Males
//
//	TIME             2020      2021
//	GEO (Labels)
//	Germany          9.6   d   2.1   b
//
//	Special value
//	:                not available
//
// There are columns of flags or none, and codes beside the labels or in place of them. The row with the names of the
// dimensions may have been removed.

// dataBrowser is where the parts of such a sheet are.
type dataBrowser struct {
	dataset stat.Dataset
	lines   [][2]string // names and values of the lines above the table
	names   []string    // of the columns on the left of the periods
	periods []int       // the columns of the periods
	times   []string    // the row of periods
	body    int         // the first row of data
}

// Columns of the rows that browserRows yields, behind those of the table and its lines.
const (
	browserTime  = "TIME"
	browserValue = "OBS_VALUE"
	browserFlags = "OBS_FLAG"
)

var (
	browserTitle = regexp.MustCompile(`^(.+?) ?\[([A-Za-z0-9_]+?)(?:__custom_[0-9]+)?\]$`)
	labelOrCode  = regexp.MustCompile(`^(.+) \((Labels|Codes)\)$`)
)

// findDataBrowser finds the parts of such a sheet by its first rows; nil for other tables.
func findDataBrowser(rows [][]string) *dataBrowser {
	if len(rows) == 0 || !strings.HasSuffix(firstText(rows[0]), "from [ESTAT]") {
		return nil
	}
	b := &dataBrowser{dataset: stat.Dataset{Source: office.Find("eurostat")}}
	for i, row := range rows[1:] {
		filled := slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return cell == "" })
		switch {
		case len(filled) < 2:
		case filled[0] == browserTime:
			return b.findTable(row, rows[i+2:], i+3)
		case len(filled) == 2:
			b.addLine(filled[0], filled[1])
		}
	}
	return nil
}

// findDataBrowserText finds such a sheet that was saved as text by its head, and returns how its rows are
// opened.
func findDataBrowserText(in format.Input, head []byte) (*dataBrowser, func() (table.Rows, error)) {
	if !bytes.Contains(head, []byte("[ESTAT]")) {
		return nil, nil
	}
	for _, separator := range []rune{',', ';', '\t'} {
		if b := findDataBrowser(table.FirstRows(head, separator, maxSample)); b != nil {
			return b, func() (table.Rows, error) { return table.Open(in, separator, &stat.Report{}) }
		}
	}
	return nil, nil
}

func firstText(row []string) string { return strings.TrimSpace(strings.Join(row, " ")) }

// addLine keeps a line above the table. The periods say the frequency, too.
func (b *dataBrowser) addLine(name, value string) {
	switch name = strings.TrimRight(name, ": "); name {
	case "Dataset":
		b.dataset.Name = value
		if m := browserTitle.FindStringSubmatch(value); m != nil {
			b.dataset.Name, b.dataset.Code = m[1], m[2]
		}
	case "Last updated":
		b.dataset.Updated, _ = time.ParseInLocation("02/01/2006 15:04", value, office.Zone("eurostat")) // else it is not known
	default:
		if !strings.HasPrefix(name, "Time frequency") {
			b.lines = append(b.lines, [2]string{name, value})
		}
	}
}

// findTable finds the columns of the table by the row of periods and the rows below it.
func (b *dataBrowser) findTable(times []string, below [][]string, at int) *dataBrowser {
	first := slices.IndexFunc(times, isPeriod)
	next := slices.IndexFunc(below, func(row []string) bool { return !table.IsBlank(row) })
	if first < 1 || next < 0 {
		return nil
	}
	for column := first; column < len(times); column++ {
		if times[column] != "" {
			b.periods = append(b.periods, column)
		}
	}
	b.times, b.body = slices.Clone(times), at
	row := append(slices.Clone(below[next]), make([]string, len(times))...)
	if !slices.ContainsFunc(b.periods, func(column int) bool { return row[column] != "" }) {
		b.names, b.body = row[:first], at+next
		return b
	}
	b.body = at - 1
	for i := range first {
		b.names = append(b.names, strings.TrimSuffix(fmt.Sprint("CATEGORY", i+1), "1"))
	}
	return b
}

// mapping returns the mapping of the rows that open returns.
func (b *dataBrowser) mapping() table.Mapping {
	m := table.Mapping{
		Dataset: b.dataset,
		Axes:    []table.Axis{{ID: "freq", Role: stat.RoleFrequency, OfPeriod: true}},
		Period:  table.Period{Columns: []string{browserTime}},
		Values:  []table.Value{{Column: browserValue}},
		Flags: []table.Flag{{Column: browserFlags, Means: func(cell string) (stat.Flags, bool) {
			return office.Status("eurostat", "obs_flag", cell)
		}}},
	}
	for _, line := range b.lines {
		axis := table.Axis{Codes: line[0]}
		if strings.HasPrefix(line[0], "Unit of measure") {
			axis.Role = stat.RoleUnit
		}
		m.Axes = append(m.Axes, axis)
	}
	for _, name := range b.names {
		found := labelOrCode.FindStringSubmatch(name)
		axis := table.Axis{Codes: name, ID: name, Label: name}
		if found != nil {
			axis.ID, axis.Label = strings.ToLower(found[1]), found[1]
		}
		if last := len(m.Axes) - 1; m.Axes[last].ID == axis.ID {
			m.Axes[last].Labels = name // it follows the codes
			continue
		}
		m.Axes = append(m.Axes, axis)
	}
	return m
}

// read reads the rows that open opens.
func (b *dataBrowser) read(ctx context.Context, in format.Input, open func() (table.Rows, error)) iter.Seq2[*stat.Table, error] {
	return table.ReadRows(ctx, in, func() (table.Rows, error) {
		rows, err := open()
		return &browserRows{Rows: rows, dataBrowser: b, at: len(b.periods)}, err
	}, b.mapping())
}

// browserRows are the cells of such a sheet as rows.
type browserRows struct {
	table.Rows
	*dataBrowser
	row    []string
	n      int // rows that were read
	at     int // the next of the periods
	column int // of the last one
	cells  []string
}

// Next returns the headings, and then a row for each cell.
func (r *browserRows) Next() ([]string, error) {
	if r.cells == nil {
		r.cells = slices.Clone(r.names)
		for _, line := range r.lines {
			r.cells = append(r.cells, line[0])
		}
		r.cells = append(r.cells, browserTime, browserValue, browserFlags)
		return slices.Clone(r.cells), nil
	}
	for r.at == len(r.periods) {
		if err := r.nextRow(); err != nil {
			return nil, err
		}
	}
	r.column = r.periods[r.at]
	r.at++
	copy(r.cells, r.row[:len(r.names)])
	for i, line := range r.lines {
		r.cells[len(r.names)+i] = line[1]
	}
	flags := ""
	if next := r.column + 1; next < len(r.row) && (next >= len(r.times) || r.times[next] == "") {
		flags = r.row[next]
	}
	copy(r.cells[len(r.cells)-3:], []string{r.times[r.column], r.row[r.column], flags})
	return r.cells, nil
}

// nextRow reads the next row of data. The table ends above a row without values, and no
// number follows.
func (r *browserRows) nextRow() error {
	for isBelow := false; ; {
		row, err := r.Rows.Next()
		if err != nil {
			return err
		}
		if r.n++; r.n <= r.body || table.IsBlank(row) {
			continue
		}
		r.row = append(slices.Clone(row), make([]string, max(0, len(r.times)-len(row)))...)
		isNumber := func(column int) bool { return text.IsNumber(r.row[column]) }
		hasValue := slices.ContainsFunc(r.periods, func(column int) bool { return r.row[column] != "" })
		isBelow = isBelow || !hasValue || browserNotes.MatchString(r.row[0])
		switch {
		case !isBelow:
			r.at = 0
			return nil
		case slices.ContainsFunc(r.periods, isNumber):
			return stat.BadFile(r.Rows.At(0), "a number follows the end of the table")
		}
	}
}

// browserNotes matches the headings of what stands below the table.
var browserNotes = regexp.MustCompile(`^(Special values?|Observation flags):?$`)

// At returns where the value of a row begins.
func (r *browserRows) At(int) stat.Position { return r.Rows.At(r.column) }

// IsNumber reports whether a cell is stored as a number.
func (r *browserRows) IsNumber(cell int) bool {
	return cell == len(r.cells)-2 && table.IsStored(r.Rows, r.column)
}
