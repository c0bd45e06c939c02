package table

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"sort"
	"strings"

	"almanac/internal/stat"
)

// Bounds of workbooks. An XLSX file is a zip of XML files, and a small one can
// unpack to very much.
const (
	MaxWorkbook  = 100 << 20 // bytes of the file
	maxEntries   = 1000
	maxEntry     = 512 << 20 // bytes of an entry, unpacked
	maxRatio     = 100       // unpacked to packed, of entries above minRatioed
	minRatioed   = 100 << 10
	maxStrings   = 256 << 20 // bytes of the strings that cells share
	maxXMLDepth  = 64
	maxXMLTokens = 50_000_000
	maxXMLAttrs  = 256
	maxXMLToken  = 1 << 20 // bytes of a tag or text
)

// Workbook is an XLSX file: sheets of rows. Formulas are not computed: their
// stored results are read. Links, macros, charts and pictures are not opened.
type Workbook struct {
	Sheets  []Sheet
	zip     *zip.Reader
	strings []string
	styles  []dateStyle // of the cell formats, by number
	since04 bool        // dates count from 1904
}

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name   string
	Hidden bool
	path   string
}

// OpenWorkbook reads what is common to the sheets of an XLSX file.
func OpenWorkbook(file io.Reader) (*Workbook, error) {
	data, err := io.ReadAll(io.LimitReader(file, MaxWorkbook+1))
	if err != nil {
		return nil, notWorkbook("it cannot be read to its end: %v", err)
	}
	if len(data) > MaxWorkbook {
		return nil, notWorkbook("it is larger than %d MiB", MaxWorkbook>>20)
	}
	if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) {
		return nil, notWorkbook("it is an old or an encrypted one; save it as .xlsx without a password")
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, notWorkbook("%v; it may be cut off", err)
	}
	w := &Workbook{zip: archive}
	if err := w.checkEntries(); err != nil {
		return nil, err
	}
	book, err := w.readRelated("_rels/.rels", "", "/officeDocument")
	if err != nil {
		return nil, err
	}
	if len(book) != 1 {
		return nil, notWorkbook("it says nothing of a workbook in it")
	}
	for _, main := range book {
		err = w.readBook(main)
	}
	return w, err
}

func notWorkbook(text string, args ...any) error {
	return stat.BadFile(stat.Position{}, "the workbook cannot be read: "+text, args...)
}

// checkEntries looks at the list of entries for what only hostile files have.
func (w *Workbook) checkEntries() error {
	if len(w.zip.File) > maxEntries {
		return notWorkbook("it has %d entries, at most %d are read", len(w.zip.File), maxEntries)
	}
	type span struct{ from, to int64 }
	var spans []span
	for _, f := range w.zip.File {
		if f.Flags&1 != 0 {
			return notWorkbook("its entry %q is encrypted", f.Name)
		}
		at, err := f.DataOffset()
		if err != nil {
			return notWorkbook("%v", err)
		}
		spans = append(spans, span{at, at + int64(min(f.CompressedSize64, 1<<62))})
	}
	sort.Slice(spans, func(i, j int) bool { return spans[i].from < spans[j].from })
	for i := range spans[min(1, len(spans)):] {
		if spans[i].to > spans[i+1].from {
			return notWorkbook("its entries overlap")
		}
	}
	return nil
}

// open opens an entry; nil if there is none.
func (w *Workbook) open(name string) (*sheetXML, error) {
	at := slices.IndexFunc(w.zip.File, func(f *zip.File) bool { return strings.EqualFold(f.Name, name) })
	if at < 0 {
		return nil, nil
	}
	f := w.zip.File[at]
	file, err := f.Open()
	if err != nil {
		return nil, notWorkbook("%s: %v", name, err)
	}
	counted := &inflated{from: file, name: name, packed: int64(min(f.CompressedSize64, 1<<40))}
	return &sheetXML{xml: xml.NewDecoder(counted), input: counted, file: file, name: name}, nil
}

// inflated passes an entry on and counts what it unpacks to, for what its
// header says of that may be wrong.
type inflated struct {
	from         io.Reader
	name         string
	packed, read int64
	token        int64 // how much was read when the token being read began
}

func (in *inflated) Read(p []byte) (int, error) {
	n, err := in.from.Read(p)
	in.read += int64(n)
	if in.read > maxEntry || in.read > minRatioed && in.read > in.packed*maxRatio {
		return 0, notWorkbook("%s unpacks to more than %d times its size or to more than %d MiB", in.name, maxRatio, maxEntry>>20)
	}
	if in.read-in.token > maxXMLToken {
		return 0, notWorkbook("%s has a tag or a text of more than %d MiB", in.name, maxXMLToken>>20)
	}
	return n, err
}

// sheetXML reads an entry, token by token and within bounds.
type sheetXML struct {
	xml    *xml.Decoder
	input  *inflated
	file   io.Closer
	name   string
	depth  int
	tokens int
}

// next is the next token; [io.EOF] after the last.
func (x *sheetXML) next() (xml.Token, error) {
	x.input.token = x.input.read
	token, err := x.xml.Token()
	if err == io.EOF {
		return nil, err
	}
	var known *stat.FileError
	if errors.As(err, &known) {
		return nil, known
	}
	if err != nil {
		return nil, x.bad("%v", err)
	}
	x.tokens++
	switch t := token.(type) {
	case xml.StartElement:
		x.depth++
		if len(t.Attr) > maxXMLAttrs {
			return nil, x.bad("an element has %d attributes", len(t.Attr))
		}
	case xml.EndElement:
		x.depth--
	case xml.Directive:
		return nil, x.bad("there is a DOCTYPE, which no workbook has")
	}
	if x.depth > maxXMLDepth || x.tokens > maxXMLTokens {
		return nil, x.bad("there are too many elements, or too many within one another")
	}
	return token, nil
}

func (x *sheetXML) bad(text string, args ...any) error {
	line, column := x.xml.InputPos()
	return notWorkbook("%s:%d:%d: %s", x.name, line, column, fmt.Sprintf(text, args...))
}

// elements calls visit at the start of each element of an entry, which is
// passed over if there is none.
func (w *Workbook) elements(name string, visit func(x *sheetXML, e xml.StartElement) error) error {
	x, err := w.open(name)
	if x == nil || err != nil {
		return err
	}
	defer x.file.Close()
	for {
		token, err := x.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := visit(x, e); err != nil {
				return err
			}
		}
	}
}

// attr is an attribute by its name without a namespace.
func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// readRelated reads a list of relationships: the paths, seen from folder, of
// those whose type ends as stated, by their IDs.
func (w *Workbook) readRelated(name, folder, ending string) (map[string]string, error) {
	related := map[string]string{}
	err := w.elements(name, func(_ *sheetXML, e xml.StartElement) error {
		if e.Name.Local == "Relationship" && strings.HasSuffix(attr(e, "Type"), ending) && attr(e, "TargetMode") != "External" {
			target := attr(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(folder, target)
			}
			related[attr(e, "Id")] = strings.TrimPrefix(path.Clean(target), "/")
		}
		return nil
	})
	return related, err
}

// readBook reads the list of sheets, the strings that cells share, and which
// cell formats are dates.
func (w *Workbook) readBook(main string) error {
	folder := path.Dir(main)
	rels := path.Join(folder, "_rels", path.Base(main)+".rels")
	sheets, err := w.readRelated(rels, folder, "/worksheet")
	if err != nil {
		return err
	}
	err = w.elements(main, func(_ *sheetXML, e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			w.since04 = isTrue(attr(e, "date1904"))
		case "sheet":
			if at := sheets[relationOf(e)]; at != "" { // else it is a chart or a macro
				w.Sheets = append(w.Sheets, Sheet{attr(e, "name"), attr(e, "state") != "" && attr(e, "state") != "visible", at})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(w.Sheets) == 0 {
		return notWorkbook("there is no sheet with cells in it")
	}
	for _, part := range []struct {
		ending string
		read   func(string) error
	}{{"/sharedStrings", w.readStrings}, {"/styles", w.readStyles}} {
		names, err := w.readRelated(rels, folder, part.ending)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := part.read(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// relationOf is the attribute r:id, which is not sheetId.
func relationOf(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

func isTrue(text string) bool { return text == "1" || text == "true" }

// readStrings reads the strings that cells share.
func (w *Workbook) readStrings(name string) error {
	size := 0
	return w.elements(name, func(x *sheetXML, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := x.text()
		if size += len(text) + 16; size > maxStrings {
			return notWorkbook("its strings are longer than %d MiB together", maxStrings>>20)
		}
		w.strings = append(w.strings, text)
		return err
	})
}

// text joins the texts within the element that was begun, to its end, without
// the readings of Japanese words.
func (x *sheetXML) text() (string, error) {
	var b strings.Builder
	inText, reading := 0, 0
	for depth := 1; depth > 0; {
		token, err := x.next()
		if err == io.EOF {
			return "", x.bad("the file ends within a text")
		}
		if err != nil {
			return "", err
		}
		step := 0
		name := ""
		switch t := token.(type) {
		case xml.StartElement:
			step, name = 1, t.Name.Local
		case xml.EndElement:
			step, name = -1, t.Name.Local
		case xml.CharData:
			if inText > 0 && reading == 0 {
				b.Write(t)
			}
		}
		depth += step
		switch name {
		case "t":
			inText += step
		case "rPh":
			reading += step
		}
		if b.Len() > MaxField {
			return "", x.bad("a text has more than %d bytes", MaxField)
		}
	}
	return b.String(), nil
}
