package encodetest

import (
	"math"
	"strconv"
	"testing"

	"almanac/internal/encode"
)

// TidyCells returns the cells of a file with one observation a row, from its rows as text. The
// first row has the names of the columns; dimensions have columns for codes and labels.
func TidyCells(t *testing.T, rows [][]string, table *encode.Table) (cells []Cell) {
	t.Helper()
	d := table.Vintage.Dataset
	at := map[string]int{}
	for i, name := range rows[0] {
		if _, twice := at[name]; twice {
			t.Errorf("two columns are called %s", name)
		}
		at[name] = i
	}
	for _, row := range rows[1:] {
		if row[at["dataset"]] != table.Reference() || row[at["version"]] != table.Vintage.Version || row[at["source"]] != d.Source.Name {
			t.Fatalf("row %q", row)
		}
		c := Cell{Period: row[at["period"]], Value: math.NaN(), Flags: row[at["status"]], Note: row[at["note"]], Unit: row[at["unit"]], Area: row[at["geo_iso"]]}
		if text := row[at["value"]]; text != "" {
			var err error
			if c.Value, err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		axes := len(d.Dimensions) + 1
		if d.HasNoArea() {
			axes--
		}
		for i := range axes {
			c.Codes, c.Labels = append(c.Codes, row[1+2*i]), append(c.Labels, row[2+2*i])
		}
		cells = append(cells, c)
	}
	return cells
}
