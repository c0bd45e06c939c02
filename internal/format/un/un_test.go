package un_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/text"
	"almanac/internal/format/un"
	"almanac/internal/stattest"
)

const (
	yearbook  = "T12,GDP,,,,,\nRegion/Country/Area,,Year,Series,Value,Footnotes,Source\n4,Afghanistan,1985,GDP,\"3,509.5\",Estimate.,UN\n"
	prospects = "LocID,Location,VarID,Variant,Time,TFR,NRR\n4,Afghanistan,2,Medium,2020-2025,7.45,\n"
)

func yearbookFormat() format.Format  { return un.Formats()[0] }
func prospectsFormat() format.Format { return un.Formats()[1] }

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

func number(t *testing.T, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestGDP compares every record of the real table of the yearbook.
func TestGDP(t *testing.T) {
	table, rows := read(t, yearbookFormat(), gdp(t))
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
	table, rows := read(t, prospectsFormat(), periodIndicators(t))
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

// TestConform tests the real files; of the larger one only the first and last lines,
// because cutting it off at forty places takes too long.
func TestConform(t *testing.T) {
	formattest.Conform(t, yearbookFormat(), gdp(t))
	s := periodIndicators(t)
	lines := bytes.SplitAfter(s.Data, []byte("\n"))
	s.Data = bytes.Join(append(lines[:1500:1500], lines[len(lines)-1000:]...), nil)
	formattest.Conform(t, prospectsFormat(), s)
}

func FuzzYearbook(f *testing.F) {
	formattest.Fuzz(f, yearbookFormat(), formattest.Sample{Name: "SYB63.csv", Data: []byte(yearbook)})
}

func FuzzProspects(f *testing.F) {
	formattest.Fuzz(f, prospectsFormat(), formattest.Sample{Name: "WPP2019_x.csv", Data: []byte(prospects)})
}
