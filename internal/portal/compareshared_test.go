package portal_test

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// compareButton is the address of the button of a search that compares sources; empty: there is none.
func compareButton(t *testing.T, base, question string) string {
	t.Helper()
	for _, button := range elements(openPage(t, base+"/search?q="+strings.ReplaceAll(question, " ", "+")), "a", "class=btn") {
		if to, _ := attribute(button, "href"); strings.HasPrefix(to, "/compare?") {
			return to
		}
	}
	return ""
}

// TestCompareButton checks that a search leads to the comparison of the measure that the question names, and only if two sources have values for
// its area.
func TestCompareButton(t *testing.T) {
	base := serve(t, storeOf(t, "worldbank/api-v1/NYGDPMKTPKDZ-fra.json", "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "eurostat/tsv-old/une_rt_a.tsv.gz",
		"eurostat/tsv-old/gov_10dd_edpt1.tsv", "who/WHOSIS_000001.csv", "un/WPP2019_Period_Indicators_Medium.csv"), nil)
	for _, c := range []struct{ question, want string }{
		{"inflation Germany", ""}, // of one source
		{"inflation rate Italy", ""},
		{"consumer prices Japan", ""},
		{"youth unemployment Spain", ""},
		{"female unemployment France", ""}, // what the sources have in common is of both sexes
		{"unemployment rate Canada", ""},   // the other source has none for Canada
		{"unemployment rate France", "/compare?concept=unemployment-rate&country=FR"},
		{"jobless rate France", "/compare?concept=unemployment-rate&country=FR"},
		{"GDP growth Italy", "/compare?concept=gdp-growth&country=IT"},
		{"economic growth Italy", "/compare?concept=gdp-growth&country=IT"},
		{"real gdp growth France", "/compare?concept=gdp-growth&country=FR"},
		{"real gdp France", "/compare?concept=gdp-volume&country=FR"},
		{"gdp per capita France", "/compare?concept=gdp-per-capita&country=FR"},
		{"GDP France 2005", "/compare?concept=gdp&country=FR&period_from=2005&period_to=2005"},
		{"government debt Italy", "/compare?concept=government-debt&country=IT"},
		{"life expectancy Japan", "/compare?concept=life-expectancy&country=JP"},
		{"life expectancy", "/compare?concept=life-expectancy"},
	} {
		if got := compareButton(t, base, c.question); got != c.want {
			t.Errorf("%s leads to %q, want %q", c.question, got, c.want)
		}
	}
}

// TestCompareOffersShared checks that the form offers measures for which an area has values in two series: the growth of France and that of
// Afghanistan are not compared.
func TestCompareOffersShared(t *testing.T) {
	all, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "un", "SYB63_230_202009_GDP and GDP Per Capita.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var some []byte
	for i, line := range bytes.SplitAfter(all, []byte("\n")) {
		if i < 2 || bytes.Contains(line, []byte("Afghanistan")) {
			some = append(some, line...)
		}
	}
	for _, c := range []struct {
		name string
		file []byte
		want []string
	}{{"no area of both", some, nil}, {"France in both", all, []string{"gdp-growth"}}} {
		s := storeOf(t, "worldbank/api-v1/NYGDPMKTPKDZ-fra.json")
		load(t, s, "SYB63_230_202009_GDP and GDP Per Capita.csv", bytes.NewReader(c.file))
		var offered []string
		for _, list := range elements(openPage(t, serve(t, s, nil)+"/compare"), "select", "name=concept") {
			for _, one := range elements(list, "option") {
				id, _ := attribute(one, "value")
				offered = append(offered, id)
			}
		}
		if !slices.Equal(offered, c.want) {
			t.Errorf("%s: the form offers %q, want %q", c.name, offered, c.want)
		}
	}
}

// TestCompareEuroArea compares what sources have of the euro area, which the reader names: each has it under a code of its own. Different
// compositions have their names, and no difference.
func TestCompareEuroArea(t *testing.T) {
	base := serve(t, storeOf(t, "ecb/eurofxref-hist.csv", "eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/tsv-old/gov_10dd_edpt1.tsv"), nil)
	for _, c := range []struct {
		name, query, heading string
		columns              []string
	}{
		{"under another code", "country=Euro+area&s=1:", "Euro foreign exchange reference rates, Euro area (members of each time): 1 series", []string{"European Central Bank"}},
		{"the code of another list", "country=EA&s=1:", "Euro foreign exchange reference rates, Euro area (members of each time): 1 series", []string{"European Central Bank"}},
		{"one composition", "country=euro+area&s=2:", "Unemployment rate, Euro area (19 countries): 1 series", []string{"Eurostat"}},
		{"a composition by its code", "country=EA18&s=3:", "Government consolidated gross debt, Euro area (18 countries): 1 series", []string{"Eurostat"}},
	} {
		address := "/compare?" + c.query
		if to := ask(t, "GET", base+address).Header.Get("Location"); to != "" {
			address = to
		}
		root := openPage(t, base+address)
		var columns []string
		for _, head := range elements(root, "th", "data-name") {
			name, _ := attribute(head, "data-name")
			columns = append(columns, name)
		}
		if got := heading(t, root); got != c.heading || !slices.Equal(columns, c.columns) {
			t.Errorf("%s: the heading is %q, the columns are %q; want %q, %q", c.name, got, columns, c.heading, c.columns)
		}
	}
	root := openPage(t, base+"/compare?country=euro+area&s=1:&s=2:")
	heads, _ := compareTable(root)
	for _, composition := range []string{"Euro area (members of each time)", "Euro area (19 countries)"} {
		if !slices.ContainsFunc(heads, func(head string) bool { return strings.Contains(head, composition) }) {
			t.Errorf("no column of %q has %q", heads, composition)
		}
	}
}

// TestCompareNoneChosen takes away all series of a comparison: the page keeps the measure and the area, and says that none is chosen.
func TestCompareNoneChosen(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "eurostat/tsv-old/une_rt_a.tsv.gz"), nil)
	root := openPage(t, base+"/compare?country=FR&s=2:")
	query := url.Values{}
	for _, form := range elements(root, "form", "class=pick shown") {
		for _, field := range elements(form, "input", "name") {
			if kind, _ := attribute(field, "type"); kind != "checkbox" {
				name, _ := attribute(field, "name")
				value, _ := attribute(field, "value")
				query.Add(name, value)
			}
		}
	}
	root = openPage(t, base+"/compare?"+query.Encode())
	if got := heading(t, root); got != "Unemployment rate, France" {
		t.Errorf("the heading is %q", got)
	}
	if message := withClass(root, "p", "err"); len(message) != 1 || !strings.HasPrefix(textOf(message[0]), "No source is chosen.") {
		t.Errorf("the page does not say that no source is chosen: %d messages", len(message))
	}
	if chosen := elements(root, "option", "selected"); len(chosen) != 1 || textOf(chosen[0]) != "Unemployment rate (2)" {
		t.Errorf("%d measures are chosen", len(chosen))
	}
	if message := withClass(openPage(t, base+"/compare?country=FR&of=none"), "p", "err"); len(message) != 1 {
		t.Error("the page of series without a measure does not say that none is chosen")
	}
}
