package importer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
)

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
