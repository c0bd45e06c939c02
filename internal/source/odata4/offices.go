package odata4

import "almanac/internal/source"

// Offices are the rows of the kind "odata4".
var Offices = []source.Office{
	{
		ID: "cbs", Name: "Statistics Netherlands", Kind: "odata4", Country: "NL", Language: "nl", Untried: true,
		Address: "https://datasets.cbs.nl/odata/v1/CBS", Website: "https://opendata.cbs.nl",
		Limits: "100,000 observations per page; Almanac fetches all pages.",
		Quirks: "Codes of tables end in NED or ENG: 37296ned. Labels are Dutch in the former, English in the latter.",
	},
}
