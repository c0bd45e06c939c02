package plain_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/office"
	"almanac/internal/format/plain"
	"almanac/internal/format/table"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestPublishers: real tables that name their office only by what its software writes.
func TestPublishers(t *testing.T) {
	for path, want := range map[string]string{
		"boj-discount/discount_rate.csv":                                  "bank-of-japan",
		"bcb-stp/STP-20221119194100222.csv":                               "bcb",
		"cdc-wonder-ucd/Underlying Cause of Death, 1999-2018.txt":         "cdc",
		"ecb-portal-estr/ECB Data Portal_20260126121402.csv":              "ecb",
		"estat-jp-imm/FEH_00250011_250116115013.csv":                      "e-stat",
		"gus-ludn2425/LUDN_2425_CTAB_20250611231708.csv":                  "gus",
		"ksh-ido0002/stadat-ido0002-10.1.1.2-hu.csv":                      "ksh",
		"snb-devkum/snb-data-devkum-en-selection-20190902_1430.csv":       "snb",
		"snb-rendoblim/snb-data-rendoblim-en-selection-20190603_1430.csv": "snb",
		"bea-download/download.csv":                                       "bea",
		"indec-ipc-div/serie_ipc_divisiones.csv":                          "indec",
		"fred-graph/fredgraph.csv":                                        "local", // DATE is no signature
		"fred-fedfunds/FEDFUNDS.csv":                                      "fred",
		"estonia-rv021/RV021.csv":                                         "local",
		"bls-cu/cu.data.0.Current":                                        "local", // series of several areas
		"inegi-acc/INEGI_exporta_13_10_2022_22_45_51.csv":                 "local", // columns of states
	} {
		s := stattest.SampleMore(t, path)
		tables, err := formattest.Read(t.Context(), plain.Formats()[1], s)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if d := tables[0].Dataset; d.Source.ID != want {
			t.Errorf("%s is of %q, want %q", path, d.Source.ID, want)
		} else if want == "gus" && (d.Geography.ID != "Kod" || d.Geography.Role != stat.RoleGeo) {
			t.Errorf("%s: the geography is %+v", path, d.Geography.ID)
		}
	}
}

// signed are the folders and files whose beginning has the signature of an office.
var signed = map[string]string{
	"boj-": "bank-of-japan", "bdf-": "ecb", "ecb-portal-": "ecb", "estat-jp-": "e-stat", "gus-": "gus", "ksh-ido0002": "ksh", "snb-": "snb",
	"bea-download": "bea", "indec-": "indec", "fred-": "fred", "gdl-": "gdl", "bbk-": "bundesbank", "rba-": "rba", "insee-": "insee", "ons-": "ons",
	"cbs-": "cbs", "dst-": "dst", "ine-": "ine", "statcan": "statcan", "abs-": "abs", "comtrade-": "comtrade", "worldbank": "worldbank",
}

// TestNoOtherSignature: the beginning of no real file of another office has a signature.
func TestNoOtherSignature(t *testing.T) {
	data := stattest.DataDir(t)
	for _, dir := range []string{data, filepath.Join(data, "..", "data-more")} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, ".md") {
				return nil // a file that cannot be read has no signature
			}
			file, err := os.Open(path)
			if err != nil {
				return nil
			}
			defer file.Close()
			head := make([]byte, 16<<10)
			n, _ := file.Read(head)
			if head = head[:n]; bytes.IndexByte(head, 0) >= 0 {
				return nil // no text
			}
			for _, separator := range ",;\t" {
				id := office.Sign(office.Page{Name: filepath.Base(path), Rows: table.FirstRows(head, separator, 100)}).ID
				rel, _ := filepath.Rel(dir, path)
				if id != "" && !isSigned(rel, id) {
					t.Errorf("%s has the signature of %s", rel, id)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func isSigned(path, id string) bool {
	for part, of := range signed {
		if strings.Contains(path, part) && of == id {
			return true
		}
	}
	return false
}
