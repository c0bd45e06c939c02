package importer_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stat"
)

// A dataset without any geography has the single code _Z and no area. Later imports
// remember it.
func TestNoGeo(t *testing.T) {
	s := openStore(t)
	const file = "product;year;value\nA;2020;1\nB;2020;2\n"
	im, err := importer.New(s, importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused := im.Read(t.Context(), "prices.csv", strings.NewReader(file))
	if len(refused) != 1 || len(refused[0].Readings) != 1 || refused[0].Readings[0][0].Option != "no-geo" {
		t.Fatalf("%+v, want the suggestion no-geo", refused)
	}
	got := mustImport(t, s, importer.Options{NoGeo: true}, "prices.csv", file)
	d := current(t, s, got.ID).Dataset
	if len(d.Areas()) != 0 || d.Geography.Codes[0].ID != stat.NoArea || d.Geography.Codes[0].Label != "No area" {
		t.Errorf("areas %v, geography %+v", d.Areas(), d.Geography)
	}
	if again := mustImport(t, s, importer.Options{}, "prices.csv", file); again.Status != importer.Unchanged {
		t.Errorf("%+v, want no change", again)
	}
	if _, err := importer.New(s, importer.Options{NoGeo: true, Country: "DE"}); stat.KindOf(err) != stat.Invalid {
		t.Errorf("no-geo with a country: %v", err)
	}
}

// States by name are the subdivisions of the country above them, also in a later file
// with too few names to tell.
func TestSubdivisions(t *testing.T) {
	s := openStore(t)
	mustImport(t, s, importer.Options{}, "deaths.csv", "State;Year;Deaths\nUnited States;2020;9\nGeorgia;2020;1\nTexas;2020;2\nOhio;2020;3\n")
	got := mustImport(t, s, importer.Options{Accept: true}, "deaths.csv", "State;Year;Deaths\nGeorgia;2021;1\n")
	if codes := current(t, s, got.ID).Dataset.Geography.Codes; len(codes) != 1 || codes[0].Area != "US-GA" || codes[0].Label != "Georgia" {
		t.Errorf("%+v, want US-GA Georgia", codes)
	}
}

// TestCountryInTitle: a line above a table that is the name of the only country there is
// suggested, not that the numbers describe no area.
func TestCountryInTitle(t *testing.T) {
	for _, c := range []struct{ title, want string }{
		{"Sales|Brasil|", "country=BR"},
		{"Sales|Chile|Brasil|", "no-geo="},
		{"Sales in Brasil|", "no-geo="},
	} {
		im, err := importer.New(openStore(t), importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		refused := im.Read(t.Context(), "sales.csv", strings.NewReader(strings.ReplaceAll(c.title, "|", "\n")+"\nproduct;year;value\nA;2020;1\nB;2020;2\n"))
		if len(refused) != 1 || len(refused[0].Readings) != 1 {
			t.Fatalf("%q: %+v, want a suggestion", c.title, refused)
		}
		if s := refused[0].Readings[0][0]; s.Option+"="+s.Value != c.want {
			t.Errorf("%q: suggests %s=%s, want %s", c.title, s.Option, s.Value, c.want)
		}
	}
}
