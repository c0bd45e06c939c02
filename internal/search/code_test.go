package search_test

import (
	"testing"

	"almanac/internal/offer"
	"almanac/internal/search"
)

// A code is found however it is typed, and its words are not corrected.
func TestCodes(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "demo_pjan", Title: "Population on 1 January by age and sex", Language: "en"},
		{Source: "eurostat", Code: "migr_asyappctza", Title: "Asylum applicants", Language: "en"},
		{Source: "eurostat", Code: "une_rt_m", Title: "Unemployment by sex and age", Language: "en"},
		{Source: "eurostat", Code: "trng_cvt_07s", Title: "Enterprises with a plan of training", Language: "en"},
		{Source: "eurostat", Code: "hsw_aw_co2", Title: "Accidents at work", Language: "en"},
		{Source: "worldbank", Code: "CC.EMSE", Title: "Carbon dioxide emissions", Language: "en"},
		{Source: "worldbank", Code: "SP.DYN.LE00.IN", Title: "Life expectancy at birth", Language: "en"},
		{Source: "worldbank", Code: "100000", Title: "Gross domestic product", Language: "en"},
		{Source: "worldbank", Code: "VC.IHR.PSRC.P5", Title: "Intentional homicides (per 100,000 people)", Language: "en"},
		{Source: "ilo", Code: "DF_UNE_TUNE_SEX_AGE_NB", Title: "Unemployed persons", Language: "en"},
		{Source: "statcan", Code: "36100104", Title: "Expenditure-based accounts", Language: "en"},
		{Source: "destatis", Code: "12411-0001", Title: "Bevölkerung: Deutschland, Stichtag", Language: "de"},
		{Source: "istat", Code: "124_1156", Title: "Universities: balance sheets", Language: "en"},
		{Source: "bis", Code: "WS_CBPOL", Title: "Central bank policy rates", Language: "en"},
		{Source: "unicef", Code: "UNICEF,CME", Title: "Child mortality", Language: "en"},
		{Source: "unicef", Code: "UNICEF,CME_SUBNAT", Title: "CME by district", Language: "en"},
		{Source: "ecb", Code: "sts_gdp", Title: "Short-term statistics", Language: "en"},
		{Source: "who", Code: "MEDS", Title: "Generic medicines", Language: "en"},
		{Source: "oecd", Code: "DF_LSO_UNEMP", Title: "Adults by attainment", Language: "en"},
	})
	for _, c := range []struct{ name, text, first string }{
		{"blanks for marks", "demo pjan", "demo_pjan"},
		{"blanks for marks, long", "migr asyappctza", "migr_asyappctza"},
		{"short parts", "une rt m", "une_rt_m"},
		{"blanks for points", "SP DYN LE00 IN", "SP.DYN.LE00.IN"},
		{"beside its source", "eurostat demo_pjan", "demo_pjan"},
		{"blanks beside its source", "eurostat demo pjan", "demo_pjan"},
		{"in a sentence", "dataset demo_pjan please", "demo_pjan"},
		{"without its prefix", "UNE_TUNE_SEX_AGE_NB", "DF_UNE_TUNE_SEX_AGE_NB"},
		{"capitals without its prefix", "CBPOL", "WS_CBPOL"},
		{"small letters without its prefix", "cbpol", "WS_CBPOL"},
		{"beginning of a word", "unemp", "une_rt_m"},
		{"that word in capitals", "UNEMP", "DF_LSO_UNEMP"},
		{"term of the field", "co2", "CC.EMSE"},
		{"behind its agency", "CME", "UNICEF,CME"},
		{"word that ends a code", "GDP", "100000"},
		{"with the number of a view", "36-10-0104-01", "36100104"},
		{"beginning of a number beside a word", "table 12411", "12411-0001"},
		{"beginning of a number beside its system", "GENESIS 12411", "12411-0001"},
		{"beside its system", "GENESIS 12411-0001", "12411-0001"},
		{"quantity", "murders per 100000", "VC.IHR.PSRC.P5"},
		{"words", "asylum applicants", "migr_asyappctza"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := s.Find(t.Context(), search.Query{Text: c.text})
			if err != nil || len(r.Hits) == 0 || r.Hits[0].Code != c.first {
				t.Fatalf("%q finds %+v, not %s first; error %v", c.text, r, c.first, err)
			}
			if len(r.Corrections) > 0 {
				t.Errorf("%q is corrected: %v", c.text, r.Corrections)
			}
		})
	}
}

// After a dataset with the code come its siblings, and then those that have words of the code alone.
func TestSiblingsOfCodes(t *testing.T) {
	s := searchOver(t, []offer.Offer{
		{Source: "eurostat", Code: "ilc_li02", Title: "At-risk-of-poverty rate by age", Language: "en"},
		{Source: "eurostat", Code: "ilc_li02$dv_422", Title: "At-risk-of-poverty rate", Language: "en"},
		{Source: "eurostat", Code: "ilc_li41", Title: "At-risk-of-poverty rate by region", Language: "en"},
		{Source: "eurostat", Code: "hlth_silc_01", Title: "Health", Language: "en"},
		{Source: "insee", Code: "ILC", Title: "LI02 of ILC", Language: "en"},
		{Source: "statcan", Code: "18100004", Title: "Consumer Price Index, monthly", Language: "en"},
		{Source: "statcan", Code: "18100205", Title: "New housing price index", Language: "en"},
		{Source: "statcan", Code: "37100004", Title: "Participation, ages 10 to 18, 10-18, 01", Language: "en"},
	})
	for text, want := range map[string][]string{
		"ilc_li02":      {"ilc_li02", "ilc_li02$dv_422", "ilc_li41"},
		"18-10-0004-01": {"18100004", "18100205"},
	} {
		r, err := s.Find(t.Context(), search.Query{Text: text})
		if err != nil || len(r.Hits) < len(want) {
			t.Fatalf("%q finds %+v, error %v", text, r, err)
		}
		for i, code := range want {
			if r.Hits[i].Code != code {
				t.Errorf("%q finds %s at place %d, want %s", text, r.Hits[i].Code, i+1, code)
			}
		}
	}
}
