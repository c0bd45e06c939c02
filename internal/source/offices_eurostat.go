package source

import "time"

// eurostatOffices are the rows of the kind "eurostat".
var eurostatOffices = []Office{
	{
		ID: "eurostat", Name: "Eurostat", Kind: "eurostat",
		Address: "https://ec.europa.eu/eurostat/api/dissemination",
		Website: "https://ec.europa.eu/eurostat",
		// The office publishes at 11:00 and at 23:00.
		Check: Every(6 * time.Hour),
		Limits: "Whole datasets have no limit of cells; those that are not at hand are made first and fetched later. " +
			"Extractions of more than 5,000,000 cells are refused with 413.",
		Quirks: "The table of contents tells the day of an update and not the hour. " +
			"A request may be answered by 200 and an envelope of XML: the data are made meanwhile. " +
			"Faults are SOAP, with any status. Datasets of foreign trade and production (DS-…) are at a service of their own. " +
			"Files hold codes only; what they mean is a file for each dimension.",
	},
}
