package exports_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/text"
	"almanac/internal/stattest"
)

func gdp(t testing.TB) formattest.Sample {
	return stattest.Sample(t, "un/SYB63_230_202009_GDP and GDP Per Capita.csv")
}

func periodIndicators(t testing.TB) formattest.Sample {
	return stattest.Sample(t, "un/WPP2019_Period_Indicators_Medium.csv")
}

// read reads a real file with a format and with encoding/csv.
func read(t *testing.T, f format.Format, s formattest.Sample) (formattest.Table, [][]string) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(s.Data, text.ByteOrderMark))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return formattest.ReadOne(t, f, s), rows
}

// TestGDP compares every record of the real table of the yearbook.
func TestGDP(t *testing.T) {
	table, rows := read(t, named(t, "un-syb"), gdp(t))
	var want []string
	for _, c := range rows[2:] {
		note := c[6]
		if c[5] != "" {
			note = c[5] + "; " + c[6]
		}
		want = append(want, fmt.Sprintf("%s,%s, %s = %v %q", c[3], c[0], c[2], number(t, c[4]), note))
	}
	formattest.SameLines(t, table, want)
	if len(want) != 6644 || table.Report.Read != 6644 {
		t.Errorf("%d records, %d read; the file has 6644", len(want), table.Report.Read)
	}
	if d := table.Dataset; d.Code != "T12" || d.Name != "Gross domestic product and gross domestic product per capita" || len(d.Geography.Codes) != 244 {
		t.Errorf("the dataset is %s %q of %d areas", d.Code, d.Name, len(d.Geography.Codes))
	}
}

// TestPeriodIndicators compares every cell of the real table of the prospects: spans
// are stored as the year they end in, and those that begin in 2020 or later are
// projections.
func TestPeriodIndicators(t *testing.T) {
	table, rows := read(t, named(t, "un-wpp"), periodIndicators(t))
	var want []string
	cells := 0
	for _, c := range rows[1:] {
		first, last, _ := strings.Cut(c[4], "-")
		flag := ""
		if first >= "2020" {
			flag = ` "F"`
		}
		for i, cell := range c[5:] {
			cells++
			if cell != "" {
				want = append(want, fmt.Sprintf("%s,%s,%s, %s = %v%s", c[2], rows[0][5+i], c[0], last, number(t, cell), flag))
			}
		}
	}
	formattest.SameLines(t, table, want)
	if len(rows)-1 != 14940 || len(rows[0]) != 24 || table.Report.Read != cells || table.Report.Missing != 30330 {
		t.Errorf("%d records of %d columns, %d cells read, %d missing", len(rows)-1, len(rows[0]), table.Report.Read, table.Report.Missing)
	}
	if len(table.Dataset.PeriodLabels) != 30 {
		t.Errorf("%d spans have a label, want 30", len(table.Dataset.PeriodLabels))
	}
	for p, label := range table.Dataset.PeriodLabels {
		if !strings.HasSuffix(label, "-"+p.String()) {
			t.Errorf("the span %s is stored as %s", label, p)
		}
	}
}
