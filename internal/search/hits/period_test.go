package hits

import "testing"

// TestPeriodIn says which days, weeks, months and the like questions name.
func TestPeriodIn(t *testing.T) {
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
		"deaths ages 1-4 2015":                    "",
		"pound euro rate 24 June 2016":            "24/06/2016",
		"pound euro rate June 24th, 2016":         "24/06/2016",
		"Pfund Kurs am 24. Juni 2016":             "24/06/2016",
		"taux livre 1er mars 2010":                "01/03/2010",
		"tipo de cambio 7 de mayo de 2020":        "07/05/2020",
		"rate 2015-01-15":                         "15/01/2015",
		"rate 15.01.2015.":                        "15/01/2015",
		"rate 15/01/2015":                         "15/01/2015",
		"rate 01/15/2015":                         "15/01/2015",
		"rate 31 February 2015":                   "",
		"rate 7 Jan 2020":                         "07/01/2020",
		"deaths week 13 2020":                     "W13/2020",
		"deaths in week 13 of 2020":               "W13/2020",
		"deaths W13/2020":                         "W13/2020",
		"deaths 2020-W13":                         "W13/2020",
		"Sterbefälle KW 13 2020":                  "W13/2020",
		"Sterbefälle 13. Woche 2020":              "W13/2020",
		"décès semaine 13 2020":                   "W13/2020",
		"wages H1 2021":                           "H1/2021",
		"wages first half of 2021":                "H1/2021",
		"Löhne 2. Halbjahr 2021":                  "H2/2021",
		"GDP third quarter 2020":                  "Q3/2020",
		"PIB 3e trimestre 2020":                   "Q3/2020",
		"unemployment Sept 2020":                  "09/2020",
	} {
		p, phrase, ok := periodIn(question)
		if got := p.String(); ok && got != want || !ok && want != "" {
			t.Errorf("%s: %s (%q), want %q", question, got, phrase, want)
		}
	}
}
