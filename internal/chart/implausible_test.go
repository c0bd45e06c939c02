package chart_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/request"
	"almanac/internal/stattest"
)

// Lines leave out a value far above all others of its series, and a period in which nearly all
// series are the same multiple of their values beside it, unless areas or periods are chosen.
func TestImplausibleValues(t *testing.T) {
	const (
		value  = "Not drawn, because over 100 times all other values of the line: Tanzania (11 million in 2010)."
		low    = "Not drawn, because under a thousandth of all other values of the line: Tanzania (0.01 in 2014)."
		lone   = "Not drawn, because single values beyond all lines: Tanzania (9,000 in 2010)."
		zeros  = "Zeros before all other values are not drawn: Tanzania 2010–2011."
		period = "2012 is not drawn: its values are about 20 times those of 2011 and 2013."
	)
	steady := "1000 1010 1020 1030 1040"
	for _, test := range []struct {
		name, address string
		tanzania      string
		others        string // of eight countries
		note          string
	}{
		{"another unit", "", "11000000 7000 8000 9000 9500", steady, value},
		{"areas are chosen", "&country=TZ&country=KE", "11000000 7000 8000 9000 9500", steady, ""},
		{"periods are chosen", "&period_from=2010", "11000000 7000 8000 9000 9500", steady, ""},
		{"small counts, as of disasters", "", "300 0 2 1 3", steady, ""},
		{"too low", "", "140 150 130 120 0.01", steady, low},
		{"a fall of counts", "", "1400 1500 1300 1200 2", steady, ""},
		{"a dot beyond all lines", "", "9000", steady, lone},
		{"a dot among the lines", "", "1030", steady, ""},
		{"zeros before the first value", "", "0 0 1300 1200 1250", steady, zeros},
		{"zeros before a small value", "", "0 0 300 1200 1250", steady, ""},
		{"zeros of chosen areas", "&country=TZ&country=KE", "0 0 1300 1200 1250", steady, ""},
		{"growth", "", "100 1000 10000 100000 100001", steady, ""},
		{"another sample", "", "1000 1010 20300 1030 1040", "1000 1010 20400 1030 1040", period},
		{"one series alone", "", "1000 1010 20300 1030 1040", steady, ""},
		{"a rhythm", "", "1000 20000 1000 20000 1000", "1000 20000 1000 20000 1000", ""},
		{"another unit in an index", "&transform=index:2013", "11000000 7000 8000 9000 9500", steady, value},
		{"another unit in changes", "&transform=percent", "11000000 7000 8000 9000 9500", steady, value},
		{"another unit in an index of chosen areas", "&transform=index:2013&country=TZ&country=KE", "11000000 7000 8000 9000 9500", steady, ""},
		{"another sample in changes", "&transform=change", "1000 1010 20300 1030 1040", "1000 1010 20400 1030 1040", period},
		{"a lone value in changes", "&transform=change", "9000", steady, ""},
		{"a wave of different heights", "", "1000 1010 90000 1030 1040", "", ""},
	} {
		table := "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\n"
		add := func(area, values string) {
			for i, v := range strings.Fields(values) {
				table += fmt.Sprintf("%s,%d,%s\n", area, 2010+i, v)
			}
		}
		add("TZ", test.tanzania)
		for i, area := range []string{"KE", "UG", "RW", "MW", "ZM", "MZ", "BI", "ET", "SD"} {
			values := test.others
			if values == "" {
				values = fmt.Sprintf("1000 1010 %d 1030 1040", 9000*(i+1))
			}
			add(area, values)
		}
		c, err := request.BindChart("type=line" + test.address)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := request.Spec(context.Background(), vintageOf(t, strings.TrimSpace(table)), c)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		note := ""
		if i := slices.IndexFunc(s.Notes, func(n string) bool { return strings.Contains(strings.ToLower(n), "not drawn") }); i >= 0 {
			note = s.Notes[i]
		}
		if note != test.note {
			t.Errorf("%s: note %q, want %q", test.name, note, test.note)
		}
	}
}

// Values are derived without those that are hardly true, which the note has as the office
// published them, with their unit: 11,074,074 million US dollars.
func TestImplausibleBeforeDerived(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "un", "SYB63_230_202009_GDP and GDP Per Capita.csv"))
	if err != nil {
		t.Fatal(err)
	}
	v := vintageOf(t, string(text))
	c, err := request.BindChart("type=line&transform=index:2010")
	if err != nil {
		t.Fatal(err)
	}
	s, _, err := request.Spec(context.Background(), v, c)
	if err != nil {
		t.Fatal(err)
	}
	if notes, want := strings.Join(s.Notes, " "), "Tanzania ($11.1 trillion in 1985)."; !strings.Contains(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	values := map[string]float64{"1995": 7198.265, "2005": 17173.71, "2010": 31553.2431, "2018": 57145.269} // of the file
	for _, series := range s.Series {
		for i, p := range s.Periods {
			got, want := series.Values[i], 100*values[p.String()]/values["2010"]
			if series.Key != "Tanzania" || p.Year() != 1985 && want == 0 {
				continue
			}
			if p.Year() == 1985 && !math.IsNaN(got) || want > 0 && math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: %v, want %v", p, got, want)
			}
		}
	}
	if !slices.ContainsFunc(s.Series, func(series chart.Series) bool { return series.Key == "Tanzania" }) {
		t.Error("there is no line of Tanzania")
	}
}

// Amounts in national currencies are examined before they are indexed.
func TestImplausibleBeforeIndex(t *testing.T) {
	table := "#almanac-tidy,1\n#source,oecd,OECD\n#dataset,w,Wages\n#updated,2024-01-01\n#dimension,unit,Unit,unit\n#code,NAC,National currency\n#geography,geo,Area\n#code,CZE,Czechia\n#code,DEU,Germany\n#code,HUN,Hungary\n#code,POL,Poland\nunit,geo,TIME_PERIOD,OBS_VALUE\n"
	for area, values := range map[string]string{"CZE": "30000 33000 36000 39000", "DEU": "3000 3300 3600 3900", "HUN": "300000 31 330000 360000", "POL": "9000000 3000 4000 5000"} {
		for i, value := range strings.Fields(values) {
			table += fmt.Sprintf("NAC,%s,%d,%s\n", area, 2018+i, value)
		}
	}
	got := outcome(vintageOf(t, strings.TrimSpace(table)), `{"chartType": "line"}`)
	for _, want := range []string{
		"Not drawn, because over 100 times all other values of the line: Poland (9 million “National currency” in 2018).",
		"Not drawn, because under a thousandth of all other values of the line: Hungary (31 “National currency” in 2019).",
		"2020 = 100", "series Poland: - 75 100 125\n", "series Hungary: 90.9090909090909 - 100 109.09090909090908\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s; want %q", got, want)
		}
	}
}

// A sparkline has no notes, so its description says what is left out of its line.
func TestImplausibleInSparkline(t *testing.T) {
	table := "#almanac-tidy,1\n#source,x,Office\n#dataset,t,Table\n#updated,2024-01-01\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE"
	for i, value := range strings.Fields("11000000 7000 8000 9000 9500") {
		table += fmt.Sprintf("\nTZ,%d,%s", 2010+i, value)
	}
	got := outcome(vintageOf(t, table), `{"chartType": "spark"}`)
	if want := "It goes from 7,000 in 2011 to 9,500 in 2014. Not drawn, because over 100 times all other values of the line: TZ (11 million in 2010)."; !strings.Contains(got, want) {
		t.Errorf("%s; want %q", got, want)
	}
}
