package worldbank

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The headings of the tables that come with the data: first those in downloads of
// an indicator, then those in packages of whole databases.
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

// indicatorTable are the headings of a list of indicators; unit may be empty.
type indicatorTable struct{ code, name, unit, text string }

func isCountries(_ string, head []byte) bool {
	return kindOf(head) == answerCountries || hasHeadings(head, countryHeadings...)
}

func isNotes(_ string, head []byte) bool { return hasHeadings(head, noteHeadings...) }

func isIndicators(_ string, head []byte) bool {
	return kindOf(head) == answerIndicators || slices.ContainsFunc(indicatorHeadings, func(t indicatorTable) bool {
		return hasHeadings(head, []string{t.code, t.name, t.text})
	})
}

// hasHeadings reports whether the first row has all headings of one of the lists.
func hasHeadings(head []byte, lists ...[]string) bool {
	rows := table.FirstRows(head, ',', 1)
	return slices.ContainsFunc(lists, func(names []string) bool { return table.HasHeadings(rows, names...) })
}

// indicatorList is the name of the list of indicators in the dictionary, and of
// the dimension.
const indicatorList = "INDICATOR"

// learn reads a list of indicators: their units, and their names, which are the
// titles of datasets with one indicator.
func learn(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	dictionary := stat.NewDictionary(office.Find(cmp.Or(in.Source, "worldbank")).ID)
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
	var head [512]byte
	n, _ := io.ReadFull(in.Data, head[:]) // a file may be shorter
	learnFrom := learnTable
	if _, isJSON := jsonscan.Head(head[:n], jsonscan.Array); isJSON {
		learnFrom = learnAnswer
	}
	err := learnFrom(in, add)
	if err == nil && len(list.Codes) == 0 {
		err = stat.BadFile(stat.Position{Line: 1}, "the list of indicators is empty")
	}
	return dictionary, err
}

// learnAnswer reads a list of indicators of the API.
func learnAnswer(in format.Input, add func(stat.Code)) error {
	return readAnswer(in, &stat.Report{}, func(j *jsonscan.Scanner, _ header, list jsonscan.Token) error {
		if list.Kind != jsonscan.Array {
			return stat.BadFile(list.At, "the header of the answer must be followed by a list of indicators")
		}
		return j.Array(func(item jsonscan.Token) error {
			if item.Kind != jsonscan.Object {
				return stat.BadFile(item.At, "an indicator must be an object: {\"id\": …}")
			}
			texts, err := j.Texts(item)
			add(stat.Code{ID: strings.TrimSpace(texts["id"]), Label: strings.TrimSpace(texts["name"]), Unit: strings.TrimSpace(texts["unit"])})
			return err
		})
	})
}

// learnTable reads a list of indicators as CSV.
func learnTable(in format.Input, add func(stat.Code)) error {
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return err
	}
	defer rows.Close()
	head, err := rows.Next()
	if err == io.EOF {
		return stat.BadFile(stat.Position{Line: 1}, "the file is empty")
	}
	if err != nil {
		return err
	}
	code, name, unit := -1, -1, -1
	for _, t := range indicatorHeadings {
		if table.HasHeadings([][]string{head}, t.code, t.name) {
			code, name, unit = columnOf(head, t.code), columnOf(head, t.name), columnOf(head, t.unit)
		}
	}
	if code < 0 {
		return stat.BadFile(rows.At(0), "the first line must have the headings of a list of indicators: INDICATOR_CODE, INDICATOR_NAME or Series Code, Indicator Name")
	}
	for {
		row, err := rows.Next()
		if err == io.EOF {
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
