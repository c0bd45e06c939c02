package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestReadingsThatLoseRows checks that no reading is suggested in which a column that is left
// out makes rows the same, even if their numbers are equal.
func TestReadingsThatLoseRows(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"Country;Quarter;2019;2020|France;I;1.5;1.6|France;II;1.5;1.6|France;III;1.5;1.6|France;IV;1.5;1.6", ""},
		{"Country;Year;Seen;Tons|France;2020;2024-01-31;1.5|France;2021;2024-02-28;2.5", "geo=Country, period=Year, value=Tons, note=Seen"},
	} {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(c.rows, "|", "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		im, err := importer.New(openStore(t), importer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := im.Inspect(t.Context(), path)
		text := ""
		for _, reading := range got[0].Readings {
			text += reading[0].Value
		}
		if text != c.want {
			t.Errorf("%s: suggests %q, want %q; %s", c.rows, text, c.want, got[0].Error)
		}
	}
}

// TestUnknownPeriod: a file without periods is refused with a command in which the caller puts
// the period, and with what else is to be stated then.
func TestUnknownPeriod(t *testing.T) {
	im, err := importer.New(openStore(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for rows, want := range map[string]string{
		"Country,Births\nGermany,10.5\nFrance,11.5\n":           "[{period YYYY}]",
		"Item,Share\nWheat,10.5\nRye,11.5\n":                    "[{period YYYY} {no-geo }]",
		"Country,Births\nGermany,\"1,500\"\nFrance,\"2,500\"\n": "[{period YYYY} {decimal .}] [{period YYYY} {decimal ,}]",
		"Country,Code\nGermany,DE\nFrance,FR\n":                 "",
	} {
		path := filepath.Join(t.TempDir(), "births.csv")
		writeFile(t, path, rows)
		got := im.Inspect(t.Context(), path)[0]
		if text := strings.Trim(fmt.Sprint(got.Readings), "[]"); text != strings.Trim(want, "[]") {
			t.Errorf("%q: got %q, want %q; %s", rows, text, want, got.Error)
		}
	}
}

// TestLargeRefusal: a small refused file is read again to find all that is to be stated, a
// large one is not.
func TestLargeRefusal(t *testing.T) {
	im, err := importer.New(openStore(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, next := "date,rate\n2023-01,\"3,500\"\n", "2023-02,\"3,750"+strings.Repeat(" ", 1000)+"\"\n"
	for rows, want := range map[int]string{1: "decimal=. no-geo= or decimal=, no-geo=", 70_000: "decimal=. or decimal=,"} {
		path := filepath.Join(t.TempDir(), "rates.csv")
		writeFile(t, path, first+strings.Repeat(next, rows))
		var got []string
		for _, reading := range im.Inspect(t.Context(), path)[0].Readings {
			var stated []string
			for _, s := range reading {
				stated = append(stated, s.Option+"="+s.Value)
			}
			got = append(got, strings.Join(stated, " "))
		}
		if text := strings.Join(got, " or "); text != want {
			t.Errorf("with %d more rows: the readings are %q, want %q", rows, text, want)
		}
	}
}
