package portal_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
	"almanac/internal/store"
)

// dimensionOf returns the name of a parameter by the id of its dimension: dim2 for sex.
func dimensionOf(t *testing.T, base, dataset, id string) string {
	t.Helper()
	var all struct{ Dimensions []struct{ Dim, ID string } }
	fromInterface(t, base+"/api/datasets/"+dataset+"/dimensions", &all)
	for _, d := range all.Dimensions {
		if d.ID == id {
			return d.Dim
		}
	}
	t.Fatalf("dataset %s has no dimension %s", dataset, id)
	return ""
}

// TestCompareSeries compares two series of one unit: there is a chart, each value is that of the data, and how far they are apart
// has their decimals.
func TestCompareSeries(t *testing.T) {
	base := serve(t, realStore(t), nil)
	sex := dimensionOf(t, base, "1", "sex")
	query := url.Values{"country": {"PT"}, "s": {"1:" + sex + "=M", "1:" + sex + "=F"}, "period_from": {"2005"}}
	root := openPage(t, base+"/compare?"+query.Encode())
	if title := heading(t, root); !strings.HasSuffix(title, "Portugal: 2 series") {
		t.Errorf("the heading is %q", title)
	}
	names := map[string]int{}
	for _, line := range elements(root, "g", "class=series", "data-name") {
		name, _ := attribute(line, "data-name")
		names[name]++
	}
	if figures := elements(root, "figure"); len(figures) != 1 || len(names) != 2 || names["Males"] != 2 || names["Females"] != 2 { // in two sizes
		t.Errorf("there are %d figures with the lines %v", len(figures), names)
	}
	for _, head := range elements(root, "th", "data-name") {
		if name, _ := attribute(head, "data-name"); names[name] == 0 {
			t.Errorf("the column %q has another name in the chart: %v", name, names)
		}
	}
	rows := tableRows(root)
	want := map[string][]string{} // by period
	for column, code := range []string{"M", "F"} {
		for period, value := range valuesOf(t, base+"/api/datasets/1/data?country=PT&period_from=2005&"+usualExcept(t, base, sex, code)) {
			if want[period] == nil {
				want[period] = make([]string, 2)
			}
			want[period][column] = value.String()
		}
	}
	if len(want) < 5 || len(rows) < len(want) {
		t.Fatalf("the page has %d rows, the data %d periods", len(rows), len(want))
	}
	for _, row := range rows[:len(want)] {
		period := textOf(elements(row, "th")[0])
		var got []string
		for _, cell := range elements(row, "td") {
			got = append(got, plainNumber(strings.TrimRight(textOf(cell), "abcdefghijklmnopqrstuvwxyz ")))
		}
		isEqual := func(a, b string) bool { return strings.TrimSuffix(a, ".0") == b }
		if len(got) != 3 || !slices.EqualFunc(got[:2], want[period], isEqual) {
			t.Errorf("%s: the page has %v, the data %v", period, got, want[period])
		}
		if decimals := len(got[2][strings.Index(got[2]+".", ".")+1:]); decimals > 1 {
			t.Errorf("%s: %s apart has %d decimals", period, got[2], decimals)
		}
	}
}

// usualExcept returns the parameters of the default series of dataset 1 with another code of one dimension.
func usualExcept(t *testing.T, base, dim, code string) string {
	t.Helper()
	var meta struct {
		Series map[string]string `json:"default_series"`
	}
	fromInterface(t, base+"/api/datasets/1/meta", &meta)
	query := url.Values{}
	for name, label := range meta.Series {
		if d, ok := strings.CutSuffix(name, "_value"); ok {
			query.Set(d, label)
		}
	}
	query.Set(dim, code)
	return query.Encode()
}

// valuesOf returns the values of a series of one area by period.
func valuesOf(t *testing.T, address string) map[string]json.Number {
	t.Helper()
	var data struct {
		Data []struct {
			Rows []struct {
				Period string
				Values map[string]json.Number
			}
		}
	}
	fromInterface(t, address, &data)
	values := map[string]json.Number{}
	for _, row := range data.Data[0].Rows {
		for _, v := range row.Values {
			values[row.Period] = v
		}
	}
	return values
}

// storeOf returns a store with real files.
func storeOf(t *testing.T, names ...string) *store.Store {
	t.Helper()
	s := newStore(t)
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(stattest.DataDir(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		load(t, s, filepath.Base(name), bytes.NewReader(content))
	}
	return s
}

// TestCompareMeasure compares the sources of a measure for an area whose name is written in another language and case: the
// series that have values for it are compared.
func TestCompareMeasure(t *testing.T) {
	base := serve(t, storeOf(t, "worldbank/api-v2/NY.GDP.MKTP.CD.json", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "japan-esri/gaku-mg1532.csv"), nil)
	root := openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=allemagne").Header.Get("Location"))
	if got := heading(t, root); got != "Gross domestic product, Germany: 2 series" {
		t.Errorf("the heading is %q", got)
	}
	for _, head := range elements(elements(root, "table", "id=t1")[0], "th", "data-name") { // the units that are only in titles, as charts name them
		name, _ := attribute(head, "data-name")
		if text, want := textOf(head), map[string]string{"World Bank": "current US$", "United Nations Statistics Division": "millions of US dollars"}[name]; !strings.HasSuffix(text, want) || want == "" {
			t.Errorf("the column %q has another unit than %q", text, want)
		}
	}
	if text := textOf(root); !strings.Contains(text, "The units are not equal in the offices’ words") || strings.Contains(text, "no value") || !strings.Contains(text, "Cabinet Office") {
		t.Errorf("the office of Japan is compared, or is not offered: %s", text)
	}
	if to := ask(t, "GET", base+"/compare?concept=gdp&country=DE&lang=fr").Header.Get("Location"); !strings.HasSuffix(to, "&lang=fr") {
		t.Errorf("the page in French leads to %s", to)
	}
	french := textOf(openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=DE&lang=fr").Header.Get("Location")))
	if strings.Contains(french, "million US dollars") || !strings.Contains(french, "millions de dollars des États-Unis") {
		t.Errorf("the remarks of the page in French: %s", french)
	}
	root = openPage(t, base+ask(t, "GET", base+"/compare?concept=gdp&country=Antarctica").Header.Get("Location"))
	if text := textOf(root); !strings.Contains(text, "None of the series has values for Antarctica") {
		t.Errorf("the page of an area without values: %s", text)
	}
}

// An area that is misspelt is asked for again in the form, which keeps what was chosen, with the nearest areas, each once.
func TestCompareUnknownArea(t *testing.T) {
	base := serve(t, storeOf(t, "worldbank/api-v2/NY.GDP.MKTP.CD.json", "un/SYB63_230_202009_GDP and GDP Per Capita.csv"), nil)
	for _, c := range []struct{ address, heading, field, value, nearest string }{
		{"/compare?concept=gdp&country=Spane&period_from=2000", "Gross domestic product", "period_from", "2000", "/compare?country=ES&period_from=2000&concept=gdp"},
		{"/compare?s=1:&country=Spane", "Compare", "s", "1:", "/compare?country=ES&s=1%3A"},
	} {
		got := ask(t, "GET", base+c.address)
		main := withID(t, parse(t, got.body), "main")
		if got.StatusCode != http.StatusNotFound || !strings.Contains(heading(t, main), c.heading) || strings.Contains(got.body, "statusCode") {
			t.Errorf("%s: %d %s", c.address, got.StatusCode, textOf(main))
		}
		form := elements(main, "form", "action=/compare")[0]
		if text := textOf(form); !strings.Contains(text, "No area has the code or name “Spane”.") || strings.Count(text, "Spain") != 1 {
			t.Errorf("%s: the form says %q", c.address, text)
		}
		for _, want := range [][]string{{"input", "name=country", "value=Spane"}, {"input", "name=" + c.field, "value=" + c.value}, {"a", "href=" + c.nearest}} {
			if len(elements(form, want[0], want[1:]...)) != 1 {
				t.Errorf("%s: the form has no %v", c.address, want)
			}
		}
	}
}

// TestCompareTwoUnits compares two series of one unit and one of another: those of one unit share a chart and have a difference, and
// a series is offered once, however the address chooses it.
func TestCompareTwoUnits(t *testing.T) {
	base := serve(t, realStore(t), nil)
	sex := dimensionOf(t, base, "1", "sex")
	root := openPage(t, base+"/compare?"+url.Values{"s": {"1:" + sex + "=M", "worldbank:SP.POP.TOTL:", "1:" + sex + "=F"}, "country": {"PT"}}.Encode())
	var charts []string
	for _, f := range elements(root, "div", "data-chart") {
		number, _ := attribute(f, "data-chart")
		var own, lines []string
		for _, head := range elements(root, "th", "data-of="+number) {
			name, _ := attribute(head, "data-name")
			own = append(own, name)
		}
		for _, line := range elements(f, "g", "class=series", "data-name") { // in two sizes
			if name, _ := attribute(line, "data-name"); !slices.Contains(lines, name) {
				lines = append(lines, name)
			}
		}
		slices.Sort(own)
		if slices.Sort(lines); !slices.Equal(own, lines) {
			t.Errorf("the chart of %q has the lines %q", own, lines)
		}
		charts = append(charts, strings.Join(lines, "+"))
	}
	for i, want := range []string{"Source: Eurostat, une_rt_a.", "Source: World Bank, SP.POP.TOTL."} {
		if figure := elements(root, "figure")[i]; !strings.Contains(textOf(figure), want) {
			t.Errorf("%q does not say %q", textOf(elements(figure, "figcaption")[0]), want)
		}
	}
	if want := []string{"Females+Males", "World Bank"}; !slices.Equal(charts, want) {
		t.Errorf("the charts are of %q, want %q", charts, want)
	}
	var heads []string
	for _, head := range elements(elements(elements(root, "table", "id=t1")[0], "thead")[0], "th") {
		heads = append(heads, strings.Replace(textOf(head), "Percentage", " Percentage", 1))
	}
	if len(heads) != 5 || heads[3] != "Apart" || !strings.HasPrefix(heads[1], "Unemployment rate, Males, Eurostat") || !strings.HasPrefix(heads[2], "Unemployment rate, Females, Eurostat") || !strings.HasPrefix(heads[4], "Population, total, World Bank") {
		t.Errorf("the columns are %q", heads)
	}
	for _, row := range tableRows(root) {
		if cells := elements(row, "td"); len(cells) == 4 && textOf(cells[0]) != "…" && textOf(cells[1]) != "…" && textOf(cells[2]) == "" {
			t.Errorf("%s: two values of one unit have no difference", textOf(row))
		}
	}
}

// TestCompareOffersOnce compares the usual series of a measure, chosen without the dimension that has one code: it is the series that
// the page offers, not another one.
func TestCompareOffersOnce(t *testing.T) {
	base := serve(t, storeOf(t, "eurostat/json/nama_10_gdp-DK.json", "un/SYB63_230_202009_GDP and GDP Per Capita.csv"), nil)
	to := ask(t, "GET", base+"/compare?concept=gdp&country=DK").Header.Get("Location")
	asked, err := url.Parse(to)
	if err != nil || len(asked.Query()["s"]) != 2 {
		t.Fatalf("the measure leads to %q: %v", to, err)
	}
	query := asked.Query()
	var whole string
	for i, text := range query["s"] {
		if strings.HasPrefix(text, "1:dim1=A&") {
			whole, query["s"][i] = text, strings.Replace(text, "dim1=A&", "", 1)
		}
	}
	var offered []string
	for _, box := range elements(openPage(t, base+"/compare?"+query.Encode()), "input", "type=checkbox") {
		value, _ := attribute(box, "value")
		offered = append(offered, value)
	}
	if len(offered) != 2 || !slices.Contains(offered, whole) {
		t.Errorf("the page offers %q, want %q and one more", offered, whole)
	}
}

// TestCompareUnits compares series of different units: there is no chart and no difference, and each has its own unit.
func TestCompareUnits(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/compare?s=1:&s=worldbank:SP.POP.TOTL:&country=PT")
	if n := len(elements(root, "figure")); n != 2 {
		t.Errorf("there are %d figures of two units", n)
	}
	for _, f := range elements(root, "div", "data-chart") {
		if lines := elements(f, "g", "class=series", "data-name"); len(lines) != 2 { // in two sizes
			t.Errorf("a chart has %d lines", len(lines))
		}
	}
	text := textOf(root)
	for _, part := range []string{"There is no chart of all series", "Percentage of active population", "Population, total", "How they differ"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page does not say %q", part)
		}
	}
	if strings.Contains(text, "Apart") {
		t.Error("values of different units have a difference")
	}
	for address, want := range map[string]int{
		"/compare":                                         http.StatusOK,
		"/compare?s=1:":                                    http.StatusOK, // asks for an area
		"/compare?s=99:&country=PT":                        http.StatusNotFound,
		"/compare?s=1:dim9%3DX&country=PT":                 http.StatusBadRequest,
		"/compare?s=1:&country=Atlantis":                   http.StatusNotFound,
		"/compare?concept=beauty":                          http.StatusBadRequest,
		"/compare?s=1:&country=PT&period_from=x":           http.StatusBadRequest,
		"/compare?country=PT" + strings.Repeat("&s=1:", 9): http.StatusBadRequest,
	} {
		if got := ask(t, "GET", base+address).StatusCode; got != want {
			t.Errorf("%s: %d, want %d", address, got, want)
		}
	}
}
