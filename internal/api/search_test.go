package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/demand"
	"almanac/internal/offer"
	"almanac/internal/search"
	"almanac/internal/search/hits"
	"almanac/internal/stattest"
	"almanac/internal/store"
	"almanac/internal/watch"
)

const searchPath = "/api/search?q=population"

// newSearch returns a search over a store and offers, which may be nil.
func newSearch(t testing.TB, s *store.Store, offers *offer.DB) *search.Search {
	t.Helper()
	found := search.New(search.Options{Store: s, Offers: offers})
	if err := found.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	return found
}

// testOffers returns a database of what offices offer.
func testOffers(t testing.TB) *offer.DB {
	t.Helper()
	offers, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { offers.Close() })
	for source, list := range map[string][]offer.Offer{
		"eurostat": {
			{Source: "eurostat", Code: "une_rt_m", Title: "Unemployment by sex and age – monthly data", Topic: "Labour market", Language: "en", Frequency: "M", First: "1983-01", Last: "2026-09", Updated: "2026-10-30"},
			{Source: "eurostat", Code: "une_rt_m", Title: "Arbeitslosigkeit nach Geschlecht und Alter – monatliche Daten", Language: "de", Frequency: "M"},
			{Source: "eurostat", Code: "demo_pjan", Title: "Population on 1 January by age and sex", Language: "en", Frequency: "A", First: "1960", Last: "2025"},
		},
		"destatis": {{Source: "destatis", Code: "12411-0001", Title: "Population: Germany, reference date", Language: "en"}},
	} {
		if _, err := offers.Replace(t.Context(), source, func(yield func(offer.Offer, error) bool) {
			for _, o := range list {
				if !yield(o, nil) {
					return
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	return offers
}

// searchServer serves the sample data and offers.
func searchServer(t *testing.T) string {
	s := sampleStore(t)
	return serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, testOffers(t))}))
}

// find returns the page of a search, which must be as the reference describes it.
func find(t *testing.T, base, query string) (page hits.Page) {
	t.Helper()
	var got answer
	stattest.Eventually(t, func() error {
		if got = ask(t, "GET", base+"/api/search?"+query); strings.Contains(got.body, "not read in time") {
			return fmt.Errorf("%s lacks values: %s", query, got.body)
		}
		return nil
	})
	readReference(t, base).check(t, "/api/search?"+query, got)
	if err := json.Unmarshal([]byte(got.body), &page); err != nil || got.StatusCode != 200 {
		t.Fatalf("%s: %d %s", query, got.StatusCode, got.body)
	}
	return page
}

func codesOf(page hits.Page) (codes []string) {
	for _, h := range page.Data {
		codes = append(codes, h.Source+":"+h.Code)
	}
	return codes
}

func TestSearch(t *testing.T) {
	base := searchServer(t)
	for name, c := range map[string]struct {
		query, first string
		total        int // 0: any
	}{
		"code":              {"q=une_rt_m", "eurostat:une_rt_m", 0},
		"words":             {"q=unemployment+monthly", "eurostat:une_rt_m", 0},
		"typo":              {"q=unemploiment+monthly", "eurostat:une_rt_m", 0},
		"German":            {"q=Arbeitslosigkeit", "eurostat:une_rt_m", 0},
		"question":          {"q=how+many+people+are+unemployed%3F", "eurostat:une_rt_m", 0},
		"stored":            {"q=life+expectancy", "gapminder:gapminder", 0},
		"only here":         {"q=population&here=true", "gapminder:gapminder", 1},
		"only offered":      {"q=population&here=false&source=destatis", "destatis:12411-0001", 1},
		"source in capital": {"q=population&source=DESTATIS", "destatis:12411-0001", 1},
		"two sources":       {"q=population&source=destatis&source=eurostat&frequency=A", "eurostat:demo_pjan", 1},
		"frequency":         {"source=eurostat&frequency=M", "eurostat:une_rt_m", 1},
		"area by name":      {"q=population&area=Germany&source=destatis", "destatis:12411-0001", 0},
		"area by number":    {"q=population&area=276&source=destatis", "destatis:12411-0001", 0},
		"updated since":     {"q=unemployment&updated_since=2026-10-30", "eurostat:une_rt_m", 1},
		"last period":       {"q=population&last_period_from=2020&here=false", "eurostat:demo_pjan", 1},
	} {
		page := find(t, base, c.query)
		if len(page.Data) == 0 || codesOf(page)[0] != c.first || c.total > 0 && page.Pagination.Total != c.total {
			t.Errorf("%s: %v of %d, want first %s of %d", name, codesOf(page), page.Pagination.Total, c.first, c.total)
		}
	}
}

// A hit says why it was found, what it is, and the latest value of a dataset that is here.
func TestHit(t *testing.T) {
	base := searchServer(t)
	page := find(t, base, "q=gapminder&area=DE")
	if len(page.Data) == 0 {
		t.Fatal("nothing found")
	}
	h := page.Data[0]
	if h.ID != 1 || !h.Here || len(h.Found) == 0 || h.OldestPeriod == "" || h.LatestPeriod == "" || h.LastUpdate == "" {
		t.Errorf("%+v", h)
	}
	if want := []hits.Area{{Code: "DE", Name: "Germany"}}; !slices.Equal(page.Areas, want) {
		t.Errorf("areas %v, want %v", page.Areas, want)
	}
	if len(h.Coverage) != 1 || h.Coverage[0].Status != search.Known || h.Coverage[0].LatestPeriod == "" {
		t.Errorf("coverage %+v", h.Coverage)
	}
	latest := ask(t, "GET", base+"/api/datasets/1/latest?country=Germany&latest_mode=observed")
	var want struct {
		Latest struct {
			Period    string
			Countries map[string]string
		} `json:"latest_period"`
	}
	if err := json.Unmarshal([]byte(latest.body), &want); err != nil {
		t.Fatal(err)
	}
	if h.Latest == nil || h.Latest.Period != want.Latest.Period || string(h.Latest.Value) != want.Latest.Countries["Germany"] || h.Latest.Area.Name != "Germany" {
		t.Errorf("latest %+v, want %+v", h.Latest, want)
	}
	offered := find(t, base, "q=une_rt_m").Data[0]
	if offered.ID != 0 || offered.Here || offered.Latest != nil || offered.OldestPeriod != "01/1983" || offered.LastUpdate != "2026-10-30T00:00:00+0000" {
		t.Errorf("%+v", offered)
	}
}

// A caller that has the response gets no other, in each coding, and one of another question does.
func TestSearchUnchanged(t *testing.T) {
	base := searchServer(t)
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		find(t, base, "q=population") // all values are in memory
		first := ask(t, "GET", base+searchPath, "Accept-Encoding: "+coding)
		tag := first.Header.Get("ETag")
		again := ask(t, "GET", base+searchPath, "Accept-Encoding: "+coding, "If-None-Match: "+tag)
		if again.StatusCode != 304 || again.Header.Get("ETag") != tag || again.body != "" {
			t.Errorf("%s: %d with ETag %s, want 304 with %s", coding, again.StatusCode, again.Header.Get("ETag"), tag)
		}
		if other := ask(t, "GET", base+searchPath+"+france", "Accept-Encoding: "+coding, "If-None-Match: "+tag); other.StatusCode != 200 {
			t.Errorf("%s: another question: %d", coding, other.StatusCode)
		}
	}
}

// An offered dataset can be brought where POST /api/datasets takes its reference.
func TestCanBeBrought(t *testing.T) {
	s := sampleStore(t)
	offers := testOffers(t)
	row := offer.Offer{Source: "gapminder", Code: "income", Title: "Income of population", Language: "en"}
	if _, err := offers.Replace(t.Context(), "gapminder", func(yield func(offer.Offer, error) bool) { yield(row, nil) }); err != nil {
		t.Fatal(err)
	}
	w := runnerWatches(t)
	b := api.Bringing{Sources: bringTable(t), Offers: offers, Everyone: true, WorksHere: true, Limits: watch.DefaultJobLimits}
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, offers), Watches: w, Bringing: b}))
	for _, h := range find(t, base, "q=population").Data {
		if h.Here != (h.CanBeBrought == nil) {
			t.Errorf("%s:%s is here %v, can be brought %v", h.Source, h.Code, h.Here, h.CanBeBrought)
		} else if accepted := bring(t, base, h.Source+":"+h.Code).StatusCode == 202; !h.Here && *h.CanBeBrought != accepted {
			t.Errorf("%s:%s can be brought %v, accepted %v", h.Source, h.Code, *h.CanBeBrought, accepted)
		}
	}
}

// The facets of a query say how many datasets each value of a filter leaves.
func TestFacets(t *testing.T) {
	base := searchServer(t)
	page := find(t, base, "q=population")
	sums := map[string]int{}
	for name, facet := range map[string][]hits.Facet{"source": page.Facets.Source, "frequency": page.Facets.Frequency, "topic": page.Facets.Topic, "last_period": page.Facets.LastPeriod} {
		for _, f := range facet {
			sums[name] += f.Count
			if name == "last_period" {
				continue // the filter has all later years
			}
			if left := find(t, base, "q=population&"+url.Values{name: {f.Value}}.Encode()).Pagination.Total; left != f.Count {
				t.Errorf("%s=%s leaves %d datasets, the facet says %d", name, f.Value, left, f.Count)
			}
		}
	}
	if sums["source"] != page.Pagination.Total {
		t.Errorf("the sources have %d datasets, the page says %d", sums["source"], page.Pagination.Total)
	}
}

func TestSearchPages(t *testing.T) {
	base := searchServer(t)
	whole := find(t, base, "q=population")
	var codes []string
	for page := range whole.Pagination.Total + 1 {
		one := find(t, base, fmt.Sprintf("q=population&limit=1&page=%d", page))
		codes = append(codes, codesOf(one)...)
		if one.Pagination.HasMore != (page+1 < whole.Pagination.Total) {
			t.Errorf("page %d: %+v", page, one.Pagination)
		}
	}
	if !slices.Equal(codes, codesOf(whole)) {
		t.Errorf("pages have %v, the whole %v", codes, codesOf(whole))
	}
}

// Values that nothing has are answered with notices, and words that were read as others too.
func TestSearchNotices(t *testing.T) {
	base := searchServer(t)
	for name, c := range map[string]struct {
		query, parameter, nearest string
		total                     bool
	}{
		"typo":                      {"q=populaton", "q", "population", true},
		"unknown source":            {"q=population&source=eurostatt", "source", "eurostat", false},
		"unknown beside a known":    {"q=population&source=eurostatt&source=destatis", "source", "eurostat", true},
		"unknown frequency":         {"q=population&frequency=X", "frequency", "", false},
		"unknown topic":             {"q=population&topic=Labor", "topic", "", false},
		"unknown area":              {"q=population&area=Atlantis", "area", "", false},
		"filter without a question": {"source=nobody", "source", "", false},
	} {
		page := find(t, base, c.query)
		if len(page.Notices) != 1 || page.Notices[0].Parameter != c.parameter || c.nearest != "" && !slices.Contains(page.Notices[0].Nearest, c.nearest) {
			t.Errorf("%s: %+v", name, page.Notices)
		}
		if (page.Pagination.Total > 0) != c.total || (len(page.Data) > 0) != c.total {
			t.Errorf("%s: %d found", name, page.Pagination.Total)
		}
	}
}

// Questions that no person types are answered or refused, never with a failure, and fast.
func TestBadQuestions(t *testing.T) {
	base := searchServer(t)
	for name, text := range map[string]string{
		"one quote": `"`, "quotes": `"population`, "operators": "population AND NOT (germany OR -france) NEAR/3", "wildcards": "pop* ?% _",
		"SQL": "'; DROP TABLE dataset; --", "column of an index": "title:population", "other scripts": "失業率 безработица البطالة",
		"spaces": "   ", "signs": "!?%&/()=#'*+~", "zero bytes": "a\x00b", "combining": "é́́́́", "emoji": "📈📉", "10 kB": strings.Repeat("population ", 1000),
		"10 kB of one word": strings.Repeat("a", 10_000), "10 kB of signs": strings.Repeat("(", 10_000), "right to left": "\u202epopulation",
		"number": "1", "long numbers": strings.Repeat("1 ", 200), "many words": strings.Repeat("ab ", 150),
	} {
		begin := time.Now()
		got := ask(t, "GET", base+"/api/search?q="+url.QueryEscape(text))
		took := time.Since(begin)
		if got.StatusCode != 200 && got.StatusCode != 400 {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.body)
		}
		if len(got.body) > 20_000 {
			t.Errorf("%s: %d bytes", name, len(got.body))
		}
		t.Logf("%-20s %d %v %.120s", name, got.StatusCode, took, got.body)
	}
	for _, query := range map[string]string{
		"empty": "q=", "page too deep": "q=population&page=100000000", "limit too high": "q=population&limit=101", "limit 0": "q=population&limit=0",
		"here": "q=population&here=perhaps", "twice": "q=a&q=b", "last period": "q=population&last_period_from=soon", "UTF-8": "q=%ff", "unknown parameter": "q=a&country=DE",
	} {
		got := ask(t, "GET", base+"/api/search?"+query)
		wantError(t, got, 400)
	}
}

// The answer is the same until the store or the offers change.
func TestSearchETag(t *testing.T) {
	s, offers := sampleStore(t), testOffers(t)
	found := newSearch(t, s, offers)
	base := serve(t, newAPI(t, api.Options{Store: s, Search: found}))
	first := ask(t, "GET", base+searchPath)
	if again := ask(t, "GET", base+searchPath, "If-None-Match: "+first.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("unchanged: %d", again.StatusCode)
	}
	if other := ask(t, "GET", base+searchPath+"&limit=1"); other.Header.Get("ETag") == first.Header.Get("ETag") {
		t.Error("another page has the same ETag")
	}
	german, chosen := ask(t, "GET", base+searchPath, "Accept-Language: de-AT, en;q=0.5"), ask(t, "GET", base+searchPath+"&lang=de")
	if german.Header.Get("ETag") == first.Header.Get("ETag") || german.body != chosen.body || !strings.Contains(german.Header.Get("Vary"), "Accept-Language") {
		t.Errorf("with Accept-Language: %v %s, with lang: %s", german.Header, german.body, chosen.body)
	}
	if _, err := offers.Replace(t.Context(), "destatis", func(func(offer.Offer, error) bool) {}); err != nil {
		t.Fatal(err)
	}
	if err := found.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := ask(t, "GET", base+searchPath, "If-None-Match: "+first.Header.Get("ETag"))
	if after.StatusCode != 200 || strings.Contains(after.body, "12411-0001") {
		t.Errorf("after a change: %d %s", after.StatusCode, after.body)
	}
}

// A page without the values that could not be read in time has no ETag, and nobody keeps it.
func TestSearchWithoutValues(t *testing.T) {
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, nil), SearchWait: -1}))
	got := ask(t, "GET", base+searchPath)
	if got.StatusCode != 200 || got.Header.Get("ETag") != "" || !strings.Contains(got.Header.Get("Cache-Control"), "no-store") || !strings.Contains(got.body, "not read in time") {
		t.Errorf("%d %v %s", got.StatusCode, got.Header, got.body)
	}
}

// Searches and requests for datasets are counted for the operator.
func TestDemand(t *testing.T) {
	s := sampleStore(t)
	counts, err := demand.Open(t.Context(), demand.Options{Dir: t.TempDir(), Now: func() time.Time { return published }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { counts.Close() })
	callers := newAccess(t, access.DefaultLimits, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Pro)
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, Search: newSearch(t, s, nil), Demand: counts, Bringing: api.Bringing{Offers: testOffers(t)}}))
	for _, path := range []string{
		"/api/search?q=Population", "/api/search?q=population&page=1", "/api/search?q=xyzzyx", "/api/search?q=jane%40example.org",
		"/api/datasets/1/meta", "/api/datasets/1/data?country=Germany&period=2005", "/api/datasets/77", "/api/datasets/x", "/api/datasets/:abc/data", "/api/datasets/nobody:abc",
		"/api/datasets/EUROSTAT:UNE_RT_M", "/api/datasets/eurostat:une_rt_m/data", "/api/datasets/DESTATIS:1/data", "/api/datasets/gapminder:Nothing", "/api/datasets/gapminder:nothing", "/api/datasets/1/chart.svg?width=200&height=200",
	} {
		ask(t, "GET", base+path, key)
	}
	ask(t, "GET", base+"/api/datasets/2", "X-API-Key: wrong")
	if err := counts.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[demand.Kind][]demand.Count{
		demand.Searches: {{Day: "2025-11-21", Times: 1, Failed: 1}, {Day: "2025-11-21", Text: "population", Times: 1}, {Day: "2025-11-21", Text: "xyzzyx", Times: 1, Failed: 1}},
		demand.Datasets: {{Day: "2025-11-21", Text: "gapminder:gapminder", Times: 3}, {Day: "2025-11-21", Text: "eurostat:une_rt_m", Times: 2, Failed: 2}, {Day: "2025-11-21", Text: "gapminder:Nothing", Times: 2, Failed: 2}, {Day: "2025-11-21", Text: "destatis:1", Times: 1, Failed: 1}},
	} {
		got, err := counts.Report(t.Context(), kind, published, published, 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v %v, want %v", kind, got, err, want)
		}
	}
}

// Before the index is built, a search is 503 and not an empty page.
func TestSearchBeforeIndex(t *testing.T) {
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s, Search: search.New(search.Options{Store: s})}))
	wantError(t, ask(t, "GET", base+searchPath), 503)
}
