package source

import "time"

// dbnomicsOffices are the rows of the kind "dbnomics".
var dbnomicsOffices = []Office{
	{
		ID: "dbnomics", Name: "DBnomics", Kind: "dbnomics",
		Address: "https://api.db.nomics.world/v22", Website: "https://db.nomics.world",
		Check:  Every(24 * time.Hour),
		Limits: "no key, no published limit of requests; 1,000 series a page",
		Quirks: "the source of a dataset is its provider; the date of a dataset is when DBnomics took it in; " +
			"some datasets have millions of series and are fetched in parts: CEPII/CHELEM-TRADE-CHEL?exporter=FRA",
	},
}
