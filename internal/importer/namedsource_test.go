package importer_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestNamedSource imports tables that name an office in a line below them, and compares the
// dataset and its areas, or what the refusal suggests.
func TestNamedSource(t *testing.T) {
	for _, c := range []struct{ title, rows, line, want string }{
		{"Fish landed by species", "Cod,12.5,12.6|Halibut,22.5,22.6", "Source: Statistics Denmark", "dst:folk1a DK"},
		{"Fish landed in Denmark", "Cod,12.5,12.6|Halibut,22.5,22.6", "Source: Statistics Denmark", "dst:folk1a DK"},
		{"Fish landed in Greenland", "Cod,12.5,12.6|Halibut,22.5,22.6", "Source: Statistics Denmark", "country=DK country=GL"},
		{"Rate of unemployment", "Rate in Japan,2.5,2.6|Rate,3.5,3.6", "Source: BLS", "no-geo="},
		{"Employment", "Austria,12.5,12.6|Georgia,22.5,22.6", "Source: Eurostat", "local:folk1a AT GE"},
		{"Employment", "Austria,12.5,12.6|Georgia,22.5,22.6", "Source: Eurostat, own calculations", "local:folk1a AT GE"},
	} {
		t.Run(c.title+" "+c.line, func(t *testing.T) {
			s := openStore(t)
			im, err := importer.New(s, importer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			file := c.title + ",,|,Total,Total|,2020,2021|" + c.rows + "|" + c.line + "|"
			got := im.Read(t.Context(), "folk1a.csv", strings.NewReader(strings.ReplaceAll(file, "|", "\n")))
			if len(got) != 1 {
				t.Fatalf("%+v, want one outcome", got)
			}
			var words []string
			for _, option := range slices.Concat(got[0].Readings...) {
				words = append(words, option.Option+"="+option.Value)
			}
			if got[0].Status != importer.Refused {
				d := current(t, s, got[0].ID).Dataset
				words = []string{d.Source.ID + ":" + d.Code}
				for _, code := range d.Geography.Codes {
					words = append(words, code.Area)
				}
			}
			if text := strings.Join(words, " "); text != c.want {
				t.Errorf("got %s, want %s; %s", text, c.want, got[0].Error)
			}
		})
	}
}
