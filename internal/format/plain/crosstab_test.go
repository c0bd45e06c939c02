package plain_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/charmap"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/office"
	"almanac/internal/format/plain"
	"almanac/internal/stattest"
)

// grid is a real file as an independent reader sees it: rows of cells.
type grid [][]string

func (g grid) at(row, column int) string {
	if row >= len(g) || column >= len(g[row]) {
		return ""
	}
	return strings.TrimSpace(g[row][column])
}

// textGrid splits a file into its lines, blank ones included.
func textGrid(t *testing.T, s formattest.Sample, separator rune) grid {
	t.Helper()
	data := bytes.TrimPrefix(s.Data, []byte("\xef\xbb\xbf"))
	if !strings.Contains(strings.ToValidUTF8(string(data), "\x00"), "\x00") {
		return splitLines(t, string(data), separator)
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		t.Fatal(err)
	}
	return splitLines(t, string(decoded), separator)
}

func splitLines(t *testing.T, text string, separator rune) (g grid) {
	t.Helper()
	for line := range strings.Lines(text) {
		r := csv.NewReader(strings.NewReader(line))
		r.Comma, r.LazyQuotes = separator, true
		row, err := r.Read()
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		g = append(g, row)
	}
	return g
}

// sheetGrid reads the stored values of a sheet by its number.
func sheetGrid(t *testing.T, s formattest.Sample, number int) (g grid) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(s.Data), int64(len(s.Data)))
	if err != nil {
		t.Fatal(err)
	}
	decode := func(name string, into any) {
		file, err := archive.Open(name)
		if err == nil {
			err = xml.NewDecoder(file).Decode(into)
		}
		if err != nil {
			t.Fatal(name, err)
		}
	}
	type text struct {
		T []string `xml:"t"`
		R []struct {
			T string `xml:"t"`
		} `xml:"r"`
	}
	var shared struct {
		SI []text `xml:"si"`
	}
	var sheet struct {
		Rows []struct {
			R     int `xml:"r,attr"`
			Cells []struct {
				R string `xml:"r,attr"`
				T string `xml:"t,attr"`
				V string `xml:"v"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	decode("xl/sharedStrings.xml", &shared)
	decode(fmt.Sprintf("xl/worksheets/sheet%d.xml", number), &sheet)
	for _, row := range sheet.Rows {
		for len(g) < row.R {
			g = append(g, nil)
		}
		cells := g[row.R-1]
		for _, c := range row.Cells {
			column := 0
			for _, letter := range c.R {
				if letter >= 'A' {
					column = column*26 + int(letter-'A') + 1
				}
			}
			for len(cells) < column {
				cells = append(cells, "")
			}
			cells[column-1] = c.V
			if c.T == "s" {
				n, _ := strconv.Atoi(c.V)
				cells[column-1] = strings.Join(shared.SI[n].T, "")
				for _, r := range shared.SI[n].R {
					cells[column-1] += r.T
				}
			}
		}
		g[row.R-1] = cells
	}
	return g
}

// crossFile says where a real table has what, in rows and columns counted from 0.
type crossFile struct {
	path      string
	separator rune // of text; 0: a workbook
	sheet     int
	rows      [2]int // the first row of the body and the one below the last
	columns   []int  // of values
	source    string
	place     func(g grid, row, column int) (key, period string)
	isLarge   bool
}

// TestCrosstabFiles compares each number of real tables with several heading rows, its
// codes and its period with what an independent reader finds at the same place.
func TestCrosstabFiles(t *testing.T) {
	for _, f := range crossFiles {
		t.Run(f.path, func(t *testing.T) {
			if f.isLarge && stattest.Rounds(t, 0, 1) == 0 {
				t.Skip("large: see ALMANAC_SOAK")
			}
			s := stattest.SampleMore(t, f.path)
			var g grid
			if f.separator == 0 {
				g = sheetGrid(t, s, f.sheet)
			} else {
				g = textGrid(t, s, f.separator)
			}
			want, missing := map[string]float64{}, 0
			for row := f.rows[0]; row < min(f.rows[1], len(g)); row++ {
				for _, column := range f.columns {
					key, period := f.place(g, row, column)
					value, err := strconv.ParseFloat(decimal(g.at(row, column), f.separator), 64)
					switch {
					case key == "":
					case err != nil:
						missing++
					default:
						want[key+" "+period] = value
					}
				}
			}
			compareCells(t, s, f, want, missing)
		})
	}
}

// decimal returns a number with a decimal point and nothing between thousands.
func decimal(cell string, separator rune) string {
	cell = strings.NewReplacer(" ", "", "\u00a0", "").Replace(cell)
	if separator == ';' {
		cell = strings.Replace(cell, ",", ".", 1)
	}
	return cell
}

func compareCells(t *testing.T, s formattest.Sample, f crossFile, want map[string]float64, missing int) {
	t.Helper()
	formats := plain.Formats()
	at := slices.IndexFunc(formats, func(f format.Format) bool { return f.Recognise(s.Name, s.Data[:min(len(s.Data), 64<<10)]) })
	if at < 0 {
		t.Fatal("not recognised")
	}
	tables, err := formattest.Read(t.Context(), formats[at], s)
	if err != nil {
		t.Fatal(err)
	}
	table := tables[0]
	if problem := formattest.Problem(table); problem != "" {
		t.Error(problem)
	}
	values := 0
	for _, o := range table.All {
		if math.IsNaN(o.Value) {
			continue
		}
		values++
		key := strings.Split(formattest.Line(table.Dataset, o), " = ")[0]
		expected, ok := want[key]
		if !ok || expected != o.Value {
			t.Fatalf("line %d: %s = %v; the independent reader has %v (%v)", o.At.Line, key, o.Value, expected, ok)
		}
	}
	r := table.Report
	if values != len(want) || r.Missing != missing || r.Dropped() != 0 {
		t.Errorf("%d values, %d missing and %d dropped; the independent reader has %d and %d", values, r.Missing, r.Dropped(), len(want), missing)
	}
	source := f.source
	if !office.IsListed(office.Find(source)) {
		source = "local"
	}
	if table.Dataset.Source.ID != source {
		t.Errorf("the source is %q, want %q", table.Dataset.Source.ID, source)
	}
}

func columns(from, to int) (all []int) {
	for c := from; c < to; c++ {
		all = append(all, c)
	}
	return all
}

// byID returns the place of a number in a table with identifiers in a row and periods in
// the first column.
func byID(row int, period func(string) string) func(grid, int, int) (string, string) {
	return func(g grid, r, c int) (string, string) {
		when := period(g.at(r, 0))
		if when == "" {
			return "", ""
		}
		return g.at(row, c) + ",", when
	}
}

// month turns 2020-01 into 01/2020.
func month(cell string) string {
	if len(cell) != 7 {
		return ""
	}
	return cell[5:] + "/" + cell[:4]
}

// quarterOf returns the quarter in which the last month of a serial date is.
func quarterOf(cell string) string {
	days, err := strconv.Atoi(cell)
	if err != nil {
		return ""
	}
	d := time.Date(1899, 12, 30+days, 0, 0, 0, 0, time.UTC)
	return fmt.Sprintf("Q%d/%d", (int(d.Month())+2)/3, d.Year())
}

// date returns a date of a layout as 31/12/2020.
func date(layout string) func(string) string {
	return func(cell string) string {
		d, err := time.Parse(layout, cell)
		if err != nil {
			return ""
		}
		return d.Format("02/01/2006")
	}
}

var onsPeriod = regexp.MustCompile(`^(\d{4})(?: (Q\d|[A-Z]{3}))?$`)

func onsDate(cell string) string {
	m := onsPeriod.FindStringSubmatch(cell)
	switch {
	case m == nil:
		return ""
	case m[2] == "":
		return m[1]
	case m[2][0] == 'Q':
		return m[2] + "/" + m[1]
	}
	d, err := time.Parse("2006 Jan", m[1]+" "+m[2][:1]+strings.ToLower(m[2][1:]))
	if err != nil {
		return ""
	}
	return d.Format("01/2006")
}
