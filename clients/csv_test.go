package clients

import (
	"slices"
	"testing"

	"almanac/internal/stattest"
)

// TestCSV reads the CSV of many datasets with clients that are used for it. They read the
// addresses themselves.
func TestCSV(t *testing.T) {
	s := serve(t)
	for _, client := range []string{"pandas", "polars", "polars_scan", "duckdb"} {
		t.Run(client, func(t *testing.T) {
			s.compareTables(t, s.selections(t), "data.csv", equal, func(addresses []string) string {
				return python(t, "tables.py", append([]string{client + "_csv"}, addresses...)...)
			})
		})
	}
}

// TestR reads CSV with read.csv of R.
func TestR(t *testing.T) {
	s := serve(t)
	s.compareTables(t, s.selections(t), "data.csv", equalInR, func(addresses []string) string {
		return run(t, "Rscript", append([]string{"--vanilla", "testdata/tables.R"}, addresses...)...)
	})
}

// TestBinaryForms reads Parquet files and workbooks, of which large ones take pandas seconds. The clients
// read the addresses themselves.
func TestBinaryForms(t *testing.T) {
	s := serve(t)
	for _, c := range []struct {
		client, form string
		most         int // observations of a whole dataset
	}{
		{"pandas_parquet", "data.parquet", maxWhole}, {"polars_parquet", "data.parquet", maxWhole}, {"polars_scan_parquet", "data.parquet", maxWhole}, {"duckdb_parquet", "data.parquet", maxWhole},
		{"pandas_excel", "data.xlsx", stattest.Rounds(t, maxSheet, maxWhole)},
	} {
		t.Run(c.client, func(t *testing.T) {
			small := slices.DeleteFunc(s.selections(t), func(sel selection) bool { return sel.query == "" && sel.Observations > c.most })
			s.compareTables(t, small, c.form, equal, func(addresses []string) string {
				return python(t, "tables.py", append([]string{c.client}, addresses...)...)
			})
		})
	}
}
