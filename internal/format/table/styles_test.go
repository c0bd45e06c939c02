package table_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
)

// TestLateStyles checks that a row far from the others in style has the meaning that it has
// at the beginning, where all others follow it.
func TestLateStyles(t *testing.T) {
	const rows = 1200 // more than decide the styles
	rest := make([]string, rows)
	for i := range rest {
		rest[i] = fmt.Sprintf("A%d,2000-Q1,%d.5", i, i)
	}
	read := func(rows []string) (string, error) {
		data := "area,year,value\n" + strings.Join(rows, "\n") + "\n"
		tables, err := formattest.Read(t.Context(), formatOf("long.csv"), formattest.Sample{Name: "long.csv", Data: []byte(data)})
		if err != nil {
			return "", err
		}
		var lines []string
		for _, o := range tables[0].All {
			lines = append(lines, fmt.Sprint(tables[0].Dataset.Geography.Codes[o.Key[len(o.Key)-1]].Label, o.Period, o.Value, o.Flags, o.Note))
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n"), nil
	}
	for _, row := range []string{
		`B,2000-Q1,"1,234.5"`, `B,2000-Q1,1 234.5`, `B,2000-Q1,1'234.5`, `B,2000-Q1,"2,5"`, `B,2000-Q1,1.234.567`, `B,2000-Q1,"1,234"`, `B,2000-Q1,5 %`, `B,2000-Q1,n/a`,
		`B,2000-12-31,1`, `B,31.12.2000,1`, `B,03/04/2000,1`, `B,98,1`, `B,Mar-15,1`, `B,2000:2,1`, `B,2000-11,1`, `B,2010/11,1`, `B,2000,1`, `B,later,1`,
	} {
		first, firstErr := read(append([]string{row}, rest...))
		last, lastErr := read(append(slices.Clone(rest), row))
		if first != last || (firstErr == nil) != (lastErr == nil) {
			t.Errorf("%s: at the end %d bytes, error %v; at the beginning %d bytes, error %v", row, len(last), lastErr, len(first), firstErr)
		}
	}
}

// TestDatesOfManySeries checks that each series has its own frequency, however many have
// another one.
func TestDatesOfManySeries(t *testing.T) {
	var data strings.Builder
	data.WriteString("area,year,value\n")
	for i := range 1200 {
		for month := 1; month <= 12; month++ {
			fmt.Fprintf(&data, "A%d,2020-%02d-01,1.5\n", i, month)
		}
	}
	for month := 1; month <= 12; month += 3 {
		fmt.Fprintf(&data, "B,2020-%02d-01,2.5\n", month)
	}
	tables, err := formattest.Read(t.Context(), formatOf("long.csv"), formattest.Sample{Name: "long.csv", Data: []byte(data.String())})
	if err != nil {
		t.Fatal(err)
	}
	periods := map[string]int{}
	for _, o := range tables[0].All {
		if o.Value == 2.5 || strings.HasPrefix(o.Period.String(), "12/") {
			periods[o.Period.String()]++
		}
	}
	if want := "map[12/2020:1200 Q1/2020:1 Q2/2020:1 Q3/2020:1 Q4/2020:1]"; fmt.Sprint(periods) != want {
		t.Errorf("the periods are %v, want %s", periods, want)
	}
}
