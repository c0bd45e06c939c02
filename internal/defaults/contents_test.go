package defaults_test

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/defaults"
	"almanac/internal/stattest"
)

// Eurostat's table of contents of 2024 has the datasets of the table, and a dataset for each
// pattern, except the datasets that are older or newer.
func TestDatasetsOfEurostatExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "eurostat", "toc", "table_of_contents_en.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(line, "\t"); len(fields) > 2 {
			codes = append(codes, strings.ToLower(strings.Trim(fields[1], `" `)))
		}
	}
	others := []string{"nama_gdp_c", "prc_hicp_minr", "nrg_cb_pem", "ei_bpm6ca_q"}
	for _, s := range defaults.AllSeries() {
		if s.Source != "eurostat" || slices.Contains(others, s.Dataset) {
			continue
		}
		if !slices.ContainsFunc(codes, func(code string) bool { is, _ := path.Match(s.Dataset, code); return is }) {
			t.Errorf("%s is not in the table of contents", s.Dataset)
		}
	}
}
