package stat

import "testing"

func TestAnnualFrequency(t *testing.T) {
	for name, test := range map[string]struct {
		years []int
		want  string
	}{
		"none":                {nil, ""},
		"one":                 {[]int{2020}, ""},
		"each":                {[]int{2019, 2020, 2021}, ""},
		"one is missing":      {[]int{2015, 2016, 2017, 2018, 2019, 2021, 2022}, ""},
		"spans of five":       {[]int{1950, 1955, 1960, 1965}, "A5"},
		"a survey":            {[]int{2003, 2006, 2009, 2012}, "A3"},
		"censuses":            {[]int{1991, 2001, 2011, 2021}, "A10"},
		"irregular":           {[]int{2000, 2004, 2010, 2021}, "OA"},
		"two far apart":       {[]int{2005, 2010}, "OA"},
		"long ago and yearly": {[]int{1, 1000, 1500, 2016, 2017, 2018}, "OA"},
	} {
		t.Run(name, func(t *testing.T) {
			periods := []Period{}
			for _, year := range test.years {
				periods = append(periods, NewPeriod(Annual, year, 1))
			}
			if got := AnnualFrequency(periods); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	mixed := []Period{NewPeriod(Annual, 2010, 1), NewPeriod(Quarter, 2011, 1), NewPeriod(Annual, 2015, 1), NewPeriod(Annual, 2020, 1)}
	if got := AnnualFrequency(mixed); got != "A5" {
		t.Errorf("years between quarters: got %q, want A5", got)
	}
}
