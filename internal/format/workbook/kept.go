package workbook

import (
	"encoding/binary"
	"sync"

	"almanac/internal/stat"
)

// maxRowsKept is how many bytes of the rows of a workbook are kept.
const maxRowsKept = 64 << 20

// Keep keeps the first 64 MiB of the rows that are read, because parsing the XML of a sheet
// costs many times more than reading its rows again, and the detection of tables reads the
// first rows several times.
func (b *Book) Keep() { b.keep(maxRowsKept) }

// keep keeps rows of so many bytes.
func (b *Book) keep(left int) {
	for i := range b.Sheets {
		k := &keptSheet{open: b.Sheets[i].Rows, left: &left}
		k.merged = sync.OnceValues(k.readMerged)
		b.Sheets[i].Rows = func() (Rows, error) { return &keptRows{sheet: k}, k.start() }
	}
}

// keptSheet holds the rows of a sheet that were read: of each row its number, how many cells
// it has, and of each cell its kind, length and text.
type keptSheet struct {
	open   func() (Rows, error)
	source Rows // reads on behind the kept rows; nil before the first
	data   []byte
	left   *int  // bytes that the sheets of the workbook may still keep
	end    error // why no more rows are kept; nil if there may be more
	merged func() ([]Span, error)
}

// errKeptFull ends the kept rows of a sheet that has more.
var errKeptFull = stat.BadFile(stat.Position{}, "no room for more rows")

func (k *keptSheet) start() (err error) {
	if k.source == nil {
		k.source, err = k.open()
	}
	return err
}

func (k *keptSheet) readMerged() ([]Span, error) {
	rows, err := k.open()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return rows.Merged()
}

// add keeps one more row of the source.
func (k *keptSheet) add() {
	if k.end != nil {
		return
	}
	cells, err := k.source.Next()
	before := len(k.data)
	switch {
	case err != nil:
		k.end = err
		_ = k.source.Close() // its rows are read
		return
	case *k.left <= 0:
		k.end = errKeptFull
		_ = k.source.Close() // readers open their own
		return
	}
	k.data = binary.AppendUvarint(k.data, uint64(k.source.At(0).Line))
	k.data = binary.AppendUvarint(k.data, uint64(len(cells)))
	for i, cell := range cells {
		k.data = append(k.data, byte(kindOf(k.source, i)))
		k.data = binary.AppendUvarint(k.data, uint64(len(cell)))
		k.data = append(k.data, cell...)
	}
	*k.left -= len(k.data) - before
}

// kindOf returns the kind of a cell of the last row.
func kindOf(rows Rows, cell int) Kind {
	switch {
	case rows.ShownAs(cell) == stat.NotePercent:
		return Percent
	case rows.ShownAs(cell) == stat.NoteScaled:
		return Scaled
	case rows.IsNumber(cell):
		return Number
	}
	return Text
}

// keptRows reads the kept rows of a sheet, and what follows them from the file.
type keptRows struct {
	Line
	sheet *keptSheet
	at    int  // of the next row in the kept data
	read  int  // rows that were read
	rest  Rows // the rows behind the kept ones; nil before them
}

func (r *keptRows) Next() ([]string, error) {
	if r.rest == nil && r.at == len(r.sheet.data) {
		r.sheet.add()
	}
	switch {
	case r.rest == nil && r.at < len(r.sheet.data):
		r.read++
		r.decode()
	case r.rest == nil && r.sheet.end != errKeptFull:
		return nil, r.sheet.end
	default:
		if err := r.readRest(); err != nil {
			return nil, err
		}
	}
	return r.Cells(), nil
}

func (r *keptRows) decode() {
	number := func() int {
		v, n := binary.Uvarint(r.sheet.data[r.at:])
		r.at += n
		return int(v)
	}
	r.Begin(number())
	for i := range number() {
		kind := Kind(r.sheet.data[r.at])
		r.at++
		n := number()
		r.Set(i, Cell{string(r.sheet.data[r.at : r.at+n]), kind})
		r.at += n
	}
}

// readRest reads a row behind the kept ones. The first time, it opens the sheet once more.
func (r *keptRows) readRest() (err error) {
	if r.rest == nil {
		if r.rest, err = r.sheet.open(); err != nil {
			return err
		}
		for range r.read {
			if _, err = r.rest.Next(); err != nil {
				return err
			}
		}
	}
	cells, err := r.rest.Next()
	if err != nil {
		return err
	}
	r.Begin(r.rest.At(0).Line)
	for i, cell := range cells {
		r.Set(i, Cell{cell, kindOf(r.rest, i)})
	}
	return nil
}

// Merged returns the merged cells of the sheet.
func (r *keptRows) Merged() ([]Span, error) { return r.sheet.merged() }

// Close closes the sheet if it was opened once more.
func (r *keptRows) Close() error {
	if r.rest == nil {
		return nil
	}
	return r.rest.Close()
}
