package fetch_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
)

// TestStatuses checks the reason and the number of attempts for each status.
func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		status int
		reason fetch.Reason
		tries  int
	}{
		{400, fetch.Denied, 1}, {401, fetch.Denied, 1}, {403, fetch.Denied, 1}, {404, fetch.Missing, 1}, {405, fetch.Denied, 1},
		{406, fetch.Denied, 1}, {408, fetch.Slow, 4}, {410, fetch.Missing, 1}, {413, fetch.TooBig, 1}, {414, fetch.TooBig, 1},
		{429, fetch.Busy, 4}, {500, fetch.Busy, 4}, {501, fetch.Denied, 1}, {502, fetch.Busy, 4}, {503, fetch.Busy, 4},
		{504, fetch.Busy, 4}, {520, fetch.Busy, 4}, {300, fetch.Denied, 1}, {304, fetch.Denied, 1}, {206, fetch.Denied, 1},
	} {
		t.Run(fmt.Sprint(c.status), func(t *testing.T) {
			s := serve(t, replay.NewFiles(nil))
			f := replay.Fault{Status: c.status, Body: `{"error": "no"}`}
			if c.status == 304 {
				f.Body = ""
			}
			s.Fault(f)
			client, clock := newClient(t)
			dir := t.TempDir()
			_, err := client.Save(t.Context(), fetch.Request{Address: s.URL + "/data?code=x"}, filepath.Join(dir, "f"))
			failed := failure(t, err, c.reason)
			wantEmpty(t, dir)
			if failed.Status != c.status || failed.Tries != c.tries || len(s.Requests("")) != c.tries || string(failed.Body) != f.Body {
				t.Errorf("got %+v after %d requests, want status %d after %d attempts", failed, len(s.Requests("")), c.status, c.tries)
			}
			for _, want := range []string{s.URL + "/data?code=x", fmt.Sprintf("status %d", c.status)} {
				if !strings.Contains(failed.Error(), want) {
					t.Errorf("got %v, want it to contain %q", failed, want)
				}
			}
			// The pauses are half of 1, 2 and 4 seconds.
			if want := time.Duration(1<<(c.tries-1)-1) * time.Second / 2; clock.total() != want {
				t.Errorf("waited %v, want %v in all", clock.slept, want)
			}
		})
	}
}

// A request succeeds after temporary faults.
func TestTemporaryFaults(t *testing.T) {
	files, data := eurostatFiles(t)
	packed := "/packed"
	files.SetBody(packed, string(pack(t, data)))
	files.Header(packed, "Content-Encoding", "gzip")
	for name, f := range map[string]replay.Fault{
		"status":      {Status: 503},
		"no response": {Cut: -1},
		"truncated":   {Cut: int64(len(data) / 2)},
		"short":       {Cut: 10},
		"length":      {Length: 100},
		"page":        {Page: true},
		"gzip":        {Match: packed, Cut: int64(len(data) / 2)},
		"gzip header": {Match: packed, Cut: 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, files)
			f.Times = 2
			s.Fault(f)
			path := table
			if f.Match != "" {
				path = f.Match
			}
			client, clock := newClient(t)
			answer, err := client.Save(t.Context(), fetch.Request{Address: s.URL + path}, filepath.Join(t.TempDir(), "f"))
			if err != nil || answer.Validators.Digest != digest(data) || answer.Size != int64(len(data)) {
				t.Errorf("got %+v, %v", answer, err)
			}
			if len(clock.slept) != 2 {
				t.Errorf("waited %v, want two pauses", clock.slept)
			}
		})
	}
}

// A permanent fault ends after four attempts and leaves no file.
func TestPermanentFaults(t *testing.T) {
	files, data := eurostatFiles(t)
	files.SetBody("/damaged", string(pack(t, data)[:1000])+strings.Repeat("x", 1000))
	files.Header("/damaged", "Content-Encoding", "gzip")
	files.SetBody("/short", string(pack(t, data)[:1000]))
	files.Header("/short", "Content-Encoding", "gzip")
	files.SetBody("/nothing", "")
	files.Header("/nothing", "Content-Encoding", "gzip")
	files.SetBody("/page", "\ufeff \n<!-- x --><?xml version='1.0'?>\n<!doctype HTML><title>Wartung &\n mehr</title>")
	files.SetBody("/typed", "sorry")
	files.Header("/typed", "Content-Type", "text/html; charset=utf-8")
	s := serve(t, files)
	s.Fault(replay.Fault{Match: "/cut", Cut: 4, Body: ""})
	s.Fault(replay.Fault{Match: "/maintenance", Page: true})
	s.Fault(replay.Fault{Match: "/eof", Cut: -1})
	files.SetBody("/cut", "0123456789")
	closed := replay.Serve(files)
	closed.Close()
	for _, c := range []struct {
		address string
		reason  fetch.Reason
		message string
	}{
		{s.URL + "/damaged", fetch.Cut, "damaged"},
		{s.URL + "/short", fetch.Cut, "ended after 1000 bytes"},
		{s.URL + "/cut", fetch.Cut, "ended after 4 bytes"},
		{s.URL + "/page", fetch.WebPage, `("Wartung & mehr")`},
		{s.URL + "/typed", fetch.WebPage, `("sorry")`},
		{s.URL + "/maintenance", fetch.WebPage, `("Maintenance")`},
		{s.URL + "/eof", fetch.Unreachable, "cannot be reached"},
		{closed.URL, fetch.Unreachable, "refused"},
		{"http://almanac.invalid/", fetch.Unreachable, "cannot be reached"},
	} {
		client, clock := newClient(t)
		dir := t.TempDir()
		_, err := client.Save(t.Context(), fetch.Request{Address: c.address}, filepath.Join(dir, "f"))
		failed := failure(t, err, c.reason)
		if !strings.Contains(failed.Error(), c.message) || !strings.Contains(failed.Error(), "after 4 attempts") || !failed.Outage() {
			t.Errorf("%s: got %v, want it to contain %q", c.address, failed, c.message)
		}
		if len(clock.slept) != 3 {
			t.Errorf("%s: waited %v", c.address, clock.slept)
		}
		wantEmpty(t, dir)
	}
	client, _ := newClient(t)
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/nothing"}, 100)
	if failed := failure(t, err, fetch.Empty); failed.Tries != 1 || failed.Outage() {
		t.Errorf("empty gzip body: got %v", failed)
	}
}

// A truncated chunked response has no length to compare with, but it lacks the final
// chunk.
func TestTruncatedChunks(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, 10_000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	client, _ := newClient(t)
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 1<<20)
	failure(t, err, fetch.Cut)
}

// A content coding that was not requested is an error.
func TestUnsupportedCoding(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/x", "data")
	files.Header("/x", "Content-Encoding", "br")
	s := serve(t, files)
	client, _ := newClient(t)
	_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + "/x"}, 100)
	failure(t, err, fetch.Denied)
}

// A response that is not HTTP, or has endless headers, is an outage.
func TestNotHTTP(t *testing.T) {
	for name, lines := range map[string][2]string{
		"ftp":     {"220 ftp ready\r\n", ""},
		"noise":   {"", strings.Repeat("x", 1000)},
		"headers": {"HTTP/1.1 200 OK\r\n", "X-Header: " + strings.Repeat("x", 1000) + "\r\n"},
		"hints":   {"", "HTTP/1.1 103 Early Hints\r\n\r\n"},
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		go sendText(l, lines[0], lines[1])
		client, _ := newClient(t)
		_, _, err = client.Read(t.Context(), fetch.Request{Address: "http://" + l.Addr().String()}, 100)
		if failed := failure(t, err, fetch.Unreachable); failed.Tries != 4 || len(failed.Error()) > 1000 {
			t.Errorf("%s: got %v", name, failed)
		}
	}
}

// sendText sends first to every client and then repeats rest without end.
func sendText(l net.Listener, first, rest string) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		// Anything sent before the request would be a different case.
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
			_ = conn.Close()
			continue
		}
		_, err = io.WriteString(conn, first)
		for err == nil && rest != "" {
			_, err = io.WriteString(conn, rest)
		}
		_ = conn.Close()
	}
}

func TestRetryAfter(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "7": 7 * time.Second, " 120 ": 2 * time.Minute, "-5": 0, "soon": 0, "1.5": 0,
		"99999999999999999999": 24 * time.Hour, "999999": 24 * time.Hour,
		"Fri, 04 Jul 2025 11:00:30 GMT":  30 * time.Second,
		"Fri, 04 Jul 2025 10:00:00 GMT":  0,
		"Fri, 04 Jul 2099 10:00:00 GMT":  24 * time.Hour,
		"Friday, 04-Jul-25 11:01:00 GMT": time.Minute,
	} {
		if got := fetch.RetryAfter(text, start); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// No request to the host is sent before the time in Retry-After.
func TestRetryAfterIsObeyed(t *testing.T) {
	for _, after := range []string{"60", "Fri, 04 Jul 2025 11:01:00 GMT"} {
		s := serve(t, replay.NewFiles(nil))
		s.Fault(replay.Fault{Status: 429, After: after, Times: 1})
		s.Fault(replay.Fault{Body: "data"})
		client, clock := newClient(t)
		s.Now = clock.Now
		if _, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL}, 100); err != nil {
			t.Fatal(err)
		}
		if requests := s.Requests(""); len(requests) != 2 || requests[1].At.Sub(requests[0].At) != time.Minute {
			t.Errorf("%s: got requests %v, want the second a minute later", after, requests)
		}
	}
}

func TestLongRetryAfter(t *testing.T) {
	s := serve(t, replay.NewFiles(nil))
	s.Fault(replay.Fault{Status: 503, After: "3600", Times: 1})
	s.Fault(replay.Fault{Body: "data"})
	client, clock := newClient(t)
	get := func(path string) error {
		_, _, err := client.Read(t.Context(), fetch.Request{Address: s.URL + path}, 100)
		return err
	}
	failed := failure(t, get("/one"), fetch.Busy)
	if failed.After != time.Hour || failed.Tries != 1 || !strings.Contains(failed.Error(), "asks to wait 1h0m0s") || clock.total() != 0 {
		t.Errorf("got %v after %v", failed, clock.slept)
	}
	if err := client.Wait(t.Context(), 10*time.Minute); err != nil {
		t.Fatal(err)
	}
	failed = failure(t, get("/two"), fetch.Busy)
	if failed.After != 50*time.Minute || len(s.Requests("")) != 1 {
		t.Errorf("another request: got %v, and %d requests", failed, len(s.Requests("")))
	}
	if err := client.Wait(t.Context(), 49*time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := get("/two"); err != nil || clock.total() != time.Hour {
		t.Errorf("a minute before the end: got %v after %v", err, clock.total())
	}
}

// A canceled context ends a request in any state.
func TestContext(t *testing.T) {
	files := replay.NewFiles(nil)
	files.SetBody("/slow", strings.Repeat("x", 10_000))
	s := serve(t, files)
	s.Fault(replay.Fault{Match: "/busy", Status: 503, After: "100"})
	s.Fault(replay.Fault{Match: "/silent", Delay: time.Hour})
	s.Fault(replay.Fault{Match: "/slow", Slow: time.Hour})
	for _, path := range []string{"/busy", "/silent", "/slow"} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		client, _ := newClient(t, func(o *fetch.Options) {
			o.Sleep = func(ctx context.Context, _ time.Duration) error {
				cancel()
				return ctx.Err()
			}
		})
		if path != "/busy" {
			// The response never arrives, so the moment does not matter.
			time.AfterFunc(20*time.Millisecond, cancel)
		}
		dir := t.TempDir()
		_, err := client.Save(ctx, fetch.Request{Address: s.URL + path}, filepath.Join(dir, "f"))
		var failed *fetch.Error
		if !errors.Is(err, context.Canceled) || errors.As(err, &failed) {
			t.Errorf("%s: got %v, want the error of the context", path, err)
		}
		wantEmpty(t, dir)
	}
}
