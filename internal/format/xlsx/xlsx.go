// Package xlsx reads the rows of workbooks (XLSX). Formulas count as their stored
// results. Links, macros, charts and pictures are not opened.
//
// An XLSX file is a zip of XML files, and a small one can unpack to a very large one,
// so everything has limits. docs/decisions/2026-11-21-xlsx.md says why no library is
// used.
package xlsx

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// Limits of workbooks.
const (
	maxFile      = 100 << 20 // bytes of the file
	maxEntries   = 1000
	maxEntry     = 512 << 20 // bytes of an entry, unpacked
	maxRatio     = 100       // unpacked to packed size, of entries above minRatioed
	minRatioed   = 100 << 10
	maxStrings   = 256 << 20 // bytes of the strings that cells share
	maxMerged    = 100_000   // lists of merged cells
	maxXMLDepth  = 64
	maxXMLTokens = 50_000_000
	maxXMLAttrs  = 256
	maxXMLToken  = 1 << 20 // bytes of a tag or text
)

// file is a workbook.
type file struct {
	sheets  []workbook.Sheet
	zip     *zip.Reader
	strings []string // shared by cells
	styles  []string // layouts of the cell formats, by number
	since04 bool     // days are counted from 1904
}

// Open reads what the sheets of a workbook share.
func Open(from io.Reader) (*workbook.Book, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err != nil {
		return nil, badFile("reading it failed: %v", err)
	}
	if len(data) > maxFile {
		return nil, badFile("it is larger than %d MiB", maxFile>>20)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, badFile("%v; it may be cut off", err)
	}
	f := &file{zip: archive}
	if err := f.checkEntries(); err != nil {
		return nil, err
	}
	related, err := f.related("_rels/.rels", "")
	if err != nil {
		return nil, err
	}
	related = slices.DeleteFunc(related, func(r relation) bool { return !strings.HasSuffix(r.kind, "/officeDocument") })
	if len(related) != 1 {
		return nil, badFile("it does not contain a workbook")
	}
	if err := f.readBook(related[0].path); err != nil {
		return nil, err
	}
	return &workbook.Book{Sheets: f.sheets}, nil
}

func badFile(text string, args ...any) error {
	return stat.BadFile(stat.Position{}, "the workbook cannot be read: "+text, args...)
}

// checkEntries refuses entries as only hostile or encrypted files have them.
func (f *file) checkEntries() error {
	if len(f.zip.File) > maxEntries {
		return badFile("it has %d entries, more than %d", len(f.zip.File), maxEntries)
	}
	type span struct{ from, to int64 }
	var spans []span
	for _, e := range f.zip.File {
		if e.Flags&1 != 0 {
			return badFile("its entry %q is encrypted", e.Name)
		}
		at, err := e.DataOffset()
		if err != nil {
			return badFile("%v", err)
		}
		spans = append(spans, span{at, at + int64(min(e.CompressedSize64, 1<<62))})
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i-1].to > spans[i].from {
			return badFile("its entries overlap")
		}
	}
	return nil
}

type relation struct{ id, kind, path string }

// related reads a list of relationships, whose paths are relative to folder.
func (f *file) related(list, folder string) (all []relation, err error) {
	err = f.elements(list, func(_ *part, e xml.StartElement) error {
		if e.Name.Local == "Relationship" && attr(e, "TargetMode") != "External" {
			target := attr(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(folder, target)
			}
			all = append(all, relation{attr(e, "Id"), attr(e, "Type"), strings.TrimPrefix(path.Clean(target), "/")})
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
	err = f.elements(book, func(_ *part, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			f.since04 = attr(e, "date1904") == "1" || attr(e, "date1904") == "true"
		case "sheet":
			// Other relations are charts and macros.
			at := slices.IndexFunc(related, func(r relation) bool { return r.id == attr(e, "id") && strings.HasSuffix(r.kind, "/worksheet") })
			if at >= 0 {
				isHidden := attr(e, "state") != "" && attr(e, "state") != "visible"
				path := related[at].path
				f.sheets = append(f.sheets, workbook.Sheet{Name: attr(e, "name"), Hidden: isHidden, Rows: func() (workbook.Rows, error) { return f.rows(path) }})
			}
		}
		return nil
	})
	if err == nil && len(f.sheets) == 0 {
		err = badFile("it has no sheet with cells")
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
	return f.elements(name, func(p *part, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := p.text("si")
		if size += len(text) + 16; size > maxStrings {
			return badFile("its strings are longer than %d MiB in total", maxStrings>>20)
		}
		f.strings = append(f.strings, text)
		return err
	})
}

func (f *file) readStyles(name string) error {
	custom := map[int]string{}
	inCells := false
	return f.elements(name, func(_ *part, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			custom[number(e, "numFmtId")] = workbook.CustomLayout(attr(e, "formatCode"))
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
	n, _ := strconv.Atoi(attr(e, name))
	return n
}
