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
	for client, short := range map[string]int{"pandas": maxShort, "polars": maxFurther, "polars_scan": maxFurther, "duckdb": maxFurther} {
		t.Run(client, func(t *testing.T) {
			s.compareTables(t, s.selections(t, short), "data.csv", equal, func(addresses []string) string {
				return python(t, "tables.py", append([]string{client + "_csv"}, addresses...)...)
			})
		})
	}
}

// TestR reads CSV with read.csv of R.
func TestR(t *testing.T) {
	s := serve(t)
	s.compareTables(t, s.selections(t, maxFurther), "data.csv", equalInR, func(addresses []string) string {
		return run(t, "Rscript", append([]string{"--vanilla", "testdata/tables.R"}, addresses...)...)
	})
}

// TestBinaryForms reads Parquet files and workbooks, of which large ones take pandas seconds. The clients
// read the addresses themselves.
func TestBinaryForms(t *testing.T) {
	s := serve(t)
	for _, c := range []struct {
		client, form string
		short        int
		most         int // observations of a whole dataset
	}{
		{"pandas_parquet", "data.parquet", maxShort, maxWhole},
		{"polars_parquet", "data.parquet", maxFurther, maxWhole},
		{"polars_scan_parquet", "data.parquet", maxFurther, maxWhole},
		{"duckdb_parquet", "data.parquet", maxFurther, maxWhole},
		{"pandas_excel", "data.xlsx", maxShort, stattest.Rounds(t, maxSheet, maxWhole)},
	} {
		t.Run(c.client, func(t *testing.T) {
			small := slices.DeleteFunc(s.selections(t, c.short), func(sel selection) bool { return sel.query == "" && sel.Observations > c.most })
			s.compareTables(t, small, c.form, equal, func(addresses []string) string {
				return python(t, "tables.py", append([]string{c.client}, addresses...)...)
			})
		})
	}
}
