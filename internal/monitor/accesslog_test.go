package monitor_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"almanac/internal/monitor"
)

// TestAccessLog checks what a line has of a request, and what not.
func TestAccessLog(t *testing.T) {
	for name, c := range map[string]struct {
		route, target, client string
		want, without         []string
	}{
		"a request of the interface": {
			"/api/datasets/{id}/data", "/api/datasets/7/data?country=DE&x=1", "198.51.100.77/32",
			[]string{`"route":"/api/datasets/{id}/data"`, `"path":"/api/datasets/7/data"`, `"query":"country=DE&x=1"`, `"network":"198.51.100.0/24"`, `"status":200`, `"bytes":2`, `"seconds":0.25`, `"method":"GET"`},
			[]string{"198.51.100.77", "msg", "level"},
		},
		"IPv6":                {"/healthz", "/healthz", "2001:db8:1:2::/64", []string{`"network":"2001:db8:1::/48"`}, []string{"db8:1:2"}},
		"IPv4 in IPv6":        {"/healthz", "/healthz", "::ffff:198.51.100.77/128", []string{`"network":"198.51.100.0/24"`}, nil},
		"a token in the path": {"/l/{token}/{file}", "/l/hidden/data.csv?x=hidden", "198.51.100.77/32", []string{`"path":"/l/{token}/{file}"`}, []string{"hidden"}},
		"an unknown address":  {"", "/joyn/hidden", "198.51.100.77/32", []string{`"path":""`}, []string{"hidden"}},
		"a query of a page":   {"/signin/provider/return", "/signin/provider/return?code=hidden&state=hidden", "198.51.100.77/32", nil, []string{"hidden", "query"}},
		"a key in the query":  {"/api/datasets", "/api/datasets?Api_Key=hidden&access_token=hidden&limit=3", "198.51.100.77/32", []string{`limit=3`}, []string{"hidden"}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
			m := monitor.New(monitor.Options{AccessLog: &log, Now: func() time.Time { now = now.Add(250 * time.Millisecond); return now }})
			m.Start(monitor.Service{Network: func(*http.Request) netip.Prefix { return netip.MustParsePrefix(c.client) }, Ready: func(context.Context) error { return nil }})
			handler := m.Measure(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				monitor.SetRoute(w, c.route)
				_, _ = w.Write([]byte("ok"))
			}))
			handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, c.target, nil))
			line := strings.ReplaceAll(log.String(), `\u0026`, "&")
			if !json.Valid([]byte(line)) || strings.Count(line, "\n") != 1 {
				t.Errorf("not a line of JSON: %q", line)
			}
			for _, want := range c.want {
				if !strings.Contains(line, want) {
					t.Errorf("the line lacks %s: %s", want, line)
				}
			}
			for _, text := range c.without {
				if strings.Contains(line, text) {
					t.Errorf("the line has %s: %s", text, line)
				}
			}
		})
	}
}

// A response that the handler breaks off is logged as such, with its status.
func TestAbortedResponse(t *testing.T) {
	var log bytes.Buffer
	m := monitor.New(monitor.Options{AccessLog: &log})
	m.Start(monitor.Service{Network: func(*http.Request) netip.Prefix { return netip.Prefix{} }})
	server := httptest.NewServer(m.Measure(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		panic(http.ErrAbortHandler)
	})))
	if resp, err := http.Get(server.URL); err == nil {
		resp.Body.Close()
		t.Error("the response is whole")
	}
	server.Close()
	if line := log.String(); !strings.Contains(line, `"status":202`) || !strings.Contains(line, `"aborted":true`) {
		t.Errorf("logged as %s", line)
	}
}
