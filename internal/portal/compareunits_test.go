package portal_test

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// compareTable returns the heads of the columns and the rows of the table of values by period.
func compareTable(root *html.Node) (heads []string, rows map[string][]string) {
	table := elements(root, "table", "id=t1")[0]
	for _, head := range elements(table, "th", "scope=col") {
		heads = append(heads, textOf(head))
	}
	rows = map[string][]string{}
	for _, row := range tableRows(table) {
		period := textOf(elements(row, "th")[0])
		for _, cell := range elements(row, "td") {
			rows[period] = append(rows[period], textOf(cell))
		}
	}
	return heads, rows
}

// offered returns the series that a page offers to compare, each with its number of values, and whether it is chosen.
func offered(root *html.Node) (series []string) {
	for _, label := range withClass(root, "label", "opt") {
		box := elements(label, "input", "name=s")[0]
		text := textOf(label)
		if _, ok := attribute(box, "checked"); ok {
			text += " chosen"
		} else if _, ok := attribute(box, "disabled"); ok == !strings.HasSuffix(text, " 0") {
			text += " wrongly disabled"
		}
		series = append(series, text)
	}
	return series
}

// TestCompareUnitsInOtherWords compares the growth of three sources. They say in several words that it is per cent a year: two in the unit, the
// third says only per cent of a measure that is a change on the year before. They share a chart and have a difference.
func TestCompareUnitsInOtherWords(t *testing.T) {
	base := serve(t, storeOf(t, "worldbank/api-v1/NYGDPMKTPKDZ-fra.json", "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp-growth&country=FR").Header.Get("Location"))
	if got := heading(t, root); got != "Economic growth, France: 3 series" {
		t.Errorf("the heading is %q", got)
	}
	var figures []string
	for _, caption := range elements(root, "figcaption") {
		figures = append(figures, textOf(caption))
	}
	if want := []string{"Figure 1 Economic growth, France % a year · Annual percent change · percent · 1980–2018"}; !slices.Equal(figures, want) {
		t.Errorf("the figures are %q, want %q", figures, want)
	}
	heads, _ := compareTable(root)
	if len(heads) != 5 || heads[4] != "Apart" {
		t.Errorf("the columns are %q", heads)
	}
}

// TestCompareSpans compares values of years with averages of five years, which are of other periods: nothing says how far they are apart.
func TestCompareSpans(t *testing.T) {
	base := serve(t, storeOf(t, "who/WHOSIS_000001.csv", "un/WPP2019_Period_Indicators_Medium.csv"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=life-expectancy&country=FR").Header.Get("Location"))
	heads, rows := compareTable(root)
	if row := rows["2015"]; len(row) != 3 || heads[3] != "Apart" || !strings.HasSuffix(row[1], "2010-2015") || row[2] != "" {
		t.Errorf("the columns are %q, and 2015 is %q", heads, row)
	}
	if text := textOf(elements(root, "figcaption")[0]); text != "Figure 1 Life expectancy at birth, France years · 1955–2100" {
		t.Errorf("the figure is headed %q", text)
	}
}

// TestCompareNoValues compares series for an area that none of them has: the page says that in place of the chart, and leads to an area
// that they have.
func TestCompareNoValues(t *testing.T) {
	base := serve(t, realStore(t), nil)
	query := url.Values{"s": {"2:dim1=USD", "2:dim1=JPY"}, "country": {"GR"}}
	root := openPage(t, base+"/compare?"+query.Encode())
	text := textOf(elements(root, "main")[0])
	if strings.Contains(text, "2 series") || strings.Contains(text, "units are not equal") || strings.Count(text, "None of the series has values for Greece") != 2 {
		t.Errorf("the page says %s", text)
	}
	ways := elements(withClass(root, "section", "sec")[0], "a", "href")
	to, _ := attribute(ways[0], "href")
	if !strings.HasPrefix(to, "/compare?country=") || !strings.Contains(textOf(openPage(t, base+to)), ": 2 series") {
		t.Errorf("the page leads to %s", to)
	}
}

// TestCompareDays compares series of days of which one has ended: the table has the latest days with values of both. The files of the page
// are those of the series.
func TestCompareDays(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/compare?"+url.Values{"s": {"2:dim1=USD", "2:dim1=HRK"}, "country": {"U2"}}.Encode())
	_, rows := compareTable(root)
	if len(rows) != 120 || slices.Contains(rows["30/12/2022"], "…") || rows["30/12/2022"] == nil {
		t.Errorf("the table has %d rows, and for the last day with both %q", len(rows), rows["30/12/2022"])
	}
	links := map[string]int{}
	for _, a := range elements(root, "a", "href") {
		to, _ := attribute(a, "href")
		if text := textOf(a); text == "CSV" || text == "XLSX" || text == "JSON" {
			if links[text]++; ask(t, "GET", base+to).StatusCode != http.StatusOK {
				t.Errorf("%s is not at %s", text, to)
			}
		}
	}
	if links["CSV"] != 2 || links["XLSX"] != 2 || links["JSON"] != 3 {
		t.Errorf("the page leads to %v", links)
	}
}

// TestCompareMultiples compares series that two offices publish as multiples of US dollars, billions and millions: they share a chart on one
// scale, the table has the numbers as published with the unit of each, and they are apart in the finer unit. A source of the measure without
// values for the area has the number 0 and cannot be chosen.
func TestCompareMultiples(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "japan-esri/gaku-mg1532.csv"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=ES").Header.Get("Location"))
	heads, rows := compareTable(root)
	if want := []string{"Period", "International Monetary Fund U.S. dollars (Billions)", "United Nations Statistics Division millions of US dollars", "Apart millions of US dollars"}; !slices.Equal(heads, want) {
		t.Errorf("the columns are %q, want %q", heads, want)
	}
	for i, want := range []string{"176.690", "180 796.0251", "4 106.0251"} { // 180,796.0251 less 176,690
		if got := strings.ReplaceAll(rows["1985"][i], "\u202f", " "); got != want {
			t.Errorf("1985 has %q, want %q", got, want)
		}
	}
	figures := elements(root, "figure")
	if len(figures) != 1 {
		t.Fatalf("there are %d figures", len(figures))
	}
	text := textOf(figures[0])
	for _, want := range []string{"$ trillion", "T12: published in millions of US dollars, drawn on the scale of the others."} {
		if !strings.Contains(text, want) {
			t.Errorf("the figure does not say %q: %s", want, text)
		}
	}
	form := elements(root, "form", "action=/compare")[0]
	if got, want := offered(form), []string{"International Monetary Fund 35 chosen", "United Nations Statistics Division 7 chosen", "Cabinet Office of Japan (ESRI) 0"}; !slices.Equal(got, want) {
		t.Errorf("%q are offered, want %q", got, want)
	}
	if text := textOf(root); !strings.Contains(text, "in multiples of one unit") || !strings.Contains(text, "2 datasets, 1 area") {
		t.Errorf("the page says %s", text)
	}

	// A chosen series without values is no column, and comes back with an area that has some.
	query := url.Values{"s": {"1:dim1=NGDPD", "2:dim1=GDP in current prices (millions of US dollars)", "3:dim1=GDP(Expenditure Approach)"}, "country": {"ES"}}
	root = openPage(t, base+"/compare?"+query.Encode())
	if heads, _ := compareTable(root); len(heads) != 4 || offered(root)[2] != "Cabinet Office of Japan (ESRI) 0 chosen" {
		t.Errorf("with a series without values the columns are %q", heads)
	}
}

// TestCompareMultiplesAndOthers compares series in multiples of US dollars with one in "current US$": the page says that the multiples share
// a scale, and which series has no difference to them.
func TestCompareMultiplesAndOthers(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "worldbank/api-v2/NY.GDP.MKTP.CD.json"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=DE").Header.Get("Location"))
	lead, marks := textOf(withClass(root, "p", "lead")[0]), textOf(withClass(root, "p", "sym")[0])
	if !strings.Contains(lead, "are drawn on one scale") || strings.Contains(lead, "nothing is converted") {
		t.Errorf("the page says %q", lead)
	}
	if !strings.Contains(marks, "“Apart” leaves out") || !strings.HasSuffix(marks, "World Bank (current US$).") {
		t.Errorf("the table says %q", marks)
	}
}

// TestCompareUnitsOfFiles reads the files of compared series: where their column of the unit is empty, although the page has a unit, the page
// says so.
func TestCompareUnitsOfFiles(t *testing.T) {
	base := serve(t, storeOf(t, "imf/WEOOct2009all.xls", "worldbank/api-v2/NY.GDP.MKTP.CD.json"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=DE").Header.Get("Location"))
	note := textOf(withClass(root, "p", "more")[0])
	if !strings.HasSuffix(note, ": World Bank (current US$).") {
		t.Errorf("the page says %q", note)
	}
	for _, a := range elements(root, "a", "href") {
		if textOf(a) != "CSV" {
			continue
		}
		to, _ := attribute(a, "href")
		rows, err := csv.NewReader(strings.NewReader(ask(t, "GET", base+to).body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		unit := rows[1][slices.Index(rows[0], "unit")]
		if isNamed := strings.Contains(to, "/1/") == (unit != ""); !isNamed {
			t.Errorf("%s has the unit %q", to, unit)
		}
	}
}
