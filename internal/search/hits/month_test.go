package hits

import "testing"

// TestMonthOrQuarter says which months and quarters questions name.
func TestMonthOrQuarter(t *testing.T) {
	for question, want := range map[string]string{
		"unemployment rate US November 2022":      "11/2022",
		"unemployment rate US 2022-11":            "11/2022",
		"unemployment rate US 11/2022":            "11/2022",
		"Arbeitslosenquote März 2021 Deutschland": "03/2021",
		"chômage en février 2020":                 "02/2020",
		"paro en marzo de 2020":                   "03/2020",
		"inflazione 2022 agosto":                  "08/2022",
		"GDP France Q3 2022":                      "Q3/2022",
		"GDP France 2022Q3":                       "Q3/2022",
		"GDP France 2022-Q3":                      "Q3/2022",
		"GDP in the 2nd quarter of 2022":          "Q2/2022",
		"GDP France 2022":                         "",
		"people who march":                        "",
		"population 2010-2020":                    "",
		"population aged 15-24 in 2020":           "",
	} {
		p, phrase, ok := monthOrQuarter(question)
		if got := p.String(); ok && got != want || !ok && want != "" {
			t.Errorf("%s: %s (%q), want %q", question, got, phrase, want)
		}
	}
}
