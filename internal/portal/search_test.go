package portal_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"almanac/internal/api"
	"almanac/internal/offer"
	"almanac/internal/portal"
	"almanac/internal/stattest"
)

// fromInterface reads the JSON of the interface.
func fromInterface(t testing.TB, address string, into any) {
	t.Helper()
	got := ask(t, "GET", address)
	if err := json.Unmarshal([]byte(got.body), into); got.StatusCode != http.StatusOK || err != nil {
		t.Fatalf("%s: %d %v %.300s", address, got.StatusCode, err, got.body)
	}
}

// found is what the tests read of a response of the search.
type found struct {
	Data []struct {
		ID     int
		Code   string `json:"dataset_code"`
		Name   string `json:"dataset_name"`
		Latest *struct {
			Area       struct{ Code, Name string }
			Period     string
			Value      json.Number
			Dimensions map[string]string
		}
		Coverage []struct{ Area, Status string }
	}
	Areas  []struct{ Code, Name string }
	Facets map[string][]struct {
		Value string
		Count int
	}
	Pagination struct{ Total int }
}

// withClass returns the elements with a tag and a class.
func withClass(root *html.Node, tag, class string) (found []*html.Node) {
	for _, n := range elements(root, tag, "class") {
		if value, _ := attribute(n, "class"); slices.Contains(strings.Fields(value), class) {
			found = append(found, n)
		}
	}
	return found
}

// TestResultsAreThoseOfTheInterface compares a page of results with the search at the same parameters, and the ticks of each
// strip with the values of the series.
func TestResultsAreThoseOfTheInterface(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, query := range []string{"q=unemployment+rate&area=GR", "q=unemployment+in+Spain", "q=population", "q=co2", "area=PT", "q=exchange+rate&sort=-latest_period", "source=eurostat", "q=unemployment+japan"} {
		t.Run(query, func(t *testing.T) {
			var want found
			fromInterface(t, base+"/api/search?"+query, &want)
			root := openPage(t, base+"/search?"+query)
			hits := withClass(root, "article", "hit")
			if len(hits) != len(want.Data) || len(hits) == 0 {
				t.Fatalf("the page has %d results, the interface %d", len(hits), len(want.Data))
			}
			if title := heading(t, root); !strings.Contains(" "+title, " "+strconv.Itoa(want.Pagination.Total)+" dataset") {
				t.Errorf("the heading is %q", title)
			}
			for i, h := range want.Data {
				if title := textOf(elements(hits[i], "h2")[0]); strings.ReplaceAll(title, " ", "") != strings.ReplaceAll(h.Name, " ", "") {
					t.Errorf("result %d is %q, want %q", i, title, h.Name)
				}
				checkCoverage(t, &want, i, textOf(hits[i]))
				if h.Latest == nil {
					continue
				}
				shown := textOf(withClass(hits[i], "p", "val")[0])
				if !strings.Contains(plainNumber(shown), h.Latest.Period+":"+h.Latest.Value.String()) {
					t.Errorf("%s shows %q, the interface says %s: %s", h.Code, shown, h.Latest.Period, h.Latest.Value)
				}
				query := url.Values{"country": {h.Latest.Area.Code}}
				for name, label := range h.Latest.Dimensions {
					query.Set(strings.TrimSuffix(name, "_value"), label)
				}
				checkStrip(t, fmt.Sprintf("%s/api/datasets/%d/data?%s", base, h.ID, query.Encode()), hits[i])
			}
		})
	}
}

// checkCoverage checks that a result says of each area of the page whether the dataset has it, as the interface does.
func checkCoverage(t *testing.T, all *found, at int, shown string) {
	t.Helper()
	for i, c := range all.Data[at].Coverage {
		name := all.Areas[i].Name
		says := map[string]bool{
			"known": strings.Contains(shown, name+" among the areas"), "parts": strings.Contains(shown, "parts of "+name+" among the areas"),
			"dimension": strings.Contains(shown, name+" in a value of a dimension"), "lacking": strings.Contains(shown, name+" not among the areas"),
		}
		says["known"] = says["known"] && !says["parts"]
		for status, isSaid := range says {
			if isSaid != (status == c.Status) {
				t.Errorf("%s: the interface says %s: %s, the page: %s", all.Data[at].Code, name, c.Status, shown)
			}
		}
	}
}

// TestHeadingHasAreasOfAll checks that the heading names the areas of a question only if all datasets that are counted have them.
func TestHeadingHasAreasOfAll(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for query, area := range map[string]string{"q=unemployment+japan": "Japan", "q=unemployment+spain": "Spain", "q=population+japan": "Japan", "q=gdp&area=GR": "Greece"} {
		var all found
		fromInterface(t, base+"/api/search?limit=100&"+query, &all)
		have := 0
		for _, h := range all.Data {
			if h.Coverage[0].Status == "known" {
				have++
			}
		}
		root := openPage(t, base+"/search?"+query)
		isAll, text := have == len(all.Data), textOf(elements(root, "main")[0])
		if named := strings.Contains(heading(t, root), "for "+area); named != isAll {
			t.Errorf("%s: %d of %d have the area, the heading is %q", query, have, len(all.Data), heading(t, root))
		}
		if says := fmt.Sprintf("%d of %d datasets", have, len(all.Data)); have > 0 && !isAll && !strings.HasPrefix(heading(t, root), says) {
			t.Errorf("%s: the heading is %q, want that %s have the area", query, heading(t, root), says)
		}
		note := fmt.Sprintf("%s: in %d of them", area, have)
		if have == 0 {
			note = area + ": not in"
		}
		if strings.Contains(text, note) == isAll {
			t.Errorf("%s: %d of %d have the area, the page says %q: %v", query, have, len(all.Data), note, !isAll)
		}
	}
}

// TestHeadingCountsNoParts checks that a dataset with members of a group is not counted as one with the group.
func TestHeadingCountsNoParts(t *testing.T) {
	root := openPage(t, serve(t, realStore(t), nil)+"/search?q=co2+euro+area")
	if got, text := heading(t, root), textOf(elements(root, "main")[0]); strings.Contains(got, " of ") || !strings.Contains(text, "only parts of it in 1") {
		t.Errorf("the heading is %q, and the page says %.300s", got, text)
	}
}

// plainNumber writes numbers of a page as the interface does, and other text without spaces.
func plainNumber(text string) string {
	return strings.NewReplacer("\u202f", "", " ", "", "\u2212", "-").Replace(text)
}

// checkStrip compares the long ticks of a strip, which are three pixels apart, with the years that have a value.
func checkStrip(t *testing.T, series string, hit *html.Node) {
	t.Helper()
	var data struct {
		Data []struct{ Rows []struct{ Period string } }
	}
	fromInterface(t, series, &data)
	var want []string
	for _, row := range data.Data[0].Rows {
		year, _ := strconv.Atoi(row.Period[strings.LastIndex(row.Period, "/")+1:])
		tick := fmt.Sprint(1 + 3*(year-1960))
		if year >= 1960 && !slices.Contains(want, tick) {
			want = append(want, tick)
		}
	}
	drawn, _ := attribute(withClass(hit, "path", "has")[0], "d")
	got := strings.FieldsFunc(strings.ReplaceAll(drawn, " 1v9", ""), func(r rune) bool { return r == 'M' })
	if !slices.Equal(got, want) {
		t.Errorf("%s: ticks at %v, want %v", series, got, want)
	}
}

// TestAreasOfLanguage names the areas of a question in the language of the page.
func TestAreasOfLanguage(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, address := range []string{"/search?q=unemployment+spain", "/search?q=unemployment&area=ES"} {
		if text := textOf(openPage(t, base+address, "Accept-Language: de")); !strings.Contains(text, "für Spanien") || strings.Contains(text, "für Spain") {
			t.Errorf("%s: %s", address, text)
		}
	}
}

// TestHitsLeadToTheQuestion opens the pages of hits: they show the series and all areas of the question, and the parts of an
// area that the dataset does not have itself.
func TestHitsLeadToTheQuestion(t *testing.T) {
	regions := newStore(t)
	content, err := os.ReadFile(filepath.Join(stattest.DataDir(t), "eurostat", "tsv-old", "tgs00026.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	load(t, regions, "tgs00026.tsv.gz", bytes.NewReader(content))
	countries, parts := serve(t, realStore(t), nil), serve(t, regions, nil)
	for _, c := range []struct {
		base, question string
		shows          []string
	}{
		{countries, "unemployment rate women spain", []string{"Spain"}},
		{countries, "unemployment rate spain greece", []string{"Greece", "Spain"}},
		{parts, "tgs00026 portugal", []string{"PT11", "PT15", "PT16", "PT17", "PT18", "PT20", "PT30"}},
	} {
		root := openPage(t, c.base+"/search?q="+url.QueryEscape(c.question))
		address, _ := attribute(elements(elements(root, "h2")[0], "a")[0], "href")
		page := openPage(t, c.base+address)
		var shown []string
		for _, row := range elements(page, "th", "data-area") {
			shown = append(shown, textOf(row))
		}
		slices.Sort(shown)
		if !slices.Equal(shown, c.shows) {
			t.Errorf("%s leads to %s, which shows %q", c.question, address, shown)
		}
		if isOfWomen := strings.Contains(textOf(elements(page, "caption")[0]), "Females"); isOfWomen != strings.Contains(c.question, "women") {
			t.Errorf("%s leads to %s, which shows another sex", c.question, address)
		}
	}
}

// TestFacets follows each value of each facet: it leaves as many datasets as the page says, and one that would leave none
// cannot be chosen.
func TestFacets(t *testing.T) {
	base := serve(t, realStore(t), nil)
	const query = "q=rate&source=eurostat"
	root := openPage(t, base+"/search?"+query)
	count := 0
	for _, label := range withClass(root, "label", "opt") {
		input := elements(label, "input")[0]
		name, _ := attribute(input, "name")
		value, _ := attribute(input, "value")
		counts := withClass(label, "span", "n")
		if len(counts) == 0 || value == "" {
			continue
		}
		count++
		other, _ := url.ParseQuery(query)
		other[name] = []string{value}
		var left found
		fromInterface(t, base+"/api/search?"+other.Encode(), &left)
		if got := textOf(counts[0]); got != strconv.Itoa(left.Pagination.Total) {
			t.Errorf("%s=%s: the page says %s, the interface has %d", name, value, got, left.Pagination.Total)
		}
		if _, isOff := attribute(input, "disabled"); isOff != (left.Pagination.Total == 0) {
			t.Errorf("%s=%s leaves %d, and disabled is %v", name, value, left.Pagination.Total, isOff)
		}
	}
	if count < 6 {
		t.Errorf("the page has %d values of facets", count)
	}
}

// TestAnyPeriod counts the datasets that any latest period leaves: also those of which the office does not say it.
func TestAnyPeriod(t *testing.T) {
	base := serve(t, realStore(t), func(a *api.Options, _ *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "une_old", Title: "Unemployment of old", Last: "1999"}, offer.Offer{Code: "une_new", Title: "Unemployment of newcomers"})
	})
	for _, query := range []string{"q=unemployment", "q=unemployment&here=offered", ""} {
		var all found
		fromInterface(t, base+"/api/search?"+query, &all)
		for _, from := range []string{"", "&last_period_from=2025", "&last_period_from=1990"} {
			root := openPage(t, base+"/search?"+query+from)
			option := elements(root, "input", "name=last_period_from", "value=")
			if len(option) != 1 || !strings.HasSuffix(textOf(option[0].Parent), "any "+strconv.Itoa(all.Pagination.Total)) {
				t.Errorf("%s%s: any period leaves %q, want %d", query, from, textOf(option[0].Parent), all.Pagination.Total)
			}
		}
	}
}

// TestHereFirst finds a dataset that is here before an offer that matches as well, and not before one that has more of the question.
func TestHereFirst(t *testing.T) {
	base := serve(t, realStore(t), func(a *api.Options, _ *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "t1", Title: "Population"}, offer.Offer{Code: "t2", Title: "Exchange rates"}, offer.Offer{Code: "t3", Title: "Unemployment benefits"})
	})
	for question, want := range map[string]string{"population": "SP.POP.TOTL", "exchange+rates": "eurofxref", "unemployment+benefits": "t3"} {
		var all found
		fromInterface(t, base+"/api/search?q="+question, &all)
		if len(all.Data) < 2 || all.Data[0].Code != want {
			t.Errorf("%s finds %+v first, want %s", question, all.Data, want)
		}
	}
}

// TestFoundInTitle reads why a dataset was found whose title has words between those that were asked: they are marked, and written
// as in the title.
func TestFoundInTitle(t *testing.T) {
	base := serve(t, realStore(t), func(a *api.Options, _ *portal.Options) {
		offerDatasets(t, a, offer.Offer{Code: "t1", Title: "CO2 emissions per capita, revised"}, offer.Offer{Code: "t2", Title: "Average CO2 emissions per km from new passenger cars"})
	})
	root := openPage(t, base+"/search?q=CO2+Emissions+capita&source=eurostat")
	var marked []string
	for _, m := range elements(withClass(root, "article", "hit")[0], "mark") {
		marked = append(marked, textOf(m))
	}
	if got := strings.Join(marked, " "); got != "CO2 emissions capita" {
		t.Errorf("the title has %q marked", got)
	}
	text := textOf(root)
	for _, want := range []string{"CO2 emissions per capita in the title", "“CO2 Emissions capita” also finds “Average CO2 emissions per km”."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %.900s", want, text)
		}
	}
}

// TestParametersOfPages checks that pages refuse parameters that they do not have, rather than to show more than was asked for, in the
// language of the page.
func TestParametersOfPages(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, way := range map[string]string{
		"/search?q=gdp&freq=annual": "/search?q=gdp", "/search?limit=100": "/search", "/compare?country=PT&period=2020": "/compare?country=PT",
	} {
		got := ask(t, "GET", base+address)
		if got.StatusCode != http.StatusBadRequest || !strings.Contains(got.body, `<li><a href="`+way+`">`) {
			t.Errorf("%s: %d, and no way to %s", address, got.StatusCode, way)
		}
	}
	if title := heading(t, parse(t, ask(t, "GET", base+"/search?freq=annual&lang=de").body)); title != "Unbekannter Parameter „freq“" {
		t.Errorf("the German page says %q", title)
	}
	chips := withClass(openPage(t, base+"/search?q=gdp&here=true"), "a", "chip")
	if len(chips) != 1 || !strings.HasPrefix(textOf(chips[0]), "in this service") {
		t.Errorf("here=true is the chip %q", textOf(chips[0]))
	}
}

// TestNothingFound offers the search without filters only if there are any.
func TestNothingFound(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, has := range map[string]bool{"/search?q=zzqxyw": false, "/search?q=zzqxyw&source=eurostat": true} {
		if text := textOf(openPage(t, base+address)); strings.Contains(text, "Search again without filters") != has {
			t.Errorf("%s: %.600s", address, text)
		}
	}
}

// TestWayBack reads what a filter hides, and follows the link without it; chips lead to the same.
func TestWayBack(t *testing.T) {
	base := serve(t, realStore(t), nil)
	var all, some found
	fromInterface(t, base+"/api/search?q=rate", &all)
	fromInterface(t, base+"/api/search?q=rate&source=eurostat", &some)
	more := all.Pagination.Total - some.Pagination.Total
	if more <= 0 {
		t.Fatal("the filter hides nothing")
	}
	root := openPage(t, base+"/search?q=rate&source=eurostat")
	if text := textOf(root); !strings.Contains(text, fmt.Sprintf("%d more of other sources", more)) {
		t.Errorf("the page does not say that %d are hidden", more)
	}
	for _, chip := range withClass(root, "a", "chip") {
		to, _ := attribute(chip, "href")
		if to != "/search?q=rate" || !strings.HasPrefix(textOf(chip), "Eurostat") {
			t.Errorf("the chip %q leads to %s", textOf(chip), to)
		}
	}
}

// TestPageBeyondLast checks that a page of results that does not exist leads to the first and the last one.
func TestPageBeyondLast(t *testing.T) {
	base := serve(t, realStore(t), nil)
	root := openPage(t, base+"/search?page=999")
	text := textOf(elements(root, "main")[0])
	if strings.Contains(text, "No dataset answers this") || !strings.Contains(text, "There is no such page") {
		t.Errorf("the page says %s", text)
	}
	links := map[string]string{}
	for _, a := range elements(withClass(root, "div", "say")[0], "a") {
		links[textOf(a)], _ = attribute(a, "href")
	}
	if links["First page"] != "/search" {
		t.Errorf("the links are %v", links)
	}
	for name, to := range links {
		if len(withClass(openPage(t, base+to), "article", "hit")) == 0 {
			t.Errorf("%s leads to a page without results", name)
		}
	}
	if to := ask(t, "GET", base+"/datasets").Header.Get("Location"); to != "/search" {
		t.Errorf("/datasets leads to %s", to)
	}
}
