package agent_test

import (
	"strings"
	"testing"

	"almanac/internal/importer"
)

// TestProjections checks that values of periods that had not ended when a file came here are called projections if no flag says so, and
// that those before may be some if the file has no date.
func TestProjections(t *testing.T) {
	s := newStoreOf(t, importer.Options{Country: "EE"}, "../data-more/estonia-rv021/RV021.csv", "imf/WEOOct2009all.xls", "eurostat/tsv-old/une_rt_a.tsv.gz")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const estonia = `{"dataset": "local:rv021"`
	const ahead, unsaid = "to 2040 are projections, although no flag says so", "its file does not say since when: values of 20"
	for _, c := range []struct{ name, tool, arguments, want, wantNot string }{
		{"all periods", "get_data", estonia + `}`, ahead, ""},
		{"later ones", "get_data", estonia + `, "period_from": "2038"}`, "the values of 2038 " + ahead, ""},
		{"the last one", "get_data", estonia + `, "period": "2040"}`, "the values of 2040 are projections", ""},
		{"without a date", "get_data", estonia + `, "period": "2040"}`, "earlier values may be projections too: the file does not say", ""},
		{"past ones", "get_data", estonia + `, "period_to": "1990"}`, "1990", "projections"},
		{"the latest observed one", "get_latest", estonia + `}`, unsaid, "although"},
		{"the last one of all", "get_latest", estonia + `, "mode": "last"}`, "the values of 2040 are projections", unsaid},
		{"a hit", "search_datasets", `{"query": "population of Estonia", "source": ["local"]}`, unsaid, ""},
		{"a hit of a year", "search_datasets", `{"query": "inhabitants of Estonia 2038", "source": ["local"]}`, ", a forecast", unsaid},
		{"flags that say so", "get_data", `{"dataset": "imf:WEO", "areas": ["JP"]}`, "forecast", "although no flag"},
		{"no projections", "get_latest", `{"dataset": "eurostat:une_rt_a", "areas": ["DE"]}`, "2019", "projections"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _ := ask(t, session, c.tool, c.arguments)
			if !strings.Contains(text, c.want) || c.wantNot != "" && strings.Contains(text, c.wantNot) {
				t.Errorf("%s %s: %.3000s, want %q and not %q", c.tool, c.arguments, text, c.want, c.wantNot)
			}
		})
	}
}
