package gho

import (
	"context"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// placeTypes are the types of places, whose codes are all of one dimension.
var placeTypes = map[string]bool{
	"COUNTRY": true, "REGION": true, "GLOBAL": true, "WORLDBANKINCOMEGROUP": true, "WORLDBANKREGION": true,
	"UNREGION": true, "UNSDGREGION": true, "UNICEFREGION": true, "MGHEREG": true, "GBDREGION": true,
}

// learn reads a list of indicators, whose names are the titles of datasets, or
// of codes of a dimension.
func learn(ctx context.Context, in format.Input) (*stat.Dictionary, error) {
	text, err := text.Open(in.Again, in.Encoding, &stat.Report{})
	if err != nil {
		return nil, err
	}
	defer text.Close()
	j := jsonscan.New(text)
	dictionary := stat.NewDictionary(sourceOf(in).ID)
	n := 0
	_, err = readEnvelope(j, func(start jsonscan.Token) error {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n++
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
		if err != nil {
			return err
		}
		if code := cells["IndicatorCode"]; code != "" {
			teach(dictionary, indicatorID, stat.Code{ID: code, Label: cells["IndicatorName"]})
			dictionary.Structures[strings.ToLower(code)] = &stat.Structure{ID: code, Title: cells["IndicatorName"]}
		} else if cells["Code"] != "" && cells["Dimension"] != "" {
			teach(dictionary, cells["Dimension"], stat.Code{ID: cells["Code"], Label: cells["Title"]})
		}
		return nil
	})
	if err == nil && n == 0 {
		err = stat.BadFile(stat.Position{Line: 1}, "the list is empty")
	}
	return dictionary, err
}

// teach adds a code to the list of a dimension.
func teach(d *stat.Dictionary, dimension string, code stat.Code) {
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
