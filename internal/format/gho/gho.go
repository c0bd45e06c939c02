// Package gho reads what the World Health Organization's Global Health
// Observatory publishes: the answers of its OData service as JSON, the same
// records as CSV, and the CSV that its data pages export.
//
// An answer is a list of records, one for each indicator, place, year and
// breakdown:
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
//   - The value is NumericValue; Value is how it is shown. Where there is only
//     the text ("No data", "Yes", "<1"), the value is missing and the text its
//     note. A sign before the number (<, >) is a note, too.
//   - Where any record has bounds, each gives three cells: value, lower, upper,
//     told apart by the dimension ESTIMATE.
//   - A breakdown is a dimension named for its type (SEX), whichever of the
//     three places for breakdowns it stands in. Records without it have the
//     code _X there. Types are written as the service does: "Age Group" of an
//     export is AGEGROUP.
//   - Countries, WHO's regions and groups by income are codes of one geography,
//     LOCATION. The region that a country belongs to is not kept.
//   - The source of a number is a note, and a dimension only in files that have
//     numbers from several for one place and time.
//   - A file with several indicators has the dimension INDICATOR.
//   - The dataset was updated when the newest of its records was.
package gho

import (
	"context"
	"iter"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Formats are the formats of the observatory's files.
func Formats() []format.Format {
	return []format.Format{
		{Name: "gho-json", Recognise: isAnswer(answerData), Read: reader(answerRecords)},
		{Name: "gho-csv", Recognise: isTable, Read: reader(tableRecords)},
		{Name: "gho-indicators", Recognise: isAnswer(answerIndicators), Holds: "a list of indicators of the Global Health Observatory", Learn: learn},
		{Name: "gho-codes", Recognise: isAnswer(answerCodes), Holds: "a list of codes of the Global Health Observatory", Learn: learn},
		{Name: "gho-dimensions", Recognise: isAnswer(answerDimensions), Holds: "a list of dimensions of the Global Health Observatory"},
	}
}

// sourceOf is the office of a file: WHO, or what the caller states.
func sourceOf(in format.Input) stat.Source {
	if in.Source != "" {
		return office.Find(in.Source)
	}
	return office.Find("who")
}

// records reads the records of a file from its beginning, in either form. Each
// is used again for the next one; an error of use ends the reading. Partial says
// in the file's words that it has not all records.
type records func(in format.Input, report *stat.Report, use func(*record) error) (partial string, err error)

// reader yields the one dataset of a file.
func reader(read records) func(context.Context, format.Input) iter.Seq2[*stat.Table, error] {
	return func(ctx context.Context, in format.Input) iter.Seq2[*stat.Table, error] {
		return func(yield func(*stat.Table, error) bool) {
			t := &table{Table: assemble.New(ctx, in.Name), in: in, records: read, texts: text.Interner{}}
			yield(t.open())
		}
	}
}
