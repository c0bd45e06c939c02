package csv_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	form "almanac/internal/encode/csv"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/stattest"
)

// original returns a text without the apostrophe that keeps it from being a formula.
func original(text string) string {
	if strings.HasPrefix(text, "'") && form.IsFormula(text[1:]) {
		return text[1:]
	}
	return text
}

// readTidy returns a reader of tidy CSV with a separator and decimal sign.
func readTidy(separator rune, decimal string) func(*testing.T, []byte, *encode.Table) []encodetest.Cell {
	return func(t *testing.T, file []byte, table *encode.Table) []encodetest.Cell {
		r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(file, []byte("\ufeff"))))
		r.Comma = separator
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		d := table.Vintage.Dataset
		at := map[string]int{}
		for i, name := range rows[0] {
			if _, twice := at[name]; twice {
				t.Errorf("two columns are called %s", name)
			}
			at[name] = i
		}
		var cells []encodetest.Cell
		for _, row := range rows[1:] {
			for i := range row {
				row[i] = original(row[i])
			}
			if row[at["dataset"]] != table.Reference() || row[at["version"]] != table.Vintage.Version || row[at["source"]] != d.Source.Name {
				t.Fatalf("row %q", row)
			}
			c := encodetest.Cell{Period: row[at["period"]], Value: math.NaN(), Flags: row[at["status"]], Note: row[at["note"]], Unit: row[at["unit"]]}
			if text := row[at["value"]]; text != "" {
				if c.Value, err = strconv.ParseFloat(strings.Replace(text, decimal, ".", 1), 64); err != nil {
					t.Fatal(err)
				}
			}
			for i := range len(d.Dimensions) + 1 {
				if i == len(d.Dimensions) && d.HasNoArea() {
					break
				}
				c.Codes = append(c.Codes, row[1+2*i])
				c.Labels = append(c.Labels, row[2+2*i])
			}
			cells = append(cells, c)
		}
		return cells
	}
}

func TestTidy(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t), encodetest.Form{Write: form.Write, Read: readTidy(',', ".")})
}
