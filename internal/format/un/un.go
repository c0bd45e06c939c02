// Package un reads the tables of the United Nations: those of the Statistical
// Yearbook on data.un.org (syb.go) and the World Population Prospects (wpp.go).
package un

import "almanac/internal/format"

// Formats returns the formats of the United Nations.
func Formats() []format.Format {
	return []format.Format{
		{Name: "un-syb", Recognise: recogniseYearbook, Read: readYearbook},
		{Name: "un-wpp", Recognise: recogniseProspects, Read: readProspects},
	}
}
