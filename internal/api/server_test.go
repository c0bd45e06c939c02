package api_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/sample"
	"almanac/internal/store"
)

// published is when everything was published in the tests' stores.
var published = time.Date(2025, 11, 21, 10, 20, 30, 0, time.UTC)

// newStore returns an empty store that is closed when the test ends.
func newStore(t testing.TB) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: t.TempDir(), Now: func() time.Time { return published }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// load imports a file into a store, even if data are lost.
func load(t testing.TB, s *store.Store, name string, data io.Reader) importer.Outcome {
	t.Helper()
	im, err := importer.New(s, importer.Options{Accept: true})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := im.Read(context.Background(), name, data)
	if len(outcomes) != 1 || outcomes[0].Error != "" {
		t.Fatalf("importing %s: %+v", name, outcomes)
	}
	return outcomes[0]
}

// testStore returns a store with the datasets of testdata/datasets. Their ids are the
// numbers in the file names.
func testStore(t testing.TB) *store.Store {
	t.Helper()
	s := newStore(t)
	files, err := filepath.Glob("testdata/datasets/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no datasets for tests: %v", err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		load(t, s, filepath.Base(name), file)
		file.Close()
	}
	return s
}

// sampleStore returns a store with the embedded sample data, Gapminder as dataset 1.
func sampleStore(t testing.TB) *store.Store {
	t.Helper()
	s := newStore(t)
	for _, name := range []string{"gapminder.tidy.csv", "us_employment.tidy.csv"} {
		file, err := sample.Files().Open(name)
		if err != nil {
			t.Fatal(err)
		}
		load(t, s, name, file)
		file.Close()
	}
	return s
}

// newAccess returns an empty register of callers that is closed when the test ends.
// Its clock stands still unless it is given one.
func newAccess(t testing.TB, limits access.Limits, now func() time.Time) *access.Access {
	t.Helper()
	if now == nil {
		now = func() time.Time { return published }
	}
	a, err := access.Open(context.Background(), access.Options{Dir: t.TempDir(), Limits: limits, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// newKey creates a key of an account, and the account if it is new.
func newKey(t testing.TB, a *access.Access, account string, tier access.Tier) string {
	t.Helper()
	key, err := a.CreateKey(context.Background(), access.KeyRequest{Account: account, Tier: tier})
	if err != nil {
		t.Fatal(err)
	}
	return key.Secret
}

// newAPI returns an API on a store. By default, anonymous callers have no limit.
func newAPI(t testing.TB, o api.Options) *api.API {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return published }
	}
	if o.Access == nil {
		o.Access = newAccess(t, access.Limits{Anonymous: access.Unlimited, Essential: 100, Pro: 5000}, o.Now)
	}
	if o.SearchWait == 0 {
		o.SearchWait = time.Minute // whatever the machine does beside
	}
	a, err := api.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// serve starts a server and discards the log of net/http.
func serve(t testing.TB, handler http.Handler) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Config.DisableGeneralOptionsHandler = true
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// answer is the response to a request.
type answer struct {
	*http.Response
	body string
}

// client neither follows redirects nor decompresses responses.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// ask sends a request without a body; headers are written "Name: value".
func ask(t testing.TB, method, url string, headers ...string) answer {
	t.Helper()
	return send(t, method, url, "", headers...)
}

// post sends a chart request to a server.
func post(t testing.TB, base, body string, headers ...string) answer {
	t.Helper()
	return send(t, "POST", base+"/api/charts/generate-png", body, append([]string{"Content-Type: application/json"}, headers...)...)
}

// send sends a request.
func send(t testing.TB, method, url, text string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: the body was cut off after %d bytes: %v", method, url, len(body), err)
	}
	return answer{response, string(body)}
}

// varyOf returns the Vary header of responses at a path: those of the interface vary by
// caller, and data by form.
func varyOf(path string) string {
	if end, _, _ := strings.Cut(path, "?"); strings.HasSuffix(end, "/data") {
		return "Accept-Encoding, X-API-Key, Authorization, Accept"
	}
	if strings.HasPrefix(path, "/api/") {
		return "Accept-Encoding, X-API-Key, Authorization"
	}
	return "Accept-Encoding"
}
