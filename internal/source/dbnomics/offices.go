package dbnomics

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "dbnomics".
var Offices = []source.Office{
	{
		ID: "dbnomics", Name: "DBnomics", Kind: "dbnomics",
		Sample:  "ECB/EXR?currency=USD&freq=A",
		Address: "https://api.db.nomics.world/v22", Website: "https://db.nomics.world",
		Check:  source.Interval(24 * time.Hour),
		Limits: "no key, no published limit of requests; 1,000 series per page",
		Quirks: "the source of a dataset is its provider; its date is when DBnomics imported it; " +
			"some datasets have millions of series and must be fetched in parts: CEPII/CHELEM-TRADE-CHEL?exporter=FRA",
	},
}
