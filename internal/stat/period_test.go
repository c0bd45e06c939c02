package stat_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"almanac/internal/stat"
)

// must parses a valid period.
func must(t rapid.TB, text string) stat.Period {
	t.Helper()
	p, err := stat.ParsePeriod(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// lines reads a file of testdata without its comments and blank lines.
func lines(t testing.TB, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			found = append(found, line)
		}
	}
	if len(found) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return found
}

// docs/api.md, Periods: each of six frequencies has one written form and other accepted
// ones. White space around a period is ignored. Weeks are those of ISO 8601.
func TestPeriods(t *testing.T) {
	for _, line := range lines(t, "testdata/periods.txt") {
		words := strings.Fields(line)
		written, freq, first, last, year, sdmx := words[0], words[1], words[2], words[3], words[4], words[5]
		t.Run(strings.ReplaceAll(written, "/", " of "), func(t *testing.T) {
			p := must(t, written)
			for name, pair := range map[string][2]string{
				"String":    {p.String(), written},
				"Frequency": {p.Frequency().String(), freq},
				"Start":     {p.Start().Format(time.RFC3339), first + "T00:00:00Z"},
				"End":       {p.End().Format(time.RFC3339), last + "T00:00:00Z"},
				"Year":      {strconv.Itoa(p.Year()), year},
				"SDMX":      {p.SDMX(), sdmx},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s is %s, want %s", name, pair[0], pair[1])
				}
			}
			for _, other := range append(words[5:], " "+written, written+"\n", "\t"+sdmx+" ") {
				if got := must(t, other); got != p {
					t.Errorf("%q is read as %v, want %v", other, got, p)
				}
			}
		})
	}
}

// docs/api.md, Periods: any other spelling is an error, which quotes the text and lists
// the forms of periods.
func TestNoPeriods(t *testing.T) {
	for _, line := range lines(t, "testdata/no-periods.txt") {
		text, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		p, err := stat.ParsePeriod(text)
		if err == nil {
			t.Errorf("%q is read as %v", text, p)
			continue
		}
		if !p.IsZero() {
			t.Errorf("%q gives an error and the period %v", text, p)
		}
		if quoted := strconv.Quote(strings.TrimSpace(text)); !strings.Contains(err.Error(), quoted) {
			t.Errorf("%q: the error does not name it: %v", text, err)
		}
	}
}

func TestFrequencies(t *testing.T) {
	for _, c := range []struct {
		freq                        stat.Frequency
		code, name, format, example string
	}{
		{stat.Annual, "A", "annual", "YYYY", "2024"},
		{stat.HalfYear, "S", "half-yearly", "Hn/YYYY", "H1/2024"},
		{stat.Quarter, "Q", "quarterly", "Qn/YYYY", "Q1/2024"},
		{stat.Month, "M", "monthly", "MM/YYYY", "01/2024"},
		{stat.Week, "W", "weekly", "Wnn/YYYY", "W05/2024"},
		{stat.Day, "D", "daily", "DD/MM/YYYY", "31/01/2024"},
	} {
		got := []string{c.freq.Code(), c.freq.String(), c.freq.Format(), c.freq.Example()}
		if want := []string{c.code, c.name, c.format, c.example}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if p := must(t, c.example); p.Frequency() != c.freq || p.String() != c.example {
			t.Errorf("the example %s is the %s period %s", c.example, p.Frequency(), p)
		}
	}
}

func TestNewPeriod(t *testing.T) {
	for _, c := range []struct {
		freq    stat.Frequency
		year, n int
		want    string // empty: there is none
	}{
		{stat.Annual, 2024, 1, "2024"},
		{stat.Annual, 2024, 2, ""},
		{stat.HalfYear, 2024, 2, "H2/2024"},
		{stat.HalfYear, 2024, 3, ""},
		{stat.Quarter, 2024, 4, "Q4/2024"},
		{stat.Quarter, 2024, 5, ""},
		{stat.Month, 2024, 12, "12/2024"},
		{stat.Month, 2024, 13, ""},
		{stat.Week, 2020, 53, "W53/2020"},
		{stat.Week, 2021, 53, ""},
		{stat.Day, 2024, 366, "31/12/2024"},
		{stat.Day, 2023, 366, ""},
		{stat.Day, 2023, 365, "31/12/2023"},
		{stat.Month, 2024, 0, ""},
		{stat.Month, 2024, -1, ""},
		{stat.Month, 999, 1, "01/0999"},
		{stat.Annual, 1, 1, "0001"},
		{stat.Annual, 0, 1, ""},
		{stat.Month, 10000, 1, ""},
		{stat.Frequency(0), 2024, 1, ""},
	} {
		p := stat.NewPeriod(c.freq, c.year, c.n)
		if p.String() != c.want || p.IsZero() != (c.want == "") {
			t.Errorf("NewPeriod(%s, %d, %d) = %q, want %q", c.freq, c.year, c.n, p, c.want)
		}
	}
}

// The years from 2000 to 2040 that have 53 weeks.
func TestLongYears(t *testing.T) {
	var long []int
	for year := 2000; year < 2040; year++ {
		if !stat.NewPeriod(stat.Week, year, 53).IsZero() {
			long = append(long, year)
		}
	}
	if want := []int{2004, 2009, 2015, 2020, 2026, 2032, 2037}; !slices.Equal(long, want) {
		t.Errorf("years of 53 weeks: %v, want %v", long, want)
	}
}

// docs/api.md, Periods: order is by start of span, then from annual to daily.
func TestOrder(t *testing.T) {
	want := []string{
		"12/2023", "31/12/2023",
		"2024", "H1/2024", "Q1/2024", "01/2024", "W01/2024", "01/01/2024",
		"02/01/2024", "W05/2024", "02/2024", "Q2/2024", "H2/2024", "31/12/2024",
		"W01/2025", // begins on 30 December 2024 …
		"2025",
	}
	var periods []stat.Period
	for _, text := range want {
		periods = append(periods, must(t, text))
	}
	slices.Reverse(periods)
	slices.SortFunc(periods, stat.Period.Compare)
	var got []string
	for _, p := range periods {
		got = append(got, p.String())
	}
	// … and so before the last day of the year.
	i := slices.Index(want, "31/12/2024")
	want[i], want[i+1] = want[i+1], want[i]
	if !slices.Equal(got, want) {
		t.Errorf("order\n%v, want\n%v", got, want)
	}
}

// docs/api.md, Periods: the parameter period selects the periods equal to it or inside
// it, so one finer than those of the dataset selects nothing. A week belongs to the year
// and month of its Thursday.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		p, q string
		want bool
	}{
		{"2024", "2024", true},
		{"Q1/2024", "2024", true},
		{"Q1/2024", "H1/2024", true},
		{"Q3/2024", "H1/2024", false},
		{"2024", "Q1/2024", false},
		{"2024", "2025", false},
		{"02/2024", "Q1/2024", true},
		{"31/01/2024", "01/2024", true},
		{"01/02/2024", "01/2024", false},
		{"29/01/2024", "W05/2024", true},
		{"05/02/2024", "W05/2024", false},
		{"01/2024", "W05/2024", false},
		{"W05/2024", "02/2024", true}, // Monday 29 January, Thursday 1 February
		{"W05/2024", "01/2024", false},
		{"W05/2024", "Q1/2024", true},
		{"W01/2015", "2015", true}, // Monday 29 December 2014, Thursday 1 January 2015
		{"W01/2015", "2014", false},
		{"W01/2015", "12/2014", false},
		{"W53/2020", "2020", true}, // Thursday 31 December 2020
		{"W53/2020", "H2/2020", true},
		{"W53/2020", "01/2021", false},
		{"W53/2020", "31/12/2020", false},
	} {
		if got := must(t, c.p).Within(must(t, c.q)); got != c.want {
			t.Errorf("%s within %s: %t, want %t", c.p, c.q, got, c.want)
		}
	}
}

// docs/api.md, Periods: period_from and period_to select the periods that overlap the
// span from the start of the first to the end of the second: for a quarterly dataset,
// 2015 to 2020 is Q1/2015 … Q4/2020.
func TestSpanOfYearsOnQuarters(t *testing.T) {
	var kept []stat.Period
	for year := 2013; year <= 2022; year++ {
		for n := 1; n <= 4; n++ {
			if q := stat.NewPeriod(stat.Quarter, year, n); q.OverlapsSpan(must(t, "2015"), must(t, "2020")) {
				kept = append(kept, q)
			}
		}
	}
	if len(kept) != 24 || kept[0].String() != "Q1/2015" || kept[23].String() != "Q4/2020" {
		t.Errorf("kept %v", kept)
	}
}

func TestOverlapsSpan(t *testing.T) {
	for _, c := range []struct {
		p, from, to string // an empty bound is open
		want        bool
	}{
		{"2024", "", "", true},
		{"2024", "Q4/2024", "", true}, // the year overlaps its last quarter
		{"2024", "01/2025", "", false},
		{"2024", "", "01/2024", true},
		{"2024", "", "12/2023", false},
		{"2024", "15/06/2024", "16/06/2024", true},
		{"02/2024", "29/02/2024", "29/02/2024", true},
		{"Q1/2024", "H2/2023", "01/2024", true},
		{"W05/2024", "02/2024", "02/2024", true},
		{"W05/2024", "01/2024", "01/2024", false}, // its Thursday is in February
		{"W05/2024", "", "30/01/2024", true},      // compared with days, a week is its seven days
		{"W05/2024", "04/02/2024", "", true},
		{"W05/2024", "05/02/2024", "", false},
		{"W05/2024", "W05/2024", "W05/2024", true},
		{"W05/2024", "W06/2024", "", false},
		{"W05/2024", "31/01/2024", "01/2024", false}, // each bound is compared by its own frequency
		{"W01/2015", "2015", "2015", true},
		{"W01/2015", "", "2014", false},
	} {
		var from, to stat.Period
		if c.from != "" {
			from = must(t, c.from)
		}
		if c.to != "" {
			to = must(t, c.to)
		}
		if got := must(t, c.p).OverlapsSpan(from, to); got != c.want {
			t.Errorf("%s overlaps %q to %q: %t, want %t", c.p, c.from, c.to, got, c.want)
		}
	}
}

func TestZeroPeriod(t *testing.T) {
	var none stat.Period
	if !none.IsZero() || none.String() != "" || none.SDMX() != "" {
		t.Errorf("the zero period is %q, %q, zero: %t", none.String(), none.SDMX(), none.IsZero())
	}
	if none.Within(must(t, "1970")) {
		t.Error("no period lies within 1970")
	}
	if must(t, "01/01/1970").IsZero() {
		t.Error("1970-01-01 is the zero period")
	}
}

// Periods are texts in JSON, as values and as keys.
func TestPeriodJSON(t *testing.T) {
	type record struct {
		Period stat.Period
		Labels map[stat.Period]string
	}
	want := `{"Period":"Q1/2024","Labels":{"1955":"1950-1955"}}`
	got, err := json.Marshal(record{must(t, "2024-Q1"), map[stat.Period]string{must(t, "1955"): "1950-1955"}})
	if err != nil || string(got) != want {
		t.Errorf("written as %s, error %v, want %s", got, err, want)
	}
	var back record
	if err := json.Unmarshal([]byte(want), &back); err != nil {
		t.Fatal(err)
	}
	if back.Period != must(t, "Q1/2024") || back.Labels[must(t, "1955")] != "1950-1955" {
		t.Errorf("read as %v", back)
	}
	if err := json.Unmarshal([]byte(`{"Period":""}`), &back); err != nil || !back.Period.IsZero() {
		t.Errorf("the empty text is read as %v, error %v", back.Period, err)
	}
	if err := json.Unmarshal([]byte(`{"Period":"soon"}`), &back); err == nil {
		t.Error("an invalid period is parsed without an error")
	}
}
