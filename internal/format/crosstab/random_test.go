package crosstab_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/stattest/property"
)

// dim is a dimension of a made table.
type dim struct {
	name   string
	labels []string
}

var dims = []dim{
	{"Region", []string{"North", "South", "East coast", "West"}},
	{"Sex", []string{"Total", "Men", "Women"}},
	{"Age", []string{"0-14", "15-64", "65+", "Total"}},
	{"Industry", []string{"Agriculture, forestry", "Manufacturing", "Services (private)"}},
	{"Flow", []string{"Exports", "Imports"}},
	{"Type", []string{"Original", "Trend"}},
	{"Code", []string{"A01", "B02", "C-E"}},
}

// made is a cross table and what it says.
type made struct {
	rows  [][]string
	want  map[string]string // by period and labels; missing values are not listed
	form  string
	comma bool
	next  int // the last value
}

// add writes a cell and keeps what it means.
func (m *made) add(t *rapid.T, period string, labels ...string) string {
	if rapid.IntRange(0, 11).Draw(t, "mark") == 0 {
		return rapid.SampledFrom([]string{"", "..", "-", ":", "*", "…", "n/a"}).Draw(t, "missing")
	}
	m.next += 17
	number := strconv.FormatFloat(float64(m.next)/10+900, 'f', 1, 64)
	m.want[key(period, labels)] = number
	if m.comma {
		number = strings.Replace(number, ".", ",", 1)
	}
	if rapid.IntRange(0, 15).Draw(t, "flagged") == 0 {
		number += rapid.SampledFrom([]string{"p", " (r)", "*", " e"}).Draw(t, "flag")
	}
	return number
}

func key(period string, labels []string) string {
	labels = slices.Clone(labels)
	slices.Sort(labels)
	return period + " " + strings.Join(slices.Compact(labels), " | ")
}

// tuples returns each combination of labels, the last dimension varying fastest.
func tuples(of []dim) [][]string {
	all := [][]string{nil}
	for _, d := range of {
		var next [][]string
		for _, before := range all {
			for _, label := range d.labels {
				next = append(next, append(slices.Clone(before), label))
			}
		}
		all = next
	}
	return all
}

// once leaves out what a row repeats of the row before, as merged cells do.
func once(rows [][]string) {
	for i := len(rows) - 1; i > 0; i-- {
		for k := range rows[i] {
			if k == len(rows[i])-1 || rows[i][k] != rows[i-1][k] {
				break
			}
			rows[i][k] = ""
		}
	}
}

// time is a period with its text in one cell, or in two.
type time struct{ period, text, upper, lower string }

var months = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

func makeTimes(t *rapid.T) (times []time, kind string) {
	kind = rapid.SampledFrom([]string{"years", "quarters", "months", "dates"}).Draw(t, "kind")
	year := rapid.IntRange(1990, 2020).Draw(t, "year")
	switch kind {
	case "years":
		for y := range rapid.IntRange(3, 5).Draw(t, "years") {
			text := strconv.Itoa(year + y)
			times = append(times, time{period: text, text: text})
		}
	case "quarters":
		form := rapid.SampledFrom([]string{"%dQ%d", "%d-Q%d", "%d Q%d"}).Draw(t, "form")
		for q := range 8 {
			y := year + q/4
			times = append(times, time{fmt.Sprintf("Q%d/%d", q%4+1, y), fmt.Sprintf(form, y, q%4+1), strconv.Itoa(y), fmt.Sprintf("Q%d", q%4+1)})
		}
	case "months":
		for m := range 24 {
			y, name := year+m/12, months[m%12]
			times = append(times, time{fmt.Sprintf("%02d/%d", m%12+1, y), fmt.Sprintf("%d-%02d", y, m%12+1), strconv.Itoa(y), name})
		}
	case "dates":
		for y := range 4 {
			times = append(times, time{period: strconv.Itoa(year + y), text: fmt.Sprintf("31.12.%d", year+y)})
		}
	}
	return times, kind
}

// makeTable makes a table as offices write them.
func makeTable(t *rapid.T) *made {
	m := &made{want: map[string]string{}, comma: rapid.Bool().Draw(t, "comma")}
	chosen := rapid.Permutation(dims).Draw(t, "dims")
	times, kind := makeTimes(t)
	layouts := []string{"across", "down"}
	if times[0].upper != "" {
		layouts = []string{"across", "down", "over", "beside", "crossed"}
	}
	layout := rapid.SampledFrom(layouts).Draw(t, "layout")
	stub, heads := rapid.IntRange(1, 3).Draw(t, "stub"), rapid.IntRange(0, 2).Draw(t, "heads")
	if layout == "down" || layout == "beside" {
		stub, heads = rapid.IntRange(0, 1).Draw(t, "stubBeside"), rapid.IntRange(1, 3).Draw(t, "headsAbove")
	}
	if layout == "crossed" {
		stub, heads = 0, 0
	}
	for i, d := range chosen[:stub+heads] {
		n := rapid.IntRange(2, len(d.labels)).Draw(t, "labels")
		chosen[i].labels = d.labels[:n]
	}
	m.form = fmt.Sprintf("%s %s, %d columns of the stub, %d heading rows", layout, kind, stub, heads)
	head, body := m.layOut(t, layout, times, chosen[:stub], chosen[stub:stub+heads])
	m.frame(t, head, body)
	return m
}

// layOut makes the heading rows and the rows below them.
func (m *made) layOut(t *rapid.T, layout string, times []time, stub, heads []dim) (head, body [][]string) {
	isMerged, isCarried := rapid.Bool().Draw(t, "merged"), rapid.Bool().Draw(t, "carried")
	isNamed := rapid.Bool().Draw(t, "named")
	var names []string
	for _, d := range stub {
		names = append(names, d.name)
	}
	var upper [][]string // for each column the texts above it
	switch layout {
	case "across", "over":
		upper, body = m.across(t, layout, times, tuples(stub), tuples(heads))
	case "down", "beside":
		names = append(names, rapid.SampledFrom([]string{"Year", "Period", "", "Date"}).Draw(t, "timeName"))
		if layout == "beside" {
			names = append(names[:len(names)-1], "Year", "Period")
		}
		upper, body = tuples(heads), m.down(t, layout, times, tuples(stub), tuples(heads))
	case "crossed":
		names = []string{rapid.SampledFrom([]string{"Month", "Period", ""}).Draw(t, "timeName")}
		upper, body = m.crossed(t, times)
	}
	if isMerged {
		once(upper)
	}
	if isCarried {
		parts := make([][]string, len(body))
		for i := range body {
			parts[i] = body[i][:len(names)]
		}
		once(parts)
	}
	for k := range upper[0] {
		row := make([]string, len(names))
		if isNamed && k == len(upper[0])-1 {
			copy(row, names)
		}
		for _, texts := range upper {
			row = append(row, texts[k])
		}
		head = append(head, row)
	}
	m.form += fmt.Sprintf(", merged %t, carried %t, named %t", isMerged, isCarried, isNamed)
	return head, body
}

// across makes a table with the periods above the columns, below or above the headings.
func (m *made) across(t *rapid.T, layout string, times []time, stubs, heads [][]string) (upper, body [][]string) {
	type column struct {
		when time
		head []string
	}
	var columns []column
	isLast := layout == "over" || rapid.Bool().Draw(t, "periodsLast")
	if isLast {
		for _, h := range heads {
			for _, when := range times {
				columns = append(columns, column{when, h})
			}
		}
	} else {
		for _, when := range times {
			for _, h := range heads {
				columns = append(columns, column{when, h})
			}
		}
	}
	for _, c := range columns {
		switch {
		case layout == "over":
			upper = append(upper, append(slices.Clone(c.head), c.when.upper, c.when.lower))
		case isLast:
			upper = append(upper, append(slices.Clone(c.head), c.when.text))
		default:
			upper = append(upper, append([]string{c.when.text}, c.head...))
		}
	}
	for _, s := range stubs {
		row := slices.Clone(s)
		for _, c := range columns {
			row = append(row, m.add(t, c.when.period, append(slices.Clone(s), c.head...)...))
		}
		body = append(body, row)
	}
	return upper, body
}

// down makes the rows of a table with the periods on the left, in one column or in two.
func (m *made) down(t *rapid.T, layout string, times []time, stubs, heads [][]string) (body [][]string) {
	for _, s := range stubs {
		for _, when := range times {
			row := append(slices.Clone(s), when.text)
			if layout == "beside" {
				row = append(slices.Clone(s), when.upper, when.lower)
			}
			for _, h := range heads {
				row = append(row, m.add(t, when.period, append(slices.Clone(s), h...)...))
			}
			body = append(body, row)
		}
	}
	return body
}

// crossed makes a table with years above the columns and their parts on the left.
func (m *made) crossed(t *rapid.T, times []time) (upper, body [][]string) {
	n := slices.IndexFunc(times, func(w time) bool { return w.upper != times[0].upper })
	for i := 0; i < len(times); i += n {
		upper = append(upper, []string{times[i].upper})
	}
	for part := range n {
		row := []string{times[part].lower}
		for i := part; i < len(times); i += n {
			row = append(row, m.add(t, times[i].period))
		}
		body = append(body, row)
	}
	return upper, body
}

// frame adds titles and notes.
func (m *made) frame(t *rapid.T, head, body [][]string) {
	titles := rapid.SampledFrom([][]string{nil, {"Population by region"}, {"Table 2.1", "Foreign trade of the country, by industry"}, {"Accounts", "", "Annual results, revised"}}).Draw(t, "titles")
	titles = append(slices.Clone(titles), rapid.SampledFrom([][]string{nil, {"Unit: thousand"}, {"(in thousands)"}, {""}}).Draw(t, "unit")...)
	footer := rapid.SampledFrom([][]string{nil, {"Source: Statistical Office"}, {"", "Notes:", "1) Break in series", "p provisional"}, {"© Office 2024", "* Estimate"}}).Draw(t, "footer")
	isPadded := rapid.Bool().Draw(t, "padded")
	line := func(text string) []string {
		row := []string{text}
		if isPadded {
			row = append(row, make([]string, len(head[0])-1)...)
		}
		return row
	}
	for _, title := range titles {
		m.rows = append(m.rows, line(title))
	}
	m.rows = append(append(m.rows, head...), body...)
	for _, note := range footer {
		m.rows = append(m.rows, line(note))
	}
	m.form += fmt.Sprintf(", %d titles, %d notes", len(titles), len(footer))
}

func (m *made) file(t *rapid.T) formattest.Sample {
	var b bytes.Buffer
	if rapid.Bool().Draw(t, "bom") {
		b.WriteString("\ufeff")
	}
	w := csv.NewWriter(&b)
	w.Comma = rapid.SampledFrom([]rune{',', ';', '\t'}).Draw(t, "separator")
	if m.comma && w.Comma == ',' {
		w.Comma = ';'
	}
	w.UseCRLF = rapid.Bool().Draw(t, "crlf")
	if err := w.WriteAll(m.rows); err != nil {
		t.Fatal(err)
	}
	return formattest.Sample{Name: "made.csv", Data: b.Bytes()}
}

// compare returns how a table that was read differs from the one that was made.
func (m *made) compare(tables []formattest.Table) string {
	got := map[string]string{}
	for _, table := range tables {
		for _, o := range table.All {
			if math.IsNaN(o.Value) {
				continue
			}
			var labels []string
			for i, axis := range table.Dataset.Axes() {
				if len(axis.Codes) > 0 {
					labels = append(labels, strings.Split(axis.Codes[o.Key[i]].ID, ": ")...)
				}
			}
			labels = slices.DeleteFunc(labels, func(l string) bool { return l == "M" || l == "Q" })
			k := key(o.Period.String(), labels)
			if _, isDouble := got[k]; isDouble {
				return k + " is there twice"
			}
			got[k] = strconv.FormatFloat(o.Value, 'f', 1, 64)
		}
	}
	for k, want := range m.want {
		if got[k] != want {
			return fmt.Sprintf("%s is %q, want %q", k, got[k], want)
		}
	}
	if len(got) != len(m.want) {
		return fmt.Sprintf("%d numbers, want %d", len(got), len(m.want))
	}
	return ""
}

// TestRandomTables checks that tables of the forms in which offices write them are read as
// they are meant or refused, and that nearly all are read.
func TestRandomTables(t *testing.T) {
	formats := plain.Formats()
	at := slices.IndexFunc(formats, func(f format.Format) bool { return f.Name == "table" })
	read, all := 0, 0
	property.Check(t, func(t *rapid.T) {
		m := makeTable(t)
		s := m.file(t)
		all++
		tables, err := formattest.Read(t.Context(), formats[at], s)
		if err != nil {
			t.Logf("%s: refused: %v", m.form, err)
			return
		}
		read++
		if problem := m.compare(tables); problem != "" {
			t.Fatalf("%s: %s\n%s\n%s", m.form, problem, s.Data, formattest.Describe(tables))
		}
	})
	if read*20 < all*19 {
		t.Errorf("%d of %d tables are read", read, all)
	}
}
