package source

import "time"

// worldbankOffices are the rows of the kind "worldbank".
var worldbankOffices = []Office{
	{
		ID: "worldbank", Name: "World Bank", Kind: "worldbank",
		Address: "https://api.worldbank.org/v2", Website: "https://data.worldbank.org",
		Check:  Every(24 * time.Hour),
		Limits: "no key, no published limit of requests; a page of more than about 32,500 records is answered with an HTML page; 20,000 are asked for",
		Quirks: "errors come with status 200; the date of update is a day, and of a whole database; " +
			"indicators of archived databases are found with their database only",
	},
}
