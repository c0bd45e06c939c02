package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/request"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/offices"
	"almanac/internal/source/sourcetest"
	"almanac/internal/store"
	"almanac/internal/watch"
)

const jobPath = "/api/jobs/1"

// runnerWatches opens a database of watches in which a process works on jobs.
func runnerWatches(t *testing.T) *watch.DB {
	t.Helper()
	db := openWatches(t)
	leave, ok, err := db.Register(watch.BringsJobs)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	t.Cleanup(leave)
	return db
}

// bringTable returns the built-in offices and one for the dataset of the sample, which no
// test contacts.
func bringTable(t *testing.T) *offices.Table {
	t.Helper()
	return sourcetest.NewTable(t, fetch.Options{}, source.Office{
		ID: "gapminder", Name: "Gapminder", Kind: "files", Address: "http://127.0.0.1:1", Data: "http://127.0.0.1:1/{code}.csv",
	})
}

// bring posts a reference.
func bring(t *testing.T, base, reference string, headers ...string) answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"reference": reference})
	if err != nil {
		t.Fatal(err)
	}
	return send(t, "POST", base+"/api/datasets", string(body), slices.DeleteFunc(headers, func(h string) bool { return h == "" })...)
}

// bringingStatuses causes the statuses of the routes about datasets that are brought.
func bringingStatuses(t *testing.T, s *store.Store, note func(string, int, answer)) {
	b := api.Bringing{Sources: bringTable(t), Everyone: true, Limits: watch.JobLimits{Anonymous: -1, All: -1}}
	base := serve(t, newAPI(t, api.Options{Store: s, Watches: runnerWatches(t), Bringing: b}))
	const datasets = "/api/datasets"
	note(datasets, 200, bring(t, base, "gapminder:GAPMINDER"))
	note(datasets, 202, bring(t, base, "gapminder:other"))
	note(datasets, 400, bring(t, base, "gapminder"))
	note(datasets, 404, bring(t, base, "nowhere:other"))
	note(datasets, 413, bring(t, base, strings.Repeat("x", request.MaxReference)))
	note(datasets, 415, bring(t, base, "gapminder:other", "Content-Encoding: gzip"))
	for _, method := range []string{"GET", "HEAD"} {
		note(jobPath, 200, ask(t, method, base+jobPath))
		note(jobPath+"2", 404, ask(t, method, base+jobPath+"2"))
		note(jobPath+"x", 400, ask(t, method, base+jobPath+"x"))
	}
	note(jobPath, 503, ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s, Watches: closedWatches(t)}))+jobPath))
}

// Who may have datasets brought, and what a reference may be.
func TestBring(t *testing.T) {
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: 100}, nil)
	mayNot := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	may := "X-API-Key: " + newKey(t, callers, "maps", access.Essential)
	if _, err := callers.SetMayBring(t.Context(), "maps", true); err != nil {
		t.Fatal(err)
	}
	offers, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = offers.Close() })
	_, err = offers.Replace(t.Context(), "bis", func(yield func(offer.Offer, error) bool) {
		yield(offer.Offer{Source: "bis", Code: "WS_CBPOL", Title: "Policy rates"}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	s := sampleStore(t)
	b := api.Bringing{Sources: bringTable(t), Offers: offers, Limits: watch.DefaultJobLimits}
	base := serve(t, newAPI(t, api.Options{Store: s, Access: callers, Watches: runnerWatches(t), Bringing: b, BaseURL: "https://example.org/statistics"}))
	for _, c := range []struct {
		name, reference, key string
		status               int
		want                 string
	}{
		{"without a key", "bis:WS_CBPOL", "", 403, "send the API key"},
		{"with another account", "bis:WS_CBPOL", mayNot, 403, "ask the operator"},
		{"offered", "BIS:ws_cbpol", may, 202, `{"job":1,"reference":"bis:WS_CBPOL","status":"waiting",`},
		{"again", "bis:WS_CBPOL", may, 202, `{"job":1,`},
		{"of a list without it", "bis:CBPOL", may, 404, "nearest: bis:WS_CBPOL"},
		{"of an office with another ID", "bisstat:x", may, 404, "; nearest: bis"},
		{"of an office whose list is not known", "eurostat:une_rt_m", may, 202, `{"job":2,"reference":"eurostat:une_rt_m",`},
		{"here", "gapminder:Gapminder", may, 200, `{"reference":"gapminder:Gapminder","status":"done","dataset":1,"version":"1.0"}`},
		{"of an unknown office", "nowhere:x", may, 404, `no server is known for the source \"nowhere\"`},
		{"an address", "https://example.org/x.csv", may, 400, "it must be an office and the code of a dataset"},
		{"a path", "file:///etc/passwd", may, 400, "it must be an office and the code of a dataset"},
		{"several", "eurostat:nama_*", may, 400, "is to several datasets"},
		{"a theme", "eurostat:Theme/na10", may, 400, "is to several datasets"},
		{"a part by filters", "eurostat:une_rt_m?geo=DE", may, 400, "is to a part of a dataset"},
		{"a part by a key", "ecb:EXR/M.USD", may, 400, "is to a part of a dataset"},
		{"a part, of an office whose list is known", "bis:WS_CBPOL/M.US", may, 400, "is to a part of a dataset"},
		{"nothing", "", may, 400, "it must be an office and the code of a dataset"},
	} {
		got := bring(t, base, c.reference, c.key)
		if got.StatusCode != c.status || !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %d %s, want %d %s", c.name, got.StatusCode, got.body, c.status, c.want)
		}
		location := map[int]string{200: "/statistics/api/datasets/1", 202: "/statistics/api/jobs/"}[c.status]
		if has := got.Header.Get("Location"); !strings.HasPrefix(has, location) || (has == "") != (location == "") {
			t.Errorf("%s: the location is %q, want %q", c.name, has, location)
		}
	}
	if got := ask(t, "GET", base+"/api/limits", may); !strings.Contains(got.body, `"used":15,`) {
		t.Errorf("after 15 requests: %s", got.body)
	}
	for _, body := range []string{`{}`, `[]`, `{"reference": 1}`, `{"reference": "bis:WS_CBPOL", "x": 1}`, `{"reference": "bis:WS_CBPOL"} x`, ``} {
		if got := send(t, "POST", base+"/api/datasets", body, may); got.StatusCode != 400 || !strings.Contains(got.body, `{\"reference\": \"eurostat:une_rt_m\"}`) {
			t.Errorf("%s: %d %s", body, got.StatusCode, got.body)
		}
	}
}

// No job is accepted that nobody works on, and no service brings datasets by default.
func TestBringWithoutRunner(t *testing.T) {
	s := sampleStore(t)
	b := api.Bringing{Sources: bringTable(t), Everyone: true, Limits: watch.DefaultJobLimits}
	got := bring(t, serve(t, newAPI(t, api.Options{Store: s, Watches: openWatches(t), Bringing: b})), "bis:WS_CBPOL")
	if got.StatusCode != 503 || !strings.Contains(got.body, "no process of this service brings datasets") {
		t.Errorf("without a process that works on jobs: %d %s", got.StatusCode, got.body)
	}
	got = bring(t, serve(t, newAPI(t, api.Options{Store: s})), "bis:WS_CBPOL")
	if got.StatusCode != 403 || !strings.Contains(got.body, "brings no datasets") {
		t.Errorf("by default: %d %s", got.StatusCode, got.body)
	}
}

// The limits of a day hold for each caller and for all, and a 429 describes them.
func TestBringLimits(t *testing.T) {
	b := api.Bringing{Sources: bringTable(t), Everyone: true, Limits: watch.JobLimits{Account: 3, Anonymous: 2, All: 4}}
	callers := newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: access.Unlimited}, nil)
	key := "X-API-Key: " + newKey(t, callers, "desk", access.Essential)
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t), Access: callers, Watches: runnerWatches(t), Bringing: b}))
	for i, c := range []struct {
		key    string
		status int
		policy string
	}{
		{"", 202, ""}, {"", 202, ""}, {"", 429, `"datasets";q=2;w=86400`},
		{key, 202, ""}, {key, 202, ""}, {key, 429, `"datasets";q=4;w=86400`},
	} {
		got := bring(t, base, fmt.Sprintf("bis:D%d", i), c.key)
		if got.StatusCode != c.status || got.Header.Get("RateLimit-Policy") != c.policy {
			t.Errorf("request %d: %d %s %v, want %d %s", i, got.StatusCode, got.body, got.Header, c.status, c.policy)
		}
		if (got.Header.Get("Retry-After") != "") != (c.status == 429) {
			t.Errorf("request %d: Retry-After is %q", i, got.Header.Get("Retry-After"))
		}
	}
	if got := bring(t, base, "bis:D0"); got.StatusCode != 202 {
		t.Errorf("a job that exists: %d %s, want it although the limit is used up", got.StatusCode, got.body)
	}
}
