package clients

import "testing"

// TestCSV reads the CSV of many datasets with clients that are used for it.
func TestCSV(t *testing.T) {
	for _, client := range []string{"pandas", "polars", "duckdb"} {
		t.Run(client, func(t *testing.T) {
			compareTables(t, "data.csv", func(addresses []string) string {
				return python(t, "tables.py", append([]string{client + "_csv"}, addresses...)...)
			})
		})
	}
}
