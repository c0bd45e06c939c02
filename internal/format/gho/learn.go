package gho

import (
	"context"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// placeTypes are the types of places, whose codes are all of one dimension.
var placeTypes = map[string]bool{
	"COUNTRY": true, "REGION": true, "GLOBAL": true, "WORLDBANKINCOMEGROUP": true, "WORLDBANKREGION": true,
	"UNREGION": true, "UNSDGREGION": true, "UNICEFREGION": true, "MGHEREG": true, "GBDREGION": true,
}

// learn reads a list of indicators, whose names are the titles of datasets, or
// of codes of a dimension.
func learn(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	dictionary := stat.NewDictionary(sourceOf(in).ID)
	e, err := readAnswer(in, &stat.Report{}, func(j *jsonscan.Scanner, _ jsonscan.Token) error {
		cells := map[string]string{}
		err := j.Record(func(path []byte, value jsonscan.Token) error {
			switch string(path) {
			case "IndicatorCode", "IndicatorName", "Code", "Title", "Dimension":
				if value.Kind == jsonscan.String {
					cells[string(path)] = strings.TrimSpace(string(value.Text))
				}
			}
			return nil
		})
		if code := cells["IndicatorCode"]; code != "" {
			addCode(dictionary, indicatorID, stat.Code{ID: code, Label: cells["IndicatorName"]})
			dictionary.Structures[strings.ToLower(code)] = &stat.Structure{ID: code, Title: cells["IndicatorName"]}
		} else if cells["Code"] != "" && cells["Dimension"] != "" {
			addCode(dictionary, cells["Dimension"], stat.Code{ID: cells["Code"], Label: cells["Title"]})
		}
		return err
	})
	if err == nil && e.records == 0 {
		err = stat.BadFile(stat.Position{Line: 1}, "the list is empty")
	}
	return dictionary, err
}

func addCode(d *stat.Dictionary, dimension string, code stat.Code) {
	if placeTypes[strings.ToUpper(dimension)] {
		dimension = locationID
	}
	key := stat.ListName(dimension)
	list := d.Lists[key]
	if list == nil {
		list = &stat.CodeList{Name: dimension}
		d.Lists[key] = list
	}
	list.Codes = append(list.Codes, code)
}
