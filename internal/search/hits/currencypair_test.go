package hits

import "testing"

// TestReadPair says which questions are for an exchange rate without saying so.
func TestReadPair(t *testing.T) {
	for question, want := range map[string]string{
		"EUR/GBP 24 June 2016":          "EUR GBP exchange rate 24 June 2016",
		"EUR USD 2008-07-15":            "EUR USD exchange rate 2008-07-15",
		"EURGBP":                        "EUR GBP exchange rate",
		"eur/usd":                       "EUR USD exchange rate",
		"EUR/USD Kurs am 24. Juni 2016": "EUR USD exchange rate am 24. Juni 2016",
		"EUR-USD exchange rate 2015":    "EUR USD exchange rate 2015",
		"ECB EUR/USD":                   "EUR USD exchange rate ECB",
		"exports EUR/USD":               "exports EUR/USD",
		"GDP in EUR":                    "GDP in EUR",
		"all try":                       "all try",
		"and/or":                        "and/or",
		"EUR/EUR":                       "EUR/EUR",
	} {
		got, notices := readPair(question)
		if got != want || (len(notices) == 1) != (got != question) {
			t.Errorf("%s: %q with %d notices, want %q", question, got, len(notices), want)
		}
	}
}

// TestWithoutDay says what is searched for if a question names a day.
func TestWithoutDay(t *testing.T) {
	for question, want := range map[string]string{
		"pound rate 24 June 2016":     "pound rate",
		"pound rate 2016-06-24":       "pound rate",
		"Kurs am 24. Juni 2016, Euro": "Kurs am Euro",
		"unemployment January 2010":   "unemployment January 2010",
		"deaths week 13 2020":         "deaths week 13 2020",
		"24 June 2016":                "24 June 2016",
	} {
		if got := withoutDay(question); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
