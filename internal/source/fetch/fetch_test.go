package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/stattest"
)

// clock advances only when Sleep is called.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

var start = time.Date(2025, time.July, 4, 11, 0, 0, 0, time.UTC)

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return ctx.Err()
}

func (c *clock) total() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sum time.Duration
	for _, d := range c.slept {
		sum += d
	}
	return sum
}

// newClient returns a client that may reach the loopback and does not wait.
func newClient(t *testing.T, change ...func(*fetch.Options)) (*fetch.Client, *clock) {
	t.Helper()
	c := &clock{now: start}
	o := fetch.Options{
		Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
		Now:      c.Now,
		Sleep:    c.Sleep,
		Rand:     func() float64 { return 0.5 },
		LongWait: 2 * time.Minute,
	}
	for _, f := range change {
		f(&o)
	}
	client, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return client, c
}

// serve starts a server that stops with the test.
func serve(t *testing.T, h http.Handler) *replay.Server {
	t.Helper()
	s := replay.Serve(h)
	t.Cleanup(s.Close)
	return s
}

// failure returns the error of a request, which must have the wanted reason.
func failure(t *testing.T, err error, want fetch.Reason) *fetch.Error {
	t.Helper()
	var failed *fetch.Error
	if !errors.As(err, &failed) {
		t.Fatalf("got error %v, want a fetch.Error with reason %q", err, want)
	}
	if failed.Reason != want {
		t.Fatalf("got reason %q (%v), want %q", failed.Reason, failed, want)
	}
	return failed
}

// wantEmpty requires that a folder is empty.
func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range left {
		t.Errorf("%s remains after an error", file.Name())
	}
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func pack(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const table = "/eurostat/api/dissemination/sdmx/2.1/data/une_rt_a"

// eurostatFiles serves a real file at its real path.
func eurostatFiles(t *testing.T) (files *replay.Files, data []byte) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(stattest.DataDir(t), "eurostat", "tsv-new", "*"))
	if err != nil || len(found) == 0 {
		t.Fatalf("no file of Eurostat: %v", err)
	}
	data, err = os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return replay.NewFiles(map[string]string{table: found[0]}), data
}

func TestSave(t *testing.T) {
	files, data := eurostatFiles(t)
	files.Header(table, "Content-Type", "Text/Tab-Separated-Values; charset=UTF-8")
	files.Header(table, "Content-Disposition", `attachment; filename="estat_une_rt_a.tsv"`)
	s := serve(t, files)
	client, clock := newClient(t, func(o *fetch.Options) { o.Agent = "almanac/1.0 (+https://stats.example.org)" })
	path := filepath.Join(t.TempDir(), "une_rt_a")
	answer, err := client.Save(t.Context(), fetch.Request{Address: s.URL + table + "?format=TSV", Accept: "text/csv"}, path)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(saved, data) {
		t.Error("the saved file differs from the served one")
	}
	switch {
	case answer.NotModified, answer.Address != s.URL+table+"?format=TSV",
		answer.ContentType != "text/tab-separated-values", answer.Filename != "estat_une_rt_a.tsv",
		answer.Size != int64(len(data)), !bytes.Equal(answer.Head, data[:min(4096, len(data))]),
		answer.Validators.ETag == "", answer.Validators.LastModified == "", answer.Validators.Digest != digest(data):
		t.Errorf("got %+v", answer)
	}
	requests := s.Requests("format=TSV")
	if len(requests) != 1 {
		t.Fatalf("got %d requests", len(requests))
	}
	for name, want := range map[string]string{"User-Agent": "almanac/1.0 (+https://stats.example.org)", "Accept": "text/csv", "Accept-Encoding": "gzip"} {
		if got := requests[0].Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if clock.total() != 0 {
		t.Errorf("waited %v", clock.slept)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("got files %v (%v), want only the saved one", entries, err)
	}
}

// An unchanged dataset is not downloaded again; an updated one is.
func TestConditional(t *testing.T) {
	files, data := eurostatFiles(t)
	s := serve(t, files)
	client, _ := newClient(t)
	dir := t.TempDir()
	save := func(known fetch.Validators, name string) fetch.Answer {
		t.Helper()
		answer, err := client.Save(t.Context(), fetch.Request{Address: s.URL + table, Known: known}, filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	first := save(fetch.Validators{}, "first")
	again := save(first.Validators, "again")
	if !again.NotModified || again.Validators != first.Validators {
		t.Errorf("by entity tag: got %+v", again)
	}
	byTime := save(fetch.Validators{LastModified: first.Validators.LastModified, Digest: "d"}, "by time")
	if !byTime.NotModified || byTime.Validators.ETag == "" || byTime.Validators.Digest != "d" {
		t.Errorf("by modification time: got %+v", byTime)
	}
	byDigest := save(fetch.Validators{Digest: digest(data)}, "by digest")
	if !byDigest.NotModified || byDigest.Validators != first.Validators {
		t.Errorf("by digest: got %+v", byDigest)
	}
	files.SetBody(table, "an update")
	update := save(first.Validators, "update")
	if update.NotModified || update.Validators.ETag == first.Validators.ETag || update.Validators.Digest != digest([]byte("an update")) {
		t.Errorf("after an update: got %+v", update)
	}
	files.Header(table, "ETag", "")
	files.Header(table, "Last-Modified", "")
	noValidators := save(update.Validators, "no validators")
	if !noValidators.NotModified || noValidators.Validators != (fetch.Validators{Digest: update.Validators.Digest}) {
		t.Errorf("an office without validators: got %+v", noValidators)
	}
	var names []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if err != nil || !slices.Equal(names, []string{"first", "update"}) {
		t.Errorf("files %v, %v; want first and update", names, err)
	}
}

// The HTTP content coding is removed. A file that is itself gzip stays as it is.
func TestGzip(t *testing.T) {
	_, data := eurostatFiles(t)
	files := replay.NewFiles(nil)
	for _, path := range []string{"/coded", "/undeclared", "/file.gz"} {
		files.SetBody(path, string(pack(t, data)))
	}
	files.Header("/undeclared", "Content-Type", "application/json; charset=utf-8")
	files.Header("/coded", "Content-Encoding", "gzip")
	s := serve(t, files)
	client, _ := newClient(t)
	body, answer, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/coded"}, 1<<30)
	if err != nil || !bytes.Equal(body, data) || answer.Size != int64(len(data)) || answer.Validators.Digest != digest(data) {
		t.Errorf("content coding: %d bytes, %+v, %v", len(body), answer, err)
	}
	body, _, err = client.Read(t.Context(), fetch.Request{Address: s.URL + "/undeclared"}, 1<<30)
	if err != nil || !bytes.Equal(body, data) {
		t.Errorf("a text that is packed without a header: %d bytes, %v", len(body), err)
	}
	body, _, err = client.Read(t.Context(), fetch.Request{Address: s.URL + "/file.gz"}, 1<<30)
	if err != nil || !bytes.Equal(body, pack(t, data)) {
		t.Errorf("gzip file: %d bytes, %v", len(body), err)
	}
}

func TestPost(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }))
	s.Fault(replay.Fault{Status: 503, Times: 1})
	client, _ := newClient(t)
	r := fetch.Request{Address: s.URL + "/PxWeb/api/v1/en/T", Body: []byte(`{"query":[]}`), Known: fetch.Validators{ETag: `"a"`, LastModified: "b"}}
	body, _, err := client.Read(t.Context(), r, 100)
	if err != nil || string(body) != "{}" {
		t.Fatalf("got %s, %v", body, err)
	}
	requests := s.Requests("")
	if len(requests) != 2 {
		t.Fatalf("got %d requests, want 2", len(requests))
	}
	for _, a := range requests {
		if a.Method != "POST" || a.Body != `{"query":[]}` || a.Header.Get("Content-Type") != "application/json" ||
			a.Header.Get("If-None-Match") != "" || a.Header.Get("If-Modified-Since") != "" || a.Header.Get("Idempotency-Key") != "" {
			t.Errorf("got request %+v", a)
		}
	}
}

// A body may be too large by its declared length, as received, as unpacked, or by
// its compression ratio.
func TestTooBig(t *testing.T) {
	bomb := pack(t, make([]byte, 8<<20))
	chunked := func(w http.ResponseWriter, _ *http.Request) {
		for range 1000 {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/declared", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(1<<40))
		_, _ = w.Write([]byte("x"))
	})
	mux.HandleFunc("/chunked", chunked)
	mux.HandleFunc("/unpacked", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(pack(t, bytes.Repeat([]byte("1 2\n"), 50_000)))
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb)
	})
	s := serve(t, mux)
	for _, c := range []struct {
		path    string
		bytes   int64
		message string
	}{
		{"/declared", 1 << 30, "1099511627776 bytes"},
		{"/chunked", 100_000, "more than the limit of 100000 bytes"},
		{"/unpacked", 100_000, "more than the limit of 100000 bytes"},
		{"/bomb", 1 << 30, "more than 100 times its size"},
	} {
		t.Run(c.path, func(t *testing.T) {
			client, _ := newClient(t, func(o *fetch.Options) { o.Bytes = c.bytes })
			dir := t.TempDir()
			_, err := client.Save(t.Context(), fetch.Request{Address: s.URL + c.path}, filepath.Join(dir, "f"))
			if failed := failure(t, err, fetch.TooBig); !strings.Contains(failed.Error(), c.message) || failed.Outage() {
				t.Errorf("got %v, want it to contain %q", failed, c.message)
			}
			wantEmpty(t, dir)
			if n := len(s.Requests(c.path)); n != 1 {
				t.Errorf("got %d requests, want 1", n)
			}
		})
	}
	client, _ := newClient(t)
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/chunked"}, 10)
	failure(t, err, fetch.TooBig)
}

// An error of the local disk is not an outage and is not retried.
func TestSaveLocalFault(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	client, clock := newClient(t)
	s.Fault(replay.Fault{Body: "data"})
	_, err := client.Save(t.Context(), fetch.Request{Address: s.URL}, filepath.Join(t.TempDir(), "no", "such", "folder"))
	var failed *fetch.Error
	if err == nil || errors.As(err, &failed) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want an error that the folder does not exist", err)
	}
	if clock.total() != 0 {
		t.Errorf("retried after %v", clock.slept)
	}
}

func TestFilename(t *testing.T) {
	for disposition, want := range map[string]string{
		``:                                      "",
		`attachment`:                            "",
		`attachment; filename="a.csv"`:          "a.csv",
		`attachment; filename=a.csv`:            "a.csv",
		`attachment; filename="../../etc/a"`:    "a",
		`attachment; filename="C:\\dir\\a.csv"`: "a.csv",
		`attachment; filename=".bashrc"`:        "bashrc",
		`attachment; filename=".."`:             "",
		`attachment; filename="a/"`:             "",
		`attachment; filename="a.csv`:           "",
		"attachment; filename=\"a\tb\u202ec\"":  "abc",
		`attachment; filename*=UTF-8''Bev%C3%B6lkerung%2Fx%00.csv`:           "x.csv",
		`attachment; filename*=UTF-8''Bev%C3%B6lkerung.csv`:                  "Bevölkerung.csv",
		`inline; filename="` + strings.Repeat("a", 300) + `.csv"`:            strings.Repeat("a", 96) + ".csv",
		`inline; filename*=UTF-8''` + strings.Repeat("%C3%B6", 99):           strings.Repeat("ö", 50),
		`inline; filename*=UTF-8''x` + strings.Repeat("%C3%B6", 99) + ".zip": "x" + strings.Repeat("ö", 47) + ".zip",
	} {
		if got := fetch.Filename(disposition); got != want {
			t.Errorf("%s: got %q, want %q", disposition, got, want)
		}
	}
}

// FuzzFilename checks that any name proposed by a server becomes a valid local
// file name.
func FuzzFilename(f *testing.F) {
	f.Add(`attachment; filename="../../a.csv"`)
	f.Add(`attachment; filename*=UTF-8''%2e%2e%2fB%C3%B6.csv`)
	f.Fuzz(func(t *testing.T, disposition string) {
		name := fetch.Filename(disposition)
		if name == "" {
			return
		}
		if len(name) > 100 || !utf8.ValidString(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "/\\\x00\n") || filepath.Base(name) != name {
			t.Errorf("%q: got %q", disposition, name)
		}
	})
}

// Validators that are too long are not stored.
func TestLongValidators(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/x", "data")
	files.Header("/x", "ETag", `"`+strings.Repeat("x", 5000)+`"`)
	files.Header("/x", "Last-Modified", strings.Repeat("x", 5000))
	s := serve(t, files)
	client, _ := newClient(t)
	_, answer, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/x"}, 100)
	if err != nil || answer.Validators != (fetch.Validators{Digest: digest([]byte("data"))}) {
		t.Errorf("got %+v, %v", answer, err)
	}
}
