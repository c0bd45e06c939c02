package xlsx

import (
	"archive/zip"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/klauspost/compress/flate"

	"almanac/internal/encode"
	"almanac/internal/encode/tidy"
)

// workbook writes the parts of a workbook, one after the other, and keeps the first error.
type workbook struct {
	archive *zip.Writer
	part    io.Writer
	err     error
	cells   cells
	buf     []byte // of the sheets besides Data
}

func newWorkbook(to io.Writer) *workbook {
	w := &workbook{archive: zip.NewWriter(to)}
	w.cells = cells{strings: sharedStrings{positions: map[string]int{}}, widths: map[string]int{}}
	w.archive.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestSpeed) })
	return w
}

// begin begins the part with a name.
func (w *workbook) begin(name string) {
	if w.err == nil {
		w.part, w.err = w.archive.Create(name)
	}
}

// Write writes bytes of the current part.
func (w *workbook) Write(bytes []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	var n int
	n, w.err = w.part.Write(bytes)
	return n, w.err
}

func (w *workbook) print(texts ...string) {
	for _, text := range texts {
		_, _ = w.Write([]byte(text)) // w keeps the error
	}
}

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

const (
	mainNamespace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageNamespace  = "http://schemas.openxmlformats.org/package/2006"
	contentTypes      = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// sheets are the names of the sheets, in order.
var sheets = []string{"Data", "About", "Flags"}

// dataSheet is the sheet of the observations. Its first lines are written with the first rows,
// from which the widths of the columns are known.
type dataSheet struct {
	*workbook
	columns       []tidy.Column
	rows          int // with the header
	head          int // columns that stay in view if they fit: what the rows of a wide table are about
	isRightToLeft bool
	isBegun       bool
}

// layout writes the rows of a table: [tidy.Rows], or [wide.Table].
type layout interface {
	Write(out io.Writer, first []byte, begin, end string) error
}

// write writes the sheet.
func (s *dataSheet) write(table layout) error {
	if err := table.Write(s, nil, "<row>", "</row>"); err != nil {
		return err
	}
	return s.close()
}

// Write writes rows.
func (s *dataSheet) Write(rows []byte) (int, error) {
	s.prepare()
	return s.workbook.Write(rows)
}

func (s *dataSheet) prepare() {
	if s.isBegun {
		return
	}
	s.isBegun = true
	s.begin("xl/worksheets/sheet1.xml")
	s.print(xmlHead, `<worksheet xmlns="`, mainNamespace, `"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="`, s.area(), `"/><sheetViews><sheetView tabSelected="1"`)
	if s.isRightToLeft {
		s.print(` rightToLeft="1"`)
	}
	s.print(` workbookViewId="0">`, s.pane(), `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15" customHeight="1"/><cols>`)
	for i, c := range s.columns {
		s.print(fmt.Sprintf(`<col min="%d" max="%[1]d" width="%d" customWidth="1"/>`, i+1, s.width(c)))
	}
	s.print("</cols><sheetData>\n<row>")
	var header []byte
	for _, c := range s.columns {
		style := styleHeader
		if c.Kind == tidy.Number {
			style = styleNumberHeader
		}
		header = append(s.cells.append(header, c.Name, style), '\n')
	}
	_, _ = s.workbook.Write(header) // w keeps the error
	s.print("</row>\n")
}

// pane returns the element for what stays in view: the header, and the head of rows unless that is so wide
// that the numbers would have no place.
func (s *dataSheet) pane() string {
	const maxHead = 120 // characters
	width := 0
	for _, c := range s.columns[:s.head] {
		width += s.width(c)
	}
	if s.head == 0 || width > maxHead {
		return `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>`
	}
	return fmt.Sprintf(`<pane xSplit="%d" ySplit="1" topLeftCell="%s2" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight"/>`,
		s.head, columnName(s.head+1))
}

// Bounds of the width of a column, in characters.
const minWidth, maxWidth = 8, 48

// filterWidth is what the button of the filter takes of a heading.
const filterWidth = 3

func (s *dataSheet) width(c tidy.Column) int {
	const ofNumbers = 14
	longest := s.cells.widths[c.Name]
	if c.Kind == tidy.Number {
		longest = ofNumbers
	}
	return min(max(longest+1, len(c.Name)+filterWidth, minWidth), maxWidth)
}

// area returns the cells of the sheet: A1:T20.
func (s *dataSheet) area() string {
	return "A1:" + columnName(len(s.columns)) + strconv.Itoa(s.rows)
}

// columnName returns the name of the n-th column, from 1: A, Z, AA.
func columnName(n int) string {
	name := ""
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

func (s *dataSheet) close() error {
	s.prepare() // there may be no rows
	s.print(`</sheetData><autoFilter ref="`, s.area(), `"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>`,
		`<ignoredErrors><ignoredError sqref="`, s.area(), `" numberStoredAsText="1"/></ignoredErrors></worksheet>`)
	return s.err
}

// close writes the remaining parts and ends the file.
func (w *workbook) close(t *encode.Table) error {
	w.begin("xl/sharedStrings.xml")
	buf := fmt.Appendf(w.buf[:0], `%s<sst xmlns="%s" count="%d" uniqueCount="%d">`, xmlHead, mainNamespace, w.cells.strings.uses, len(w.cells.strings.list))
	for _, text := range w.cells.strings.list {
		buf = append(appendText(append(buf, `<si><t xml:space="preserve">`...), text), "</t></si>\n"...)
		if len(buf) > tidy.ChunkSize {
			_, _ = w.Write(buf)
			buf = buf[:0]
		}
	}
	_, _ = w.Write(append(buf, "</sst>"...))
	w.writePackage(t)
	if w.err != nil {
		return w.err
	}
	return w.archive.Close()
}

// writePackage writes the parts that say what the others are.
func (w *workbook) writePackage(t *encode.Table) {
	var types, list, relations strings.Builder
	for i, name := range sheets {
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="%sworksheet+xml"/>`, i+1, contentTypes)
		fmt.Fprintf(&list, `<sheet name="%s" sheetId="%d" r:id="rId%[2]d"/>`, name, i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%[1]d.xml"/>`, i+1, relationNamespace)
	}
	w.begin("xl/workbook.xml")
	w.print(xmlHead, `<workbook xmlns="`, mainNamespace, `" xmlns:r="`, relationNamespace, `"><bookViews><workbookView/></bookViews><sheets>`, list.String(), `</sheets></workbook>`)
	w.begin("xl/_rels/workbook.xml.rels")
	w.print(xmlHead, `<Relationships xmlns="`, packageNamespace, `/relationships">`, relations.String(),
		`<Relationship Id="rIdStyles" Type="`, relationNamespace, `/styles" Target="styles.xml"/><Relationship Id="rIdStrings" Type="`, relationNamespace, `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`)
	w.begin("xl/styles.xml")
	w.print(xmlHead, styles)
	w.begin("docProps/core.xml")
	title := string(appendText(nil, t.Vintage.Dataset.Name))
	source := string(appendText(nil, t.Vintage.Dataset.Source.Name))
	w.print(xmlHead, `<cp:coreProperties xmlns:cp="`, packageNamespace, `/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>`, title, `</dc:title><dc:creator>`, source, `</dc:creator></cp:coreProperties>`)
	w.begin("_rels/.rels")
	w.print(xmlHead, `<Relationships xmlns="`, packageNamespace, `/relationships"><Relationship Id="rId1" Type="`, relationNamespace, `/officeDocument" Target="xl/workbook.xml"/>`,
		`<Relationship Id="rId2" Type="`, packageNamespace, `/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`)
	w.begin("[Content_Types].xml")
	w.print(xmlHead, `<Types xmlns="`, packageNamespace, `/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>`,
		`<Override PartName="/xl/workbook.xml" ContentType="`, contentTypes, `sheet.main+xml"/>`, types.String(),
		`<Override PartName="/xl/styles.xml" ContentType="`, contentTypes, `styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="`, contentTypes, `sharedStrings+xml"/>`,
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`)
}

// styles is the part of the styles; the order of cellXfs is that of the constants.
const styles = `<styleSheet xmlns="` + mainNamespace + `"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/><numFmt numFmtId="165" formatCode="yyyy\-mm\-dd\ hh:mm:ss\ &quot;UTC&quot;"/></numFmts>` +
	`<fonts count="3"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="14"/><name val="Calibri"/><family val="2"/></font></fonts>` +
	`<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF2"/><bgColor indexed="64"/></patternFill></fill></fills>` +
	`<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"><color rgb="FF8A97A6"/></bottom><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="10">` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top"/></xf>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="left" vertical="top"/></xf>` +
	`<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1"/>` +
	`<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf>` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment horizontal="right" vertical="top" indent="1"/></xf>` +
	`<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"><alignment horizontal="right" indent="1"/></xf>` +
	`<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="left" vertical="top"/></xf>` +
	`<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><alignment horizontal="left" vertical="top"/></xf>` +
	`</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
