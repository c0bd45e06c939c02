package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/database"
	"almanac/internal/offer"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

const statusPath = "/api/status"

// openWatches returns an empty database of watches, which is closed when the test
// ends.
func openWatches(t testing.TB) *watch.DB {
	t.Helper()
	db, err := watch.Open(context.Background(), database.Location{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// closedWatches returns a database of watches that cannot be read.
func closedWatches(t testing.TB) *watch.DB {
	t.Helper()
	db, err := watch.Open(t.Context(), database.Location{Dir: t.TempDir()})
	if err == nil {
		err = db.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// statusOf requests the status and returns the JSON of each source by ID.
func statusOf(t *testing.T, base string) map[string]string {
	t.Helper()
	got := ask(t, "GET", base+statusPath)
	readReference(t, base).check(t, statusPath, got)
	var answer struct{ Sources []json.RawMessage }
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
		t.Fatalf("%v: %s", err, got.body)
	}
	sources := map[string]string{}
	for _, text := range answer.Sources {
		var s struct{ ID string }
		if err := json.Unmarshal(text, &s); err != nil {
			t.Fatal(err)
		}
		sources[s.ID] = string(text)
	}
	return sources
}

// The status lists stored and watched sources, with the age of the data and outages, but
// without internal addresses. Several servers can have one source, and plain addresses
// are a source of their own.
func TestStatus(t *testing.T) {
	ctx := t.Context()
	watches := openWatches(t)
	now := clockAt(t, "2025-11-21T10:20:30Z")
	base := serve(t, newAPI(t, api.Options{
		Store: testStore(t), Watches: watches, Now: now.now,
		Offices: map[string]stat.Source{"fish": {ID: "fishers", Name: "Fisheries office"}, "fish-old": {ID: "fishers", Name: "Fisheries office"}, "oecd": {ID: "oecd", Name: "OECD"}},
	}))
	want := func(id, text string) {
		t.Helper()
		now.add(time.Second)
		if got := statusOf(t, base)[id]; got != text {
			t.Errorf("%s:\ngot  %s\nwant %s", id, got, text)
		}
	}
	const fish = `{"id":"fishers","name":"Fisheries office","datasets":1,`
	const updates = `"oldest_update":"2023-05-06T00:00:00+0000","newest_update":"2023-05-06T00:00:00+0000"}`
	const size = `"observations":5,"latest_period":"Q2/2023",`
	want("fishers", fish+`"watched":0,"failing":0,"quarantined":0,`+size+updates)

	for ref, office := range map[string]string{"fish:a": "fish", "fish:b": "fish", "fish-old:c": "fish-old", "oecd:d": "oecd", "https://files.example.org/e.csv": "", "gone:f": "gone"} {
		must(t, func() error { _, err := watches.Add(ctx, ref, 0, now.now()); return err })
		must(t, func() error {
			_, _, err := watches.Expand(ctx, ref, []watch.Ref{{Office: office, Text: ref}}, now.now())
			return err
		})
	}
	want("fishers", fish+`"watched":3,"failing":0,"quarantined":0,`+size+updates)
	want("oecd", `{"id":"oecd","name":"OECD","datasets":0,"watched":1,"failing":0,"quarantined":0}`)
	want("addresses", `{"id":"addresses","name":"File addresses","datasets":0,"watched":1,"failing":0,"quarantined":0}`)
	want("gone", `{"id":"gone","name":"gone","datasets":0,"watched":1,"failing":0,"quarantined":0}`)

	// A server that republishes a dataset of another source counts it too.
	items, err := watches.Items(ctx, "gone:f")
	must(t, func() error { return err })
	must(t, func() error {
		return watches.Record(ctx, []watch.Result{{Item: items[0], Datasets: []watch.Dataset{{ID: 1, Version: "1.0"}}}})
	})
	now.add(time.Second)
	if passedOn := statusOf(t, base)["gone"]; !strings.Contains(passedOn, `"datasets":1,`) || !strings.Contains(passedOn, `"oldest_update":`) {
		t.Errorf("gone: %s", passedOn)
	}

	success, failure := time.Date(2025, 11, 20, 8, 0, 0, 0, time.UTC), time.Date(2025, 11, 21, 8, 0, 0, 0, time.UTC)
	must(t, func() error { return watches.Resume(ctx, "fish-old", success) })
	out := (&fetch.Error{Reason: fetch.Busy, Address: "https://10.1.2.3/secret/path", Status: 503, Body: []byte("secret body"), Tries: 4, Err: errors.New("secret cause")}).Error()
	must(t, func() error {
		return watches.Pause(ctx, watch.Office{ID: "fish", LastError: failure, Error: out, Until: failure.Add(time.Hour)})
	})
	want("fishers", fish+`"watched":3,"failing":0,"quarantined":0,`+size+`"last_success":"2025-11-20T08:00:00+0000",`+
		`"last_error":{"time":"2025-11-21T08:00:00+0000","message":"the server is unavailable: status 503 Service Unavailable"},`+updates)
}

// The status has the lists of what sources offer, also of those without datasets.
func TestStatusOfOffers(t *testing.T) {
	offers, err := offer.Open(t.Context(), database.Location{Dir: t.TempDir()})
	must(t, func() error { return err })
	t.Cleanup(func() { offers.Close() })
	now := clockAt(t, "2025-11-21T10:20:30Z")
	offers.Now = now.now
	base := serve(t, newAPI(t, api.Options{
		Store: testStore(t), Now: now.now, Bringing: api.Bringing{Offers: offers},
		Offices: map[string]stat.Source{"fish": {ID: "fishers", Name: "Fisheries office"}},
	}))
	if before := statusOf(t, base)["fishers"]; strings.Contains(before, "offered") {
		t.Errorf("without a list: %s", before)
	}
	for source, codes := range map[string][]string{"fish": {"a", "b"}, "oecd": {"c"}} {
		_, err := offers.Replace(t.Context(), source, func(yield func(offer.Offer, error) bool) {
			for _, code := range codes {
				if !yield(offer.Offer{Code: code}, nil) {
					return
				}
			}
		})
		must(t, func() error { return err })
	}
	must(t, func() error {
		return offers.Record(t.Context(), "oecd", offer.Try{Failed: 1, Error: "https://10.1.2.3/secret: no list"})
	})
	must(t, func() error { return offers.Record(t.Context(), "ilo", offer.Try{Failed: 1, Error: "no list"}) })
	now.add(time.Second)
	got := statusOf(t, base)
	for id, want := range map[string]string{
		"fishers": `,"offered":{"datasets":2,"listed":"2025-11-21T10:20:30+0000"}}`,
		"oecd":    `,"quarantined":0,"last_success":"2025-11-21T10:20:30+0000","offered":{"datasets":1,"listed":"2025-11-21T10:20:30+0000","failed":true}}`,
		"ilo":     `,"quarantined":0,"offered":{"datasets":0,"failed":true}}`,
	} {
		if !strings.HasSuffix(got[id], want) {
			t.Errorf("%s: %s, want %s", id, got[id], want)
		}
	}
}

// Of every error of package fetch, the status shows the kind, but not the address, the
// cause or the response of the server.
func TestStatusHidesSecrets(t *testing.T) {
	watches := openWatches(t)
	now := clockAt(t, "2025-11-21T10:20:30Z")
	base := serve(t, newAPI(t, api.Options{Store: newStore(t), Watches: watches, Now: now.now}))
	failures := []error{errors.New("open /var/lib/secret/file: permission denied"), &stat.FileError{File: "/secret/a.csv", Message: "secret"}}
	for _, reason := range []fetch.Reason{fetch.Unreachable, fetch.Slow, fetch.Busy, fetch.Cut, fetch.WebPage, fetch.Missing, fetch.TooBig, fetch.Denied, fetch.Unsafe} {
		failures = append(failures, &fetch.Error{Reason: reason, Address: "http://secret.example.org:8080/secret", Status: 418, Body: []byte("secret"), Err: errors.New("dial tcp 10.1.2.3:8080: secret")})
	}
	for i, failure := range failures {
		now.add(time.Minute)
		must(t, func() error {
			return watches.Pause(t.Context(), watch.Office{ID: "oecd", LastError: now.now(), Error: failure.Error(), Until: now.now()})
		})
		got := statusOf(t, base)["oecd"]
		if strings.Contains(got, "secret") || strings.Contains(got, "10.1.2.3") || strings.Contains(got, "http:") {
			t.Errorf("%v: %s", failure, got)
		}
		if isHidden := !strings.Contains(got, "see the log of the service"); isHidden != (i >= 2) {
			t.Errorf("%v: %s", failure, got)
		}
	}
}

// The status is at most a second old, its ETag changes with its content, and it does not
// count. A key must be valid.
func TestStatusIsCached(t *testing.T) {
	watches := openWatches(t)
	now := clockAt(t, "2025-11-21T10:20:30Z")
	callers := newAccess(t, access.Limits{Anonymous: 1}, nil)
	base := serve(t, newAPI(t, api.Options{Store: testStore(t), Watches: watches, Access: callers, Now: now.now}))
	first := ask(t, "GET", base+statusPath)
	for range 5 {
		if got := ask(t, "GET", base+statusPath); got.StatusCode != 200 || got.body != first.body {
			t.Fatalf("%d %s", got.StatusCode, got.body)
		}
	}
	wantNoLimits(t, statusPath, first)
	if got := ask(t, "GET", base+statusPath, "If-None-Match: "+first.Header.Get("ETag")); got.StatusCode != 304 {
		t.Errorf("status unchanged: %d", got.StatusCode)
	}
	if got := ask(t, "GET", base+statusPath, "X-API-Key: alm_nothing"); got.StatusCode != 401 {
		t.Errorf("an invalid key: %d", got.StatusCode)
	}
	must(t, func() error { return watches.Resume(t.Context(), "oecd", now.now()) })
	if got := ask(t, "GET", base+statusPath); got.body != first.body {
		t.Errorf("in the same second: %s", got.body)
	}
	now.add(time.Second)
	if got := ask(t, "GET", base+statusPath, "If-None-Match: "+first.Header.Get("ETag")); got.StatusCode != 200 || got.body == first.body {
		t.Errorf("a second later: %d %s", got.StatusCode, got.body)
	}
}

// add moves the clock.
func (c *clock) add(d time.Duration) {
	later := c.now().Add(d)
	c.at.Store(&later)
}

func must(t *testing.T, do func() error) {
	t.Helper()
	if err := do(); err != nil {
		t.Fatal(err)
	}
}
