package gho

import (
	"strings"

	"almanac/internal/stat"
)

// field is what a column, or a field of a record, holds.
type field int

// The fields that are read. unused are known and not kept, and unknown those
// of which nothing is known.
const (
	unknown field = iota
	unused
	indicator
	indicatorName
	place
	placeName
	timeType
	timeCode
	timeText
	dimType // of the first breakdown; the second's is one further
	dimType2
	dimType3
	dimCode
	dimCode2
	dimCode3
	dimName
	dimName2
	dimName3
	origin
	originName
	sign
	number
	unit
	lowSign
	low
	highSign
	high
	shown
	comments
	changed
	fields
)

// breakdowns is how many places for breakdowns a record has.
const breakdowns = 3

// serviceFields are the names of fields in records of the OData service, first
// in its JSON, then in the CSV that is made of it.
var serviceFields = map[string]field{
	"Id": unused, "IndicatorCode": indicator, "IndicatorName": indicatorName,
	"SpatialDimType": unused, "SpatialDim": place, "ParentLocationCode": unused, "ParentLocation": unused,
	"TimeDimType": timeType, "TimeDim": timeCode, "TimeDimensionValue": timeText,
	"TimeDimensionBegin": unused, "TimeDimensionEnd": unused,
	"Dim1Type": dimType, "Dim2Type": dimType2, "Dim3Type": dimType3, "Dim1": dimCode, "Dim2": dimCode2, "Dim3": dimCode3,
	"DataSourceDimType": unused, "DataSourceDim": origin,
	"Value": shown, "NumericValue": number, "Low": low, "High": high, "Comments": comments, "Date": changed,

	"SpatialDimension": unused, "SpatialDimensionValueCode": place, "TimeDimension": timeType,
	"DisaggregatingDimension1": dimType, "DisaggregatingDimension1ValueCode": dimCode,
	"DisaggregatingDimension2": dimType2, "DisaggregatingDimension2ValueCode": dimCode2,
	"DisaggregatingDimension3": dimType3, "DisaggregatingDimension3ValueCode": dimCode3,
	"DataSourceDimension": unused, "DataSourceDimensionValueCode": origin,
}

// exportFields are the headings of the export of the data pages.
var exportFields = map[string]field{
	"IndicatorCode": indicator, "Indicator": indicatorName, "ValueType": unused, "ParentLocationCode": unused, "ParentLocation": unused,
	"Location type": unused, "SpatialDimValueCode": place, "Location": placeName, "Period type": timeType, "Period": timeText,
	"IsLatestYear": unused,
	"Dim1 type":    dimType, "Dim1": dimName, "Dim1ValueCode": dimCode,
	"Dim2 type": dimType2, "Dim2": dimName2, "Dim2ValueCode": dimCode2,
	"Dim3 type": dimType3, "Dim3": dimName3, "Dim3ValueCode": dimCode3,
	"DataSourceDimValueCode": origin, "DataSource": originName,
	"FactValueNumericPrefix": sign, "FactValueNumeric": number, "FactValueUoM": unit,
	"FactValueNumericLowPrefix": lowSign, "FactValueNumericLow": low,
	"FactValueNumericHighPrefix": highSign, "FactValueNumericHigh": high,
	"Value": shown, "FactValueTranslationID": unused, "FactComments": comments, "Language": unused, "DateModified": changed,
}

// fieldOf finds what a column holds by its heading, without regard to case.
func fieldOf(names map[string]field, heading string) field {
	for name, f := range names {
		if strings.EqualFold(name, heading) {
			return f
		}
	}
	return unknown
}

// record is one record of a file: what its fields say, trimmed, empty where
// they say nothing.
type record struct {
	cells [fields]string
	at    stat.Position // where it begins
}

// set takes what a field says. Text that repeats the record before is shared
// with it.
func (r *record) set(f field, text []byte) {
	if r.cells[f] != string(text) {
		r.cells[f] = strings.TrimSpace(string(text))
	}
}

// breakdown is one breakdown of a record.
type breakdown struct{ id, label, code, name string }

// breakdown is what stands in one of the places for breakdowns, from 0; its
// code is empty where nothing does.
func (r *record) breakdown(i int) breakdown {
	b := breakdown{label: r.cells[dimType+field(i)], code: r.cells[dimCode+field(i)], name: r.cells[dimName+field(i)]}
	if b.code == "" {
		b.code = b.name
	}
	if b.id = typeID(b.label); b.id == "" {
		b.id = "DIM" + string(rune('1'+i))
	}
	return b
}

// origin is the source of a record's number: its code and its name.
func (r *record) origin() (code, name string) {
	if r.cells[origin] == "" {
		return r.cells[originName], ""
	}
	return r.cells[origin], r.cells[originName]
}

// typeID is a type of breakdown as the service writes it.
func typeID(text string) string {
	id := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return c - 'a' + 'A'
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
			return c
		}
		return -1
	}, text)
	if id == locationID || id == indicatorID || id == originID || id == estimateID {
		return id + "_TYPE"
	}
	return id
}

// IDs of the dimensions that are no breakdowns.
const (
	locationID  = "LOCATION"
	indicatorID = "INDICATOR"
	originID    = "DATASOURCE"
	estimateID  = "ESTIMATE"
)
