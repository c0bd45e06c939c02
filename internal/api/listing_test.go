package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// listed is a page of the catalogue.
type listed struct {
	Data []struct {
		ID          int
		LastUpdate  string `json:"last_update"`
		Name        string `json:"dataset_name"`
		IsWatched   *bool  `json:"kept_up_to_date"`
		LastChecked string `json:"last_checked"`
	}
	Pagination struct{ Total int }
}

func list(t *testing.T, address string) (page listed, got answer) {
	t.Helper()
	got = ask(t, "GET", address)
	if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.StatusCode != 200 {
		t.Fatalf("%s: %d %s", address, got.StatusCode, got.body)
	}
	return page, got
}

// linkOf returns the address of a relation in the header Link, or "".
func linkOf(got answer, rel string) string {
	found := regexp.MustCompile(`<([^<>]*)>; rel="` + rel + `"`).FindStringSubmatch(got.Header.Get("Link"))
	if found == nil {
		return ""
	}
	return found[1]
}

// docs/api.md, The catalogue: whoever follows the links from the first page to the next
// ones reads each dataset once, in the same order as on one page, and back again.
func TestPagesAreLinked(t *testing.T) {
	handler := newAPI(t, api.Options{Store: testStore(t)})
	base := serve(t, handler)
	for _, query := range []string{"", "sort=-last_update", "sort=name&fields=code,source", "frequency=annual&country=DE", "source=nobody", "updated_since=2999-01-01", "sort=%2Did"} {
		all, got := list(t, base+"/api/datasets?"+query)
		if linkOf(got, "next") != "" || linkOf(got, "prev") != "" || !strings.HasSuffix(linkOf(got, "last"), "page=0") {
			t.Errorf("%s: a single page has the links %s", query, got.Header.Get("Link"))
		}
		var there, back []int
		address, last := "/api/datasets?"+query+"&limit=2", ""
		for address != "" {
			page, got := list(t, base+address)
			for _, d := range page.Data {
				there = append(there, d.ID)
			}
			last, address = address, linkOf(got, "next")
			if address == "" && linkOf(got, "last") != last && query != "" && page.Pagination.Total > 2 {
				t.Errorf("%s: the last page is %s, and called %s", query, last, linkOf(got, "last"))
			}
		}
		for address = last; address != ""; {
			page, got := list(t, base+address)
			slices.Reverse(page.Data)
			for _, d := range page.Data {
				back = append(back, d.ID)
			}
			address = linkOf(got, "prev")
		}
		var want []int
		for _, d := range all.Data {
			want = append(want, d.ID)
		}
		slices.Reverse(back)
		if !slices.Equal(there, want) || !slices.Equal(back, want) {
			t.Errorf("%s: forwards %v, backwards %v, want %v", query, there, back, want)
		}
	}
}

// Links are absolute with a base address, keep the other parameters, and cannot be broken
// by what a caller writes.
func TestLinkAddresses(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t), BaseURL: "https://example.org/stats"}))
	for query, want := range map[string]string{
		"limit=2&page=1":                     `<https://example.org/stats/api/datasets?limit=2&page=0>; rel="first", <https://example.org/stats/api/datasets?limit=2&page=0>; rel="prev", <https://example.org/stats/api/datasets?limit=2&page=2>; rel="next", <https://example.org/stats/api/datasets?limit=2&page=2>; rel="last"`,
		"p%61ge=9&limit=3":                   `<https://example.org/stats/api/datasets?limit=3&page=0>; rel="first", <https://example.org/stats/api/datasets?limit=3&page=1>; rel="prev", <https://example.org/stats/api/datasets?limit=3&page=1>; rel="last"`,
		"country=a>;rel=x,<b&fields=version": `<https://example.org/stats/api/datasets?country=a%3E;rel=x,%3Cb&fields=version&page=0>; rel="first", <https://example.org/stats/api/datasets?country=a%3E;rel=x,%3Cb&fields=version&page=0>; rel="last"`,
	} {
		got := ask(t, "GET", base+"/api/datasets?"+query)
		if got.Header.Get("Link") != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got.Header.Get("Link"), want)
		}
	}
	if got := ask(t, "GET", base+"/api/datasets?sort=size"); got.Header.Get("Link") != "" {
		t.Errorf("an error has the links %s", got.Header.Get("Link"))
	}
}

// docs/api.md, The catalogue: an area of which no dataset has a part is a notice.
func TestCatalogWithinNowhere(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)}))
	for _, query := range []string{"within=nowhere", "within=nowhere&country=DE", "within=nowhere&fields=code"} {
		page, got := list(t, base+"/api/datasets?"+query)
		if len(page.Data) != 0 || !strings.Contains(got.body, `"notices":[{"parameter":"within","value":"nowhere","message":"no dataset here has an area that is \"nowhere\" or a part of it"`) {
			t.Errorf("%s: %s", query, got.body)
		}
	}
}

// Names are sorted as people do: accents and case do not part letters.
func TestCatalogSortsNames(t *testing.T) {
	s := newStore(t)
	for i, name := range []string{"Zeitreihen", "Épargne", "energy", "Ärzte", "Arbeit", "emploi", "Übernachtungen"} {
		text := strings.ReplaceAll(tidyOf, "%", "invented")
		load(t, s, fmt.Sprintf("%d.csv", i), strings.NewReader(strings.Replace(text, "#dataset,d,A dataset", fmt.Sprintf("#dataset,d%d,%s", i, name), 1)))
	}
	_, got := list(t, serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets?sort=name")
	at := -1
	for _, name := range []string{"Arbeit", "Ärzte", "emploi", "energy", "Épargne", "Übernachtungen", "Zeitreihen"} {
		next := strings.Index(got.body, `"`+name+`"`)
		if next <= at {
			t.Errorf("%q is not in its place: %s", name, got.body)
		}
		at = next
	}
}

// docs/api.md, The catalogue: the filters select what they say, and each combination is
// the intersection of its parts.
func TestCatalogFilters(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)}))
	ids := func(query string) map[int]bool {
		page, _ := list(t, base+"/api/datasets?"+query)
		found := map[int]bool{}
		for _, d := range page.Data {
			found[d.ID] = true
		}
		if len(found) != page.Pagination.Total {
			t.Errorf("%s: %d datasets, total %d", query, len(found), page.Pagination.Total)
		}
		return found
	}
	filters := []string{"source=eurostat", "source=EUROSTAT&source=mixing+office", "frequency=annual", "frequency=q&frequency=W", "updated_since=2024-01-01", "updated_since=2025-07-04T11:00:00%2B02:00", "country=DE", "within=EU27_2020"}
	for i, one := range filters {
		if len(ids(one)) == 0 {
			t.Errorf("%s finds nothing", one)
		}
		for _, other := range filters[i+1:] {
			if a, b := nameOf(one), nameOf(other); a == b {
				continue
			}
			first, second, both := ids(one), ids(other), ids(one+"&"+other)
			for id := range 10 {
				if both[id] != (first[id] && second[id]) {
					t.Errorf("%s and %s: dataset %d is found %t, by each %t and %t", one, other, id, both[id], first[id], second[id])
				}
			}
		}
	}
}

func nameOf(query string) string {
	name, _, _ := strings.Cut(query, "=")
	return name
}

// docs/api.md, The catalogue: kept_up_to_date and last_checked follow the updates without a
// new version, and the ETag with them; such an answer has no Last-Modified.
func TestKeptUpToDate(t *testing.T) {
	watches, err := watch.Open(context.Background(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { watches.Close() })
	if _, err := watches.Add(t.Context(), "eurostat:births", 0, published); err != nil {
		t.Fatal(err)
	}
	base := serve(t, newAPI(t, api.Options{Store: testStore(t), Watches: watches}))
	address := base + "/api/datasets?fields=kept_up_to_date,last_checked&limit=2"
	page, before := list(t, address)
	if *page.Data[0].IsWatched || *page.Data[1].IsWatched || page.Data[0].LastChecked != "" {
		t.Errorf("before: %s", before.body)
	}
	if _, _, err := watches.Expand(t.Context(), "eurostat:births", []watch.Ref{{Text: "eurostat:births", Office: "eurostat"}}, published); err != nil {
		t.Fatal(err)
	}
	items, err := watches.Items(t.Context())
	if err != nil || len(items) != 1 {
		t.Fatalf("items %v, %v", items, err)
	}
	item := items[0]
	item.Dataset, item.Checked = 1, time.Date(2025, 11, 22, 8, 0, 0, 0, time.UTC)
	if err := watches.Record(t.Context(), []watch.Result{{Item: item, Datasets: []watch.Dataset{{ID: 1, Version: "1.0"}}}}); err != nil {
		t.Fatal(err)
	}
	if page, got := list(t, address); *page.Data[0].IsWatched || page.Data[0].LastChecked == "" {
		t.Errorf("watched, but no process fetches: %s", got.body)
	}
	leave, ok, err := watches.Register(watch.FetchesUpdates)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	t.Cleanup(leave)
	page, after := list(t, address)
	if !*page.Data[0].IsWatched || *page.Data[1].IsWatched || page.Data[0].LastChecked != "2025-11-22T08:00:00+0000" {
		t.Errorf("after: %s", after.body)
	}
	if before.Header.Get("ETag") == after.Header.Get("ETag") || after.Header.Get("Last-Modified") != "" {
		t.Errorf("ETag %s and %s, Last-Modified %q", before.Header.Get("ETag"), after.Header.Get("ETag"), after.Header.Get("Last-Modified"))
	}
	if got := ask(t, "GET", address, "If-None-Match: "+after.Header.Get("ETag")); got.StatusCode != 304 {
		t.Errorf("the same again: %d", got.StatusCode)
	}
}

// Equal texts in other cases and escapes are one filter.
func TestCatalogFieldsAreASet(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: testStore(t)}))
	_, want := list(t, base+"/api/datasets?fields=code,source")
	for _, fields := range []string{"source,code", "code,source,code", " code , source "} {
		if _, got := list(t, base+"/api/datasets?fields="+url.QueryEscape(fields)); got.body != want.body || got.Header.Get("ETag") != want.Header.Get("ETag") {
			t.Errorf("%q: %s", fields, got.body)
		}
	}
	if _, got := list(t, base+"/api/datasets?fields=code&fields=source"); got.body != want.body {
		t.Errorf("repeated: %s", got.body)
	}
}

// The name of a publisher selects its own local files and the datasets of an office of this name, and local selects all local files.
func TestCatalogOfPublishers(t *testing.T) {
	s := newStore(t)
	for i, name := range []string{"Office A", "Office B", "Office A"} {
		o := load(t, s, fmt.Sprintf("%d.csv", i), strings.NewReader("country,year,value\nDE,2020,1\n"))
		if _, err := s.Edit(t.Context(), o.ID, func(d *stat.Dataset) error { d.Source.Name = name; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	im, err := importer.New(s, importer.Options{Source: "Office B"})
	if err != nil {
		t.Fatal(err)
	}
	im.Read(t.Context(), "own.csv", strings.NewReader("country,year,value\nDE,2020,1\n"))
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for query, want := range map[string][]int{"source=Office+A": {1, 3}, "source=office+b": {2, 4}, "source=office-b": {4}, "source=local": {1, 2, 3}, "source=Office+B&source=Office+A": {1, 2, 3, 4}} {
		page, got := list(t, base+"/api/datasets?"+query)
		var ids []int
		for _, d := range page.Data {
			ids = append(ids, d.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: %s, want %v", query, got.body, want)
		}
	}
	if got := statusOf(t, base)[stat.LocalSource]; !strings.Contains(got, `"name":"Local files"`) {
		t.Errorf("status: %s", got)
	}
}

// docs/api.md, The catalogue: q has the datasets that the search finds, best first; sort and
// the other filters work on these; topic takes codes and names.
func TestCatalogSearch(t *testing.T) {
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, testOffers(t))}))
	for query, want := range map[string][]int{
		"q=employment": {2}, "q=life+expectancy": {1}, "q=us_employment": {2}, "q=employment&source=gapminder": nil,
		"q=employment&sort=name&fields=code": {2}, "q=xyzzyx": nil, "topic=1.2": {2}, "topic=Labour&sort=-id": {2}, "topic=1&q=employment": {2},
		"topic=nonsense": nil, "topic=nonsense&topic=1.2": {2}, "topic=5": nil, "sort=relevance&q=employment": {2},
	} {
		page, got := list(t, base+"/api/datasets?"+query)
		var ids []int
		for _, d := range page.Data {
			ids = append(ids, d.ID)
		}
		if !slices.Equal(ids, want) || page.Pagination.Total != len(want) {
			t.Errorf("%s: %s, want %v", query, got.body, want)
		}
		if isUnknown := strings.Contains(query, "nonsense"); isUnknown != strings.Contains(got.body, `"parameter":"topic"`) {
			t.Errorf("%s: %s", query, got.body)
		}
		if got.Header.Get("Last-Modified") != "" || got.Header.Get("ETag") == "" {
			t.Errorf("%s: %v", query, got.Header)
		}
	}
	if _, got := list(t, base+"/api/datasets?fields=topics"); !strings.Contains(got.body, `"topics":[{"code":"1.2","name":"Labour"}]`) {
		t.Errorf("topics: %s", got.body)
	}
	for _, query := range []string{"sort=relevance", "sort=-relevance&q=a", "q=" + strings.Repeat("a", 501), "q="} {
		wantError(t, ask(t, "GET", base+"/api/datasets?"+query), 400)
	}
	without := serve(t, newAPI(t, api.Options{Store: s}))
	wantError(t, ask(t, "GET", without+"/api/datasets?q=a"), 503)
	list(t, without+"/api/datasets?fields=code,licence")
}
