package importer_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// A dataset has the same identity whether its file was imported by a person or fetched from
// its office's server, which states the office and the code.
func TestIdentityOfImportedAndFetchedFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, c := range []struct{ file, office, code, source string }{
		{"eurostat/tsv-new/sdg_08_10.tsv", "Eurostat", "sdg_08_10", "eurostat"},
		{"eurostat/tsv-new/estat_ilc_peps13.tsv.gz", "Eurostat", "ILC_PEPS13", "eurostat"},
		{"worldbank/api-v2/NY.GDP.MKTP.CD.json", "World Bank", "NY.GDP.MKTP.CD", "worldbank"},
		{"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", "World Bank", "SP.POP.TOTL", "worldbank"},
		{"ecb/ecb-data-generic-2.1.xml", "European Central Bank", "", "ecb"},
		{"ecb/ecb-data-specific-2.1.xml", "European Central Bank", "", "ecb"},
		{"px/scb/TAB2936.px", "Statistics Sweden", "", "scb"},
		{"px/scb/BE0101A1.px", "Statistics Sweden", "", "scb"},
		{"who/HWF_0001-gho-export.csv", "World Health Organization", "HWF_0001", "who"},
		{"who/WHOSIS_000001.csv", "World Health Organization", "WHOSIS_000001", "who"},
	} {
		t.Run(c.file, func(t *testing.T) {
			s := openStore(t)
			byHand := importReal(t, s, importer.Options{}, filepath.Join(dir, c.file))
			d := current(t, s, byHand.ID).Dataset
			if d.Source.ID != c.source {
				t.Errorf("imported from a file, the source is %s, want %s", d.Source.ID, c.source)
			}
			fetched := importReal(t, s, importer.Options{Source: c.office, Code: c.code}, filepath.Join(dir, c.file))
			if fetched.ID != byHand.ID || fetched.Status != importer.Unchanged || fetched.Code != byHand.Code {
				t.Errorf("fetched: %s, dataset %d (%s), version %s, want unchanged, dataset %d (%s)",
					fetched.Status, fetched.ID, fetched.Code, fetched.Version, byHand.ID, byHand.Code)
			}
		})
	}
}

// TestFilesOfOneName: of files whose codes are only their names, the second is no update of the
// first if they come together, nor a part of it in an archive if their titles differ.
func TestFilesOfOneName(t *testing.T) {
	const births, deaths = "Country,Year,Births\nGermany,2020,10.5\nFrance,2020,11.5\n", "Country,Year,Deaths\nGermany,2021,20.5\nFrance,2021,21.5\n"
	dir := t.TempDir()
	var paths []string
	for _, folder := range []string{"a", "b", "c"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.Join(dir, folder, "data.csv"))
	}
	writeFile(t, paths[0], births)
	writeFile(t, paths[1], deaths)
	writeFile(t, paths[2], births)
	im, err := importer.New(openStore(t), importer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := im.Import(t.Context(), paths...)
	if len(got) != 3 || got[0].Status != importer.Created || got[1].Status != importer.Refused || !strings.Contains(got[1].Error, "has the same name and other data") || got[2].Status != importer.Unchanged {
		t.Errorf("got %+v", got)
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for name, text := range map[string]string{"births/data.csv": births, "deaths/data.csv": deaths} {
		if w, err := archive.Create(name); err != nil {
			t.Fatal(err)
		} else if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if got := im.Read(t.Context(), "all.zip", &packed); got[0].Status != importer.Refused || !strings.Contains(got[0].Error, "different titles") {
		t.Errorf("got %+v, want a refusal", got)
	}
}
