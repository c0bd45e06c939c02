package gho

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	tables "almanac/internal/format/table"
	"almanac/internal/stat"
)

// answerKind is what an answer of the service lists.
type answerKind int

const (
	answerNone       answerKind = iota // the text is no answer of the service
	answerData                         // records of numbers
	answerIndicators                   // indicators
	answerCodes                        // codes of a dimension
	answerDimensions                   // dimensions
)

func isAnswer(kind answerKind) func(string, []byte) bool {
	return func(_ string, head []byte) bool { return kindOf(head) == kind }
}

// kindOf tells what an answer lists by the fields of its first record, or by
// its address if it has none.
func kindOf(head []byte) answerKind {
	j, ok := jsonscan.Head(head, jsonscan.Object)
	if !ok {
		return answerNone
	}
	var has map[string]bool
	e, err := readEnvelope(j, func(jsonscan.Token) error {
		has, _ = j.Fields() // fewer where the head is cut off
		return errSeen
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
	case err == nil && e.records == 0 && e.lists && strings.Contains(e.context, "ghoapi"):
		return answerData
	}
	return answerNone
}

// errSeen ends the reading of records of which enough was seen.
var errSeen = errors.New("enough was seen")

// envelope is what an answer says beside its records.
type envelope struct {
	context, next, count string
	lists                bool // it has a list of records
	records              int
}

// readEnvelope reads the rest of an answer, after its {, and calls use at the
// beginning of each record, which it must read to its end.
func readEnvelope(j *jsonscan.Scanner, use func(start jsonscan.Token) error) (e envelope, err error) {
	texts := map[string]*string{"@odata.context": &e.context, "@odata.nextLink": &e.next, "@odata.count": &e.count}
	err = j.Object(func(name string, value jsonscan.Token) (err error) {
		switch {
		case name == "value" && value.Kind == jsonscan.Array:
			e.lists = true
			return j.Array(func(item jsonscan.Token) error {
				if item.Kind != jsonscan.Object {
					return stat.BadFile(item.At, "a record is to be an object: {\"Id\": …}")
				}
				e.records++
				return use(item)
			})
		case texts[name] != nil:
			*texts[name], err = j.TextOf(value)
		default:
			err = j.SkipRest(value)
		}
		return err
	})
	return e, err
}

// readAnswer reads the records of an answer of the service.
func readAnswer(in format.Input, report *stat.Report, use func(j *jsonscan.Scanner, start jsonscan.Token) error) (e envelope, err error) {
	err = jsonscan.Read(in.Again, in.Encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) (err error) {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "an answer of the service begins with {\"@odata.context\":")
		}
		e, err = readEnvelope(j, func(start jsonscan.Token) error { return use(j, start) })
		return err
	})
	return e, err
}

// answerRecords reads the records of an answer that lists numbers.
func answerRecords(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error) {
	var r record
	e, err := readAnswer(in, report, func(j *jsonscan.Scanner, start jsonscan.Token) error {
		r.at = start.At
		if err := r.readObject(j, report); err != nil {
			return err
		}
		return use(&r)
	})
	if err != nil {
		return "", err
	}
	if e.next != "" {
		return "a page, after which comes " + e.next, nil
	}
	if count, err := strconv.Atoi(e.count); err == nil && count != e.records {
		partial = strconv.Itoa(e.records) + " of " + e.count + " records"
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
			report.Add(assemble.NoteUnknownField, 1, string(path))
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
func tableRecords(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error) {
	rows, err := tables.Open(in, ',', report)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	layout, err := readHeadings(rows, report)
	if err != nil {
		return "", err
	}
	var r record
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			tables.NoteOpenEnd(rows, report)
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
		if err := use(&r); err != nil {
			return "", err
		}
	}
}

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
			report.Add(assemble.NoteUnknownField, 1, heading)
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
