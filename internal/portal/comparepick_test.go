package portal_test

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// axisEnds returns the first and the last period of the time axis of each chart of a page.
func axisEnds(root *html.Node) (ends []string) {
	for _, chart := range elements(root, "div", "data-chart") {
		for _, plot := range elements(chart, "g", "class=plot", "data-p") {
			text, _ := attribute(plot, "data-p")
			periods := strings.Fields(text)
			ends = append(ends, periods[0]+"–"+periods[len(periods)-1])
		}
	}
	return ends
}

// TestCompareSeveralMeasures compares series of three measures: words head the page, its charts and the columns of its table, the charts have
// one time axis, and the table begins with a value.
func TestCompareSeveralMeasures(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv"), nil)
	query := url.Values{"s": {"1:dim1=LUR", "1:dim1=NGDP_RPCH", "2:dim1=GDP real rates of growth (percent)", "1:dim1=PCPIPCH"}, "country": {"GR"}}
	root := openPage(t, base+"/compare?"+query.Encode())
	if got := heading(t, root); got != "3 measures, Greece: 4 series" {
		t.Errorf("the heading is %q", got)
	}
	if lead := textOf(withClass(root, "p", "lead")[0]); !strings.Contains(lead, "Unemployment rate; ") || strings.Contains(lead, "PCPIPCH") {
		t.Errorf("the page says %q", lead)
	}
	var figures []string
	for _, f := range elements(root, "figure") {
		figures = append(figures, textOf(elements(f, "h2")[0]))
	}
	heads, _ := compareTable(root)
	for i, want := range []string{"Unemployment rate, International Monetary Fund", "Economic growth · Inflation, average consumer prices, International Monetary Fund · United Nations Statistics Division"} {
		if i >= len(figures) || figures[i] != want {
			t.Errorf("the figures are headed %q", figures)
			break
		}
	}
	for i, want := range []string{"Unemployment rate, International Monetary Fund", "Economic growth, International Monetary Fund", "Economic growth, United Nations Statistics Division", "Inflation, average consumer prices, International Monetary Fund"} {
		if !strings.HasPrefix(heads[i+1], want) {
			t.Errorf("the columns are %q", heads)
		}
	}
	if slices.Contains(heads, "Apart") {
		t.Errorf("values of two measures have a difference: %q", heads)
	}
	if ends := axisEnds(root); len(ends) != 2 || len(slices.Compact(ends)) != 1 || ends[0] != "1980–2018" {
		t.Errorf("the time axes are %q", ends)
	}
	if !strings.Contains(textOf(root), "All run along the same years.") {
		t.Error("the page does not say that the charts have one time axis")
	}
	if first := tableRows(elements(root, "table", "id=t1")[0])[0]; !strings.ContainsAny(textOf(elements(first, "td")[0]), "0123456789") {
		t.Errorf("the table begins with %q", textOf(first))
	}
}

// TestCompareOwnTime compares years with quarters: each chart has a time axis of its own.
func TestCompareOwnTime(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "japan-esri/gaku-mg1532.csv"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=JP").Header.Get("Location"))
	if ends := axisEnds(root); len(ends) != 2 || ends[0] != "1980–2014" || !strings.Contains(ends[1], "-Q") {
		t.Errorf("the time axes are %q", ends)
	}
	if !strings.Contains(textOf(root), "The time axes differ too") {
		t.Error("the page does not say that the charts have time axes of their own")
	}
}

// TestCompareCounts reads the number of values at each series that can be compared: it is that of the values in the table if the series is
// chosen alone, also in a part of the time.
func TestCompareCounts(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "worldbank/api-v2/NY.GDP.MKTP.CD.json"), nil)
	for _, from := range []string{"", "&period_from=2000&period_to=2012"} {
		root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&concept=gdp-growth&country=ES"+from).Header.Get("Location"))
		options := withClass(root, "label", "opt")
		if len(options) != 5 {
			t.Fatalf("%d series are offered", len(options))
		}
		for _, option := range options {
			box := elements(option, "input", "name=s")[0]
			value, _ := attribute(box, "value")
			words := strings.Fields(textOf(option))
			count, _ := strconv.Atoi(words[len(words)-1])
			alone := openPage(t, base+"/compare?country=ES"+from+"&s="+url.QueryEscape(value))
			n := 0
			for _, table := range elements(alone, "table", "id=t1") {
				n = len(tableRows(table)) // of one column
			}
			if n != count {
				t.Errorf("%s: the page offers %q, and the table has %d values", from, textOf(option), n)
			}
		}
	}
}

// suggested returns the areas that a page suggests in the field for the area.
func suggested(t *testing.T, root *html.Node) (names []string) {
	t.Helper()
	list := withID(t, root, "areas")
	for _, option := range elements(list, "option", "value") {
		value, _ := attribute(option, "value")
		names = append(names, value)
	}
	return names
}

// TestCompareSuggestsAreas reads the areas that the field for the area suggests: those with values for any of the series, each of which leads
// to a comparison, also before an area is chosen.
func TestCompareSuggestsAreas(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "japan-esri/gaku-mg1532.csv"), nil)
	for address, want := range map[string][]string{
		"/compare?s=2:&country=JP":           {"Japan"},
		"/compare?s=2:":                      {"Japan"},
		"/compare?s=2:&country=JP&lang=de":   {"Japan"},
		"/compare?s=2:&country=Jappan":       {"Japan"},
		"/compare?s=1:dim1%3DLUR&country=ES": nil,
	} {
		got := ask(t, "GET", base+address)
		names := suggested(t, parse(t, got.body))
		if want != nil && !slices.Equal(names, want) {
			t.Errorf("%s suggests %q, want %q", address, names, want)
		}
		if want == nil && (len(names) < 20 || len(names) > 60 || !slices.Contains(names, "Spain") || slices.Contains(names, "China")) {
			t.Errorf("%s suggests %d areas: %q", address, len(names), names)
		}
	}
	root := openPage(t, base+"/compare?s=1:dim1%3DLUR&s=2:&country=JP")
	for _, name := range suggested(t, root) {
		page := ask(t, "GET", base+"/compare?"+url.Values{"s": {"1:dim1=LUR"}, "country": {name}}.Encode())
		if tables := elements(parse(t, page.body), "table", "id=t1"); len(tables) != 1 {
			t.Errorf("%s has no values", name)
		}
	}
	if n := len(suggested(t, openPage(t, base+"/compare?concept=gdp"))); n < 150 || n > 300 {
		t.Errorf("for gross domestic product %d areas are suggested", n)
	}
	if text := textOf(root); !strings.Contains(text, "1 has values in all") {
		t.Errorf("the page says %s", text)
	}
}
