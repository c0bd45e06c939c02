package portal_test

import (
	"slices"
	"strings"
	"testing"
)

// If lines were asked for and bars are drawn, because the selection has one period, the tab of bars is marked.
func TestTabOfWhatIsDrawn(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for query, want := range map[string]string{"period=2010": "Bar", "period_from=2005": "Line", "period=2010&view=table": "Table only"} {
		root := openPage(t, base+"/datasets/1/une_rt_a?"+query)
		tabs := elements(root, "nav", "class=tabs")[0]
		if got := textOf(elements(tabs, "a", "aria-current=true")[0]); got != want {
			t.Errorf("%s: the tab %q is marked, want %q", query, got, want)
		}
	}
}

// A dataset is not related to another by one common word of their titles.
func TestSimilarTitles(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{"share of energy from renewable sources", "renewable energy sources in transport", "exchange rates from other sources", "x"} {
		load(t, s, strings.ReplaceAll(name, " ", "_")+".csv", strings.NewReader("country,year,value\nDE,2020,1\nFR,2020,2\n"))
	}
	base := serve(t, s, nil)
	var related []string
	for _, section := range elements(openPage(t, base+"/datasets/1/share_of_energy_from_renewable_sources"), "section", "id=related") {
		for _, a := range elements(section, "a") {
			address, _ := attribute(a, "href")
			related = append(related, address)
		}
	}
	if slices.ContainsFunc(related, func(a string) bool { return strings.HasPrefix(a, "/datasets/3") }) {
		t.Errorf("related are %q", related)
	}
}

// Areas of which the office has no name in the language of the page have those of the language, as in charts.
func TestNamesOfAreasInLanguage(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/datasets/1/une_rt_a?lang=de&country=UK&country=DE")
	if names := textOf(elements(root, "tbody")[0]); !strings.Contains(names, "Vereinigtes Königreich") || !strings.Contains(names, "Deutschland") {
		t.Errorf("the table has %.300q", names)
	}
}
