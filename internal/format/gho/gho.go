// Package gho reads files of the World Health Organization's Global Health
// Observatory: the answers of its OData service in JSON, the same records in CSV, the
// CSV that its data pages export, and that of its older service (athena.go).
//
// An answer is a list of records, one for each indicator, place, year and breakdown:
//
//	{"@odata.context":"https://ghoapi.azureedge.net/api/$metadata#WHOSIS_000001",
//	 "value":[
//	  {"Id":804,"IndicatorCode":"WHOSIS_000001","SpatialDimType":"COUNTRY",
//	   "SpatialDim":"SOM","TimeDimType":"YEAR","TimeDim":2008,
//	   "Dim1Type":"SEX","Dim1":"SEX_MLE", … ,"Value":"48.0 [46.7-49.6]",
//	   "NumericValue":48.03754,"Low":46.71678,"High":49.62846, … }, …]}
//
// The CSV forms have a column for each of these, under other names:
//
//	IndicatorCode,…,SpatialDimensionValueCode,…,NumericValue,Low,High,…
//	IndicatorCode,Indicator,…,SpatialDimValueCode,Location,…,FactValueNumeric,…
//
// Rules of reading:
//
//   - The value is NumericValue; Value is how it is shown. If there is only the
//     text ("No data", "Yes", "<1"), the value is missing and the text is its
//     note. A sign before the number (<, >) is also a note.
//   - If any record has bounds, each record has three cells: value, lower and
//     upper, distinguished by the dimension ESTIMATE.
//   - A breakdown is a dimension named after its type (SEX), in whichever of the
//     three places for breakdowns it is. Records without it have the code _X.
//     Types are written as in the service: "Age Group" of an export is AGEGROUP.
//   - Countries, WHO's regions and groups by income are codes of one geography,
//     LOCATION. The region or group of a country is not kept with each of its values, because
//     these are areas in other records; attribute-not-kept names its columns.
//   - The source of a number is a note, or a dimension if a file has numbers from
//     several sources for one place and time.
//   - A file with several indicators has the dimension INDICATOR.
//   - The dataset's time of update is that of its newest record.
package gho

import (
	"cmp"
	"context"
	"iter"
	"strings"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/jsonscan"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats returns the formats of the observatory.
func Formats() []format.Format {
	return []format.Format{
		{Name: "gho-json", Recognise: isAnswer("gho-json"), Read: readBy(answerRecords)},
		{Name: "gho-csv", Recognise: isTable, Read: readBy(tableRecords)},
		{Name: "gho-athena", Recognise: isAthena, Read: readBy(athenaRecords)},
		{Name: "gho-indicators", Recognise: isAnswer("gho-indicators"), Holds: "a list of indicators of the Global Health Observatory", Learn: learn},
		{Name: "gho-codes", Recognise: isAnswer("gho-codes"), Holds: "a list of codes of the Global Health Observatory", Learn: learn},
		{Name: "gho-dimensions", Recognise: isAnswer("gho-dimensions"), Holds: "a list of dimensions of the Global Health Observatory"},
	}
}

// sourceOf returns the office of a file: WHO, unless the caller states another.
func sourceOf(in format.Input) stat.Source { return office.Find(cmp.Or(in.Source, "who")) }

// records reads the records of a file from its beginning and passes each to use, which
// must not keep it; an error of use ends the reading. If the file does not have all
// records, partial says so in its words.
type records func(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error)

func readBy(read records) func(context.Context, format.Input) iter.Seq2[*stat.Table, error] {
	return func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		return func(yield func(*stat.Table, error) bool) {
			r := &reader{Table: assemble.New(ctx, in.Name), in: in, records: read, texts: text.Interner{}}
			yield(r.open())
		}
	}
}

// placeTypes are the types of places, which form one dimension.
var placeTypes = map[string]bool{
	"COUNTRY": true, "REGION": true, "GLOBAL": true, "WORLDBANKINCOMEGROUP": true, "WORLDBANKREGION": true,
	"UNREGION": true, "UNSDGREGION": true, "UNICEFREGION": true, "MGHEREG": true, "GBDREGION": true,
}

// learn reads a list of indicators, whose names are titles of datasets, or a list of
// codes of dimensions.
func learn(_ context.Context, in format.Input) (*stat.Dictionary, error) {
	dictionary := stat.NewDictionary(sourceOf(in).ID)
	e, err := readAnswer(in, &stat.Report{}, func(j *jsonscan.Scanner, start jsonscan.Token) error {
		texts, err := j.Texts(start)
		for name, text := range texts {
			texts[name] = strings.TrimSpace(text)
		}
		if code, name := texts["IndicatorCode"], texts["IndicatorName"]; code != "" {
			addCode(dictionary, indicatorID, stat.Code{ID: code, Label: name})
			dictionary.Structures[strings.ToLower(code)] = &stat.Structure{ID: code, Title: name}
		} else if texts["Code"] != "" && texts["Dimension"] != "" {
			addCode(dictionary, texts["Dimension"], stat.Code{ID: texts["Code"], Label: texts["Title"]})
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
	if d.Lists[key] == nil {
		d.Lists[key] = &stat.CodeList{Name: dimension}
	}
	d.Lists[key].Codes = append(d.Lists[key].Codes, code)
}
