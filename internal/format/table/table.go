// Package table reads tables of rows and columns by a [Mapping], which says
// what each column means. The CSV files of most offices differ only in the
// names of their columns, so a mapping is all they need:
//
//	Area Code,Area,Item,Year,Unit,Value,Flag
//	804,Ukraine,Wheat,2014,t,24113970,A
//
//	table.Mapping{
//		Axes: []table.Axis{
//			{Codes: "Area Code", Labels: "Area", Role: stat.RoleGeo},
//			{Labels: "Item"},
//		},
//		Period: table.Period{Columns: []string{"Year"}},
//		Values: []table.Value{{Column: "Value"}},
//		Flags:  []table.Flag{{Column: "Flag"}},
//		Unit:   "Unit",
//	}
//
// A [Reader] makes a format of the mapping and the headings it applies to.
//
// # Headings
//
// A mapping names columns by their headings; case and surrounding space do not
// matter. A column whose heading is repeated or empty is named by its position:
// "#2" is the second. A name that ends with a question mark ("Months?") is
// optional: a file may lack the column. The headings are the first line that has
// all columns the mapping names; the lines above it are the preamble.
//
// At most 1000 rows may precede the headings. A column that the mapping neither uses
// nor ignores is an error, unless it has no heading and all its cells are empty.
//
// # Cells
//
// Space around a cell is removed, and blank lines are skipped. The report counts
// rows × columns of values. The style of the numbers is found in a first pass over
// the whole file ([text.StyleFinder]), unless the mapping states it. A cell that is
// neither a number nor a mark for a missing value is an error.
//
// In the position of an error, the column is a byte of the line in text, and a cell
// in a workbook. The columns that messages name ("#2", "column 2") are cells.
package table

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"regexp"
	"unicode/utf8"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Limits of a file, against hostile ones.
const (
	MaxColumns = 4096
	MaxField   = 64 << 10  // bytes of a cell
	maxRecord  = 4 << 20   // bytes of a row
	maxHead    = 256 << 10 // bytes that may precede the end of the headings
)

// DecimalPoint is the style of numbers such as 1234.5.
var DecimalPoint = text.Style{Decimal: '.'}

// NoteOtherLabel counts labels that differ from an earlier label of the same
// code, which is kept.
const NoteOtherLabel = "other-label"

// NoteQuarterEnds says that months stand for the quarters that they end.
const NoteQuarterEnds = "quarter-ends"

// Mapping says what the columns of a table mean.
type Mapping struct {
	// Dataset holds what is known beforehand: Source (which a [Reader] sets), Code,
	// Name, Unit and so on. What the caller states takes precedence.
	Dataset stat.Dataset
	// Code and Name are columns that hold the dataset's code and name, the same
	// in all rows.
	Code, Name string

	Separator rune       // between cells; 0: a comma
	Decimal   string     // the usual sign, for numbers that leave it open
	Numbers   text.Style // style of the numbers; zero: found in the file
	// BareQuotes allows double quotes within a cell that does not begin with
	// one, as in tab-separated text.
	BareQuotes bool
	Header     int // line of the headings, from 1; 0: the first line with all columns
	// Headings composes headings that span several lines from a row and the rows
	// above it. It returns nil if the row is not the last of these lines.
	Headings func(above [][]string, row []string) []string

	Axes   []Axis
	Period Period
	// Stated is the period of all values of a table without periods, if the file states
	// it; the caller may state only the same.
	Stated string
	Values []Value // none for a wide table, whose columns of periods hold the values
	// Other decides whether a column that the mapping does not name is one of
	// values.
	Other func(heading string) (v Value, ok bool)
	// Measures is the dimension that distinguishes several columns of values,
	// without codes; zero: [assemble.Indicators].
	Measures stat.Dimension
	// Columns are the dimensions of columns that several heading rows distinguish, without
	// codes, in place of Measures: [Value.Codes] has a code for each.
	Columns []stat.Dimension

	Flags []Flag
	// Remarks are columns of flags or notes on one column of values that Values does not name.
	Remarks []Remark
	Notes   []string // columns of notes, joined with "; "
	// Attributes are columns that describe the area or another code. Values have them as
	// notes ("currency: Euro"); a cell without a value is missing all the same.
	Attributes []string
	Unit       string // column of each observation's unit
	// HasMultiples says that the headings of the values may state by what these are to be multiplied,
	// as "Value (thousands)" does. It is added to their units, unless these state one.
	HasMultiples bool
	Ignore       []string // columns that are not used; "*" is all that nothing else names
	// Marks are cells without a number. They take precedence over the usual marks for
	// missing values ([text.IsMissing]), which a hyphen is not. The usual ones are kept
	// as flags of the source ("NSO:.."), except a colon.
	Marks map[string]Mark

	// Preamble gets the rows above the headings, of which there may be none. Empty
	// lines are left out, so that a row's index does not tell its line. Preamble may set
	// texts of t, but not codes, which are in [Axis.List].
	Preamble func(rows [][]string, t *stat.Table) error
	// Bounds returns the headings of the bounds of a column of values that the mapping does
	// not name, or two empty texts.
	Bounds func(heading string) (lower, upper string)
	// Clean removes from the cells of a row what is no part of names and numbers, and may add
	// cells, to which [Mapping.Headings] adds headings. Nothing
	// else sees the cells before, the search for the style of numbers included.
	Clean func(cells []string) []string
	// Row decides what to do with a row before it is read and its width is checked. It
	// may rewrite the row's cells, for example to repeat a year from the row above. The
	// search for the style of numbers sees the cells as they are in the file: a Row that
	// rewrites numbers ("1.234p") needs Numbers.
	Row func(r *Row) Action
	// Suggest adds to the error of a text that is neither a number nor a mark what the caller may state of it; may be nil.
	Suggest func(err error, text string) error
	// Observe may change an observation before it is yielded; the value may be
	// NaN. It is not called for empty cells. An error gets the position of the value,
	// unless it has one.
	Observe func(r *Row, o *stat.Observation) error
	// End is called after the last row.
	End func(t *stat.Table)
}

// Axis is a dimension: a column of codes, of labels, or both. A row without a
// code has its label as the code.
type Axis struct {
	Codes  string      // column of codes
	Labels string      // column of their labels
	Else   []string    // columns that hold the code of a row whose Codes is empty
	List   []stat.Code // distinct codes in the order of a code list in the file; rows add others

	ID    string    // empty: the heading of Codes, else of Labels
	Label string    // empty: the heading of Labels, else of Codes
	Role  stat.Role // empty: by the ID ([assemble.RoleOf])

	OfPeriod bool // the code is that of the period's frequency; there is no column
	// Split returns the code and label of a cell that holds both ("M:Monthly"),
	// or the code that an empty cell stands for; without one, an empty cell is an
	// error. If the label is empty, that of the column Labels holds. To refuse a code,
	// return an error from Observe.
	Split func(cell string) (code, label string)
}

// Period says where the periods are. The zero Period is for files without
// periods: the caller must state one.
type Period struct {
	Columns []string // the column of periods, or those that form one: year and month
	Wide    bool     // or the headings: all that no other part of the mapping names
	// Read parses a period as the file writes it, several cells joined with a space;
	// nil reads the periods of offices as the whole column, or all headings, decide
	// ([text.PeriodFinder]). It returns [ErrUndated] for text in the place of a period
	// that is not one, and another error for a heading of a wide table that is not
	// one. It gets each text once, but no spans ([ReadSpan]).
	Read func(text string) (stat.Period, error)
	// IsOfStated says that Read completes the periods with that stated for the whole file.
	IsOfStated bool
	// Choices are what the caller states about periods that leave something open:
	// [text.PeriodFinder.Choices].
	Choices []string
	// Frequency is what the file states for all periods; 0: nothing.
	Frequency stat.Frequency
	// Beside returns the heading of the period ("Y1961") whose flags or notes a
	// column of a wide table holds ("Y1961F"), or two empty texts. The flags mean
	// what the mapping's first Flag says.
	Beside func(heading string) (flagsOf, notesOf string)
}

// ErrUndated is for text in the place of a period that is not one. Its cells are
// counted as [stat.NoteUndated].
var ErrUndated = errors.New("not a period")

// Value is a column of values. Lower and Upper are columns of its bounds; if any
// value has them, the dataset gets the dimension [assemble.Estimates]. The heading
// is the code in the dimension of several columns.
type Value struct {
	Column       string
	Lower, Upper string
	Code         string         // empty: the heading; columns of one code must differ in period
	Label        string         // empty: the code
	Unit         string         // of the code; of the dataset, if this is its only column of values; of each value, if there are Codes
	Period       string         // of a column whose heading holds it, with Other; empty: that of the row
	Part         string         // with Other: the period is the text in the row, a space and this, such as "2024 May"
	Flag, Note   string         // columns of its own flags, which mean what the first Flag says, and notes
	Codes        []stat.Code    // with Other, one for each of [Mapping.Columns]
	Frequency    stat.Frequency // that the file states for the column; 0: none
	Remark       string         // with Other: a note on each value of the column
}

// Remark is a column of flags or notes on one column of values. The flags mean what the first
// Flag says.
type Remark struct {
	Column, Of string
	IsNote     bool
}

// Flag is a column of flags. Means returns what a cell means, and whether the
// office's list has it; nil is [office.Status] for the dataset's source.
type Flag struct {
	Column string
	Means  func(cell string) (flags stat.Flags, known bool)
}

// Confidentiality is the meaning of the cells of a column CONF_STATUS.
func Confidentiality(cell string) (stat.Flags, bool) { return office.Confidentiality(cell), true }

// Mark is what a cell without a number means: zero, or else a missing value.
type Mark struct {
	Zero  bool
	Flags stat.Flags
}

// Action says what to do with a row.
type Action int

// The actions. Skipped rows, and all rows after a stop, are counted as
// [stat.NoteNotRead].
const (
	Use Action = iota
	Skip
	Stop // the table ends above this row
	Kept // it is no data, and the dataset has what it says
)

// Reader makes a format of tables that are recognised by their first rows.
type Reader struct {
	Name      string // of the format
	Source    string // ID of the office; empty: that of the mapping
	Separator rune   // between cells; 0: a comma
	// Encoding is that of text in neither UTF-8 nor UTF-16; empty: what its words say, and
	// Recognise gets such text undecoded.
	Encoding string
	// HeadLines is the number of lines that Recognise and Mapping get as rows; 0: one.
	// For headings at a varying line it is the last line where they may be. Empty lines,
	// and line breaks in cells, make the rows fewer, but there is one. A row's index does
	// not tell its line.
	HeadLines int
	// Recognise reports whether the office's tables begin with these rows.
	Recognise func(rows [][]string) bool
	// Mapping returns the mapping of a file by its first rows, which Recognise may
	// have refused. It is called once for each file.
	Mapping func(in format.Input, rows [][]string) (Mapping, error)
	// Trim matches parts of a file's name, which are replaced by its first group to get
	// the code of a dataset that has no other. nil matches nothing.
	Trim *regexp.Regexp
}

// Format returns the format of the reader.
func (r Reader) Format() format.Format {
	return format.Format{
		Name: r.Name,
		Recognise: func(_ string, head []byte) bool {
			_, _, ok := r.firstRows(r.decoded(head))
			return ok
		},
		Read: func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
			named := in
			named.Encoding = cmp.Or(in.Encoding, r.Encoding)
			if r.Trim != nil {
				named.Name = r.Trim.ReplaceAllString(in.Name, "$1")
			}
			return ReadBy(ctx, named, func(head []byte) (Mapping, error) {
				rows, separator, _ := r.firstRows(head)
				if len(rows) == 0 {
					return Mapping{}, stat.BadFile(stat.Position{Line: 1}, "the file is empty")
				}
				m, err := r.Mapping(in, rows)
				if m.Separator = separator; r.Source != "" {
					m.Dataset.Source = office.Find(r.Source)
				}
				return m, err
			})
		},
	}
}

// decoded returns the first bytes of a file as UTF-8, if they are in the encoding of the reader.
func (r Reader) decoded(head []byte) []byte {
	if r.Encoding == "" || isUTF8(head) {
		return head
	}
	from, err := text.Encoding(r.Encoding)
	if err != nil {
		return head
	}
	decoded, err := from.NewDecoder().Bytes(head)
	if err != nil {
		return head
	}
	return decoded
}

// isUTF8 reports whether the first bytes of a file are UTF-8, of which the last character may be cut off.
func isUTF8(head []byte) bool {
	for cut := range min(utf8.UTFMax, len(head)+1) {
		if utf8.Valid(head[:len(head)-cut]) {
			return true
		}
	}
	return false
}

// firstRows returns the first rows and the sign between their cells: the office's, or one
// with which programs save such a table again and which makes it known.
func (r Reader) firstRows(head []byte) (rows [][]string, separator rune, ok bool) {
	for _, s := range []rune{'\t', ';', ',', cmp.Or(r.Separator, ',')} { // the last one counts
		found := FirstRows(head, s, max(r.HeadLines, 1))
		if len(found) > 0 && r.Recognise != nil && r.Recognise(found) {
			rows, separator, ok = found, s, true
		}
	}
	if !ok {
		separator = cmp.Or(r.Separator, ',')
		rows = FirstRows(head, separator, max(r.HeadLines, 1))
	}
	return rows, separator, ok
}

// ReadBy reads a text file by a mapping that depends on its first lines in UTF-8;
// [FirstRows] returns their rows.
func ReadBy(ctx context.Context, in format.Input, mapping func(head []byte) (Mapping, error)) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := newReader(ctx, in)
		defer r.close()
		yield(r.openText(mapping))
	}
}

// ReadRows reads rows that do not come from text. open opens them at the beginning
// and is called up to twice.
func ReadRows(ctx context.Context, in format.Input, open func() (Rows, error), m Mapping) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := newReader(ctx, in)
		defer r.close()
		rows, err := open()
		if err != nil {
			yield(nil, err)
			return
		}
		r.rows = rows
		yield(r.open(m, open))
	}
}
