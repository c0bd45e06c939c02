package jsonstat

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "jsonstat".
var Offices = []source.Office{
	{
		ID: "cso", Name: "Central Statistics Office", Kind: "jsonstat", Country: "IE",
		Sample:   "NQQ25",
		Address:  "https://ws.cso.ie/public/api.restful",
		Website:  "https://data.cso.ie",
		Contents: "https://ws.cso.ie/public/api.restful/PxStat.Data.Cube_API.ReadCollection",
		Data:     "https://ws.cso.ie/public/api.restful/PxStat.Data.Cube_API.ReadDataset/{code}/JSON-stat/2.0/en",
		Check:    source.Interval(6 * time.Hour),
		Limits:   "None stated. A dataset comes as a whole.",
		Quirks:   "The list of contents is one response of many megabytes, with the dimensions of each dataset. Codes are those of the tables: NQQ25, CPM01.",
	},
	{
		ID: "nisra", Name: "NISRA", Kind: "jsonstat", Country: "UKN",
		Address:  "https://ws-data.nisra.gov.uk/public/api.restful",
		Website:  "https://data.nisra.gov.uk",
		Contents: "https://ws-data.nisra.gov.uk/public/api.restful/PxStat.Data.Cube_API.ReadCollection",
		Data:     "https://ws-data.nisra.gov.uk/public/api.restful/PxStat.Data.Cube_API.ReadDataset/{code}/JSON-stat/2.0/en",
		Limits:   "None stated for these addresses. A dataset comes as a whole.",
		Quirks:   "Northern Ireland; the same software as the Irish office.",
	},
}
