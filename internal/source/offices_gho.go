package source

import "time"

// ghoOffices are the rows of the kind "gho".
var ghoOffices = []Office{
	{
		ID: "who", Name: "World Health Organization", Kind: "gho",
		Address: "https://ghoapi.azureedge.net/api", Website: "https://www.who.int/data/gho",
		Check:  Every(24 * time.Hour),
		Limits: "no key, no published limit; an indicator comes in one answer",
		Quirks: "records have codes alone, labels are lists of their own; the list of indicators says neither themes nor dates; " +
			"an indicator that is listed may have no data",
	},
}
