package plain_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/plain"
	"almanac/internal/stattest"
)

func (m *madeTable) csv(t *testing.T) formattest.Sample {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(m.rows); err != nil {
		t.Fatal(err)
	}
	return formattest.Sample{Name: "made.csv", Data: b.Bytes()}
}

// workbook writes the table as a sheet, numbers as numbers.
func (m *madeTable) workbook(t *testing.T) formattest.Sample {
	var rows [][]string
	for _, row := range m.rows {
		var out []string
		for _, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); err == nil && !strings.HasPrefix(cell, "0") {
				cell = number(cell)
			}
			out = append(out, cell)
		}
		rows = append(rows, out)
	}
	b := book{sheets: []string{"Data", cells(rows...)}}
	return formattest.Sample{Name: "made.xlsx", Data: b.xlsx(t)}
}

// refusedLater says that a table has two values at one place, which the importer refuses.
const refusedLater = "two values at one place"

// compare returns how a table that was read differs from the one that was made.
func (m *madeTable) compare(tables []formattest.Table) string {
	got := map[string]string{}
	for _, table := range tables {
		for _, o := range table.All {
			if math.IsNaN(o.Value) {
				continue
			}
			var labels []string
			for i, axis := range table.Dataset.Axes() {
				if len(axis.Codes) == 0 {
					continue
				}
				c := axis.Codes[o.Key[i]]
				label := c.Label
				if label == "" {
					label = c.ID
				}
				for part := range strings.SplitSeq(label, ": ") {
					if !slices.Contains(m.constants, part) {
						labels = append(labels, part)
					}
				}
			}
			key, value := madeKey(o.Period.String(), labels), strconv.FormatFloat(o.Value, 'f', -1, 64)
			if before, ok := got[key]; ok && before != value {
				return refusedLater
			}
			got[key] = value
		}
	}
	for key, cell := range m.want {
		value, _ := strconv.ParseFloat(cell, 64)
		if is, ok := got[key]; !ok || is != strconv.FormatFloat(value, 'f', -1, 64) {
			return fmt.Sprintf("%s is %q, want %q", key, is, cell)
		}
	}
	if len(got) != len(m.want) {
		return fmt.Sprintf("%d numbers, want %d", len(got), len(m.want))
	}
	return ""
}

// TestRandomTables checks that tables of the forms that people use are read as they are
// meant or refused, and that nearly all that have one reading are read.
func TestRandomTables(t *testing.T) {
	formats := plain.Formats()
	clear, read, wrong := 0, 0, 0
	for seed := range stattest.Rounds(t, 300, 8_000) {
		m := makeTable(uint64(seed))
		at, s := 1, m.csv(t)
		if seed%4 == 3 {
			at, s = 0, m.workbook(t)
		}
		tables, err := formattest.Read(t.Context(), formats[at], s)
		isClear := m.isClear && !m.isDouble
		if isClear {
			clear++
		}
		switch problem := ""; {
		case err != nil && isClear:
			t.Logf("seed %d: %s: refused: %v", seed, m.form, err)
		case err != nil:
		case m.isDouble:
			problem = "two tables are read as one"
			fallthrough
		default:
			if problem == "" {
				problem = m.compare(tables)
			}
			if problem == refusedLater {
				continue
			}
			if isClear {
				read++
			}
			if problem != "" {
				wrong++
				t.Errorf("seed %d: %s: %s\n%s\n%s", seed, m.form, problem, m.csv(t).Data, formattest.Describe(tables))
			}
		}
		if wrong > 20 {
			t.Fatal("too many")
		}
	}
	if read*10 < clear*9 {
		t.Errorf("%d of %d tables with one reading are read", read, clear)
	}
	t.Logf("%d of %d tables with one reading are read", read, clear)
}
