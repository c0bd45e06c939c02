// Package worldbank reads files of the World Bank: the answers of its Indicators API
// in JSON, its CSV downloads, and the lists that come with them.
//
// An answer of the API is a header and a list of records, one for each indicator,
// country and period:
//
//	[{"page":1,"pages":2,"per_page":10000,"total":17024,"lastupdated":"2024-03-28"},
//	 [{"indicator":{"id":"NY.GDP.MKTP.CD","value":"GDP (current US$)"},
//	   "country":{"id":"ZH","value":"Africa Eastern and Southern"},
//	   "countryiso3code":"AFE","date":"2022","value":1185137703650.99,
//	   "unit":"","obs_status":"","decimal":0}, …]]
//
// A download is a table with a column for each year:
//
//	"Data Source","World Development Indicators",
//	"Last Updated Date","2018-01-25",
//	"Country Name","Country Code","Indicator Name","Indicator Code","1960",…
//	"Aruba","ABW","Population, total","SP.POP.TOTL","54211",…
//
// Rules of reading:
//
//   - A file with one indicator is the dataset of that indicator, with the Bank's
//     code and only the dimensions country and time, so an answer and a download
//     are versions of the same dataset. A file with several indicators has the
//     dimension INDICATOR; its dataset has the name of its database (WDI) or of
//     the file.
//   - Areas have the Bank's codes of three characters, as in downloads. The codes
//     of two characters that the API has for groups by income (XD) are replaced by
//     those of the Bank's list of countries (HIC).
//   - The unit of an indicator remains in its name: "GDP (current US$)". The
//     number of decimals to show is not kept.
//   - obs_status F is a forecast, E an estimate.
package worldbank

import (
	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// Formats returns the formats of the World Bank.
func Formats() []format.Format {
	isTable := func(rows [][]string) bool {
		_, ok := layoutOf(rows)
		return ok
	}
	return []format.Format{
		recognise(format.Format{Name: "worldbank-json", Read: readJSON}),
		table.Reader{Name: "worldbank-csv", Source: "worldbank", HeadLines: 12, Recognise: isTable, Mapping: mapping}.Format(),
		recognise(format.Format{Name: "worldbank-countries", Holds: "a list of countries of the World Bank"}, countryHeadings...),
		recognise(format.Format{Name: "worldbank-indicators", Holds: "a list of indicators of the World Bank", Learn: learn}, indicatorHeadings...),
		recognise(format.Format{Name: "worldbank-list", Holds: "a list of codes of the World Bank"}),
		recognise(format.Format{Name: "worldbank-notes", Holds: "a table of notes of the World Bank"}, noteHeadings...),
	}
}

func countries() stat.Dimension {
	return stat.Dimension{ID: "COUNTRY", Label: "Country", Role: stat.RoleGeo}
}

// groups are the groups that have no code of three characters in the API.
var groups = map[string]string{"XD": "HIC", "XM": "LIC", "XN": "LMC", "XT": "UMC", "XY": "INX"}
