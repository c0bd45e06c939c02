package xlsx

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/defaults"
	"almanac/internal/encode"
	"almanac/internal/stat"
)

// writeAbout writes the sheet with what is true of all observations.
func (w *workbook) writeAbout(t *encode.Table, s *survey) {
	sheet := w.beginSheet(2, isRightToLeft(t), 26, 100)
	facts := t.Facts(s.rows == 0)
	sheet.title(facts[0].Text)
	for _, f := range facts[1:] {
		sheet.row(cell{f.Label, styleWrapped}, cellOf(f))
	}
	if t.Licence.Name == "" && t.Licence.Terms() == "" && t.Licence.Note == "" {
		sheet.texts(styleWrapped, "Licence", "Not known; ask the source before you publish the data")
	}
	sheet.row(cell{"Observations", styleWrapped}, cell{strconv.Itoa(s.rows), styleCount})
	sheet.row()
	sheet.texts(styleHeader, "Dimension", "Label")
	d := t.Vintage.Dataset
	axes := d.Axes()
	for _, at := range d.SourceOrder() {
		sheet.texts(styleWrapped, axes[at].ID, axes[at].Label)
	}
	for _, f := range d.Fixed {
		sheet.texts(styleWrapped, f.ID, fmt.Sprintf("%s: %s in all observations", f.Label, cmp.Or(f.Code.Label, f.Code.ID)))
	}
	sheet.close()
}

// cellOf returns the cell of a fact. The times of a version are days and moments, all else is text.
func cellOf(f encode.Fact) cell {
	if f.Name == "last_update" {
		if day, ok := serialDay(f.Text); ok {
			return cell{strconv.FormatInt(day, 10), styleDate}
		}
	}
	if f.Name == "imported" {
		if moment, ok := serialMoment(f.Text); ok {
			return cell{strconv.FormatFloat(moment, 'f', -1, 64), styleMoment}
		}
	}
	return cell{f.Text, styleWrapped}
}

// writeFlags writes the sheet with the flags that occur and what they mean.
func (w *workbook) writeFlags(d *stat.Dataset, s *survey) {
	sheet := w.beginSheet(3, false, 20, 90, 16)
	sheet.row(cell{"Flag", styleHeader}, cell{"Meaning", styleHeader}, cell{"Observations", styleNumberHeader})
	flags := slices.Sorted(maps.Keys(s.flags))
	for _, flag := range flags {
		sheet.row(cell{flag, styleWrapped}, cell{meaningOf(d, flag), styleWrapped}, cell{strconv.Itoa(s.flags[flag]), styleNumber})
	}
	if len(flags) == 0 {
		sheet.texts(styleWrapped, "", "No observation has a flag.")
	}
	sheet.close()
}

// meaningOf says what a flag of a dataset means.
func meaningOf(d *stat.Dataset, flag string) string {
	if name := defaults.FlagName(d, flag); name != "" {
		return strings.ToUpper(name[:1]) + name[1:]
	}
	if !strings.Contains(flag, ":") {
		return "Not in the SDMX code list; see the metadata of the source"
	}
	return "A mark of " + d.Source.Name + " without an equal in the SDMX code list; see the metadata of the source"
}

// cell is a cell of a sheet of texts. In the styles of numbers and times the text is a number.
type cell struct {
	text  string
	style int
}

// textSheet is a sheet of texts, with few numbers.
type textSheet struct {
	*workbook
	widths []int  // of the columns, in characters
	merged string // the cells of the title; empty if there is none
}

// beginSheet begins a sheet with columns of some widths.
func (w *workbook) beginSheet(number int, isRightToLeft bool, widths ...int) *textSheet {
	w.begin(fmt.Sprintf("xl/worksheets/sheet%d.xml", number))
	w.print(xmlHead, `<worksheet xmlns="`, mainNamespace, `"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`)
	if isRightToLeft {
		w.print(`<sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews>`)
	}
	w.print(`<sheetFormatPr defaultRowHeight="15"/><cols>`)
	for i, width := range widths {
		w.print(fmt.Sprintf(`<col min="%d" max="%[1]d" width="%d" customWidth="1"/>`, i+1, width))
	}
	w.print("</cols><sheetData>\n")
	return &textSheet{workbook: w, widths: widths}
}

// title writes a row with a text in one cell over all columns, so that it is seen as a whole in
// both directions of writing.
func (s *textSheet) title(text string) {
	width := 0
	for _, w := range s.widths {
		width += w
	}
	s.merged = "A1:" + columnName(len(s.widths)) + "1"
	s.rowOf(titleHeight*min(linesOf(text, width*titleShare/100), maxLines/2), cell{text, styleTitle})
}

// texts writes a row of texts in one style.
func (s *textSheet) texts(style int, texts ...string) {
	var cells []cell
	for _, text := range texts {
		cells = append(cells, cell{text, style})
	}
	s.row(cells...)
}

// row writes a row. It is as high as its texts need, because programs do not find out
// themselves before somebody edits a cell.
func (s *textSheet) row(cells ...cell) {
	lines := 1
	for i, c := range cells {
		if c.style == styleWrapped {
			lines = max(lines, linesOf(c.text, s.widths[i]))
		}
	}
	s.rowOf(lineHeight*min(lines, maxLines), cells...)
}

// rowOf writes a row of a height in points.
func (s *textSheet) rowOf(height int, cells ...cell) {
	s.buf = fmt.Appendf(s.buf[:0], `<row ht="%d" customHeight="1">`, height)
	for _, c := range cells {
		if characters(c.text) > maxCharacters {
			c.text = string([]rune(c.text)[:maxCharacters/2]) + "…" // a description, which the metadata have
		}
		switch c.style {
		case styleDate, styleMoment, styleNumber, styleCount:
			s.buf = append(appendStyle(append(s.buf, "<c"...), c.style), "><v>"+c.text+"</v></c>"...)
		default:
			if c.text == "" {
				s.buf = append(s.buf, "<c/>"...)
				continue
			}
			s.buf = s.cells.append(s.buf, c.text, c.style)
		}
	}
	_, _ = s.Write(append(s.buf, "</row>\n"...)) // the workbook keeps the error
}

// Heights of rows in points; a row is not higher than a page.
const (
	lineHeight  = 15
	titleHeight = 24
	maxLines    = 27
	titleShare  = 65 // percent of the characters of a line that a line of the title has
)

// linesOf returns about how many lines a text takes in a column.
func linesOf(text string, width int) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n += 1 + utf8.RuneCountInString(line)/width
	}
	return n
}

func (s *textSheet) close() {
	s.print("</sheetData>")
	if s.merged != "" {
		s.print(`<mergeCells count="1"><mergeCell ref="`, s.merged, `"/></mergeCells>`)
	}
	s.print(`<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>`)
}
