package importer_test

import (
	"path/filepath"
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
