package clients

import "testing"

// TestCSV reads the CSV of many datasets with clients that are used for it. They read the
// addresses themselves.
func TestCSV(t *testing.T) {
	for _, client := range []string{"pandas", "polars", "polars_scan", "duckdb"} {
		t.Run(client, func(t *testing.T) {
			compareTables(t, "data.csv", equal, func(addresses []string) string {
				return python(t, "tables.py", append([]string{client + "_csv"}, addresses...)...)
			})
		})
	}
}

// TestR reads CSV with read.csv of R.
func TestR(t *testing.T) {
	compareTables(t, "data.csv", equalInR, func(addresses []string) string {
		return run(t, "Rscript", append([]string{"--vanilla", "testdata/tables.R"}, addresses...)...)
	})
}

// TestBinaryForms reads Parquet files and workbooks. The clients read the addresses themselves.
func TestBinaryForms(t *testing.T) {
	for _, c := range []struct{ client, form string }{
		{"pandas_parquet", "data.parquet"}, {"polars_parquet", "data.parquet"}, {"polars_scan_parquet", "data.parquet"}, {"duckdb_parquet", "data.parquet"},
		{"pandas_excel", "data.xlsx"},
	} {
		t.Run(c.client, func(t *testing.T) {
			compareTables(t, c.form, equal, func(addresses []string) string {
				return python(t, "tables.py", append([]string{c.client}, addresses...)...)
			})
		})
	}
}
