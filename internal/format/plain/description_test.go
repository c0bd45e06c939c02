package plain_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
)

// TestDescription: the lines above and below a table are its description, without its title, its
// rules and a query that is described already.
func TestDescription(t *testing.T) {
	const (
		trade = "Trade\nin tonnes\n\nland,year,value\nFrance,2020,1\nSpain,2020,2\nFrance,2021,3\nSpain,2021,4\nItaly,2020,5\n" +
			"----\nSource: Customs\nNote: Spain without Ceuta\n"
		hotel = "Arrivals in hotels\n\nCountry,Year,Nights\nAustria,2020,5\nSpain,2020,6\n"
		query = "country,year,deaths,Crude Rate\nUnited States,2020,10,1.5\nUnited States,2021,20,2.5\nCanada,2020,10,1.5\nCanada,2021,20,2.5\nMexico,2020,10,1.5\nMexico,2021,20,2.5\n" +
			"\"---\"\n\"Query Parameters:\"\n\"Age: 5\"\n\"Help: See http://wonder.cdc.gov\"\n\"---\"\nCaveats:\n\"1. Revised.\"\n"
	)
	for text, want := range map[string]string{
		trade: "in tonnes\nSource: Customs\nNote: Spain without Ceuta",
		hotel: "Nights",
		query: "Age: 5\nHelp: See http://wonder.cdc.gov\nCaveats:\n1. Revised.",
	} {
		tables, err := formattest.Read(t.Context(), plain.Formats()[1], formattest.Sample{Name: "file.csv", Data: []byte(text)})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := tables[0].Dataset.Description; got != want {
			t.Errorf("%s: the description is %q, want %q", text, got, want)
		}
	}
}
