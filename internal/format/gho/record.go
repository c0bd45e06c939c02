package gho

import (
	"cmp"
	"fmt"
	"strings"

	"almanac/internal/format/jsonscan"
	"almanac/internal/stat"
)

// The cells of a record; unused fields are known but not kept.
const (
	unused = iota - 1
	indicator
	indicatorName
	place
	placeName
	parent // the region of a country
	parentName
	timeType
	timeCode
	timeText
	dimType // of the first breakdown; those of the others follow
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

// serviceFields are the fields of the OData service, first in JSON, then in CSV.
var serviceFields = jsonscan.Columns{
	"Id": unused, "IndicatorCode": indicator, "IndicatorName": indicatorName,
	"SpatialDimType": unused, "SpatialDim": place, "ParentLocationCode": parent, "ParentLocation": parentName,
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
var exportFields = jsonscan.Columns{
	"IndicatorCode": indicator, "Indicator": indicatorName, "ValueType": unused, "ParentLocationCode": parent, "ParentLocation": parentName,
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

// record is one record of a file; its cells are trimmed.
type record struct {
	cells   [fields]string
	at      stat.Position // where it begins
	regions []string      // the filled columns that say in which region or group the place is
}

// besidePlace returns the filled columns that say something of the place and are not kept.
func (r *record) besidePlace() []string {
	columns := r.regions
	if r.cells[parent] != "" {
		columns = append(columns, "ParentLocationCode")
	}
	if r.cells[parentName] != "" {
		columns = append(columns, "ParentLocation")
	}
	return columns
}

type breakdown struct{ id, label, code, name string }

func (r *record) breakdowns() (all []breakdown) {
	for i := range 3 {
		b := breakdown{label: r.cells[dimType+i], code: r.cells[dimCode+i], name: r.cells[dimName+i]}
		if b.code = cmp.Or(b.code, b.name); b.code == "" {
			continue
		}
		if b.id = typeID(b.label); b.id == "" {
			b.id = fmt.Sprintf("DIM%d", i+1)
		}
		all = append(all, b)
	}
	return all
}

// origin returns the code and name of the source of the number.
func (r *record) origin() (code, name string) {
	if r.cells[origin] == "" {
		return r.cells[originName], ""
	}
	return r.cells[origin], r.cells[originName]
}

// typeID returns a type of breakdown as the service writes it.
func typeID(text string) string {
	id := strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' {
			return c
		}
		return -1
	}, strings.ToUpper(text))
	if id == locationID || id == indicatorID || id == originID || id == estimateID {
		return id + "_TYPE"
	}
	return id
}

// IDs of the dimensions that are not breakdowns.
const (
	locationID  = "LOCATION"
	indicatorID = "INDICATOR"
	originID    = "DATASOURCE"
	estimateID  = "ESTIMATE"
)
