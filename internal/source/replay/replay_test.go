package replay_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/replay"
	"almanac/internal/stattest"
)

// result is a response, or the error of a request.
type result struct {
	status int
	body   string
	header http.Header
	err    error
}

// get sends a GET request with pairs of header names and values. It does not follow
// redirects.
func get(t *testing.T, address string, header ...string) result {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		return result{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return result{response.StatusCode, string(body), response.Header, err}
}

func serve(t *testing.T, h http.Handler) *replay.Server {
	t.Helper()
	s := replay.Serve(h)
	t.Cleanup(s.Close)
	return s
}

func TestFiles(t *testing.T) {
	manifest := filepath.Join(stattest.DataDir(t), "MANIFEST.md")
	data, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	files := replay.NewFiles(map[string]string{"/manifest.txt": manifest, "/gone": filepath.Join(t.TempDir(), "none")})
	files.SetBody("/data", "all")
	files.SetBody("/data?page=2", "second")
	files.SetBody("/list.json", "[]")
	s := serve(t, files)
	first := get(t, s.URL+"/manifest.txt?x=1")
	if first.status != 200 || first.body != string(data) || first.header.Get("Content-Type") != "text/plain" {
		t.Errorf("file: got %+v", first)
	}
	for _, c := range []struct {
		path   string
		status int
		body   string
	}{
		{"/data", 200, "all"}, {"/data?page=1", 200, "all"}, {"/data?page=2", 200, "second"}, {"/list.json", 200, "[]"},
		{"/none", 404, "nothing is published at /none\n"},
	} {
		if g := get(t, s.URL+c.path); g.status != c.status || g.body != c.body {
			t.Errorf("%s: got %+v, want %d %q", c.path, g, c.status, c.body)
		}
	}
	if g := get(t, s.URL+"/gone"); g.status != 500 || !strings.Contains(g.body, "cannot read the test file") {
		t.Errorf("missing file: got %+v", g)
	}
	tag, changed := first.header.Get("ETag"), first.header.Get("Last-Modified")
	for _, h := range [][]string{{"If-None-Match", tag}, {"If-Modified-Since", changed}} {
		if g := get(t, s.URL+"/manifest.txt", h...); g.status != 304 || g.body != "" {
			t.Errorf("%s: got %+v, want 304", h, g)
		}
	}
	files.SetBody("/manifest.txt", "an update")
	for _, h := range [][]string{{"If-None-Match", tag}, {"If-Modified-Since", changed}} {
		if g := get(t, s.URL+"/manifest.txt", h...); g.status != 200 || g.body != "an update" || g.header.Get("ETag") == tag {
			t.Errorf("%s after the update: got %+v", h, g)
		}
	}
	files.Set("/manifest.txt", manifest)
	if g := get(t, s.URL+"/manifest.txt"); g.body != string(data) || g.header.Get("ETag") != tag || g.header.Get("Last-Modified") == changed {
		t.Errorf("after restoring the file: got %+v", g)
	}
	files.Remove("/manifest.txt")
	if g := get(t, s.URL+"/manifest.txt"); g.status != 404 {
		t.Errorf("after Remove: got %+v", g)
	}
}

func TestHeaders(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/a", "1")
	files.Header("/a", "Content-Type", "text/csv;header=present")
	files.Header("/a", "ETag", "")
	files.Header("/a", "Last-Modified", "")
	files.Header("/none", "ETag", "")
	files.SetBody("/a", "2")
	s := serve(t, files)
	g := get(t, s.URL+"/a", "If-Modified-Since", "Fri, 04 Jul 2099 10:00:00 GMT")
	if g.body != "2" || g.header.Get("Content-Type") != "text/csv;header=present" || g.header.Get("ETag") != "" || g.header.Get("Last-Modified") != "" {
		t.Errorf("got %+v", g)
	}
	response, err := http.Post(s.URL+"/a", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if body, err := io.ReadAll(response.Body); err != nil || string(body) != "2" {
		t.Errorf("POST: got %s, %v", body, err)
	}
}

func TestRecord(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != "{}" {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	at := time.Date(2025, time.July, 4, 11, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return at }
	response, err := http.Post(s.URL+"/x?y=1", "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	get(t, s.URL+"/other")
	requests := s.Requests("/x?y")
	if len(requests) != 1 || len(s.Requests("")) != 2 || s.Requests("/other")[0].Status != 418 {
		t.Fatalf("got %+v", s.Requests(""))
	}
	if a := requests[0]; a.Method != "POST" || a.Path != "/x?y=1" || a.Body != "{}" || !a.At.Equal(at) || a.Status != 200 || a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %+v", a)
	}
	s.Forget()
	if n := len(s.Requests("")); n != 0 {
		t.Errorf("got %d requests after Forget, want none", n)
	}
}

func TestFaults(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/data", "0123456789")
	isCut := func(g result, body string) bool { return errors.Is(g.err, io.ErrUnexpectedEOF) && g.body == body }
	for name, c := range map[string]struct {
		fault replay.Fault
		want  func(result) bool
	}{
		"status":          {replay.Fault{Status: 429, After: "7"}, func(g result) bool { return g.status == 429 && g.body == "" && g.header.Get("Retry-After") == "7" }},
		"cut":             {replay.Fault{Cut: 4}, func(g result) bool { return isCut(g, "0123") && g.header.Get("Content-Length") == "10" }},
		"cut at the end":  {replay.Fault{Cut: 10}, func(g result) bool { return g.err == nil && g.body == "0123456789" }},
		"no response":     {replay.Fault{Cut: -1}, func(g result) bool { return errors.Is(g.err, io.EOF) }},
		"length":          {replay.Fault{Length: 5}, func(g result) bool { return isCut(g, "0123456789") && g.header.Get("Content-Length") == "15" }},
		"slow":            {replay.Fault{Slow: time.Microsecond}, func(g result) bool { return g.err == nil && g.body == "0123456789" }},
		"delay":           {replay.Fault{Delay: time.Microsecond}, func(g result) bool { return g.err == nil && g.body == "0123456789" }},
		"page":            {replay.Fault{Page: true}, func(g result) bool { return g.status == 200 && strings.HasPrefix(g.body, "<!DOCTYPE html>") }},
		"redirect":        {replay.Fault{To: "/x"}, func(g result) bool { return g.status == 302 && g.header.Get("Location") == "/x" }},
		"body":            {replay.Fault{Body: "no"}, func(g result) bool { return g.status == 200 && g.body == "no" }},
		"status and body": {replay.Fault{Body: "no", Status: 413}, func(g result) bool { return g.status == 413 && g.body == "no" }},
		"other path":      {replay.Fault{Match: "/other", Status: 500}, func(g result) bool { return g.status == 200 }},
	} {
		s := serve(t, files)
		c.fault.Times = 1
		s.Fault(c.fault)
		if g := get(t, s.URL+"/data"); !c.want(g) {
			t.Errorf("%s: got %+v", name, g)
		}
		if g := get(t, s.URL+"/data"); g.body != "0123456789" || g.err != nil {
			t.Errorf("%s, next request: got %+v", name, g)
		}
	}
}

// Faults apply in the order in which they were added, until Mend.
func TestOrder(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/data", "data")
	s := serve(t, files)
	s.Fault(replay.Fault{Status: 503, Times: 1})
	s.Fault(replay.Fault{Status: 429, Times: 1})
	s.Fault(replay.Fault{Status: 404})
	for _, want := range []int{503, 429, 404, 404} {
		if g := get(t, s.URL+"/data"); g.status != want {
			t.Errorf("got %d, want %d", g.status, want)
		}
	}
	s.Mend()
	if g := get(t, s.URL+"/data"); g.status != 200 {
		t.Errorf("after Mend: got %d", g.status)
	}
}

// Close does not wait for delayed responses.
func TestClose(t *testing.T) {
	s := replay.Serve(replay.NewFiles(nil))
	s.Fault(replay.Fault{Delay: time.Hour})
	ended, arrived := make(chan result), make(chan bool, 1)
	s.Now = func() time.Time {
		arrived <- true
		return time.Time{}
	}
	go func() { ended <- get(t, s.URL) }()
	<-arrived
	s.Close()
	if g := <-ended; g.err == nil {
		t.Errorf("got %+v, want a broken connection", g)
	}
}
