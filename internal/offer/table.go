package offer

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/internal/stat"
)

const (
	maxTableBytes = 1 << 30 // of an uncompressed table
	maxSource     = 100     // characters of the name of a source
)

// Table is a table of offers: a text file with a heading and a row for each entry.
type Table struct {
	Sources []string           // in the order of the table
	Offers  map[string][]Offer // by source, in the order of the table
	Unknown []string           // columns that are not read
	// Undated is the number of entries whose last update is not a date such as
	// 2026-11-02. It is kept as it is. UndatedLine is the line of the first one.
	Undated, UndatedLine int
	// Unperiodic is the number of entries whose first or last period has no year. The
	// period is left out. UnperiodicLine is the line of the first one.
	Unperiodic, UnperiodicLine int
}

// tableColumns are the columns of a table with their other names.
var tableColumns = map[string]func(*Offer) *string{
	"source": func(o *Offer) *string { return &o.Source }, "code": func(o *Offer) *string { return &o.Code },
	"title": func(o *Offer) *string { return &o.Title }, "description": func(o *Offer) *string { return &o.Description },
	"topic": func(o *Offer) *string { return &o.Topic }, "language": func(o *Offer) *string { return &o.Language },
	"frequency": func(o *Offer) *string { return &o.Frequency }, "first_period": func(o *Offer) *string { return &o.First },
	"last_period": func(o *Offer) *string { return &o.Last }, "last_update": func(o *Offer) *string { return &o.Updated },
}

// ReadTable reads a table in UTF-8, which may be compressed with gzip. The first line
// names the columns, in any order: source, code, title, description, topic, language,
// frequency, first_period, last_period and last_update; code is required. Columns are
// separated by tabs, semicolons or commas. Fields may be quoted as in CSV; if the quotes
// of a table with tabs do not follow its rules, they are a part of the texts. source is
// the source of a table without this column.
//
// A table with a bad row is [stat.Refused] as a whole. The error lists the bad rows with
// their lines.
func ReadTable(r io.Reader, source string) (*Table, error) {
	text, err := readText(r)
	if err != nil {
		return nil, err
	}
	heading, _, _ := strings.Cut(string(text), "\n")
	separator := ','
	for _, s := range "\t;" {
		if strings.ContainsRune(heading, s) {
			separator = s
			break
		}
	}
	t, err := readRows(quotedRows(text, separator), source)
	if separator == '\t' && (errors.Is(err, csv.ErrQuote) || errors.Is(err, csv.ErrBareQuote)) {
		t, err = readRows(plainRows(text), source)
	}
	return t, err
}

// readText returns the whole table without a byte order mark.
func readText(r io.Reader) ([]byte, error) {
	in := bufio.NewReader(r)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, stat.Errorf(stat.Refused, "reading the compressed table: %v", err)
		}
		in = bufio.NewReader(unpacked)
	}
	text, err := io.ReadAll(io.LimitReader(in, maxTableBytes+1))
	switch {
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, stat.Errorf(stat.Refused, "the compressed table is damaged or incomplete: %v", err)
	case err != nil:
		return nil, err
	case len(text) > maxTableBytes:
		return nil, stat.Errorf(stat.Refused, "the table is larger than %d MiB uncompressed", maxTableBytes>>20)
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil
}

// row is a row of a table, or the error that ends it.
type row struct {
	line   int
	fields []string
	err    error
}

// quotedRows yields the rows of a table whose fields may be quoted.
func quotedRows(text []byte, separator rune) iter.Seq[row] {
	return func(yield func(row) bool) {
		in := csv.NewReader(bytes.NewReader(text))
		in.Comma, in.FieldsPerRecord = separator, -1
		for {
			fields, err := in.Read()
			if err == io.EOF {
				return
			}
			r := row{fields: fields, err: err}
			if err == nil {
				r.line, _ = in.FieldPos(0)
			}
			if !yield(r) || err != nil {
				return
			}
		}
	}
}

// plainRows yields the lines of a table whose fields are separated by tabs and never
// quoted.
func plainRows(text []byte) iter.Seq[row] {
	return func(yield func(row) bool) {
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			line = strings.TrimRight(line, "\r\n")
			if line != "" && !yield(row{line: number, fields: strings.Split(line, "\t")}) {
				return
			}
		}
	}
}

// maxBadRows is how many bad rows an error lists.
const maxBadRows = 10

// tableReader reads the rows of a table.
type tableReader struct {
	Table
	source  string
	columns []func(*Offer) *string // nil for unknown columns
	lines   map[[3]string]int      // of entries, by source, code and language
	bad     []error
	badRows int
}

func readRows(rows iter.Seq[row], source string) (*Table, error) {
	t := tableReader{Table: Table{Offers: map[string][]Offer{}}, source: source, lines: map[[3]string]int{}}
	for r := range rows {
		if r.err != nil {
			return nil, &stat.Error{Kind: stat.Refused, Message: "the table is not valid CSV", Err: r.err}
		}
		if t.columns == nil {
			if err := t.readHeading(r.fields); err != nil {
				return nil, err
			}
			continue
		}
		if err := t.readRow(r); err != nil {
			if t.badRows++; t.badRows <= maxBadRows {
				t.bad = append(t.bad, fmt.Errorf("line %d: %w", r.line, err))
			}
		}
	}
	switch {
	case t.columns == nil:
		return nil, stat.Errorf(stat.Refused, "the table is empty")
	case t.badRows > maxBadRows:
		t.bad = append(t.bad, fmt.Errorf("and %d more", t.badRows-maxBadRows))
	case t.badRows == 0 && len(t.Sources) == 0:
		return nil, stat.Errorf(stat.Refused, "the table has a heading and no rows")
	}
	if err := errors.Join(t.bad...); err != nil {
		return nil, stat.Errorf(stat.Refused, "invalid rows: %d\n%v", t.badRows, err)
	}
	return &t.Table, nil
}

func (t *tableReader) readHeading(names []string) error {
	known := map[string]bool{}
	for _, name := range names {
		key := strings.ToLower(strings.TrimSpace(name))
		column := tableColumns[key]
		switch {
		case known[key]:
			return stat.Errorf(stat.Refused, "the table has two columns %q", name)
		case column == nil:
			t.Unknown = append(t.Unknown, name)
		}
		known[key] = column != nil
		t.columns = append(t.columns, column)
	}
	switch {
	case !known["code"]:
		return stat.Errorf(stat.Refused, "the first line must name the columns, and code is missing; found %q", names)
	case !known["source"] && t.source == "":
		return stat.Errorf(stat.Refused, "the table has no column source")
	}
	return nil
}

func (t *tableReader) readRow(r row) error {
	if len(r.fields) != len(t.columns) {
		return fmt.Errorf("%d fields, but the heading has %d", len(r.fields), len(t.columns))
	}
	o := Offer{Source: t.source}
	for i, column := range t.columns {
		if !utf8.ValidString(r.fields[i]) {
			return fmt.Errorf("field %d is not UTF-8", i+1)
		}
		if column != nil {
			*column(&o) = strings.TrimSpace(r.fields[i])
		}
	}
	if err := o.check(); err != nil {
		return err
	}
	if o.dropUnperiodic() {
		t.Unperiodic++
		t.UnperiodicLine = cmp.Or(t.UnperiodicLine, r.line)
	}
	key := [3]string{o.Source, o.Code, o.Language}
	if line := t.lines[key]; line > 0 {
		return fmt.Errorf("%s:%s in the language %q is already in line %d", o.Source, o.Code, o.Language, line)
	}
	t.lines[key] = r.line
	if !slices.Contains(t.Sources, o.Source) {
		t.Sources = append(t.Sources, o.Source)
	}
	t.Offers[o.Source] = append(t.Offers[o.Source], o)
	if !isDate(o.Updated) {
		t.Undated++
		t.UndatedLine = cmp.Or(t.UndatedLine, r.line)
	}
	return nil
}

var (
	sourcePattern    = regexp.MustCompile(`^[\pL\pN][\pL\pN_.-]*$`)
	languagePattern  = regexp.MustCompile(`^[a-z]{2,3}$`)
	frequencyPattern = regexp.MustCompile(`^[A-Z][0-9]{0,3}$`)
)

func (o *Offer) check() error {
	switch {
	case o.Source == "":
		return errors.New("missing source")
	case !sourcePattern.MatchString(o.Source) || utf8.RuneCountInString(o.Source) > maxSource:
		return fmt.Errorf("invalid source %q: must consist of letters, digits, _, . and -, at most %d", o.Source, maxSource)
	case o.Code == "":
		return errors.New("missing code")
	case o.Language != "" && !languagePattern.MatchString(o.Language):
		return fmt.Errorf("invalid language %q: must be a code of ISO 639 such as en", o.Language)
	case o.Frequency != "" && !frequencyPattern.MatchString(o.Frequency):
		return fmt.Errorf("invalid frequency %q: must be an SDMX code such as A, Q or M", o.Frequency)
	}
	return nil
}

var yearPattern = regexp.MustCompile(`(^|[^0-9])[0-9]{4}([^0-9]|$)|^[0-9]{6,8}$`)

// dropUnperiodic empties the periods without a year, and reports whether there is one.
func (o *Offer) dropUnperiodic() (dropped bool) {
	for _, period := range []*string{&o.First, &o.Last} {
		if *period != "" && !yearPattern.MatchString(*period) {
			*period, dropped = "", true
		}
	}
	return dropped
}

// isDate reports whether a text is a date, with or without a time, or empty.
func isDate(text string) bool {
	_, dateErr := time.Parse(time.DateOnly, text)
	_, timeErr := time.Parse(time.RFC3339, text)
	return text == "" || dateErr == nil || timeErr == nil
}
