package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding"

	"almanac/internal/format/xls"
)

// grid is a file as rows of cells, without blanks around them.
type grid [][]string

func (g grid) at(row, column int) string {
	if row >= len(g) || column >= len(g[row]) {
		return ""
	}
	return g[row][column]
}

// text returns a function that splits a file in an encoding, nil for UTF-8, into cells.
func text(separator rune, from encoding.Encoding) func(*testing.T, []byte) grid {
	return func(t *testing.T, data []byte) (g grid) {
		t.Helper()
		if from != nil {
			data, _ = from.NewDecoder().Bytes(data)
		}
		r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
		r.Comma, r.FieldsPerRecord, r.LazyQuotes = separator, -1, true
		at := 0
		for {
			row, err := r.Read()
			if err == io.EOF {
				return g
			}
			if err != nil {
				t.Fatal(err)
			}
			line, _ := r.FieldPos(0)
			for ; at < line-1; at++ {
				g = append(g, nil) // an empty line, or the second line of a cell
			}
			for i := range row {
				row[i] = strings.Join(strings.Fields(row[i]), " ")
			}
			g = append(g, row)
			at++
		}
	}
}

var comma, semicolon, tab = text(',', nil), text(';', nil), text('\t', nil)

// inZip reads a member of an archive by the end of its name.
func inZip(end string, open func(*testing.T, []byte) grid) func(*testing.T, []byte) grid {
	return func(t *testing.T, data []byte) grid {
		t.Helper()
		return open(t, unzip(t, data, end))
	}
}

func unzip(t *testing.T, data []byte, end string) []byte {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.File {
		if !strings.HasSuffix(f.Name, end) {
			continue
		}
		file, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		content, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	return nil
}

// sheet reads the stored values of sheets of a workbook by their numbers.
func sheet(numbers ...int) func(*testing.T, []byte) grid {
	return func(t *testing.T, data []byte) (g grid) {
		t.Helper()
		for _, number := range numbers {
			g = append(g, sheetCells(t, data, number)...)
		}
		return g
	}
}

func sheetCells(t *testing.T, data []byte, number int) (g grid) {
	t.Helper()
	var shared struct {
		Items []struct {
			Text []string `xml:"t"`
			Runs []string `xml:"r>t"`
		} `xml:"si"`
	}
	var content struct {
		Rows []struct {
			Number int `xml:"r,attr"`
			Cells  []struct {
				Place string `xml:"r,attr"`
				Type  string `xml:"t,attr"`
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	_ = xml.Unmarshal(unzip(t, data, "xl/sharedStrings.xml"), &shared) // some workbooks have none
	if err := xml.Unmarshal(unzip(t, data, fmt.Sprintf("xl/worksheets/sheet%d.xml", number)), &content); err != nil {
		t.Fatal(err)
	}
	for _, row := range content.Rows {
		for len(g) < row.Number {
			g = append(g, nil)
		}
		for _, c := range row.Cells {
			column := 0
			for _, letter := range strings.TrimRight(c.Place, "0123456789") {
				column = column*26 + int(letter-'A') + 1
			}
			cell := c.Value + c.Text
			if c.Type == "s" {
				n, _ := strconv.Atoi(c.Value)
				cell = strings.Join(shared.Items[n].Text, "") + strings.Join(shared.Items[n].Runs, "")
			}
			for len(g[row.Number-1]) < column {
				g[row.Number-1] = append(g[row.Number-1], "")
			}
			g[row.Number-1][column-1] = strings.Join(strings.Fields(cell), " ")
		}
	}
	return g
}

// openXLS reads a sheet of an old workbook by its name. Its cells come from package xls,
// whose own tests compare all of them with those that another reader finds.
func openXLS(name string) func(*testing.T, []byte) grid {
	return func(t *testing.T, data []byte) (g grid) {
		t.Helper()
		book, err := xls.Open(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		for _, sheet := range book.Sheets {
			if sheet.Name != name {
				continue
			}
			rows, err := sheet.Rows()
			for err == nil {
				var cells []string
				if cells, err = rows.Next(); err != nil {
					break
				}
				for i, cell := range cells {
					at := rows.At(i)
					for len(g) < at.Line {
						g = append(g, nil)
					}
					for len(g[at.Line-1]) < at.Column {
						g[at.Line-1] = append(g[at.Line-1], "")
					}
					g[at.Line-1][at.Column-1] = strings.Join(strings.Fields(cell), " ")
				}
			}
		}
		return g
	}
}

// matches returns a function that finds a pattern in a file: a row for each match, with
// its groups as cells.
func matches(pattern string) func(*testing.T, []byte) grid {
	re := regexp.MustCompile(pattern)
	return func(_ *testing.T, data []byte) (g grid) {
		for _, m := range re.FindAllStringSubmatch(string(data), -1) {
			g = append(g, m[1:])
		}
		return g
	}
}

// record is a row with the names of its columns.
type record struct {
	cells []string
	at    map[string]int
}

func (r record) get(name string) string {
	i, ok := r.at[name]
	if !ok {
		panic("no column " + name)
	}
	if i >= len(r.cells) {
		return ""
	}
	return r.cells[i]
}

// records returns the rows of a table below its headings.
func records(g grid, above int) (rows []record) {
	at := map[string]int{}
	for i, h := range g[above] {
		at[h] = i
	}
	for _, cells := range g[above+1:] {
		rows = append(rows, record{cells, at})
	}
	return rows
}

// list is a table whose columns have names.
type list struct {
	above  int    // rows above the headings
	below  string // the beginning of the row that ends the table
	area   func(r record) string
	dims   []string // columns of codes, or of codes and labels: "iso3:country"
	period func(r record) string
	values []string // columns of values; codes of one more dimension if there are several
	labels []string // of these codes
	wide   string   // pattern of headings with groups for the measure, or "", and the period
	// number rewrites cells; the default removes commas.
	number  func(cell string) string
	unit    func(r record, measure string) string
	flags   func(r record) string
	without func(r record) bool // rows that hold no data
}

// read calls add for each cell of the table.
func (l list) read(g grid, add func(fact, string)) {
	head := g[l.above]
	form := regexp.MustCompile(l.wide)
	for _, r := range records(g, l.above) {
		cells := r.cells
		if len(cells) == 0 || l.without != nil && l.without(r) {
			continue
		}
		if l.below != "" && strings.HasPrefix(cells[0], l.below) {
			break
		}
		f := fact{area: l.area(r)}
		for _, name := range l.dims {
			code, label, _ := strings.Cut(name, ":")
			f.key += pair(r, code, label) + "|"
		}
		if l.flags != nil {
			f.flags = l.flags(r)
		}
		key := f.key
		for i, h := range head {
			if m := form.FindStringSubmatch(h); l.wide != "" && m != nil && i < len(cells) {
				f.period = m[2]
				if m[1] != "" {
					f.key = key + m[1] + strings.Join(m[3:], "") + "|"
				}
				l.add(r, f, h, add)
			}
		}
		for i, name := range l.values {
			f.period = l.period(r)
			if len(l.values) > 1 {
				f.key = key + name
				if l.labels != nil {
					f.key += "=" + l.labels[i]
				}
				f.key += "|"
			}
			l.add(r, f, name, add)
		}
	}
}

func (l list) add(r record, f fact, measure string, add func(fact, string)) {
	if l.unit != nil {
		f.unit = l.unit(r, measure)
	}
	cell := r.get(measure)
	if l.number != nil {
		cell = l.number(cell)
	} else {
		cell = strings.ReplaceAll(cell, ",", "")
	}
	add(f, cell)
}

// pair returns a code with its label if that differs.
func pair(r record, code, label string) string {
	if label != "" && r.get(label) != "" && r.get(label) != r.get(code) {
		return r.get(code) + "=" + r.get(label)
	}
	return r.get(code)
}

// decimalComma rewrites numbers such as 1.234,5.
func decimalComma(cell string) string {
	return strings.ReplaceAll(strings.ReplaceAll(cell, ".", ""), ",", ".")
}

func column(name string) func(record) string { return func(r record) string { return r.get(name) } }

func always(text string) func(record) string { return func(record) string { return text } }

func unit(name string) func(record, string) string {
	return func(r record, _ string) string { return r.get(name) }
}

// parts rewrites a cell by a pattern, such as 2008K1 as Q1/2008.
func parts(name, pattern, to string) func(record) string {
	re := regexp.MustCompile(pattern)
	return func(r record) string { return re.ReplaceAllString(r.get(name), to) }
}

// officeArea returns areas by the codes of an office; its name is before those of digits
// only.
func officeArea(name, office string) func(record) string {
	return func(r record) string {
		if code := r.get(name); strings.Trim(code, "0123456789") == "" {
			return office + ":" + code + " " + code
		}
		return r.get(name)
	}
}

// namedArea returns areas by their names in a column; others stand for themselves.
func namedArea(name string, areas map[string]string) func(record) string {
	return func(r record) string { return areaText(areas[r.get(name)], r.get(name)) }
}
