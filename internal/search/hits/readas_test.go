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
		"population of Bern":       "[CH-BE]",
		"Bevölkerung Zürich":       "[CH-ZH]",
		"population de Genève":     "[CH-GE]",
		"population of Fribourg":   "[CH-FR]",
		"population of Antwerp":    "[BE-VAN]",
		"population of Utrecht":    "[NL-UT]",
		"Bevölkerung Salzburg":     "[AT-5]",
		"population of Dublin":     "[IE-D]",
		"population of New York":   "[US-NY]",
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

// TestNamesakes says which other places have the name of one that a question names.
func TestNamesakes(t *testing.T) {
	s, r := newTestSearch(t, offer.Offer{Source: "made", Code: "x", Title: "Population by region", Language: "en"})
	for question, want := range map[string]string{
		"population of Virgin Islands": "is taken to mean United States Virgin Islands [VI]; for British Virgin Islands [VG] of the same name",
		"population of Korea":          "is taken to mean South Korea [KR]; for North Korea [KP]",
		"population of Washington":     "is taken to mean Washington [US-WA]; for District of Columbia, United States [US-DC]",
		"population of Georgia":        "is taken to mean Georgia [GE]; for Georgia, United States [US-GA]",
		"population of Luxembourg":     "is taken to mean Luxembourg [LU]; for Luxembourg, Belgium [BE-WLX]",
		"población de Granada":         "may mean Granada, Spain [ES-GR] or Granada, Nicaragua [NI-GR]",
		"population of Limburg":        "may mean Limburg, Netherlands [NL-LI] or Limburg, Belgium [BE-VLI]",
		"population of China":          "",
		"population of Brandenburg":    "",
	} {
		page, _, err := r.Find(t.Context(), s, &search.Query{Text: question})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, n := range page.Notices {
			if strings.Contains(n.Message, " mean ") {
				got = append(got, n.Message)
			}
		}
		if len(got) > 1 || (want == "") != (got == nil) || want != "" && !strings.Contains(got[0], want) {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
