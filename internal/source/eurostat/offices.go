package eurostat

import (
	"time"

	"almanac/internal/source"
)

// Offices are the rows of the kind "eurostat".
var Offices = []source.Office{
	{
		ID: "eurostat", Name: "Eurostat", Kind: "eurostat",
		Sample:  "tps00001",
		Address: "https://ec.europa.eu/eurostat/api/dissemination",
		Website: "https://ec.europa.eu/eurostat",
		// The office publishes at 11:00 and at 23:00.
		Check: source.Interval(6 * time.Hour),
		Limits: "Whole datasets have no limit of cells; those that are not ready are prepared first and fetched later. " +
			"Extractions of more than 5,000,000 cells are refused with 413.",
		Quirks: "The table of contents states the day of an update, not the hour. " +
			"A response may be 200 with an XML envelope: the data are still being prepared. " +
			"Faults are SOAP, with any status. Datasets of foreign trade and production (DS-…) have a separate service; most are too large to be fetched whole, so name a key: DS-045409/M.DE.FR.8703.1.VALUE_IN_EUROS. " +
			"Files contain codes only; the labels are in one file per dimension.",
	},
}
