// Package parquet reads Parquet files with flat columns as the rows of a table. Dates and
// times at midnight are like 2024-01-31. The place of a cell is its row and column, the
// row with the names of the columns being the first.
package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	lib "github.com/parquet-go/parquet-go"
	layout "github.com/parquet-go/parquet-go/format"

	"almanac/internal/format/workbook"
	"almanac/internal/stat"
)

// Magic is what a Parquet file begins with.
const Magic = "PAR1"

// File is a Parquet file.
type File struct {
	Fields   []string // the names of the columns
	file     *lib.File
	convert  []func(lib.Value) (string, error)
	isNumber []bool // for each column
}

// Open reads the structure of a file.
func Open(from io.Reader) (f *File, err error) {
	data, err := workbook.ReadAll(from)
	if err != nil {
		return nil, err
	}
	// The library allocates the footer before it knows that it fits.
	const tail = 8 // bytes: the size of the footer, and the magic again
	if size := len(data) - tail; size < len(Magic) || !bytes.HasSuffix(data, []byte(Magic)) || int64(binary.LittleEndian.Uint32(data[size:])) > int64(size) {
		return nil, badFile(errors.New("it does not end as such a file does; it may be cut off"))
	}
	defer recoverTo(&err)
	file, err := lib.OpenFile(bytes.NewReader(data), int64(len(data)), lib.SkipPageIndex(true), lib.SkipBloomFilters(true))
	if err != nil {
		return nil, badFile(err)
	}
	f = &File{file: file}
	for _, path := range file.Schema().Columns() {
		column, _ := file.Schema().Lookup(path...)
		name := strings.Join(path, ".")
		if column.MaxRepetitionLevel > 0 {
			return nil, stat.BadFile(stat.Position{Line: 1, Column: len(f.Fields) + 1}, "the column %q holds lists; only columns with one value in each row can be read", name)
		}
		if len(f.Fields) == workbook.MaxColumns {
			return nil, stat.BadFile(stat.Position{Line: 1}, "the file has more than %d columns", workbook.MaxColumns)
		}
		t := column.Node.Type()
		f.Fields, f.convert, f.isNumber = append(f.Fields, name), append(f.convert, converter(t)), append(f.isNumber, isNumber(t))
	}
	return f, nil
}

func badFile(err error) error {
	return stat.BadFile(stat.Position{Line: 1}, "the Parquet file cannot be read: %v", err)
}

// recoverTo turns a panic of the library, which damaged files cause, into an error.
func recoverTo(err *error) {
	if e := recover(); e != nil {
		*err = badFile(fmt.Errorf("it is damaged (%v)", e))
	}
}

// isNumber reports whether the values of a type are numbers, which dates are not.
func isNumber(t lib.Type) bool {
	if l := t.LogicalType(); l != nil {
		switch l.Value.(type) {
		case *layout.DecimalType, *layout.IntType:
			return true
		}
		return false
	}
	return t.Kind() != lib.ByteArray && t.Kind() != lib.FixedLenByteArray && t.Kind() != lib.Int96
}

// converter returns a function that makes text of the values of a type.
func converter(t lib.Type) func(lib.Value) (string, error) {
	var logical any
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *layout.DateType:
		return func(v lib.Value) (string, error) {
			return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly), nil
		}
	case *layout.TimestampType:
		switch l.Unit.Value.(type) {
		case *layout.MilliSeconds:
			return func(v lib.Value) (string, error) { return timeText(time.UnixMilli(v.Int64())), nil }
		case *layout.MicroSeconds:
			return func(v lib.Value) (string, error) { return timeText(time.UnixMicro(v.Int64())), nil }
		}
		return func(v lib.Value) (string, error) { return timeText(time.Unix(0, v.Int64())), nil }
	case *layout.DecimalType:
		return func(v lib.Value) (string, error) { return decimalText(v, int(l.Scale)) }
	case *layout.IntType:
		if !l.IsSigned {
			return unsignedText
		}
	}
	return plainText
}

func unsignedText(v lib.Value) (string, error) {
	if v.Kind() == lib.Int32 {
		return strconv.FormatUint(uint64(v.Uint32()), 10), nil
	}
	return strconv.FormatUint(v.Uint64(), 10), nil
}

func timeText(t time.Time) string {
	if t = t.UTC(); t.Truncate(24 * time.Hour).Equal(t) {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05.999999999")
}

// decimalText returns a number that is stored as a whole number with a scale.
func decimalText(v lib.Value, scale int) (string, error) {
	n := new(big.Int)
	switch v.Kind() {
	case lib.Int32:
		n.SetInt64(int64(v.Int32()))
	case lib.Int64:
		n.SetInt64(v.Int64())
	default:
		data := v.ByteArray() // two's complement
		n.SetBytes(data)
		if len(data) > 0 && data[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(data))))
		}
	}
	if scale < 0 || scale > 100 {
		return "", fmt.Errorf("a decimal number with %d decimals", scale)
	}
	digits := new(big.Int).Abs(n).String()
	if scale > 0 {
		digits = strings.Repeat("0", max(0, scale+1-len(digits))) + digits
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if n.Sign() < 0 {
		digits = "-" + digits
	}
	return digits, nil
}

func plainText(v lib.Value) (string, error) {
	switch v.Kind() {
	case lib.Boolean:
		return strconv.FormatBool(v.Boolean()), nil
	case lib.Int32:
		return strconv.Itoa(int(v.Int32())), nil
	case lib.Int64:
		return strconv.FormatInt(v.Int64(), 10), nil
	case lib.Int96: // a time: nanoseconds of a day, and the day in the Julian calendar
		parts := v.Int96()
		const epoch = 2440588
		nanoseconds := int64(parts[1])<<32 | int64(parts[0])
		return timeText(time.Unix((int64(parts[2])-epoch)*86400, nanoseconds)), nil
	case lib.Float:
		return floatText(float64(v.Float()), 32), nil
	case lib.Double:
		return floatText(v.Double(), 64), nil
	}
	data := v.ByteArray()
	if !utf8.Valid(data) || len(data) > workbook.MaxText {
		return "", fmt.Errorf("bytes that are not text")
	}
	return strings.TrimSpace(string(data)), nil
}

// floatText returns the shortest text of a number. One of 32 bits is not lengthened: 0.1
// is 0.1.
func floatText(v float64, bits int) string {
	if math.IsNaN(v) {
		return "NaN"
	}
	if bits == 32 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', -1, 32), 64)
	}
	return workbook.NumberText(v)
}

// Rows are the rows of a file, after one with the names of the columns.
type Rows struct {
	file   *File
	groups []lib.RowGroup
	open   lib.Rows // of a group; nil between groups
	batch  []lib.Row
	read   int // rows of the batch that were read
	row    int
	cells  []string
}

// Rows opens the rows at their beginning.
func (f *File) Rows() *Rows {
	return &Rows{file: f, groups: f.file.RowGroups(), cells: make([]string, len(f.Fields))}
}

// At returns the numbers of the row and the column.
func (r *Rows) At(cell int) stat.Position {
	return stat.Position{Line: max(r.row, 1), Column: cell + 1}
}

// IsNumber reports whether the column of a cell holds numbers, not texts.
func (r *Rows) IsNumber(cell int) bool { return cell < len(r.file.isNumber) && r.file.isNumber[cell] }

// Close closes the rows.
func (r *Rows) Close() error {
	if r.open == nil {
		return nil
	}
	return r.open.Close()
}

// Next returns the next row.
func (r *Rows) Next() (row []string, err error) {
	defer recoverTo(&err)
	if r.row++; r.row == 1 {
		return r.file.Fields, nil
	}
	if r.read == len(r.batch) {
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
	values := r.batch[r.read]
	r.read++
	clear(r.cells)
	for _, v := range values {
		at := v.Column()
		if v.IsNull() || at < 0 || at >= len(r.cells) {
			continue
		}
		if r.cells[at], err = r.file.convert[at](v); err != nil {
			return nil, stat.BadFile(r.At(at), "the column %q contains %v", r.file.Fields[at], err)
		}
	}
	return r.cells, nil
}

// fill reads the next rows.
func (r *Rows) fill() error {
	const size = 64
	for {
		if r.open == nil {
			if len(r.groups) == 0 {
				return io.EOF
			}
			r.open, r.groups = r.groups[0].Rows(), r.groups[1:]
		}
		r.batch = make([]lib.Row, size)
		n, err := r.open.ReadRows(r.batch)
		r.batch, r.read = r.batch[:n], 0
		if err == io.EOF {
			err = r.open.Close()
			r.open = nil
		}
		if err != nil {
			return badFile(err)
		}
		if n > 0 {
			return nil
		}
	}
}
