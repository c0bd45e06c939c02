package hits

import (
	"strings"
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// TestReadAs says which names of places are not only those of the region that they are read as.
func TestReadAs(t *testing.T) {
	s, r := newTestSearch(t, offer.Offer{Source: "made", Code: "x", Title: "Population by region", Language: "en"})
	for question, want := range map[string]string{
		"population of Helsinki":   "the region Uusimaa [FI-18]",
		"Bevölkerung Helsinki":     "the region Uusimaa [FI-18]",
		"population d'Helsinki":    "the region Uusimaa [FI-18]",
		"population of Stockholm":  "[SE-AB]",
		"población de Estocolmo":   "[SE-AB]",
		"popolazione di Stoccolma": "[SE-AB]",
		"population of Madrid":     "[ES-MD]",
		"population of Göteborg":   "[SE-O]",
		"population of Malmö":      "[SE-M]",
		"population of Uusimaa":    "",
		"population of Bavaria":    "",
		"Bevölkerung Bayern":       "",
		"population of Berlin":     "",
		"population of Munich":     "",
		"population of California": "",
		"population of Germany":    "",
		"population de la Bavière": "",
	} {
		page, _, err := r.Find(t.Context(), s, &search.Query{Text: question})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range page.Notices {
			if strings.Contains(n.Message, "is read as") {
				got = n.Message
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q; areas %v", question, got, want, page.Areas)
		}
	}
}
