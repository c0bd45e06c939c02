package gho

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"almanac/internal/format/jsonscan"
	tables "almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// checkEvery is the number of records between looks at whether to stop.
const checkEvery = 1024

// noteUnknownField counts fields that are not known, and not kept.
const noteUnknownField = "unknown-field"

// answerKind is what an answer of the service lists.
type answerKind int

const (
	answerNone       answerKind = iota // the text is no answer of the service
	answerData                         // records of numbers
	answerIndicators                   // indicators
	answerCodes                        // codes of a dimension
	answerDimensions                   // dimensions
)

// isAnswer recognises answers of a kind.
func isAnswer(kind answerKind) func(string, []byte) bool {
	return func(_ string, head []byte) bool { return kindOf(head) == kind }
}

// kindOf tells what an answer lists by the fields of its first record, or by
// its address if it has none.
func kindOf(head []byte) answerKind {
	head = bytes.TrimPrefix(head, text.ByteOrderMark)
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{")) {
		return answerNone
	}
	j := jsonscan.New(bytes.NewReader(head))
	has := map[string]bool{}
	e, err := readEnvelope(j, func(start jsonscan.Token) error {
		return errors.Join(errSeen, j.Record(func(path []byte, _ jsonscan.Token) error {
			if len(has) < 64 {
				has[string(path)] = true
			}
			return nil
		}))
	})
	switch {
	case has["IndicatorCode"] && has["SpatialDim"] && has["NumericValue"]:
		return answerData
	case has["IndicatorCode"] && has["IndicatorName"] && !has["NumericValue"]:
		return answerIndicators
	case has["Code"] && has["Title"] && has["Dimension"]:
		return answerCodes
	case has["Code"] && has["Title"] && strings.Contains(e.context, "ghoapi"):
		return answerDimensions
	case err == nil && e.lists && len(has) == 0 && strings.Contains(e.context, "ghoapi"):
		return answerData
	}
	return answerNone
}

// errSeen ends the reading of an answer of which enough was seen.
var errSeen = errors.New("enough was seen")

// envelope is what an answer says beside its records.
type envelope struct {
	context, next, count string
	lists                bool // it has a list of records
}

// set takes one field.
func (e *envelope) set(key string, value jsonscan.Token) {
	switch key {
	case "@odata.context":
		e.context = string(value.Text)
	case "@odata.nextLink":
		e.next = string(value.Text)
	case "@odata.count":
		e.count = string(value.Text)
	}
}

// readEnvelope reads an answer and calls use at the beginning of each record,
// which it must read to its end.
func readEnvelope(j *jsonscan.Scanner, use func(start jsonscan.Token) error) (e envelope, err error) {
	token, err := j.Next()
	if err != nil || token.Kind != jsonscan.Object {
		return e, first(err, stat.BadFile(token.At, "an answer of the service begins with {\"@odata.context\":"))
	}
	for {
		name, err := j.Next()
		if err != nil {
			return e, err
		}
		if name.Kind == jsonscan.ObjectEnd {
			end, err := j.Next()
			if err == nil && end.Kind != jsonscan.End {
				err = stat.BadFile(end.At, "the answer is to end here")
			}
			return e, err
		}
		key := string(name.Text)
		value, err := j.Next()
		if err != nil {
			return e, err
		}
		if key == "value" && value.Kind == jsonscan.Array {
			if e.lists {
				return e, stat.BadFile(name.At, "the answer has a second list of records")
			}
			e.lists = true
			err = readList(j, use)
		} else {
			e.set(key, value)
			err = j.SkipRest(value)
		}
		if err != nil {
			return e, err
		}
	}
}

// readList reads the records of an answer.
func readList(j *jsonscan.Scanner, use func(start jsonscan.Token) error) error {
	for {
		token, err := j.Next()
		if err != nil || token.Kind == jsonscan.ArrayEnd {
			return err
		}
		if token.Kind != jsonscan.Object {
			return stat.BadFile(token.At, "a record is to be an object: {\"Id\": …}")
		}
		if err := use(token); err != nil {
			return err
		}
	}
}

// answerRecords reads the records of an answer of the service.
func answerRecords(f *file, use func(*record) (bool, error)) (partial string, err error) {
	text, err := text.Open(f.in.Again, f.in.Encoding, f.report)
	if err != nil {
		return "", err
	}
	defer text.Close()
	j := jsonscan.New(text)
	var r record
	n := 0
	e, err := readEnvelope(j, func(start jsonscan.Token) error {
		if n%checkEvery == 0 && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		n++
		r.at = start.At
		if err := r.readObject(j, f.report); err != nil {
			return err
		}
		more, err := use(&r)
		if err == nil && !more {
			err = errSeen
		}
		return err
	})
	if err != nil {
		if errors.Is(err, errSeen) {
			err = nil
		}
		return "", err
	}
	if count, err := strconv.Atoi(e.count); err == nil && count != n {
		partial = strconv.Itoa(n) + " of " + e.count + " records"
	}
	if e.next != "" {
		partial = "a page, after which comes " + e.next
	}
	return partial, nil
}

// readObject reads the rest of a record that begins with {.
func (r *record) readObject(j *jsonscan.Scanner, report *stat.Report) error {
	var has [fields]bool
	err := j.Record(func(path []byte, value jsonscan.Token) error {
		f := serviceFields[string(path)]
		switch f {
		case unused:
			return nil
		case unknown:
			report.Add(noteUnknownField, 1, string(path))
			return nil
		}
		if has[f] {
			return stat.BadFile(value.At, "the record has two fields %q", path)
		}
		has[f] = true
		if value.Kind == jsonscan.Null {
			value.Text = nil
		}
		r.set(f, value.Text)
		return nil
	})
	for f := range has {
		if !has[f] {
			r.cells[f] = ""
		}
	}
	return err
}

// isTable recognises both forms of CSV.
func isTable(_ string, head []byte) bool {
	rows := tables.FirstRows(head, ',', 1)
	return tables.HasHeadings(rows, "IndicatorCode", "SpatialDimValueCode", "FactValueNumeric") ||
		tables.HasHeadings(rows, "IndicatorCode", "SpatialDimensionValueCode", "NumericValue") ||
		tables.HasHeadings(rows, "IndicatorCode", "SpatialDim", "NumericValue")
}

// tableRecords reads the records of a CSV file.
func tableRecords(f *file, use func(*record) (bool, error)) (partial string, err error) {
	rows, err := tables.Open(f.in, ',', f.report)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	layout, err := readHeadings(rows, f.report)
	if err != nil {
		return "", err
	}
	var r record
	for n := 0; ; n++ {
		if n%checkEvery == 0 && f.ctx.Err() != nil {
			return "", f.ctx.Err()
		}
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			tables.NoteOpenEnd(rows, f.report)
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if len(row) != len(layout) {
			return "", stat.BadFile(rows.At(0), "the row has %d cells and there are %d columns; the file may be cut off", len(row), len(layout))
		}
		r.at = rows.At(0)
		for i, f := range layout {
			if f > unused {
				r.set(f, []byte(row[i]))
			}
		}
		if more, err := use(&r); err != nil || !more {
			return "", err
		}
	}
}

// readHeadings reads what the columns hold.
func readHeadings(rows tables.Rows, report *stat.Report) ([]field, error) {
	row, err := rows.Next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = stat.BadFile(stat.Position{Line: 1}, "the file is empty")
		}
		return nil, err
	}
	names := serviceFields
	if tables.HasHeadings([][]string{row}, "FactValueNumeric") {
		names = exportFields
	}
	layout := make([]field, len(row))
	var has [fields]bool
	for i, heading := range row {
		layout[i] = fieldOf(names, heading)
		switch f := layout[i]; {
		case f == unknown:
			report.Add(noteUnknownField, 1, heading)
		case f > unused && has[f]:
			return nil, stat.BadFile(rows.At(i), "there is a second column of what %q holds", heading)
		}
		has[layout[i]] = true
	}
	for f, name := range map[field]string{indicator: "indicators", place: "places", number: "numbers"} {
		if !has[f] {
			return nil, stat.BadFile(rows.At(0), "there is no column of %s", name)
		}
	}
	return layout, nil
}

// first is the first error that is one.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
