package importer_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/importer"
)

// A bad file is refused with an error that states the file, the place and the problem.
// Nothing of it is stored, and the current version remains.
func TestBadInput(t *testing.T) {
	packed := gzipped(t, births)
	damaged := []byte(packed)
	damaged[len(damaged)-6] ^= 0xff // in the checksum
	cases := []struct {
		name, file, content string
		wantError           string // a regular expression
	}{
		{"cut off inside a line", "births.tsv", births[:len(births)-8], `births\.tsv:4(:\d+)?: `},
		{"cut off inside gzip", "births.tsv.gz", packed[:len(packed)-12], `births\.tsv\.gz:\d+(:\d+)?: .*cut off`},
		{"cut off inside the gzip header", "births.tsv.gz", packed[:6], `births\.tsv\.gz:1:1: .*truncated`},
		{"damaged gzip", "births.tsv.gz", string(damaged), `births\.tsv\.gz:\d+(:\d+)?: .*damaged`},
		{"not gzip, but named .gz", "births.tsv.gz", births, `births\.tsv\.gz:1:1: .*not gzip`},
		{"an error page saved as gzip", "births.tsv.gz", "<html>503</html>", `births\.tsv\.gz:1:1: .*not gzip.*<htm`},
		{"zip archive", "births.zip", "PK\x03\x04 and so on", `births\.zip:1:1: .*zip`},
		{"another format", "births.json", `{"value": [1, 2]}`, `births\.json:1:1: unknown file format: .*begins with`},
		{"white space", "births.csv", " \n\n", `births\.csv:1:1: the file is empty`},
		{"headings alone", "births.csv", "country,year,value\n", `births\.csv:1:1: the file has no rows below its only line, "country,year,value"`},
		{"empty", "births.tsv", "", `births\.tsv:1:1: .*empty`},
		{"a cell with two values", "births.tsv", births + "A,T,DE\t1 \t692989 p\n", `births\.tsv:5(:\d+)?: `},
		{"a record with two values", "births.csv", tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2022,1\nT,DE,2022,2\n", `births\.csv:8(:\d+)?: `},
		{"header without rows", "births.tsv", births[:strings.Index(births, "\n")+1], `births\.tsv:\d+(:\d+)?: `},
		{"header without records", "births.csv", tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\n", `births\.csv`},
		{"nine dimensions with several values each", "births.tsv", manyDimensions(9, 0, 1, 2, 3, 4, 5, 6, 7, 8), `births\.tsv: .*d0.*d8`},
		{"invalid text", "births.tsv", births + "A,\xff\xfe,DE\t1 \t2 \n", `births\.tsv:5(:\d+)?: `},
		{"a cell that is not a number", "births.tsv", births + "A,M,DE\t1 \t12,5 \n", `births\.tsv:5:\d+: .*12,5`},
		{"a record that is not a number", "births.csv", tidyHead + "sex,geo,TIME_PERIOD,OBS_VALUE\nT,DE,2022,many\n", `births\.csv:7:\d+: .*many`},
		{"number too large for a float", "births.tsv", births + "A,M,DE\t1 \t1" + strings.Repeat("0", 400) + " \n", `births\.tsv:5(:\d+)?: `},
		{"no values", "births.tsv", "freq,sex,geo\\TIME_PERIOD\t2022 \nA,T,DE\t: \n", `births\.tsv`},
		{"error in the last line of many", "births.tsv", births + strings.Repeat("A,M,IT\t1 \t2 \n", 3000) + "A,M,DE\t1 \tx \n", `births\.tsv:3005:\d+: `},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t)
			good := mustImport(t, s, importer.Options{}, "births.tsv", births)
			digest := current(t, s, good.ID).Digest

			got := importText(t, s, importer.Options{Source: "Eurostat", Code: "births"}, c.file, c.content)
			if got.Status != importer.Refused || got.Observations != (importer.Counts{}) || got.Notes == nil {
				t.Errorf("%+v, want status refused, zero counts and no notes", got)
			}
			if !regexp.MustCompile(`(?s)^` + c.wantError).MatchString(got.Error) {
				t.Errorf("error %q, want a match of %s", got.Error, c.wantError)
			}
			if strings.Contains(got.Error, "%!") {
				t.Errorf("error %q is badly formatted", got.Error)
			}
			v := current(t, s, good.ID)
			if v.Digest != digest || v.Version != "1.0" || len(s.Catalog().Entries) != 1 {
				t.Errorf("version %s, %d datasets: want the earlier version and no other dataset", v.Version, len(s.Catalog().Entries))
			}
			if vintages, err := s.Vintages(t.Context(), good.ID); err != nil || len(vintages) != 1 {
				t.Errorf("%d versions (%v), want only the earlier one", len(vintages), err)
			}
		})
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	im, err := importer.New(openStore(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, reason := range map[string]string{
		filepath.Join(folder, "nothing.tsv"): "there is no such file",
		folder:                               "is a folder",
	} {
		got := im.Import(t.Context(), path)
		if len(got) != 1 || got[0].Status != importer.Refused || got[0].File != path ||
			!strings.HasPrefix(got[0].Error, path+": ") || !strings.Contains(got[0].Error, reason) {
			t.Errorf("%+v, want status refused with the reason %q", got, reason)
		}
	}
}
