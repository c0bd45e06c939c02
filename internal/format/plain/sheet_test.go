package plain_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/stat"
)

// book is a workbook under test: the XML of the rows of each sheet by name, and
// parts that replace the usual ones.
type book struct {
	sheets  []string // name, rows, name, rows …; a name that begins with ! is hidden
	strings string   // the XML of the strings that cells share
	since04 bool
	parts   map[string]string
}

const (
	xmlHead  = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	relTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	// styles: cell format 1 is a day, 2 a month, 3 a year, 4 a number, 5 a time.
	styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-409]mmm\ yyyy;@"/><numFmt numFmtId="165" formatCode="yyyy"/><numFmt numFmtId="166" formatCode="0.0 &quot;day&quot;"/><numFmt numFmtId="167" formatCode="00000"/><numFmt numFmtId="168" formatCode="#,##0,"/><numFmt numFmtId="169" formatCode="#,##0.0,,\ &quot;m&quot;"/><numFmt numFmtId="170" formatCode="_(* #,##0_);(#,##0)"/></numFmts>` +
		`<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="10"/><xf numFmtId="167"/><xf numFmtId="168"/><xf numFmtId="169"/><xf numFmtId="170"/></cellXfs></styleSheet>`
)

func (b book) xlsx(t testing.TB) []byte {
	t.Helper()
	list, rels := "", ""
	parts := map[string]string{
		"[Content_Types].xml":  `<Types/>`,
		"_rels/.rels":          `<Relationships><Relationship Id="rId1" Type="` + relTypes + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/styles.xml":        styles,
		"xl/sharedStrings.xml": `<sst>` + b.strings + `</sst>`,
	}
	for i := 0; i+1 < len(b.sheets); i += 2 {
		name, state := b.sheets[i], "visible"
		if rest, hidden := strings.CutPrefix(name, "!"); hidden {
			name, state = rest, "hidden"
		}
		list += fmt.Sprintf(`<sheet name="%s" sheetId="%d" state="%s" r:id="rId%d"/>`, name, i+1, state, i+10)
		rels += fmt.Sprintf(`<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+10, relTypes, i)
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i)] = `<worksheet><sheetData>` + b.sheets[i+1] + `</sheetData><pageMargins/></worksheet>`
	}
	rels += `<Relationship Id="rId1" Type="` + relTypes + `/styles" Target="/xl/styles.xml"/><Relationship Id="rId2" Type="` + relTypes + `/sharedStrings" Target="sharedStrings.xml"/>`
	parts["xl/workbook.xml"] = fmt.Sprintf(`<workbook xmlns:r="%s"><workbookPr date1904="%t"/><sheets>%s</sheets></workbook>`, relTypes, b.since04, list)
	parts["xl/_rels/workbook.xml.rels"] = `<Relationships>` + rels + `</Relationships>`
	for name, part := range b.parts {
		parts[name] = part
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, name := range []string{
		"[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedStrings.xml",
		"xl/worksheets/sheet0.xml", "xl/worksheets/sheet2.xml", "xl/worksheets/sheet4.xml",
	} {
		if part, ok := parts[name]; ok {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, xmlHead+part); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// cells returns the XML of rows of cells, which are texts or the XML of cells.
func cells(rows ...[]string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString("<row>")
		for _, cell := range row {
			switch {
			case strings.HasPrefix(cell, "<"):
				b.WriteString(cell)
			default:
				fmt.Fprintf(&b, `<c t="inlineStr"><is><t>%s</t></is></c>`, cell)
			}
		}
		b.WriteString("</row>")
	}
	return b.String()
}

func number(text string) string { return "<c><v>" + text + "</v></c>" }

// sheetCases are workbooks and their meanings.
var sheetCases = []struct {
	title   string
	book    book
	mapping string
	want    string
}{
	{"the first visible sheet with a table is read; the others are noted", book{sheets: []string{
		"Notes", cells([]string{"About this file"}, []string{"It was made by hand"}),
		"!Old", cells([]string{"geo", "time", "value"}, []string{"DE", "2019", number("9")}),
		"Data", cells([]string{"geo", "time", "value"}, []string{"DE", number("2020"), number("1.5")}, []string{"FR", number("2020"), number("-0")}),
	}}, "", `dataset local:book ""
geo geo "geo": DE FR
DE, 2020 = 1.5
FR, 2020 = 0
read 2 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
note not-read 1 sheet Notes
note sheets-not-read 2 Old: it is hidden
`},
	{"each sheet with numbers that is not read is counted and named", book{sheets: []string{
		"Data", cells([]string{"country", number("2019"), number("2020")}, []string{"Germany", number("1"), number("2")}, []string{"France", number("3"), number("4")}),
		"Codes", cells([]string{"x", "y"}, []string{number("11"), number("2")}),
		"Plan", cells([]string{"to do"}, []string{"nothing"}, []string{number("7")})}}, "", `dataset local:book ""
geo country "country": Germany France
Germany, 2019 = 1
Germany, 2020 = 2
France, 2019 = 3
France, 2020 = 4
read 4 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=country, period=*
note sheets-not-read 3 Codes: the table has no column of periods with a known heading, and no headings that are periods: state the period of the whole file, or what the columns mean; the headings are x, y; Plan: the file is not a table: no row has headings with rows of the same width below it
`},
	{"sheets with numbers in their names continue each other; other sheets say what names mean", book{sheets: []string{
		"Legend", cells([]string{"Variable", "Definition"}, []string{"gdp", "Gross domestic product"}, []string{"pop", "Population"}),
		"Data1", cells([]string{"geo", "item", "time", "value"}, []string{"DE", "gdp", number("2020"), number("1")}),
		"Data2", cells([]string{"geo", "item", "time", "value"}, []string{"FR", "pop", number("2020"), number("2")}, []string{"DE", "pop", number("2021"), number("3")})}}, "", `dataset local:book ""
other item "item": gdp="Gross domestic product"
geo geo "geo": DE
gdp,DE, 2020 = 1
read 1 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, dim=item, period=time, value=value
note not-read 1 sheet Legend
dataset local:book ""
other item "item": pop="Population"
geo geo "geo": FR DE
pop,FR, 2020 = 2
pop,DE, 2021 = 3
read 2 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, dim=item, period=time, value=value
`},
	{"the sheet that is stated, hidden or not; periods as headings; shared strings, of several parts, without the reading of Japanese words", book{
		strings: `<si><t>geo</t></si><si><r><t>Jap</t></r><r><t xml:space="preserve">an </t></r><rPh><t>reading</t></rPh></si>`,
		sheets: []string{"A", cells([]string{"x"}),
			"!B", cells([]string{`<c t="s"><v>0</v></c>`, number("2019"), number("2020")}, []string{`<c t="s"><v>1</v></c>`, number("1"), ""})},
	}, "sheet=b", `dataset local:book ""
geo geo "geo": Japan
Japan, 2019 = 1
read 2 missing 1 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=*
note not-read 1 sheet A
`},
	{"dates are days, months or years as the cell shows them", book{sheets: []string{"S", cells(
		[]string{"geo", "time", "value"},
		[]string{"DE", `<c s="1"><v>45322</v></c>`, number("1")},
		[]string{"DE", `<c s="2"><v>45323</v></c>`, number("2")},
		[]string{"DE", `<c s="3"><v>45658</v></c>`, number("3")},
		[]string{"DE", `<c t="d"><v>2024-05-31T00:00:00</v></c>`, `<c s="4"><v>4.5</v></c>`},
	)}}, "", `dataset local:book ""
geo geo "geo": DE
DE, 31/01/2024 = 1
DE, 02/2024 = 2
DE, 2025 = 3
DE, 31/05/2024 = 4.5
read 4 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
`},
	{"dates may count from 1904", book{since04: true, sheets: []string{"S", cells(
		[]string{"geo", "time", "value"}, []string{"DE", `<c s="1"><v>43860</v></c>`, number("1")})}}, "", `dataset local:book ""
geo geo "geo": DE
DE, 31/01/2024 = 1
read 1 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
`},
	{"formulas give their stored results, errors are missing, a number is its shortest text, cells may have gaps", book{sheets: []string{"S",
		`<row r="2"><c r="B2" t="inlineStr"><is><t>geo</t></is></c><c r="C2" t="inlineStr"><is><t>time</t></is></c><c r="E2" t="inlineStr"><is><t>value</t></is></c></row>` +
			`<row r="5"><c r="B5" t="str"><f>"D"&amp;"E"</f><v>DE</v></c><c r="C5"><v>2020</v></c><c r="E5"><f>1+0.1</f><v>1.1000000000000001</v></c></row>` +
			`<row r="7"><c r="B7" t="inlineStr"><is><t>FR</t></is></c><c r="C7"><v>2020</v></c><c r="E7" t="e"><v>#DIV/0!</v></c></row>`}}, "", `dataset local:book ""
geo geo "geo": DE FR
DE, 2020 = 1.1
FR, 2020 = NaN "LOCAL:#N/A"
read 2 missing 1 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
`},
	{"a formula without its result is refused", book{sheets: []string{"S", cells(
		[]string{"geo", "time", "value"}, []string{"DE", number("2020"), "<c><f>1+1</f></c>"})}}, "",
		"error file:2:3: sheet S: the cell has a formula without a result; open the file in a spreadsheet program and save it"},
	{"the style of texts does not change stored numbers", book{sheets: []string{"S", cells(
		[]string{"geo", "time", "value"}, []string{"DE", number("2020"), number("1.234")}, []string{"DE", number("2021"), "1,5"})}}, "",
		`dataset local:book ""
geo geo "geo": DE
DE, 2020 = 1.234
DE, 2021 = 1.5
read 2 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
note number-style 1 decimal comma
`},
	{"texts with a sign that may be decimal are not decided by stored numbers", book{sheets: []string{"S", cells(
		[]string{"geo", "time", "value"}, []string{"DE", number("2020"), number("1.5")}, []string{"DE", number("2021"), "1,500"})}}, "",
		`error file:3:3: sheet S: "1,500" may have a decimal comma or a comma between thousands, and no other number tells which: state the decimal sign`},
	{"percentages are stored as their cells have them, and noted; codes keep the zeros that are shown", book{sheets: []string{"S", cells(
		[]string{"geo", "product", "time", "value"}, []string{"DE", `<c s="7"><v>123</v></c>`, number("2020"), `<c s="6"><v>0.125</v></c>`}, []string{"DE", `<c s="7"><v>4</v></c>`, number("2020"), `<c s="6"><v>0.25</v></c>`})}},
		"geo=geo, dim=product, period=time, value=value", `dataset local:book "" unit "1 = 100%"
other product "product": 00123 00004
geo geo "geo": DE
00123,DE, 2020 = 0.125
00004,DE, 2020 = 0.25
read 2 missing 0 dropped 0
note code-from-filename 1 book
note percent 2 0.125 is stored; the cell shows it as a percentage, a hundred times the number
`},
	{"the unit of a column of percentages, beside others", book{sheets: []string{"S", cells(
		[]string{"country", "year", "rate", "people"}, []string{"Germany", number("2020"), `<c s="6"><v>0.034</v></c>`, number("80.5")}, []string{"Germany", number("2021"), `<c s="6"><v>0.07</v></c>`, number("81")})}},
		"", `dataset local:book ""
other INDICATOR "Indicator": rate="rate"[1 = 100%] people="people"
geo country "country": Germany
rate,Germany, 2020 = 0.034
people,Germany, 2020 = 80.5
rate,Germany, 2021 = 0.07
people,Germany, 2021 = 81
read 4 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=country, period=year, value=rate, value=people
note percent 2 0.034 is stored; the cell shows it as a percentage, a hundred times the number
`},
	{"the unit of a row of percentages, beside others", book{sheets: []string{"S", cells(
		[]string{"Germany"}, []string{"Indicator", number("2020"), number("2021")}, []string{"Rate", `<c s="6"><v>0.034</v></c>`, `<c s="6"><v>0.07</v></c>`}, []string{"People", number("80.5"), number("81")})}},
		"", `dataset local:book "Germany"
other Indicator "Indicator": Rate[1 = 100%] People
  "":
Rate, 2020 = 0.034
Rate, 2021 = 0.07
People, 2020 = 80.5
People, 2021 = 81
read 4 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 dim=Indicator, period=*
note percent 2 0.034 is stored; the cell shows it as a percentage, a hundred times the number
`},
	{"a unit of percent, where cells show percentages", book{sheets: []string{"S", cells(
		[]string{"country", "indicator", "unit", "year", "value"}, []string{"Germany", "Rate", "%", number("2020"), `<c s="6"><v>0.034</v></c>`}, []string{"Germany", "People", "million", number("2020"), number("81")})}},
		"geo=country, dim=indicator, unit=unit, period=year, value=value", `dataset local:book ""
other indicator "indicator": Rate People
unit unit "unit": %="% (1 = 100%)" million
geo country "country": Germany
Rate,%,Germany, 2020 = 0.034
People,million,Germany, 2020 = 81
read 2 missing 0 dropped 0
note code-from-filename 1 book
note percent 1 0.034 is stored; the cell shows it as a percentage, a hundred times the number
`},
	{"numbers that cells show in thousands or millions are noted", book{sheets: []string{"S", cells(
		[]string{"geo", "time", "value"}, []string{"FR", number("2020"), `<c s="8"><v>67391582</v></c>`}, []string{"DE", number("2020"), `<c s="9"><v>83240525</v></c>`}, []string{"IT", number("2020"), `<c s="10"><v>59554023</v></c>`})}},
		"", `dataset local:book ""
geo geo "geo": FR DE IT
FR, 2020 = 6.7391582e+07
DE, 2020 = 8.3240525e+07
IT, 2020 = 5.9554023e+07
read 3 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
note scaled 2 67391582 is stored; the cell shows it in thousands or millions
`},
	{"a name that is merged over several rows stands in each", book{sheets: []string{"S", cells(
		[]string{"geo", "time", "value"}, []string{"DE", number("2020"), number("1.5")}, []string{"<c/>", number("2021"), number("2.5")}, []string{"FR", number("2020"), number("3")}) +
		`</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells><sheetData>`}}, "", `dataset local:book ""
geo geo "geo": DE FR
DE, 2020 = 1.5
DE, 2021 = 2.5
FR, 2020 = 3
read 3 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=time, value=value
`},
	{"Table 1 and Table 2 are different tables, with the lines above them", book{sheets: []string{
		"Table 1", cells([]string{"Births"}, []string{"geo", number("2020")}, []string{"DE", number("1")}),
		"Table 2", cells([]string{"Deaths"}, []string{"geo", number("2020")}, []string{"FR", number("2")})}}, "", `dataset local:book-table-1 "Births"
geo geo "geo": DE
DE, 2020 = 1
read 1 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=*
dataset local:book-table-2 "Deaths"
geo geo "geo": FR
FR, 2020 = 2
read 1 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=geo, period=*
`},
	{"sheets that are called by years are about these years", book{sheets: []string{
		"2019", cells([]string{"Births in 2019"}, []string{"country", "value"}, []string{"Germany", number("1")}, []string{"France", number("2")}),
		"2020", cells([]string{"Births in 2020"}, []string{"country", "value"}, []string{"Germany", number("3")}, []string{"France", number("4")})}}, "", `dataset local:book "Births in"
geo country "country": Germany France
Germany, 2019 = 1
France, 2019 = 2
read 2 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=country, value=value
note period-of-sheet 1 2019
dataset local:book "Births in"
geo country "country": Germany France
Germany, 2020 = 3
France, 2020 = 4
read 2 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=country, value=value
note period-of-sheet 1 2020
`},
	{"a single sheet may have the name of a year for another reason", book{sheets: []string{
		"2019", cells([]string{"country", "value"}, []string{"Germany", number("1")}, []string{"France", number("2")})}}, "",
		`error file: the table of the sheet 2019 has no periods: state whether it is about 2019`},
	{"a hidden sheet is proposed if no other has a table", book{sheets: []string{"A", cells([]string{"notes"}),
		"!B", cells([]string{"geo", "time", "value"}, []string{"DE", number("2020"), number("1")})}}, "",
		`error file: the visible sheets have no table, but the hidden sheet B has one: state that it is to be read`},
	{"a mapping says which columns, and so which sheet", book{sheets: []string{
		"A", cells([]string{"geo", "time", "value"}, []string{"DE", number("2019"), number("9")}),
		"B", cells([]string{"land", "jahr", "n"}, []string{"DE", number("2020"), number("1")})}}, "geo=land, period=jahr, value=n", `dataset local:book "n"
geo land "land": DE
DE, 2020 = 1
read 1 missing 0 dropped 0
note code-from-filename 1 book
note sheets-not-read 2 A: no row has the headings land, jahr, n
`},
	{"flags beside the years, the last of them beyond the headings", book{sheets: []string{
		"A", cells([]string{"country", number("2019"), "", number("2020")}, []string{"Germany", number("1"), "p", number("2")}, []string{"France", number("3"), "", number("4"), "e"})}}, "", `dataset local:book ""
geo country "country": Germany France
Germany, 2019 = 1 "LOCAL:p"
Germany, 2020 = 2
France, 2019 = 3
France, 2020 = 4 "LOCAL:e"
read 4 missing 0 dropped 0
note code-from-filename 1 book
note mapping 1 geo=country, period=*, flags=#3:2019, flags=#5:2020
note unknown-flag 2 p
`},
	{"a sheet that is not there", book{sheets: []string{"A", cells([]string{"x"})}}, "sheet=C",
		`error file: the stated mapping: the workbook has no sheet "C"; its sheets are A`},
	{"no separator", book{sheets: []string{"A", cells([]string{"x"})}}, `separator=;`,
		`error file: the stated mapping: a separator or encoding cannot be stated for a workbook`},
	{"an empty sheet", book{sheets: []string{"A", ""}}, "", `error file:1: sheet A: the sheet is empty`},
	{"a DOCTYPE", book{sheets: []string{"A", ""}, parts: map[string]string{"xl/worksheets/sheet0.xml": `<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>`}}, "",
		`error file: sheet A: the workbook cannot be read: xl/worksheets/sheet0.xml:2:31: it has a DOCTYPE, which a workbook cannot have`},
	{"an entity that no XML has", book{sheets: []string{"A", "<row>&b;</row>"}}, "",
		`error file: sheet A: the workbook cannot be read: xl/worksheets/sheet0.xml:2:31: XML syntax error on line 2: invalid character entity &b;`},
	{"a string that is not there", book{sheets: []string{"A", `<row><c t="s"><v>7</v></c></row>`}}, "",
		`error file: sheet A: the workbook cannot be read: xl/worksheets/sheet0.xml:2:49: a cell of row 1 has the string number "7", but the workbook has 0 strings`},
	{"rows out of order", book{sheets: []string{"A", `<row r="3"/><row r="2"/>`}}, "",
		`error file: sheet A: the workbook cannot be read: xl/worksheets/sheet0.xml:2:47: the row has the number "2" but follows the row 3`},
}

// TestSheets compares workbooks with their meanings.
func TestSheets(t *testing.T) {
	for _, c := range sheetCases {
		t.Run(c.title, func(t *testing.T) {
			s := formattest.Sample{Name: "book.xlsx", Data: c.book.xlsx(t)}
			s.In.Mapping = c.mapping
			tables, err := formattest.Read(t.Context(), plain.Formats()[0], s)
			got := formattest.Describe(tables)
			if err != nil {
				got = "error " + err.Error()
			} else {
				s.HasEnd = true
				formattest.Conform(t, plain.Formats()[0], s)
			}
			if got != c.want {
				t.Errorf("the meaning is\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestHostileBooks checks that hostile and damaged files are refused quickly, with the
// reason.
func TestHostileBooks(t *testing.T) {
	good := book{sheets: []string{"S", cells([]string{"geo", "time", "value"}, []string{"DE", number("2020"), number("1")})}}.xlsx(t)
	encrypted := bytes.Clone(good)
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= 1
	for _, c := range []struct {
		title string
		data  []byte
		want  string
	}{
		{"an old workbook, cut off", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more"), "cut off"},
		{"an encrypted entry", encrypted, "is encrypted"},
		{"cut off", good[:len(good)/2], "cut off"},
		{"another zip", book{parts: map[string]string{"_rels/.rels": "<Relationships/>"}}.xlsx(t), "does not contain a workbook"},
		{"a bomb", book{sheets: []string{"S", cells([]string{"geo", "time", "value"}, []string{"DE", "2020", "1"}) + strings.Repeat("<row> </row>", 1<<20)}}.xlsx(t), "unpacks to more than 100 times"},
		{"a million attributes", book{sheets: []string{"S", "<row " + attributes(1_000_000) + "/>"}}.xlsx(t), "a tag or a text of more than 1 MiB"},
		{"a thousand attributes", book{sheets: []string{"S", "<row " + attributes(1000) + "/>"}}.xlsx(t), "1000 attributes"},
		{"nesting", book{sheets: []string{"S", strings.Repeat("<row>", 100_000)}}.xlsx(t), ""},
		{"a column beyond all", book{sheets: []string{"S", `<row><c r="XFD1"><v>1</v></c></row>`}}.xlsx(t), "has more than 4096 columns"},
		{"a reference that is none", book{sheets: []string{"S", `<row><c r="1"><v>1</v></c></row>`}}.xlsx(t), "out of order"},
	} {
		_, err := formattest.Read(t.Context(), plain.Formats()[0], formattest.Sample{Name: "book.xlsx", Data: c.data})
		var at *stat.FileError
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.title, err, c.want)
		}
	}
}

// attributes returns many attributes that do not compress well.
func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `a%d="%x" `, i, uint32(i)*2654435761)
	}
	return b.String()
}

func FuzzSheet(f *testing.F) {
	formattest.Fuzz(f, plain.Formats()[0], formattest.Sample{Name: "book.xlsx", Data: sheetCases[0].book.xlsx(f)})
}

// FuzzSheetXML checks that reading any XML of a sheet ends without a panic.
func FuzzSheetXML(f *testing.F) {
	for _, c := range sheetCases {
		f.Add(c.book.sheets[len(c.book.sheets)-1])
	}
	f.Fuzz(func(t *testing.T, rows string) {
		tables, err := formattest.Read(t.Context(), plain.Formats()[0], formattest.Sample{Name: "b.xlsx", Data: book{sheets: []string{"S", rows}}.xlsx(t)})
		for _, table := range tables {
			if problem := formattest.Problem(table); problem != "" && err == nil {
				t.Error(problem)
			}
		}
	})
}
