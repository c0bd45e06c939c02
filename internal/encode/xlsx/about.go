package xlsx

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/encode"
	"almanac/internal/stat"
)

// writeAbout writes the sheet with what is true of all observations.
func (w *workbook) writeAbout(t *encode.Table, s *survey) {
	facts := t.Facts(s.rows == 0)
	w.beginSheet(2, 26, 100)
	w.row(styleTitle, facts[0].Text)
	for _, f := range facts[1:] {
		w.row(styleWrapped, f.Label, f.Text)
	}
	w.row(styleWrapped, "Observations", strconv.Itoa(s.rows))
	w.row(styleGeneral)
	w.row(styleHeader, "Dimension", "Label")
	d := t.Vintage.Dataset
	axes := d.Axes()
	for _, at := range d.SourceOrder() {
		w.row(styleWrapped, axes[at].ID, axes[at].Label)
	}
	for _, f := range d.Fixed {
		w.row(styleWrapped, f.ID, fmt.Sprintf("%s: %s in all observations", f.Label, cmp.Or(f.Code.Label, f.Code.ID)))
	}
	w.endSheet()
}

// writeFlags writes the sheet with the flags that occur and what they mean.
func (w *workbook) writeFlags(s *survey) {
	w.beginSheet(3, 18, 70, 16)
	w.row(styleHeader, "Flag", "Meaning", "Observations")
	flags := slices.Sorted(maps.Keys(s.flags))
	for _, flag := range flags {
		w.row(styleWrapped, flag, meaningOf(flag), strconv.Itoa(s.flags[flag]))
	}
	if len(flags) == 0 {
		w.row(styleWrapped, "", "No observation has a flag.")
	}
	w.endSheet()
}

// meaningOf says what a flag means.
func meaningOf(flag string) string {
	if name := stat.FlagName(flag); name != "" {
		return strings.ToUpper(name[:1]) + name[1:]
	}
	if office, _, ok := strings.Cut(flag, ":"); ok {
		return "A flag of " + office + " without an equal in the SDMX code list; see the metadata of the source"
	}
	return "Not in the SDMX code list; see the metadata of the source"
}

// beginSheet begins a sheet with columns of some widths.
func (w *workbook) beginSheet(number int, widths ...int) {
	w.begin(fmt.Sprintf("xl/worksheets/sheet%d.xml", number))
	w.print(xmlHead, `<worksheet xmlns="`, mainNamespace, `"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetFormatPr defaultRowHeight="15"/><cols>`)
	for i, width := range widths {
		w.print(fmt.Sprintf(`<col min="%d" max="%[1]d" width="%d" customWidth="1"/>`, i+1, width))
	}
	w.print("</cols><sheetData>\n")
}

// row writes a row of texts.
func (w *workbook) row(style int, texts ...string) {
	w.buf = append(w.buf[:0], "<row>"...)
	for _, text := range texts {
		if characters(text) > maxCharacters {
			text = string([]rune(text)[:maxCharacters/2]) + "…" // a description, which the metadata have
		}
		if text == "" {
			w.buf = append(w.buf, "<c/>"...)
			continue
		}
		w.buf = w.cells.append(w.buf, text, style)
	}
	_, _ = w.Write(append(w.buf, "</row>\n"...)) // w keeps the error
}

func (w *workbook) endSheet() {
	w.print(`</sheetData><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>`)
}
