package gho

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// isAnswer recognises the answers of the service that are of the format with a name.
func isAnswer(name string) func(string, []byte) bool {
	return func(_ string, head []byte) bool { return formatOf(head) == name }
}

// formatOf returns the name of the format of an answer, by the fields of its first
// record or, if it has none, by its address. It is empty for any other text.
func formatOf(head []byte) string {
	j, ok := jsonscan.Head(head, jsonscan.Object)
	if !ok {
		return ""
	}
	var has map[string]bool
	e, err := readEnvelope(j, jsonscan.Token{Kind: jsonscan.Object}, func(jsonscan.Token) error {
		has, _ = j.Fields() // fewer if the head is cut off
		return errEnough
	})
	isService := strings.Contains(e.context, "ghoapi")
	switch {
	case has["IndicatorCode"] && has["SpatialDim"] && has["NumericValue"]:
		return "gho-json"
	case has["IndicatorCode"] && has["IndicatorName"] && !has["NumericValue"]:
		return "gho-indicators"
	case has["Code"] && has["Title"] && has["Dimension"]:
		return "gho-codes"
	case has["Code"] && has["Title"] && isService:
		return "gho-dimensions"
	case err == nil && e.records == 0 && e.hasList && isService:
		return "gho-json"
	}
	return ""
}

// errEnough ends the reading of records.
var errEnough = errors.New("no more records are needed")

type envelope struct {
	context, next, count string
	hasList              bool
	records              int
}

// readEnvelope reads an answer, and calls use at the beginning of each record, which
// use must read to its end.
func readEnvelope(j *jsonscan.Scanner, answer jsonscan.Token, use func(start jsonscan.Token) error) (e envelope, err error) {
	err = j.Decode(answer, map[string]any{
		"@odata.context": &e.context, "@odata.nextLink": &e.next, "@odata.count": &e.count,
		"value": func(value jsonscan.Token) error {
			if value.Kind != jsonscan.Array {
				return j.SkipRest(value)
			}
			e.hasList = true
			return j.Array(func(item jsonscan.Token) error {
				if item.Kind != jsonscan.Object {
					return stat.BadFile(item.At, "a record must be an object: {\"Id\": …}")
				}
				e.records++
				return use(item)
			})
		},
	})
	return e, err
}

func readAnswer(in format.Input, report *stat.Report, use func(j *jsonscan.Scanner, start jsonscan.Token) error) (e envelope, err error) {
	err = jsonscan.Read(in.Again, in.Encoding, report, func(j *jsonscan.Scanner, first jsonscan.Token) (err error) {
		if first.Kind != jsonscan.Object {
			return stat.BadFile(first.At, "an answer of the service must begin with {\"@odata.context\":")
		}
		e, err = readEnvelope(j, first, func(start jsonscan.Token) error { return use(j, start) })
		return err
	})
	return e, err
}

func answerRecords(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error) {
	var r record
	var at [fields]stat.Position
	e, err := readAnswer(in, report, func(j *jsonscan.Scanner, start jsonscan.Token) error {
		r.at = start.At
		if err := serviceFields.Read(j, r.cells[:], at[:], report); err != nil {
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
		return fmt.Sprintf("%d of %s records", e.records, e.count), nil
	}
	return "", nil
}

func isTable(_ string, head []byte) bool {
	rows := table.FirstRows(head, ',', 1)
	return table.HasHeadings(rows, "IndicatorCode", "SpatialDimValueCode", "FactValueNumeric") ||
		table.HasHeadings(rows, "IndicatorCode", "SpatialDimensionValueCode", "NumericValue") ||
		table.HasHeadings(rows, "IndicatorCode", "SpatialDim", "NumericValue")
}

func tableRecords(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error) {
	rows, err := table.Open(in, ',', report)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var layout []int
	var r record
	for row, err := range table.All(rows) {
		switch {
		case err != nil:
			return "", err
		case layout == nil:
			if layout, err = readHeadings(row, rows, report); err != nil {
				return "", err
			}
			continue
		case len(row) != len(layout):
			return "", stat.BadFile(rows.At(0), "the row has %d cells, but the table has %d columns; the file may be cut off", len(row), len(layout))
		}
		r.at = rows.At(0)
		for i, f := range layout {
			if f >= 0 && r.cells[f] != row[i] {
				r.cells[f] = strings.Clone(row[i])
			}
		}
		if err := use(&r); err != nil {
			return "", err
		}
	}
	table.NoteOpenEnd(rows, report)
	return "", nil
}

// readHeadings returns the field of each column.
func readHeadings(row []string, rows table.Rows, report *stat.Report) ([]int, error) {
	names := serviceFields
	if table.HasHeadings([][]string{row}, "FactValueNumeric") {
		names = exportFields
	}
	layout := make([]int, len(row))
	for i, heading := range row {
		isKnown := false
		layout[i] = unused
		for name, f := range names {
			if strings.EqualFold(name, heading) {
				layout[i], isKnown = f, true
			}
		}
		switch {
		case !isKnown:
			report.Add(jsonscan.NoteUnknownField, 1, heading)
		case layout[i] != unused && slices.Contains(layout[:i], layout[i]):
			return nil, stat.BadFile(rows.At(i), "%q is the second column of the same field", heading)
		}
	}
	for f, name := range map[int]string{indicator: "indicators", place: "places", number: "numbers"} {
		if !slices.Contains(layout, f) {
			return nil, stat.BadFile(rows.At(0), "the table has no column of %s", name)
		}
	}
	return layout, nil
}
