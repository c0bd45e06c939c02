package pxweb

import (
	"time"

	"almanac/internal/source"
)

// StatbankOffices are the rows of the kind "statbank".
var StatbankOffices = []source.Office{
	{
		ID: "dst", Name: "Statistics Denmark", Kind: "statbank", Country: "DK", Untried: true,
		Address: "https://api.statbank.dk/v1", Website: "https://www.statbank.dk",
		Cells: 1_000_000, Check: source.Interval(24 * time.Hour), Sample: "FOLK1A",
		Limits: "1,000,000 cells per response",
		Quirks: "Tables have short names: FOLK1A. The list states when each was updated. New figures appear at 8:00.",
	},
}
