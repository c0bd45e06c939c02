package gho

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "gho".
var Offices = []source.Office{
	{
		ID: "who", Name: "World Health Organization", Kind: "gho",
		Sample:  "WHOSIS_000001",
		Address: "https://ghoapi.azureedge.net/api", Website: "https://www.who.int/data/gho",
		Check:  source.Interval(24 * time.Hour),
		Limits: "no key, no published limit; an indicator comes in one response",
		Quirks: "records have only codes, labels are in separate lists; the list of indicators has neither themes nor dates; " +
			"a listed indicator may have no data",
	},
}
