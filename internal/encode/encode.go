// Package encode is the contract of the forms in which data are handed out as files. Each
// form is a package below it with one function:
//
//	func Write(w io.Writer, t *encode.Table, o encode.Options) error
//
// It writes while it reads [stat.Extract.Blocks], which may be ranged over once, so that
// memory does not grow with the table unless the form needs it. It returns the errors of the
// extract and of w. A form that cannot hold the table returns a [stat.Invalid] error before it
// writes; the error names the bound and a form without it.
//
// Every form has the numbers as the office published them, in the shortest decimal that reads
// back the same; the codes; the flags, also of missing values; the units; and the version,
// source and licence of the dataset.
package encode

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"almanac/internal/licence"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// Table is the answer to a query, with what travels with the numbers.
type Table struct {
	Vintage *store.Vintage // in the reader's language
	Extract *stat.Extract  // selected with flags: also cells that have no value
	// Again runs the query again and returns its blocks, for forms that must know them before
	// they begin to write.
	Again func() (iter.Seq2[*stat.Block, error], error)

	Transform string          // how values are derived, such as "index:2015"; empty for the office's own
	Address   string          // where this answer can be read again
	Versions  string          // where the versions of the dataset are listed
	Licence   licence.Licence // unknown members are empty
	// Notices says what a reader should know of the answer. It may be called when
	// Extract.Blocks has been read; isEmpty says that there were none.
	Notices func(isEmpty bool) []Notice
}

// Notice reports something valid that is probably not intended, such as a value that the
// dataset does not have.
type Notice struct {
	Parameter, Value, Message string
	Nearest                   []string // similar values
}

// String returns the notice in one sentence: parameter, message and similar values. The value is there if the
// message does not begin with it.
func (n Notice) String() string {
	text := n.Message
	switch {
	case n.Parameter == "":
	case n.Value == "", strings.HasPrefix(n.Message, strconv.Quote(n.Value)):
		text = n.Parameter + ": " + n.Message
	default:
		text = fmt.Sprintf("%s %.80q: %s", n.Parameter, n.Value, n.Message)
	}
	if len(n.Nearest) > 0 {
		text += "; nearest: " + strings.Join(n.Nearest, ", ")
	}
	return text
}

// Reference returns the source and code of the dataset: "eurostat:une_rt_a".
func (t *Table) Reference() string {
	return t.Vintage.Dataset.Source.ID + ":" + t.Vintage.Dataset.Code
}

// HasUpdateTime reports whether the source states when it updated the data. If not, LastUpdate of the
// vintage is the time of import.
func (t *Table) HasUpdateTime() bool { return !t.Vintage.Dataset.Updated.IsZero() }

// Options are what a caller chose of a form.
type Options struct {
	Labels    Labels
	Wide      Wide
	Separator byte // between cells; 0: comma
	Decimal   byte // decimal sign; 0: point
	BOM       bool // begin with a byte order mark

	ISOPeriods bool // also write periods as ISO 8601 and SDMX do: 2024-Q1
}

// Labels says whether dimensions are written as codes, labels or both.
type Labels string

// The ways to write dimensions. The empty one is both.
const (
	LabelsBoth Labels = "both"
	LabelsCode Labels = "code"
	LabelsOnly Labels = "label"
)

// Wide says what has columns of its own. The empty Wide has one observation per row.
type Wide string

// What may have columns of its own.
const (
	WideArea   Wide = "area"
	WidePeriod Wide = "period"
)
