package ods_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format/ods"
	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

const head = `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s" xmlns:number="n">`

// content is a workbook as LibreOffice writes it.
const content = head + `<office:automatic-styles>
<number:date-style style:name="N1"><number:month number:style="long"/><number:text>/</number:text><number:year/></number:date-style>
<number:date-style style:name="N2"><number:day/><number:month/><number:year/></number:date-style>
<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N1"/>
<style:style style:name="ce2" style:family="table-cell" style:data-style-name="N2"/>
<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>
<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
</office:automatic-styles><office:body><office:spreadsheet>
<table:table table:name="Notes" table:style-name="ta2"><table:table-row><table:table-cell office:value-type="string"><text:p>hidden</text:p></table:table-cell></table:table-row></table:table>
<table:table table:name="Data" table:style-name="ta1">
<table:table-column/><table:table-column table:default-cell-style-name="ce1"/><table:table-column table:number-columns-repeated="1022"/>
<table:table-row><table:table-cell office:value-type="string" table:number-columns-spanned="2" table:number-rows-spanned="1"><text:p>Title <text:span>bold</text:span></text:p><text:p>line</text:p><office:annotation><text:p>a comment</text:p></office:annotation></table:table-cell><table:covered-table-cell/></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>DE</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2024-02-01"><text:p>02/2024</text:p></table:table-cell><table:table-cell table:style-name="ce2" office:value-type="date" office:date-value="2024-01-31"/><table:table-cell office:value-type="float" office:value="1234567.5" table:number-columns-repeated="2"><text:p>1.234.567,5</text:p></table:table-cell><table:table-cell office:value-type="percentage" office:value="0.125"><text:p>12,5%</text:p></table:table-cell><table:table-cell table:formula="of:=1/0" office:value-type="string"><text:p>#DIV/0!</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1000"/></table:table-row>
<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>TRUE</text:p></table:table-cell></table:table-row>
<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>`

func pack(t testing.TB, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range []struct{ name, text string }{{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, {"content.xml", content}} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Store})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, e.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRows(t *testing.T) {
	data := pack(t, content)
	if !ods.Recognise(data) {
		t.Error("the file is not recognised")
	}
	book, err := ods.Open(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if len(book.Sheets) != 2 || !book.Sheets[0].Hidden || book.Sheets[1].Hidden {
		t.Fatalf("sheets %+v", book.Sheets)
	}
	want := `1: Title bold
line
4: DE|2024-02|2024-01-31|1234567.5|1234567.5|0.125|#N/A
5: TRUE||||||
6: TRUE||||||
`
	if got, err := list(book.Sheets[1]); err != nil || got != want {
		t.Errorf("the rows are\n%s\nerror %v; want\n%s", got, err, want)
	}
	rows, err := book.Sheets[1].Rows()
	if err != nil {
		t.Fatal(err)
	}
	if merged, err := rows.Merged(); err != nil || !slices.Equal(merged, []workbook.Span{{Top: 1, Left: 1, Bottom: 1, Right: 2}}) {
		t.Errorf("merged cells %v, error %v", merged, err)
	}
}

func list(sheet workbook.Sheet) (string, error) {
	rows, err := sheet.Rows()
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b strings.Builder
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return b.String(), nil
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%d: %s\n", rows.At(0).Line, strings.Join(row, "|"))
	}
}

// TestHostile checks that counts of hostile files do not fill the memory.
func TestHostile(t *testing.T) {
	for count, want := range map[string]string{
		`<table:table-row table:number-rows-repeated="9999999999">`:                                                                                    "more than 1048576 rows",
		`<table:table-row><table:table-cell table:number-columns-repeated="99999999" office:value-type="string"><text:p>x</text:p></table:table-cell>`: "more than 4096 columns",
	} {
		sheet := head + `<table:table table:name="A">` + count + `<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:document-content>`
		book, err := ods.Open(bytes.NewReader(pack(t, sheet)))
		if err == nil {
			_, err = list(book.Sheets[0])
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", count, err, want)
		}
	}
}

// FuzzContent checks that any content ends with rows or an error of a file.
func FuzzContent(f *testing.F) {
	f.Add(content)
	f.Fuzz(func(t *testing.T, content string) {
		book, err := ods.Open(bytes.NewReader(pack(t, content)))
		var known *stat.FileError
		if err != nil {
			if !errors.As(err, &known) {
				t.Errorf("error %v is not one of a file", err)
			}
			return
		}
		for _, sheet := range book.Sheets {
			if _, err := list(sheet); err != nil && !errors.As(err, &known) {
				t.Errorf("error %v is not one of a file", err)
			}
		}
	})
}

// TestPlace checks that a sheet that is opened at its beginning knows where in the file
// it is.
func TestPlace(t *testing.T) {
	row := `<table:table-row><table:table-cell office:value-type="string"><text:p>%s</text:p></table:table-cell></table:table-row>`
	sheets := head + "\n<table:table table:name=\"A\">" + fmt.Sprintf(row, "a") + "</table:table>\n<table:table table:name=\"B\">" +
		fmt.Sprintf(row, "b") + "\n" + fmt.Sprintf(row, strings.Repeat("x ", workbook.MaxText)) + "</table:table></office:document-content>"
	book, err := ods.Open(bytes.NewReader(pack(t, sheets)))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := list(book.Sheets[0]); got != "1: a\n" || err != nil {
		t.Errorf("the rows of A are %q, error %v", got, err)
	}
	if _, err := list(book.Sheets[1]); err == nil || !strings.Contains(err.Error(), "content.xml:4:") {
		t.Errorf("error %v, want one at line 4 of content.xml", err)
	}
}
