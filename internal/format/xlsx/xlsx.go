// Package xlsx reads the rows of workbooks (XLSX). Formulas count as their stored
// results. Links, macros, charts and pictures are not opened.
//
// An XLSX file is a zip of XML files, and a small one can unpack to a very large one,
// so everything has limits. docs/decisions/2026-11-21-xlsx.md says why no library is
// used.
package xlsx

import (
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/workbook"
)

const (
	maxStrings = 256 << 20 // bytes of the strings that cells share
	maxMerged  = 100_000   // lists of merged cells
)

// file is a workbook.
type file struct {
	*workbook.Archive
	sheets  []workbook.Sheet
	strings []string // shared by cells
	styles  []string // layouts of the cell formats, by number
	since04 bool     // days are counted from 1904
}

// Open reads what the sheets of a workbook share.
func Open(from io.Reader) (*workbook.Book, error) {
	archive, err := workbook.OpenArchive(from)
	if err != nil {
		return nil, err
	}
	f := &file{Archive: archive}
	related, err := f.related("_rels/.rels", "")
	if err != nil {
		return nil, err
	}
	related = slices.DeleteFunc(related, func(r relation) bool { return !strings.HasSuffix(r.kind, "/officeDocument") })
	if len(related) != 1 {
		return nil, workbook.BadFile("it does not contain a workbook")
	}
	if strings.HasSuffix(related[0].path, ".bin") {
		return nil, workbook.BadFile("it is a binary workbook (.xlsb); save it as .xlsx")
	}
	if err := f.readBook(related[0].path); err != nil {
		return nil, err
	}
	book := &workbook.Book{Sheets: f.sheets}
	book.Keep()
	return book, nil
}

type relation struct{ id, kind, path string }

// related reads a list of relationships, whose paths are relative to folder.
func (f *file) related(list, folder string) (all []relation, err error) {
	err = f.Elements(list, func(_ *workbook.Part, e xml.StartElement) error {
		if e.Name.Local == "Relationship" && workbook.Attr(e, "TargetMode") != "External" {
			target := workbook.Attr(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(folder, target)
			}
			all = append(all, relation{workbook.Attr(e, "Id"), workbook.Attr(e, "Type"), strings.TrimPrefix(path.Clean(target), "/")})
		}
		return nil
	})
	return all, err
}

// readBook reads the list of sheets, the shared strings, and the cell formats.
func (f *file) readBook(book string) error {
	folder := path.Dir(book)
	related, err := f.related(path.Join(folder, "_rels", path.Base(book)+".rels"), folder)
	if err != nil {
		return err
	}
	err = f.Elements(book, func(_ *workbook.Part, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			f.since04 = workbook.Attr(e, "date1904") == "1" || workbook.Attr(e, "date1904") == "true"
		case "sheet":
			// Other relations are charts and macros.
			at := slices.IndexFunc(related, func(r relation) bool {
				return r.id == workbook.Attr(e, "id") && strings.HasSuffix(r.kind, "/worksheet")
			})
			if at >= 0 {
				isHidden := workbook.Attr(e, "state") != "" && workbook.Attr(e, "state") != "visible"
				path := related[at].path
				f.sheets = append(f.sheets, workbook.Sheet{Name: workbook.Attr(e, "name"), Hidden: isHidden, Rows: func() (workbook.Rows, error) { return f.rows(path) }})
			}
		}
		return nil
	})
	if err == nil && len(f.sheets) == 0 {
		err = workbook.BadFile("it has no sheet with cells")
	}
	for _, r := range related {
		switch {
		case err != nil:
			return err
		case strings.HasSuffix(r.kind, "/sharedStrings"):
			err = f.readStrings(r.path)
		case strings.HasSuffix(r.kind, "/styles"):
			err = f.readStyles(r.path)
		}
	}
	return err
}

func (f *file) readStrings(name string) error {
	size := 0
	return f.Elements(name, func(p *workbook.Part, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := p.Text("si")
		if size += len(text) + 16; size > maxStrings {
			return workbook.BadFile("its strings are longer than %d MiB in total", maxStrings>>20)
		}
		f.strings = append(f.strings, text)
		return err
	})
}

func (f *file) readStyles(name string) error {
	custom := map[int]string{}
	inCells := false
	return f.Elements(name, func(_ *workbook.Part, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			custom[number(e, "numFmtId")] = workbook.CustomLayout(workbook.Attr(e, "formatCode"))
		case "cellXfs":
			inCells = true
		case "cellStyles", "dxfs":
			inCells = false
		case "xf":
			if inCells {
				f.styles = append(f.styles, workbook.LayoutOf(number(e, "numFmtId"), custom))
			}
		}
		return nil
	})
}

// number returns an attribute that is a number, 0 if it is not.
func number(e xml.StartElement, name string) int {
	n, _ := strconv.Atoi(workbook.Attr(e, name))
	return n
}
