package worldbank

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "worldbank".
var Offices = []source.Office{
	{
		ID: "worldbank", Name: "World Bank", Kind: "worldbank",
		Sample:  "SP.POP.TOTL",
		Address: "https://api.worldbank.org/v2", Website: "https://data.worldbank.org",
		Check:  source.Interval(24 * time.Hour),
		Limits: "no key, no published limit of requests; a request for more than about 32,500 records returns an HTML page; Almanac requests 20,000",
		Quirks: "errors come with status 200; the update date is a day and applies to a whole database; " +
			"indicators of archived databases are found only with their database",
	},
}
