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

// TestCompareMeasure compares the sources of a measure for an area whose name is written in another language and case: the
// series that have values for it are compared.
func TestCompareMeasure(t *testing.T) {
	s := newStore(t)
	for _, name := range []string{"worldbank/api-v2/NY.GDP.MKTP.CD.json", "un/SYB63_230_202009_GDP and GDP Per Capita.csv", "japan-esri/gaku-mg1532.csv"} {
		content, err := os.ReadFile(filepath.Join(stattest.DataDir(t), filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		load(t, s, filepath.Base(name), bytes.NewReader(content))
	}
	base := serve(t, s, nil)
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

// TestCompareUnits compares series of different units: there is no chart and no difference, and each has its own unit.
func TestCompareUnits(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/compare?s=1:&s=worldbank:SP.POP.TOTL:&country=PT")
	if n := len(elements(root, "figure")); n != 2 {
		t.Errorf("there are %d figures of two units", n)
	}
	for _, f := range elements(root, "div", "data-chart") {
		of, _ := attribute(f, "data-chart")
		lines := elements(f, "g", "class=series", "data-name")
		for _, line := range lines {
			if name, _ := attribute(line, "data-name"); name != of {
				t.Errorf("the chart of %q has a line %q", of, name)
			}
		}
		if len(lines) != 2 { // in two sizes
			t.Errorf("the chart of %q has %d lines", of, len(lines))
		}
	}
	text := textOf(root)
	for _, part := range []string{"There is no common chart", "Percentage of active population", "Population, total", "How they differ"} {
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
