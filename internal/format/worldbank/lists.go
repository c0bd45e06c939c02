package worldbank

import (
	"context"
	"errors"
	"io"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// The headings by which the tables beside the data are known. Downloads of an
// indicator have the first ones, packages of whole databases the others.
var (
	countryHeadings = [][]string{
		{"Country Code", "Region", "IncomeGroup", "TableName"},
		{"Country Code", "Short Name", "Table Name", "Income Group"},
	}
	indicatorHeadings = []indicatorTable{
		{"INDICATOR_CODE", "INDICATOR_NAME", "", "SOURCE_NOTE"},
		{"Series Code", "Indicator Name", "Unit of measure", "Long definition"},
	}
	noteHeadings = [][]string{
		{"CountryCode", "SeriesCode", "DESCRIPTION"},
		{"SeriesCode", "Year", "DESCRIPTION"},
	}
)

// indicatorTable are the headings of a list of indicators; unit may be "".
type indicatorTable struct{ code, name, unit, text string }

// isCountries recognises lists of countries.
func isCountries(_ string, head []byte) bool {
	return kindOf(head) == answerCountries || headedBy(head, countryHeadings...)
}

// isNotes recognises tables of notes on countries, series and years.
func isNotes(_ string, head []byte) bool { return headedBy(head, noteHeadings...) }

// isIndicators recognises lists of indicators.
func isIndicators(_ string, head []byte) bool {
	if kindOf(head) == answerIndicators {
		return true
	}
	for _, t := range indicatorHeadings {
		if headedBy(head, []string{t.code, t.name, t.text}) {
			return true
		}
	}
	return false
}

// headedBy reports whether the first row has all headings of one of the lists.
func headedBy(head []byte, lists ...[]string) bool {
	rows := table.FirstRows(head, ',', 1)
	for _, names := range lists {
		if table.HasHeadings(rows, names...) {
			return true
		}
	}
	return false
}

// indicatorList is the name of the list of indicators in the dictionary, which
// is that of the dimension.
const indicatorList = "INDICATOR"

// learn reads a list of indicators: their names, which are the titles of the
// datasets of one indicator, and their units.
func learn(ctx context.Context, in format.Input) (*stat.Dictionary, error) {
	dictionary := stat.NewDictionary(sourceOf(in).ID)
	list := &stat.CodeList{Name: indicatorList}
	dictionary.Lists[stat.ListName(indicatorList)] = list
	add := func(code stat.Code) {
		key := strings.ToLower(code.ID)
		if key == "" || dictionary.Structures[key] != nil {
			return
		}
		list.Codes = append(list.Codes, code)
		dictionary.Structures[key] = &stat.Structure{ID: code.ID, Title: code.Label}
	}
	head, err := in.Again()
	if err != nil {
		return nil, err
	}
	var start [512]byte
	n, _ := io.ReadFull(head, start[:]) // a short file is one, too
	_ = head.Close()
	if strings.HasPrefix(strings.TrimLeft(string(start[:n]), "\xef\xbb\xbf \t\r\n"), "[") {
		err = learnAnswer(ctx, in, add)
	} else {
		err = learnTable(ctx, in, add)
	}
	if err == nil && len(list.Codes) == 0 {
		err = stat.BadFile(stat.Position{Line: 1}, "the list of indicators is empty")
	}
	return dictionary, err
}

// learnAnswer reads a list of indicators of the API.
func learnAnswer(ctx context.Context, in format.Input, add func(stat.Code)) error {
	text, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return err
	}
	defer text.Close()
	j := jsonscan.New(text)
	if _, err := readHeader(j); err != nil {
		return err
	}
	if token, err := j.Next(); err != nil || token.Kind != jsonscan.Array {
		return first(err, stat.BadFile(token.At, "a list of indicators is to follow the header of the answer"))
	}
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, err := j.Next()
		if err != nil || token.Kind == jsonscan.ArrayEnd {
			return err
		}
		if token.Kind != jsonscan.Object {
			return stat.BadFile(token.At, "an indicator is to be an object: {\"id\": …}")
		}
		var code stat.Code
		err = j.Record(func(path []byte, value jsonscan.Token) error {
			if value.Kind == jsonscan.String {
				switch string(path) {
				case "id":
					code.ID = strings.TrimSpace(string(value.Text))
				case "name":
					code.Label = strings.TrimSpace(string(value.Text))
				case "unit":
					code.Unit = strings.TrimSpace(string(value.Text))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		add(code)
	}
}

// learnTable reads a list of indicators as CSV.
func learnTable(ctx context.Context, in format.Input, add func(stat.Code)) error {
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return err
	}
	defer rows.Close()
	head, err := rows.Next()
	if err != nil {
		return first(endOfList(err), err)
	}
	code, name, unit := -1, -1, -1
	for _, t := range indicatorHeadings {
		if hasAll(head, t.code, t.name) {
			code, name, unit = columnOf(head, t.code), columnOf(head, t.name), columnOf(head, t.unit)
		}
	}
	if code < 0 {
		return stat.BadFile(rows.At(0), "the first line has none of the headings of a list of indicators: INDICATOR_CODE, INDICATOR_NAME or Series Code, Indicator Name")
	}
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		cell := func(at int) string {
			if at < 0 || at >= len(row) {
				return ""
			}
			return strings.Clone(row[at])
		}
		add(stat.Code{ID: cell(code), Label: cell(name), Unit: cell(unit)})
	}
}

// endOfList is what the end of a file means where its headings are to be.
func endOfList(err error) error {
	if errors.Is(err, io.EOF) {
		return stat.BadFile(stat.Position{Line: 1}, "the file is empty")
	}
	return err
}
