package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/stat"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// codesStore has datasets whose codes need care in addresses: dataset n has the n-th code.
func codesStore(t *testing.T, codes ...string) *store.Store {
	s := newStore(t)
	for _, code := range codes {
		load(t, s, "codes.csv", strings.NewReader("#almanac-tidy,1\n#source,local,Local\n#dataset,\""+code+"\",Name of "+strings.ReplaceAll(code, ",", " ")+"\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nFR,2020,1\n"))
	}
	return s
}

// docs/api.md, The catalogue: source:code stands for the id in every address of a dataset,
// whatever its case and however its slashes are written, with the same bytes and ETag.
func TestSourceAndCode(t *testing.T) {
	codes := []string{"une_rt_a", "BE/BE0101/Folk", "ECB,EXR,1.0", "a:b:c", "50% more", "x/data", "Größe+1", "a//b"}
	base := serve(t, newAPI(t, api.Options{Store: codesStore(t, codes...), BaseURL: "https://example.org"}))
	tails := []string{"", "/meta", "/data", "/data?country=FR&flags=true", "/latest", "/dimensions", "/chart.svg?type=bar&width=300&height=200"}
	for i, code := range codes {
		id := string(rune('1' + i))
		spellings := map[string]bool{"local:" + url.PathEscape(code): true, "LOCAL%3A" + url.PathEscape(strings.ToUpper(code)): true}
		if !strings.Contains(code, "//") && !strings.HasSuffix(code, "/data") {
			spellings["local:"+strings.ReplaceAll(url.PathEscape(code), "%2F", "/")] = true
		}
		for _, tail := range tails {
			want := ask(t, "GET", base+"/api/datasets/"+id+tail)
			for spelling := range spellings {
				got := ask(t, "GET", base+"/api/datasets/"+spelling+tail)
				if got.StatusCode != 200 || got.body != want.body || got.Header.Get("ETag") != want.Header.Get("ETag") {
					t.Errorf("%s%s: %d %.200s, want %.200s", spelling, tail, got.StatusCode, got.body, want.body)
				}
				if location := got.Header.Get("Content-Location"); location != "https://example.org/api/datasets/"+id+tail {
					t.Errorf("%s%s: Content-Location is %q", spelling, tail, location)
				}
			}
			if want.Header.Get("Content-Location") != "" {
				t.Errorf("%s%s has a Content-Location", id, tail)
			}
		}
	}
}

// The code in the list of Statistics Canada stands for the one that its files state.
func TestListedCode(t *testing.T) {
	s := newStore(t)
	load(t, s, "codes.csv", strings.NewReader("#almanac-tidy,1\n#source,statcan,Statistics Canada\n#dataset,DF_34100158,Housing starts\n#geography,geo,Area\ngeo,TIME_PERIOD,OBS_VALUE\nCA,2020,1\n"))
	offers, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { offers.Close() })
	if _, err := offers.Replace(t.Context(), "statcan", func(yield func(offer.Offer, error) bool) {
		yield(offer.Offer{Source: "statcan", Code: "34100158", Title: "Housing starts, monthly", Language: "en"}, nil)
	}); err != nil {
		t.Fatal(err)
	}
	b := api.Bringing{Sources: bringTable(t), Offers: offers, Everyone: true, Limits: watch.DefaultJobLimits}
	base := serve(t, newAPI(t, api.Options{Store: s, Search: newSearch(t, s, offers), Watches: runnerWatches(t), Bringing: b}))
	for _, code := range []string{"DF_34100158", "34100158"} {
		if got := ask(t, "GET", base+"/api/datasets/statcan:"+code+"/meta"); got.StatusCode != 200 || !strings.HasSuffix(got.Header.Get("Content-Location"), "/api/datasets/1/meta") {
			t.Errorf("%s: %d %s", code, got.StatusCode, got.body)
		}
	}
	if got := bring(t, base, "statcan:34100158"); got.StatusCode != 200 || !strings.Contains(got.body, `"dataset":1,`) {
		t.Errorf("bringing it: %d %s", got.StatusCode, got.body)
	}
	for _, q := range []string{"34100158", "housing+starts", "statcan:DF_34100158"} {
		if page := find(t, base, "q="+q); page.Pagination.Total != 1 || !page.Data[0].Here {
			t.Errorf("%s: %+v, want the stored dataset alone", q, page.Data)
		}
	}
}

// An unknown source or code is 404 and named; a reference without one of them is 400.
func TestUnknownSourceAndCode(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: codesStore(t, "BE/Folk")}))
	for reference, status := range map[string]int{
		"local:nothing": 404, "nobody:BE%2FFolk": 404, "local:BE/Folk/more": 404, "local:BE": 404, "local:": 400, ":BE": 400, ":": 400, "births": 400,
	} {
		for _, tail := range []string{"", "/data", "/latest"} {
			got := ask(t, "GET", base+"/api/datasets/"+reference+tail)
			wantError(t, got, status)
			if plain, _ := url.PathUnescape(reference); !strings.Contains(got.body, plain) {
				t.Errorf("%s%s: %s does not name the dataset", reference, tail, got.body)
			}
		}
	}
}

// The id of an office's server stands for the source of its datasets.
func TestServerForSource(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: codesStore(t, "EXR"), Offices: map[string]stat.Source{"local-bulk": {ID: "local"}}}))
	if got := ask(t, "GET", base+"/api/datasets/local-bulk:exr/meta"); got.StatusCode != 200 {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
}

// A followed dataset is read, set and removed by source and code as by its id.
func TestFollowSourceAndCode(t *testing.T) {
	callers := newAccess(t, access.DefaultLimits, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Pro)
	base := serve(t, newAPI(t, api.Options{Store: codesStore(t, "BE/Folk"), Access: callers}))
	for _, step := range []struct {
		method, path string
		status       int
	}{
		{"PUT", "local:BE/Folk", 200}, {"GET", "1", 200}, {"GET", "local:be%2Ffolk", 200}, {"DELETE", "local:BE/Folk", 204}, {"GET", "1", 404}, {"GET", "local:BE/Folk", 404}, {"GET", "local:x", 404},
	} {
		body := ""
		if step.method == http.MethodPut {
			body = `{"country": ["FR"]}`
		}
		got := send(t, step.method, base+"/api/followed/"+step.path, body, key)
		if got.StatusCode != step.status {
			t.Errorf("%s %s: %d %s", step.method, step.path, got.StatusCode, got.body)
		}
	}
}

// A dataset that was fetched by a reference is found by it, whatever code its file states;
// one that is only offered is 404, and the message says how to have it brought.
func TestReferenceOfOffer(t *testing.T) {
	watches := runnerWatches(t)
	if _, err := watches.Add(t.Context(), "eurostat:demo_pjan", 0, published); err != nil {
		t.Fatal(err)
	}
	if _, _, err := watches.Expand(t.Context(), "eurostat:demo_pjan", []watch.Ref{{Text: "eurostat:demo_pjan", Office: "eurostat"}}, published); err != nil {
		t.Fatal(err)
	}
	items, err := watches.Items(t.Context())
	if err != nil || len(items) != 1 {
		t.Fatal(items, err)
	}
	items[0].Dataset = 1
	if err := watches.Record(t.Context(), []watch.Result{{Item: items[0]}}); err != nil {
		t.Fatal(err)
	}
	for isForAll, end := range map[bool]string{true: "has it brought\"}", false: "for accounts that may have datasets brought\"}"} {
		b := api.Bringing{Sources: bringTable(t), Offers: testOffers(t), Everyone: isForAll}
		base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Watches: watches, Bringing: b}))
		if got := ask(t, "GET", base+"/api/datasets/Eurostat:DEMO_PJAN/meta"); got.StatusCode != 200 || !strings.Contains(got.body, `"id":1,`) {
			t.Errorf("fetched: %d %s", got.StatusCode, got.body)
		}
		got := ask(t, "GET", base+"/api/datasets/eurostat:UNE_RT_M/meta")
		wantError(t, got, 404)
		for _, part := range []string{"eurostat:UNE_RT_M", "Unemployment by sex and age", `{\"reference\": \"eurostat:une_rt_m\"}`, end} {
			if !strings.Contains(got.body, part) {
				t.Errorf("offered: %s lacks %s", got.body, part)
			}
		}
		if got := ask(t, "GET", base+"/api/datasets/eurostat:nothing"); got.StatusCode != 404 || strings.Contains(got.body, "offers") {
			t.Errorf("not offered: %d %s", got.StatusCode, got.body)
		}
	}
}
