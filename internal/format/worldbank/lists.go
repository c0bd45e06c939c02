package worldbank

import (
	"cmp"
	"context"
	"io"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// The headings of the tables that come with the data: first in downloads of an
// indicator, then in packages of databases.
var (
	countryHeadings = [][]string{
		{"Country Code", "Region", "IncomeGroup", "TableName"},
		{"Country Code", "Short Name", "Table Name", "Income Group"},
	}
	indicatorHeadings = [][]string{
		{"INDICATOR_CODE", "INDICATOR_NAME", "SOURCE_NOTE"},
		{"Series Code", "Indicator Name", "Long definition"},
	}
	noteHeadings = [][]string{
		{"CountryCode", "SeriesCode", "DESCRIPTION"},
		{"SeriesCode", "Year", "DESCRIPTION"},
	}
)

// indicatorList is the name of the dimension, and of its list in the dictionary.
const indicatorList = "INDICATOR"

// learn reads a list of indicators with their units. Their names are also the titles
// of datasets with one indicator.
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

func learnTable(in format.Input, add func(stat.Code)) error {
	rows, err := table.Open(in, ',', &stat.Report{})
	if err != nil {
		return err
	}
	defer rows.Close()
	code, name, unit := -1, -1, -1
	for row, err := range table.All(rows) {
		if err != nil {
			return err
		}
		if code < 0 {
			for _, names := range indicatorHeadings {
				if table.HasHeadings([][]string{row}, names[:2]...) {
					code, name, unit = columnOf(row, names[0]), columnOf(row, names[1]), columnOf(row, "Unit of measure")
				}
			}
			if code < 0 {
				return stat.BadFile(rows.At(0), "the first line must have the headings of a list of indicators: INDICATOR_CODE, INDICATOR_NAME or Series Code, Indicator Name")
			}
			continue
		}
		cell := func(at int) string {
			if at < 0 || at >= len(row) {
				return ""
			}
			return strings.Clone(row[at])
		}
		add(stat.Code{ID: cell(code), Label: cell(name), Unit: cell(unit)})
	}
	return nil
}
