package exports

import (
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// data.un.org exports a column of areas' names, dimensions, the time, a unit, and a value,
// most with the numbers of footnotes. Their texts follow the table:
//
//	"Country or Area","Element","Year","Unit","Value","Value Footnotes"
//	"Afghanistan","Value","2019","million No","3.80","1,2"
//
//	"footnoteSeqID","Footnote"
//	"1","Estimate."
const (
	headCountry  = "Country or Area"
	footnotesOf  = " Footnotes"
	maxFootnotes = 10_000
)

// undataTimes are the headings of the time.
var undataTimes = []string{"Year", "Year(s)", "Period", "Month"}

func isUNdata(rows [][]string) bool {
	return rows[0][0] == headCountry && undataValue(rows[0]) >= 0 && slices.ContainsFunc(rows[0], func(h string) bool { return slices.Contains(undataTimes, h) })
}

// undataValue returns the column of values: the one with footnotes, or the last one if
// none has any.
func undataValue(headings []string) int {
	at := slices.IndexFunc(headings, func(h string) bool { return h != "" && slices.Contains(headings, h+footnotesOf) })
	if last := len(headings) - 1; at < 0 && (headings[last] == "Value" || headings[last] == "Quantity") {
		return last
	}
	return at
}

func mapUNdata(in format.Input, rows [][]string) (table.Mapping, error) {
	m := table.Mapping{Numbers: table.DecimalPoint}
	value := undataValue(rows[0])
	if value < 0 {
		return m, stat.BadFile(stat.Position{Line: 1}, "the table has no column of values: the last is neither Value nor Quantity, and none has one of footnotes beside it")
	}
	footnotes := rows[0][value] + footnotesOf
	for i, h := range rows[0] {
		switch {
		case i == value:
			m.Values = []table.Value{{Column: h}}
		case h == footnotes:
			m.Notes = []string{h}
		case slices.Contains(undataTimes, h) && len(m.Period.Columns) == 0:
			m.Period.Columns = []string{h}
		case h == "Unit":
			m.Unit = h
		case h == headCountry:
			m.Axes = append(m.Axes, table.Axis{Labels: h, Role: stat.RoleGeo})
		default:
			m.Axes = append(m.Axes, table.Axis{Labels: h, Role: stat.RoleOther, Split: orNone})
		}
	}
	texts, err := readFootnotes(in)
	at := slices.Index(rows[0], footnotes)
	m.Row = func(r *table.Row) table.Action {
		if isFootnoteHead(r.Cells) {
			return table.Stop
		}
		if at >= 0 && at < len(r.Cells) {
			r.Cells[at] = footnoteTexts(r.Cells[at], texts)
		}
		return table.Use
	}
	return m, err
}

func isFootnoteHead(row []string) bool {
	return len(row) > 0 && (row[0] == "footnoteSeqID" || row[0] == "fnSeqID")
}

// readFootnotes returns the texts of the footnotes by their numbers.
func readFootnotes(in format.Input) (map[string]string, error) {
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var texts map[string]string
	for row, err := range table.All(rows) {
		switch {
		case err != nil:
			return nil, err
		case isFootnoteHead(row):
			texts = map[string]string{}
		case texts != nil && len(row) > 1 && len(texts) < maxFootnotes:
			texts[strings.Clone(row[0])] = strings.Clone(row[1])
		}
	}
	return texts, nil
}

// footnoteTexts replaces the numbers "1,2" by their texts.
func footnoteTexts(numbers string, texts map[string]string) string {
	if numbers == "" {
		return ""
	}
	var found []string
	for number := range strings.SplitSeq(numbers, ",") {
		text, ok := texts[strings.TrimSpace(number)]
		if !ok {
			return numbers
		}
		found = append(found, text)
	}
	return strings.Join(found, "; ")
}
