package importer_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// bulkFile is a row of the manifest: a Eurostat bulk file, and how many cells
// and values whoever collected the files counted in it.
var bulkFile = regexp.MustCompile("(?m)^\\| `(eurostat/tsv-[a-z]+/[^`]+)` .*? (\\d+) cells, (\\d+) values ")

// Every Eurostat bulk file imports, and every cell of it is accounted for:
// with the office's dictionaries, packed or not, old style and new.
func TestRealEurostatFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.md"))
	if err != nil {
		t.Fatal(err)
	}
	files := bulkFile.FindAllStringSubmatch(string(manifest), -1)
	if len(files) < 15 {
		t.Fatalf("%d bulk files in the manifest, wanted at least 15", len(files))
	}
	s := openStore(t)
	im, err := importer.New(s, importer.Options{Labels: filepath.Join(dir, "eurostat")})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(f[1], func(t *testing.T) {
			outcomes := im.Import(t.Context(), filepath.Join(dir, f[1]))
			if len(outcomes) != 1 || outcomes[0].Status == importer.Refused {
				t.Fatalf("%+v", outcomes)
			}
			n := outcomes[0].Observations
			if n.Read != number(t, f[2]) || n.Read != n.Stored+n.Missing+n.Dropped {
				t.Errorf("%+v, wanted %s cells read and each of them stored, missing or dropped", n, f[2])
			}
			// What is dropped of these files is dated to no period, and had a value.
			if n.Stored+n.Dropped != number(t, f[3]) {
				t.Errorf("%+v, wanted %s values", n, f[3])
			}
			for _, c := range current(t, s, outcomes[0].ID).Dataset.Geography.Codes {
				if c.Label == "" || c.Area == "" {
					t.Errorf("area %+v without a label or an ID", c)
				}
			}
		})
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
