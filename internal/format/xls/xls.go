// Package xls reads the rows of workbooks of Excel 97 to 2003 (.xls, BIFF 8), and of the
// programs that write this format. Formulas count as their stored results. Links,
// macros, charts and pictures are not opened.
//
// An XLS file is a compound file, with streams like the files of a folder. The stream
// Workbook is a sequence of records: those of the workbook (strings that cells share,
// formats, list of sheets), then those of each sheet. docs/decisions/2026-11-23-xls.md
// says why no library is used.
package xls

import (
	"bytes"
	"encoding/binary"
	"io"

	"almanac/internal/format/workbook"
)

// Signature is what a compound file begins with.
const Signature = signature

// file is a workbook.
type file struct {
	stream  []byte
	strings []string // shared by cells
	formats map[int]string
	styles  []string // layouts of the cell formats, by number
	since04 bool     // days are counted from 1904
	sheets  []workbook.Sheet
}

// Open reads what the sheets of a workbook share.
func Open(from io.Reader) (*workbook.Book, error) {
	data, err := workbook.ReadAll(from)
	if err != nil {
		return nil, err
	}
	book, err := stream(data, "Workbook", "WORKBOOK")
	if err != nil {
		return nil, err
	}
	if book == nil {
		return nil, otherContent(data)
	}
	f := &file{stream: book, formats: map[int]string{}}
	if err := f.readBook(); err != nil {
		return nil, err
	}
	if len(f.sheets) == 0 {
		return nil, workbook.BadFile("it has no sheet with cells")
	}
	return &workbook.Book{Sheets: f.sheets}, nil
}

// otherContent says what a compound file without a workbook of BIFF 8 holds.
func otherContent(data []byte) error {
	if old, err := stream(data, "Book", "BOOK"); err == nil && old != nil {
		return workbook.BadFile("it is of Excel 95 or older; save it as .xlsx")
	}
	if encrypted, err := stream(data, "EncryptedPackage"); err == nil && encrypted != nil {
		return workbook.BadFile("it is encrypted; save it without a password")
	}
	return workbook.BadFile("it does not contain a workbook")
}

// Kinds of records.
const (
	recordFormula     = 0x06
	recordEOF         = 0x0A
	recordDateMode    = 0x22
	recordFilePass    = 0x2F
	recordContinue    = 0x3C
	recordBoundSheet  = 0x85
	recordMulRK       = 0xBD
	recordRString     = 0xD6
	recordXF          = 0xE0
	recordMergedCells = 0xE5
	recordSST         = 0xFC
	recordLabelSST    = 0xFD
	recordNumber      = 0x203
	recordLabel       = 0x204
	recordBoolErr     = 0x205
	recordString      = 0x207
	recordRK          = 0x27E
	recordFormat      = 0x41E
	recordBOF         = 0x809
)

const (
	versionBIFF8 = 0x600
	kindBook     = 5 // of the records that a BOF begins
	kindSheet    = 0x10
)

// record is a record with its continuations.
type record struct {
	at    uint32 // in the stream
	kind  uint16
	parts [][]byte
}

// uint16 and uint32 return a number of the first part; 0 if the record is too short.
func (r record) uint16(at int) int {
	if data := r.parts[0]; at+2 <= len(data) {
		return int(binary.LittleEndian.Uint16(data[at:]))
	}
	return 0
}

func (r record) uint32(at int) uint32 {
	if data := r.parts[0]; at+4 <= len(data) {
		return binary.LittleEndian.Uint32(data[at:])
	}
	return 0
}

// records calls visit for the records from a place in the stream to the end of what
// their BOF begins. Records of charts within a sheet are skipped.
func (f *file) records(from int, visit func(r record) error) error {
	rest := f.stream[min(from, len(f.stream)):]
	for depth := 0; ; {
		at := uint32(len(f.stream) - len(rest))
		r, err := nextRecord(&rest)
		if err != nil {
			return err
		}
		r.at = at
		switch r.kind {
		case recordBOF:
			depth++
		case recordEOF:
			depth--
		}
		if depth == 1 {
			if err := visit(r); err != nil {
				return err
			}
		}
		if depth <= 0 {
			return nil
		}
	}
}

func nextRecord(rest *[]byte) (r record, err error) {
	for data := *rest; ; data = *rest {
		if len(data) < 4 || len(data) < 4+int(binary.LittleEndian.Uint16(data[2:])) {
			return r, workbook.BadFile("its records end too early; it may be cut off")
		}
		kind, size := binary.LittleEndian.Uint16(data), 4+int(binary.LittleEndian.Uint16(data[2:]))
		if len(r.parts) == 0 {
			r.kind = kind
		}
		r.parts = append(r.parts, data[4:size])
		*rest = data[size:]
		if len(*rest) < 2 || binary.LittleEndian.Uint16(*rest) != recordContinue {
			return r, nil
		}
	}
}

// readBook reads the records of the workbook.
func (f *file) readBook() error {
	return f.records(0, func(r record) error {
		switch r.kind {
		case recordBOF:
			if r.uint16(0) != versionBIFF8 || r.uint16(2) != kindBook {
				return workbook.BadFile("it is not a workbook of Excel 97 to 2003; save it as .xlsx")
			}
		case recordFilePass:
			return workbook.BadFile("it is encrypted; save it without a password")
		case recordDateMode:
			f.since04 = r.uint16(0) == 1
		case recordFormat:
			code, err := newTextReader(r, 2).text(2)
			f.formats[r.uint16(0)] = workbook.CustomLayout(code)
			return err
		case recordXF:
			f.styles = append(f.styles, workbook.LayoutOf(r.uint16(2), f.formats))
		case recordSST:
			return f.readStrings(r)
		case recordBoundSheet:
			return f.addSheet(r)
		}
		return nil
	})
}

func (f *file) readStrings(r record) error {
	in := newTextReader(r, 8)
	for range r.uint32(4) {
		text, err := in.text(2)
		if err != nil {
			return err
		}
		f.strings = append(f.strings, text)
	}
	return nil
}

func (f *file) addSheet(r record) error {
	name, err := newTextReader(r, 6).text(1)
	from, state := int(r.uint32(0)), r.uint16(4)
	if err != nil || state>>8 != 0 {
		return err // a chart or macros
	}
	if from >= len(f.stream) || !bytes.HasPrefix(f.stream[from:], []byte{recordBOF & 0xFF, recordBOF >> 8}) {
		return workbook.BadFile("the sheet %q is not where its list says; it may be cut off", name)
	}
	f.sheets = append(f.sheets, workbook.Sheet{Name: name, Hidden: state&3 != 0, Rows: func() (workbook.Rows, error) { return f.rows(from) }})
	return nil
}
