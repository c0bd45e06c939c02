// Package un reads the tables of the United Nations: those of the Statistical
// Yearbook on data.un.org (syb.go), exports of data.un.org (undata.go), the World
// Population Prospects (wpp.go), the Sustainable Development Goals (sdg.go) and trade by
// UN Comtrade (comtrade.go).
package un

import (
	"almanac/internal/format"
	"almanac/internal/format/table"
)

// Formats returns the formats of the United Nations.
func Formats() []format.Format {
	return []format.Format{
		table.Reader{
			Name: "un-syb", Source: "unsd", HeadLines: 3, Mapping: mapYearbook,
			Recognise: func(rows [][]string) bool {
				return table.HasHeadings(rows, headArea, "Year", "Series", "Value", headSource)
			},
		}.Format(),
		table.Reader{
			Name: "un-wpp", Source: "unpd", Trim: revision, Mapping: mapProspects,
			Recognise: func(rows [][]string) bool {
				return table.HasHeadings(rows, "LocID", "Location", "VarID", "Variant", "Time")
			},
		}.Format(),
		table.Reader{Name: "undata", Source: "unsd", Recognise: isUNdata, Mapping: mapUNdata}.Format(),
		table.Reader{Name: "un-sdg", Source: "unsd", Recognise: isGoals, Mapping: mapGoals}.Format(),
		table.Reader{Name: "comtrade", Source: "comtrade", Recognise: isComtrade, Mapping: mapComtrade}.Format(),
		table.Reader{Name: "comtrade-former", Source: "comtrade", Recognise: isFormerComtrade, Mapping: mapFormerComtrade}.Format(),
	}
}
