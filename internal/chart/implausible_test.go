package chart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/request"
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
