package api_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/api"
	"almanac/internal/store"
)

// serverLog collects the log of a server.
type serverLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *serverLog) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(line)
}

func (b *serverLog) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// decoded returns the body of a response without its content coding.
func decoded(t testing.TB, got answer) string {
	t.Helper()
	var in io.Reader = strings.NewReader(got.body)
	switch coding := got.Header.Get("Content-Encoding"); coding {
	case "":
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		in = z
	case "zstd":
		z, err := zstd.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		in = z
	default:
		t.Fatalf("unknown coding %q", coding)
	}
	plain, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// docs/api.md, All responses: gzip and zstd by Accept-Encoding, with Vary, and a
// strong ETag for each. The caller's weights decide; zstd is preferred to gzip if they are
// equal. Short bodies are not compressed.
func TestContentCoding(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, c := range []struct{ accepted, long, short string }{
		{"", "", ""},
		{"identity", "", ""},
		{"gzip", "gzip", ""},
		{"zstd", "zstd", ""},
		{"gzip, deflate, br, zstd", "zstd", ""},
		{"GZIP", "gzip", ""},
		{"x-gzip", "gzip", ""},
		{"zstd;q=0.5, gzip;q=0.8", "gzip", ""},
		{"gzip;q=0.001", "gzip", ""},
		{"gzip;q=0, zstd;q=0", "", ""},
		{"gzip;q=0", "", ""},
		{"gzip;q=0.5, identity", "", ""},
		{"gzip ; q=0.5 , identity;q=0.4", "gzip", ""},
		{"br", "", ""},
		{"*", "zstd", ""},
		{"*;q=0.5, gzip", "gzip", ""},
		{"zstd;q=0, *", "gzip", ""},
		{"identity;q=0, gzip", "gzip", "gzip"},
		{"*;q=0, zstd", "zstd", "zstd"},
		{"gzip;q=2", "", ""}, // an invalid weight: the coding is ignored
		{"gzip;level=9", "", ""},
	} {
		for path, want := range map[string]string{"/api/datasets/1/meta": c.long, "/api/datasets/1/data?country=DE": c.long, "/readyz": c.short} {
			headers := []string{"Accept-Encoding: " + c.accepted}
			if c.accepted == "" {
				headers = nil
			}
			got := ask(t, "GET", base+path, headers...)
			if got.StatusCode != 200 || got.Header.Get("Content-Encoding") != want || got.Header.Get("Vary") != varyOf(path) {
				t.Errorf("%s with %q: %d, Content-Encoding %q, Vary %q, want coding %q", path, c.accepted, got.StatusCode, got.Header.Get("Content-Encoding"), got.Header.Get("Vary"), want)
				continue
			}
			plain := ask(t, "GET", base+path)
			if decoded(t, got) != plain.body {
				t.Errorf("%s with %q: the decoded body differs", path, c.accepted)
			}
			if etag := got.Header.Get("ETag"); etag != "" && (want == "") != (etag == plain.Header.Get("ETag")) {
				t.Errorf("%s with %q: ETag %s, and %s without coding", path, c.accepted, etag, plain.Header.Get("ETag"))
			}
		}
	}
	for _, accepted := range []string{"identity;q=0", "*;q=0", "br, *;q=0"} {
		wantError(t, ask(t, "GET", base+"/api/datasets/1/meta", "Accept-Encoding: "+accepted), 406)
	}
}

// A 304 needs the ETag of the coding that would be sent.
func TestConditionalByCoding(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: sampleStore(t)}))
	for _, path := range []string{"/api/datasets", "/api/datasets/1", "/api/datasets/1/meta", "/api/datasets/1/data?country=DE", "/api/datasets/1/dimensions"} {
		for _, had := range []string{"identity", "gzip", "zstd"} {
			etag := ask(t, "GET", base+path, "Accept-Encoding: "+had).Header.Get("ETag")
			for _, now := range []string{"identity", "gzip", "zstd"} {
				want := 200
				if had == now {
					want = 304
				}
				if got := ask(t, "GET", base+path, "Accept-Encoding: "+now, "If-None-Match: "+etag); got.StatusCode != want {
					t.Errorf("%s, cached as %s, requested as %s: %d, want %d", path, had, now, got.StatusCode, want)
				}
			}
		}
	}
}

// largeTable is a dataset of n series of two areas and 20 years in the tidy
// format.
func largeTable(n int) string {
	var b strings.Builder
	b.WriteString("#almanac-tidy,1\n#source,test,Test office\n#dataset,large,Large\n#updated,2024-01-01\n#dimension,item,Item\n#geography,geo,Area\nitem,geo,TIME_PERIOD,OBS_VALUE\n")
	for i := range n {
		for year := range 20 {
			for _, area := range []string{"FR", "DE"} {
				fmt.Fprintf(&b, "item %d,%s,%d,%g\n", i, area, 2000+year, float64(i*31+year)/16)
			}
		}
	}
	return b.String()
}

func largeStore(t testing.TB) *store.Store {
	s := newStore(t)
	load(t, s, "large.csv", strings.NewReader(largeTable(300)))
	return s
}

// The first response with a whole dataset is streamed without a length; later ones come
// from the cache with a length and have the same bytes. Filtered responses are not
// cached.
func TestWholeDatasetIsCached(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	base := serve(t, newAPI(t, api.Options{Store: largeStore(t), CacheDir: dir}))
	for _, c := range []struct {
		path string
		kept bool
	}{
		{"/api/datasets/1", true}, {"/api/datasets/1?flags=true", true}, {"/api/datasets/1/data", true},
		{"/api/datasets/1/data?flags=1", true}, {"/api/datasets/1/data?period_from=2001", false}, {"/api/datasets/1/data?country=FR", false},
	} {
		for _, accepted := range []string{"identity", "gzip", "zstd"} {
			name := c.path + " as " + accepted
			headHeader := ask(t, "HEAD", base+c.path, "Accept-Encoding: "+accepted)
			first := ask(t, "GET", base+c.path, "Accept-Encoding: "+accepted)
			if first.ContentLength >= 0 || headHeader.ContentLength >= 0 || headHeader.body != "" {
				t.Errorf("%s: Content-Length %d, with HEAD %d, of a streamed response", name, first.ContentLength, headHeader.ContentLength)
			}
			if !json.Valid([]byte(decoded(t, first))) || len(decoded(t, first)) < 128<<10 {
				t.Errorf("%s: not JSON, or too short for the test", name)
			}
			again := ask(t, "GET", base+c.path, "Accept-Encoding: "+accepted)
			head := ask(t, "HEAD", base+c.path, "Accept-Encoding: "+accepted)
			if again.body != first.body || again.Header.Get("ETag") != first.Header.Get("ETag") || again.Header.Get("Content-Encoding") != first.Header.Get("Content-Encoding") || again.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
				t.Errorf("%s: the second response differs", name)
			}
			want := int64(-1)
			if c.kept {
				want = int64(len(first.body))
			}
			if again.ContentLength != want || head.ContentLength != want {
				t.Errorf("%s: second response: Content-Length %d, with HEAD %d, want %d", name, again.ContentLength, head.ContentLength, want)
			}
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 4*3 {
		t.Errorf("the cache has %d files: %q", len(files), files)
	}
}

// The streamed body has exactly the numbers of the table.
func TestStreamedNumbers(t *testing.T) {
	base := serve(t, newAPI(t, api.Options{Store: largeStore(t)}))
	var got struct {
		Data []struct {
			SeriesKey map[string]string `json:"series_key"`
			Countries []string
			Rows      []struct {
				Period string
				Values map[string]float64
			}
		}
	}
	if err := json.Unmarshal([]byte(ask(t, "GET", base+"/api/datasets/1").body), &got); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, block := range got.Data {
		if len(block.Countries) != 2 || block.SeriesKey["dim1_value"] != fmt.Sprintf("item %d", i) {
			t.Fatalf("block %d: %v of %v", i, block.SeriesKey, block.Countries)
		}
		for _, row := range block.Rows {
			for _, area := range []string{"FR", "DE"} {
				fmt.Fprintf(&b, "%s,%s,%s,%g\n", block.SeriesKey["dim1_value"], area, row.Period, row.Values[area])
			}
		}
	}
	if want := largeTable(300); !strings.HasSuffix(want, "\nitem,geo,TIME_PERIOD,OBS_VALUE\n"+b.String()) {
		t.Error("the rows are not those of the table")
	}
}

// The cache stays within its bound, evicts the least recently used body first and starts
// empty; a deleted file is a miss.
func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old.body", "123.partial", "keep.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("left over"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := largeStore(t)
	size := int64(len(ask(t, "GET", serve(t, newAPI(t, api.Options{Store: s}))+"/api/datasets/1/data?flags=true").body))
	base := serve(t, newAPI(t, api.Options{Store: s, CacheDir: dir, CacheBytes: 2*size + 1000}))
	kept := func() (names []string) {
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		for _, f := range files {
			names = append(names, filepath.Base(f))
		}
		return names
	}
	if names := kept(); len(names) != 1 || names[0] != "keep.txt" {
		t.Errorf("at the start, the folder has %q", names)
	}
	known := func(path string) bool { return ask(t, "GET", base+"/api/datasets/1"+path).ContentLength >= 0 }
	known("")       // kept
	known("/data")  // kept, full
	if !known("") { // used again
		t.Error("the first body is not in the cache")
	}
	known("/data?flags=true") // kept; /data goes
	if !known("") || !known("/data?flags=true") {
		t.Error("a body that was used recently was evicted")
	}
	if known("/data") {
		t.Error("the least recently used body is still in the cache")
	}
	for _, name := range kept() {
		if strings.HasSuffix(name, ".body") {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if known("/data") {
		t.Error("a removed file is served")
	}
	if !known("/data") {
		t.Error("after a miss, the body is not in the cache")
	}
}

// One bound holds for responses and pictures together, also while they are being written.
func TestCacheBoundsPicturesAndResponses(t *testing.T) {
	const bound = 300 << 10
	dir := t.TempDir()
	a := newAPI(t, api.Options{Store: sampleStore(t), CacheDir: dir, CacheBytes: bound})
	within := func(when string) (names int) {
		t.Helper()
		size, files := int64(0), 0
		for _, path := range globbed(t, filepath.Join(dir, "*")) {
			if info, err := os.Stat(path); err == nil { // else it was evicted meanwhile
				size, files = size+info.Size(), files+1
			}
		}
		if size > bound {
			t.Errorf("%s, the cache has %d bytes, more than %d", when, size, bound)
		}
		return files
	}
	api.AddStream(a, "/long", func(send func(string) error) error {
		for range 20 {
			if err := send(strings.Repeat("x", 100<<10)); err != nil {
				return err
			}
			within("while a response is written that is larger than the bound")
		}
		return nil
	})
	base := serve(t, a)
	for i := range 60 {
		ask(t, "GET", base+pathOf(t, post(t, base, smallChart(fmt.Sprintf(`"customTitle": "Chart %d"`, i)))))
		if i%20 == 10 {
			ask(t, "GET", base+fmt.Sprintf("/api/datasets/1?flags=%d", i%2))
		}
		within("after a picture")
	}
	if within("at the end") < 10 {
		t.Error("hardly anything is in the cache")
	}
	if got := ask(t, "GET", base+"/long"); len(got.body) != 20*100<<10 {
		t.Errorf("the long response has %d bytes", len(got.body))
	}
	if used := figure(t, a, "almanac_cache_bytes"); used != 0 || within("after a long response") != 0 {
		t.Errorf("after a response that has no room, %g bytes are in use", used)
	}
}

func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// A body that is larger than the whole cache is served but not cached.
func TestTooLargeForTheCache(t *testing.T) {
	dir := t.TempDir()
	base := serve(t, newAPI(t, api.Options{Store: largeStore(t), CacheDir: dir, CacheBytes: 1000}))
	first, again := ask(t, "GET", base+"/api/datasets/1"), ask(t, "GET", base+"/api/datasets/1")
	if first.body != again.body || again.ContentLength >= 0 {
		t.Error("the body was cached or differs")
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 0 {
		t.Errorf("the folder has %q", files)
	}
}

// An error in the middle of a response closes the connection, so that no client takes a
// part for the whole. It is logged, and nothing is cached.
func TestErrorMidResponse(t *testing.T) {
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		var logged serverLog
		dir := t.TempDir()
		a := newAPI(t, api.Options{Store: newStore(t), CacheDir: dir, Log: slog.New(slog.NewTextHandler(&logged, nil))})
		api.AddStream(a, "/broken", func(send func(string) error) error {
			if err := send(strings.Repeat("x", 300<<10)); err != nil {
				return err
			}
			return errors.New("the disk has failed")
		})
		api.AddStream(a, "/panic", func(send func(string) error) error {
			if err := send(strings.Repeat("x", 300<<10)); err != nil {
				return err
			}
			panic("no such row")
		})
		base := serve(t, a)
		for path, cause := range map[string]string{"/broken": "the disk has failed", "/panic": "no such row"} {
			r, _ := http.NewRequest("GET", base+path, nil)
			r.Header.Set("Accept-Encoding", coding)
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
			if err == nil {
				t.Errorf("%s as %s: the broken response looks complete", path, coding)
			}
			if !strings.Contains(logged.String(), cause) {
				t.Errorf("%s: the log does not contain %q: %s", path, cause, logged.String())
			}
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 0 {
			t.Errorf("the folder has %q", files)
		}
	}
}

// docs/api.md, All responses: 500 does not reveal internals and has the request id
// of the log. An error before the first byte does not close the connection.
func TestInternalError(t *testing.T) {
	var logged serverLog
	a := newAPI(t, api.Options{Store: newStore(t), Log: slog.New(slog.NewTextHandler(&logged, nil))})
	api.AddStream(a, "/broken", func(send func(string) error) error {
		_ = send("a short part")
		return errors.New("secret /var/lib path")
	})
	api.AddStream(a, "/panic", func(func(string) error) error { panic("secret index") })
	base := serve(t, a)
	for _, path := range []string{"/broken", "/panic"} {
		got := ask(t, "GET", base+path, "Accept-Encoding: gzip")
		wantError(t, got, 500)
		id := got.Header.Get("X-Request-Id")
		if strings.Contains(got.body, "secret") || !strings.Contains(got.body, id) {
			t.Errorf("%s: %s, request id %s", path, got.body, id)
		}
		if !strings.Contains(logged.String(), id) || !strings.Contains(logged.String(), "secret") {
			t.Errorf("%s: the log does not contain the id and the cause: %s", path, logged.String())
		}
		for _, header := range []string{"ETag", "Last-Modified", "Content-Encoding", "Cache-Control"} {
			if got.Header.Get(header) != "" {
				t.Errorf("%s: 500 has the header %s", path, header)
			}
		}
	}
}

// A vintage that cannot be read is a 503, and the next request tries again.
func TestUnreadableVintage(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	load(t, s, "large.csv", strings.NewReader(largeTable(2)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	damaged := 0
	err = filepath.WalkDir(filepath.Join(dir, "vintages"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		damaged++
		return os.Truncate(path, 10)
	})
	if err != nil || damaged != 1 {
		t.Fatalf("%d files damaged: %v", damaged, err)
	}
	if s, err = store.Open(context.Background(), store.Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	base := serve(t, newAPI(t, api.Options{Store: s}))
	for _, path := range []string{"/api/datasets/1", "/api/datasets/1/data", "/api/datasets/1/data?country=FR"} {
		wantError(t, ask(t, "GET", base+path), 503)
	}
	if got := ask(t, "GET", base+"/api/datasets/1/meta"); got.StatusCode != 200 {
		t.Errorf("the metadata, which are stored elsewhere: %d", got.StatusCode)
	}
}

// If the caller disconnects, the work for it ends.
func TestCallerDisconnects(t *testing.T) {
	dir := t.TempDir()
	ended := make(chan error, 1)
	a := newAPI(t, api.Options{Store: newStore(t), CacheDir: dir})
	api.AddStream(a, "/endless", func(send func(string) error) error {
		for {
			if err := send(strings.Repeat("x", 100<<10)); err != nil {
				ended <- err
				return err
			}
		}
	})
	base := serve(t, a)
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	r, _ := http.NewRequestWithContext(ctx, "GET", base+"/endless", nil)
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(response.Body, make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	leave()
	response.Body.Close()
	if err := <-ended; err == nil {
		t.Error("the stream ended without an error")
	}
}

// The first bytes reach the caller before the response is complete.
func TestFirstBytesAreFlushed(t *testing.T) {
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		received := make(chan struct{})
		a := newAPI(t, api.Options{Store: newStore(t)})
		api.AddStream(a, "/slow", func(send func(string) error) error {
			if err := send(strings.Repeat("x", 64<<10)); err != nil {
				return err
			}
			<-received
			return send("end")
		})
		r, _ := http.NewRequest("GET", serve(t, a)+"/slow", nil)
		r.Header.Set("Accept-Encoding", coding)
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 1)
		if _, err := io.ReadFull(response.Body, first); err != nil {
			t.Fatal(err)
		}
		close(received)
		if _, err := io.ReadAll(response.Body); err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
}

// A store that cannot be read is 503 with Retry-After at /readyz, not at
// /healthz.
func TestNotReady(t *testing.T) {
	s := sampleStore(t)
	base := serve(t, newAPI(t, api.Options{Store: s}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got := ask(t, "GET", base+"/readyz")
	wantError(t, got, 503)
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if got := ask(t, "GET", base+"/healthz"); got.StatusCode != 200 {
		t.Errorf("/healthz: %d", got.StatusCode)
	}
}
