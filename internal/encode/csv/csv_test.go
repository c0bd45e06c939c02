package csv_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	form "almanac/internal/encode/csv"

	"almanac/internal/encode"
	"almanac/internal/encode/encodetest"
	"almanac/internal/stat"
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
			c := encodetest.Cell{Period: row[at["period"]], Value: math.NaN(), Flags: row[at["status"]], Note: row[at["note"]], Unit: row[at["unit"]], Area: row[at["geo_iso"]]}
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

// readWide returns a reader of wide CSV with codes, in which areas or periods have columns.
func readWide(byArea bool) func(*testing.T, []byte, *encode.Table) []encodetest.Cell {
	return func(t *testing.T, file []byte, table *encode.Table) (cells []encodetest.Cell) {
		rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		d := table.Vintage.Dataset
		unit := slices.Index(rows[0], "unit")
		columns := map[string]int{}
		for i, name := range rows[0] {
			if _, twice := columns[name]; twice {
				t.Errorf("two columns are called %s", name)
			}
			columns[name] = i
		}
		for _, row := range rows[1:] {
			for i := unit + 1; i < slices.Index(rows[0], "version"); i++ {
				name := original(rows[0][i])
				isItem := byArea && slices.ContainsFunc(d.Geography.Codes, func(c stat.Code) bool { return c.ID == name })
				if !byArea {
					_, err := stat.ParsePeriod(name)
					isItem = err == nil
				}
				if !isItem {
					continue
				}
				c := encodetest.Cell{Value: math.NaN(), Unit: original(row[unit])}
				if row[i] != "" {
					c.Value, _ = strconv.ParseFloat(row[i], 64)
				}
				if at, ok := columns[rows[0][i]+"_status"]; ok {
					c.Flags = row[at]
				}
				if at, ok := columns[rows[0][i]+"_note"]; ok {
					c.Note = original(row[at])
				}
				if math.IsNaN(c.Value) && c.Flags == "" && c.Note == "" {
					continue
				}
				for n := range d.Dimensions {
					c.Codes = append(c.Codes, original(row[1+n]))
				}
				area := original(row[1+len(d.Dimensions)])
				c.Period = name
				if !byArea {
					c.Area = original(row[slices.Index(rows[0], "geo_iso")])
				}
				if byArea {
					c.Period, area = area, name
				}
				if !d.HasNoArea() {
					c.Codes = append(c.Codes, area)
				}
				cells = append(cells, c)
			}
		}
		return cells
	}
}

func TestForms(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t),
		encodetest.Form{Name: "commas", Write: form.Write, Read: readTidy(',', ".")},
		encodetest.Form{Name: "semicolons", Write: form.Write, Read: readTidy(';', ","), Options: encode.Options{Separator: ';', Decimal: ',', BOM: true}},
		encodetest.Form{Name: "areas in columns", Write: form.Write, Read: readWide(true), Options: encode.Options{Wide: encode.WideArea, Labels: encode.LabelsCode}, LacksLabels: true, LacksAreas: true},
		encodetest.Form{Name: "periods in columns", Write: form.Write, Read: readWide(false), Options: encode.Options{Wide: encode.WidePeriod, Labels: encode.LabelsCode}, LacksLabels: true},
	)
}

// TestImport imports the files again.
func TestImport(t *testing.T) {
	encodetest.Run(t, stattest.DataDir(t),
		encodetest.Form{Name: "commas", Write: form.Write, ImportAs: "data.csv"},
		encodetest.Form{Name: "semicolons", Write: form.Write, ImportAs: "data.csv", Options: encode.Options{Separator: ';', Decimal: ',', BOM: true, ISOPeriods: true}},
		encodetest.Form{Name: "periods in columns", Write: form.Write, ImportAs: "data.csv", Options: encode.Options{Wide: encode.WidePeriod}},
		encodetest.Form{Name: "areas in columns", Write: form.Write, ImportAs: "data.csv", Options: encode.Options{Wide: encode.WideArea}},
	)
}
