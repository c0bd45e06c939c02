// Package worldbank reads what the World Bank publishes: the answers of its
// Indicators API as JSON, its CSV downloads, and the lists that come with them.
//
// An answer of the API is a header and a list of records, one for each
// indicator, country and period:
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
//   - A file with one indicator is the dataset of that indicator, under the
//     Bank's code for it and without a dimension beside country and time, so
//     that an answer and a download of an indicator are vintages of one
//     dataset. A file with several has the dimension INDICATOR, and is a
//     dataset under the name of its database (WDI) or of the file.
//   - Areas have the Bank's codes of three characters, which downloads have. The
//     API leaves them out for groups by income, and gives codes of two
//     characters only (XD); they are written here as the Bank's list of
//     countries writes the same groups (HIC).
//   - The unit of an indicator is a part of its name: "GDP (current US$)". It is
//     left there. The number of decimals to show is not kept.
//   - obs_status F is a forecast, E an estimate.
package worldbank

import (
	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// Formats are the formats of the World Bank's files.
func Formats() []format.Format {
	return []format.Format{
		{Name: "worldbank-json", Recognise: isAnswer(answerData), Read: readJSON},
		{Name: "worldbank-csv", Recognise: isTable, Read: readCSV},
		{Name: "worldbank-countries", Recognise: isCountries, Holds: "a list of countries of the World Bank"},
		{Name: "worldbank-indicators", Recognise: isIndicators, Holds: "a list of indicators of the World Bank", Learn: learn},
		{Name: "worldbank-list", Recognise: isAnswer(answerList), Holds: "a list of codes of the World Bank"},
		{Name: "worldbank-notes", Recognise: isNotes, Holds: "a table of notes of the World Bank"},
	}
}

// sourceOf is the office of a file: the Bank, or what the caller states.
func sourceOf(in format.Input) stat.Source {
	if in.Source != "" {
		return office.Find(in.Source)
	}
	return office.Find("worldbank")
}

func countries() stat.Dimension {
	return stat.Dimension{ID: "COUNTRY", Label: "Country", Role: stat.RoleGeo}
}

// groups are the groups for which the API has no code of three characters.
var groups = map[string]string{"XD": "HIC", "XM": "LIC", "XN": "LMC", "XT": "UMC", "XY": "INX"}

// area is the code of an area by the two codes of the API.
func area(iso3, id string) string {
	if iso3 == "" && groups[id] != "" {
		return groups[id]
	}
	if iso3 == "" {
		return id
	}
	return iso3
}
