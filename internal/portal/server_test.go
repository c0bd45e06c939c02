package portal_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"almanac"
	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/importer"
	"almanac/internal/portal"
	"almanac/internal/sample"
	"almanac/internal/search"
	"almanac/internal/stattest"
	"almanac/internal/stattest/browser"
	"almanac/internal/store"
)

// published is when everything was published in the tests' stores.
var published = time.Date(2025, 11, 21, 10, 20, 30, 0, time.UTC)

// realFiles are the files of offices in the store of [realStore]. The id of a dataset is its place
// in the list, from 1.
var realFiles = []struct{ file, labels string }{
	{"eurostat/tsv-old/une_rt_a.tsv.gz", "eurostat/dic"}, // several dimensions, flags
	{"ecb/eurofxref-hist.csv", ""},                       // days
	{"owid/co2-emissions-per-capita.csv", ""},            // no name, many areas
	{"px/statfin/HalfYearStatistics.px", ""},             // half-years, one area
	{"worldbank/csv/API_SP.POP.TOTL_DS2_en_csv_v2.csv", ""},
}

// stores are the stores that the tests share, which no test changes. They are made when the first
// test needs them.
var stores = struct {
	sync.Mutex
	dir string
	all map[string]*store.Store
}{all: map[string]*store.Store{}}

func TestMain(m *testing.M) {
	code := browser.Run(m)
	for _, s := range stores.all {
		s.Close()
	}
	if stores.dir != "" {
		os.RemoveAll(stores.dir)
	}
	os.Exit(code)
}

// realStore returns a store with datasets of [realFiles].
func realStore(t testing.TB) *store.Store {
	t.Helper()
	data := stattest.DataDir(t)
	return sharedStore(t, "real", func(s *store.Store) {
		for i, f := range realFiles {
			o := importer.Options{Accept: true}
			if f.labels != "" {
				o.Labels = filepath.Join(data, filepath.FromSlash(f.labels))
			}
			im, err := importer.New(s, o)
			if err != nil {
				t.Fatal(err)
			}
			if got := im.Import(context.Background(), filepath.Join(data, filepath.FromSlash(f.file))); len(got) != 1 || got[0].ID != i+1 {
				t.Fatalf("importing %s: %+v", f.file, got)
			}
		}
	})
}

// sampleStore returns a store with the datasets of `serve --demo`: 1 is gapminder, 2 is
// us_employment.
func sampleStore(t testing.TB) *store.Store {
	t.Helper()
	return sharedStore(t, "sample", func(s *store.Store) {
		for _, name := range []string{"gapminder.tidy.csv", "us_employment.tidy.csv"} {
			file, err := sample.Files().Open(name)
			if err != nil {
				t.Fatal(err)
			}
			load(t, s, name, file)
			file.Close()
		}
	})
}

// sharedStore returns the store of a name, filled when it is asked for first.
func sharedStore(t testing.TB, name string, fill func(*store.Store)) *store.Store {
	t.Helper()
	stores.Lock()
	defer stores.Unlock()
	if s := stores.all[name]; s != nil {
		return s
	}
	var err error
	if stores.dir == "" {
		if stores.dir, err = os.MkdirTemp("", "almanac-portal-"); err != nil {
			t.Fatal(err)
		}
	}
	s := openStore(t, filepath.Join(stores.dir, name))
	fill(s)
	stores.all[name] = s
	return s
}

// newStore returns an empty store that is closed when the test ends.
func newStore(t testing.TB) *store.Store {
	t.Helper()
	s := openStore(t, t.TempDir())
	t.Cleanup(func() { s.Close() })
	return s
}

func openStore(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: dir, Now: func() time.Time { return published }})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// load imports a file into a store.
func load(t testing.TB, s *store.Store, name string, data io.Reader) {
	t.Helper()
	im, err := importer.New(s, importer.Options{Accept: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := im.Read(context.Background(), name, data); len(got) != 1 || got[0].Error != "" {
		t.Fatalf("importing %s: %+v", name, got)
	}
}

// serve starts a server of pages and the interface over a store, and returns its address. change,
// if not nil, changes the options of both.
func serve(t testing.TB, s *store.Store, change func(*api.Options, *portal.Options)) string {
	t.Helper()
	base, _ := servePages(t, s, change)
	return base
}

// servePages is like serve, and also returns the pages.
func servePages(t testing.TB, s *store.Store, change func(*api.Options, *portal.Options)) (base string, pages *portal.Portal) {
	t.Helper()
	now := func() time.Time { return published }
	callers, err := access.Open(context.Background(), access.Options{Dir: t.TempDir(), Limits: access.Limits{Anonymous: access.Unlimited, Essential: 100, Pro: 5000}, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { callers.Close() })
	found := search.New(search.Options{Store: s})
	if err := found.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	base = "http://" + server.Listener.Addr().String()
	forInterface := api.Options{Store: s, Access: callers, Search: found, SearchWait: time.Minute, CacheDir: t.TempDir(), Now: now, BaseURL: base}
	forPages := portal.Options{BaseURL: base, Changelog: almanac.Changelog, Now: now}
	if change != nil {
		change(&forInterface, &forPages)
	}
	service, err := api.New(forInterface)
	if err != nil {
		t.Fatal(err)
	}
	forPages.Interface, forPages.Else, forPages.Access = service.LocalCall(), service, forInterface.Access
	forPages.Quarantine.Revisions = service.OperatorCall()
	forPages.InterfaceOf = func(c access.Caller) portal.Sender { return service.CallOf(c) }
	forPages.InNameOf, forPages.AsPage = api.InNameOf, api.AsPage
	if pages, err = portal.New(forPages); err != nil {
		t.Fatal(err)
	}
	server.Config.Handler, server.Config.ErrorLog = pages, log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return base, pages
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
func ask(t testing.TB, method, address string, headers ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html,*/*;q=0.8")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("%s %s: the body was cut off after %d bytes: %v", method, address, len(body), err)
	}
	return answer{response, string(body)}
}

// openPage returns the elements of a page with status 200.
func openPage(t testing.TB, address string, headers ...string) *html.Node {
	t.Helper()
	got := ask(t, "GET", address, headers...)
	if got.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %.300s", address, got.StatusCode, got.body)
	}
	return parse(t, got.body)
}

func parse(t testing.TB, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// elements returns the elements with a tag below a node, in order. Of conditions "name" and
// "name=value", each holds for their attributes.
func elements(root *html.Node, tag string, conditions ...string) (found []*html.Node) {
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != tag {
			continue
		}
		fits := true
		for _, c := range conditions {
			name, value, hasValue := strings.Cut(c, "=")
			got, has := attribute(n, name)
			fits = fits && has && (!hasValue || got == value)
		}
		if fits {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *html.Node, name string) (value string, has bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// textOf returns the text that a reader sees in a node, with single spaces.
func textOf(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteString(" ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// heading returns the text of the only h1 of a page.
func heading(t testing.TB, root *html.Node) string {
	t.Helper()
	all := elements(root, "h1")
	if len(all) != 1 {
		t.Fatalf("a page has %d headings of the first level: %s", len(all), fmt.Sprint(all))
	}
	return textOf(all[0])
}
