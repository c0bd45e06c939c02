package api_test

import (
	"net/url"
	"testing"

	"almanac/internal/stattest"
)

// TestConceptOfValue checks that a value is of the concept of its dataset only if the question asks for this measure, also for ages or a sex.
func TestConceptOfValue(t *testing.T) {
	stattest.SkipUnderRace(t)
	base := searchFiles(t, "imf/WEOOct2009all.xls", "eurostat/tsv-old/une_rt_a.tsv.gz")
	for _, c := range []struct{ question, code, want string }{
		{"GDP growth US 2007", "WEO", "gdp-growth"},
		{"unemployment rate US 2007", "WEO", ""},
		{"inflation us 2007", "WEO", ""},
		{"us inflation 2007", "WEO", ""},
		{"unemployment Spain", "une_rt_a", "unemployment-rate"},
		{"unemployment of young women Spain", "une_rt_a", "unemployment-rate"},
	} {
		found := false
		for _, h := range find(t, base, "q="+url.QueryEscape(c.question)).Data {
			if h.Code == c.code && h.Latest != nil {
				if found = true; h.Latest.Concept != c.want {
					t.Errorf("%s: a value of %q, want %q", c.question, h.Latest.Concept, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: %s has no value", c.question, c.code)
		}
	}
}
