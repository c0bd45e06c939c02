package agent_test

import (
	"strings"
	"testing"
)

// TestEditions checks that the tools find a group by its name in the composition that a dataset has, and say which one it is.
func TestEditions(t *testing.T) {
	s := newStore(t, "eurostat/tsv-old/une_rt_a.tsv.gz", "ecb/eurofxref-hist.csv")
	base, _ := serve(t, s, unlimited)
	session := connect(t, base, nil)
	const readAs = `\"euro area\" is read as Euro area (EA19), 19 countries, 2015–2022`
	for _, c := range []struct{ name, tool, arguments, want string }{
		{"its meaning", "resolve_area", `{"area": "euro area", "dataset": "eurostat:une_rt_a"}`, readAs},
		{"values", "get_data", `{"dataset": "eurostat:une_rt_a", "areas": ["euro area"], "period": 2019}`, readAs},
		{"the latest value", "get_latest", `{"dataset": "eurostat:une_rt_a", "areas": ["euro area"]}`, readAs},
		{"a chart", "render_chart", `{"dataset": "eurostat:une_rt_a", "type": "line", "areas": ["euro area", "DE"]}`, readAs},
		{"a comparison of the EU", "compare_sources", `{"measure": "unemployment rate", "areas": ["EU"]}`, `"rows":[["eurostat:une_rt_a"`},
		{"a comparison", "compare_sources", `{"measure": "unemployment rate", "areas": ["euro area"]}`, `EA19`},
		{"a code", "get_latest", `{"dataset": "eurostat:une_rt_a", "areas": ["EA20"]}`, `another composition of the group: Euro area (EA19), 19 countries, 2015–2022`},
		{"a hit", "search_datasets", `{"query": "unemployment rate euro area"}`, `"composition":"Euro area (EA19), 19 countries, 2015–2022"`},
		{"the members of each time", "search_datasets", `{"query": "US dollar rate euro area"}`, `"dataset":"ecb:eurofxref"`},
		{"the same by the name", "resolve_area", `{"area": "Eurozone", "dataset": "ecb:eurofxref"}`, `is read as Euro area (U2), members of each time`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if text, _ := ask(t, session, c.tool, c.arguments); !strings.Contains(text, c.want) {
				t.Errorf("%s %s: %.2000s, want %q", c.tool, c.arguments, text, c.want)
			}
		})
	}
}
