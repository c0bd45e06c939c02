// Package table reads tables of rows and columns by a [Mapping] that says
// what each column means. Nearly every office has a CSV of its own; they differ
// in nothing but the names of the columns, so that a mapping is all that most
// of them need. It reads as a sentence about the file:
//
//	Area Code,Area,Item,Year,Unit,Value,Flag
//	804,Ukraine,Wheat,2014,t,24113970,A
//
//	table.Mapping{
//		Dataset: stat.Dataset{Source: office.Find("fao")},
//		Axes: []table.Axis{
//			{Codes: "Area Code", Labels: "Area", Role: stat.RoleGeo},
//			{Labels: "Item"},
//		},
//		Period: table.Period{Column: "Year"},
//		Values: []table.Value{{Column: "Value"}},
//		Flags:  []table.Flag{{Column: "Flag"}},
//		Unit:   "Unit",
//	}
//
// # Headings
//
// Columns are named by their headings, without regard to case and to space
// around them. Where a heading stands twice, or there is none, the column is
// named by its position: "#2" is the second. A name that ends with a question
// mark ("Months?") is that of a column that a file may lack. The line of the
// headings is the first that has all columns the mapping names; what stands
// above it is the preamble.
//
// Every column is accounted for: one that the mapping neither uses nor ignores
// is an error, but for columns without a heading whose cells are all empty.
//
// # Cells
//
// White space around a cell does not belong to it. Blank lines are passed over.
// A cell of the report is a row and column of values: rows × columns of values
// in all. How the file writes numbers is settled for it as a whole in a first
// pass ([text.StyleFinder]), unless the mapping knows it. What is no number
// and no mark for a missing one is an error.
package table

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Bounds of a file, against hostile ones.
const (
	MaxColumns = 4096
	MaxField   = 64 << 10  // bytes of a cell
	maxRecord  = 4 << 20   // bytes of a row
	maxHead    = 256 << 10 // bytes in which the headings must be found
)

// NoteOtherLabel: a code has another label in a later row; the first stays.
const NoteOtherLabel = "other-label"

// Mapping says what the columns of a table mean.
type Mapping struct {
	// Dataset is what is known of the dataset beforehand: its Source, Code,
	// Name, Unit and so on. What the caller states comes before it.
	Dataset stat.Dataset
	// Code and Name are columns that hold the dataset's code and name, the same
	// in all rows.
	Code, Name string

	Separator rune       // between cells; 0: a comma
	Numbers   text.Style // how numbers are written; zero: settled by the file's numbers
	// BareQuotes says that a double quote within a cell that does not begin with
	// one is a character like any other, as in tab-separated text.
	BareQuotes bool
	Header     int // line of the headings, from 1; 0: the first with all columns that are named
	// Headings makes the headings where they stand in several lines: of a row and
	// those above it. nil says that the row is not the last of them.
	Headings func(above [][]string, row []string) []string

	Axes   []Axis
	Period Period
	Values []Value // not for a wide table, whose columns of periods hold the values
	// Other makes columns that the mapping does not name columns of values; ok
	// is false for columns that are none.
	Other func(heading string) (v Value, ok bool)
	// Measures is the dimension of several columns of values, without codes;
	// zero: that of [assemble.Indicators].
	Measures stat.Dimension

	Flags  []Flag
	Notes  []string        // columns of texts for readers, joined with "; "
	Unit   string          // column of the unit of each observation
	Ignore []string        // columns that are not used; "*" is all that nothing else names
	Marks  map[string]Mark // what cells mean that hold no number, beside the usual marks for missing ones

	// Preamble is shown the lines above the headings.
	Preamble func(lines [][]string, t *stat.Table) error
	// Row is asked what to do with a row, before anything of it is read. It may
	// rewrite the row's cells, as for a year that is carried down.
	Row func(r *Row) Verdict
	// Observe may change an observation before it is yielded; the value may be
	// NaN. It is not asked about cells that are empty.
	Observe func(r *Row, o *stat.Observation) error
	// End is called after the last row.
	End func(t *stat.Table)
}

// Axis is a dimension: a column of codes, of labels, or both. Without codes the
// labels are the codes, in a row without a code too.
type Axis struct {
	Codes  string // column of codes
	Labels string // column of their labels

	ID    string    // empty: the heading of Codes, else of Labels
	Label string    // empty: the heading of Labels, else of Codes
	Role  stat.Role // empty: what the ID says ([assemble.RoleOf])

	OfPeriod bool   // the code is that of the period's frequency; there is no column then
	Empty    string // code of rows whose cell is empty; empty: that is an error
	// Split makes code and label of a cell that holds both ("M:Monthly"). Where
	// the label is empty, that of the column Labels stays.
	Split func(cell string) (code, label string)
}

// Period says where the periods stand. The zero Period is that of files that
// have none: the caller must state it.
type Period struct {
	Column string   // the column of periods
	Parts  []string // or the columns that make one together: year and month
	Wide   bool     // or the headings themselves: all that no other part of the mapping names
	// Read reads a period as the file writes it; Parts are joined with a space.
	// nil is [ReadPeriod]. It returns [ErrUndated] for what looks like a period
	// and is none, and for headings of a wide table that are none any error.
	Read func(text string) (stat.Period, error)
	// Beside tells, in a wide table, headings of columns that belong to a period's
	// column ("Y1961F"): the heading of that ("Y1961"), and what stands there. The
	// flags mean what the mapping's first Flag says.
	Beside func(heading string) (period string, what Beside)
}

// Beside is what stands in a column beside a period's.
type Beside int

// What may stand beside the values of a period.
const (
	Nothing Beside = iota // the heading belongs to no period
	BesideFlag
	BesideNote
)

// ErrUndated says that a text stands where periods do and is none; the cells
// are counted as [stat.NoteUndated].
var ErrUndated = errors.New("this is no period")

// Value is a column of values. Lower and Upper are columns of its bounds; with
// any, the dataset gets the dimension [assemble.Estimates].
type Value struct {
	Column       string
	Lower, Upper string
	Code         string // in the dimension of several columns; empty: the heading
	Label        string // empty: the heading
	Unit         string // of the code; of the dataset, where this is its only column of values
	Flag         string // column of flags of this one; they mean what the mapping's first Flag says
}

// Flag is a column of remarks. Means tells what a cell means, known where the
// office's list has it; nil asks [office.Status] for the dataset's source.
type Flag struct {
	Column string
	Means  func(cell string) (flags stat.Flags, known bool)
}

// Confidentiality is what cells of a column CONF_STATUS mean.
func Confidentiality(cell string) (stat.Flags, bool) { return office.Confidentiality(cell), true }

// Mark is what a cell without a number means: zero, or that there is no value.
type Mark struct {
	Zero  bool
	Flags stat.Flags
}

// Verdict is what becomes of a row.
type Verdict int

// The verdicts. Rows that are skipped, and all after a stop, are counted as
// [stat.NoteNotRead].
const (
	Use Verdict = iota
	Skip
	Stop // the table ends above this row
)

// Read reads a text file by a mapping.
func Read(ctx context.Context, in format.Input, m Mapping) iter.Seq2[*stat.Table, error] {
	return ReadBy(ctx, in, func([]byte) (Mapping, error) { return m, nil })
}

// ReadBy is [Read] for files whose mapping depends on how they begin. mapping
// is shown the first lines of the file, in UTF-8; [FirstRows] are the rows of
// them.
func ReadBy(ctx context.Context, in format.Input, mapping func(head []byte) (Mapping, error)) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := newReader(ctx, in)
		defer r.close()
		file := &textFile{in: in, report: r.Report}
		defer file.close()
		head, err := file.readHead()
		if err != nil {
			yield(nil, err)
			return
		}
		m, err := mapping(head)
		if err != nil {
			yield(nil, err)
			return
		}
		file.separator, file.bareQuotes = cmp.Or(m.Separator, ','), m.BareQuotes
		yield(r.open(m, source{file.head, file.rows}))
	}
}

// ReadRows is [Read] for rows that come from no text. open opens them from the
// beginning and is called up to three times.
func ReadRows(ctx context.Context, in format.Input, open func() (Rows, error), m Mapping) iter.Seq2[*stat.Table, error] {
	return func(yield func(*stat.Table, error) bool) {
		r := newReader(ctx, in)
		defer r.close()
		yield(r.open(m, source{open, open}))
	}
}
