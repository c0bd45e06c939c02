package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"almanac/internal/stattest"
)

var adminLine = regexp.MustCompile(`for the operator: (http://\S+)/admin`)

// adminAddress returns the address for operators of a server.
func adminAddress(t *testing.T, s *served) string {
	t.Helper()
	found := adminLine.FindStringSubmatch(s.output.String())
	if found == nil {
		t.Fatalf("no address for the operator:\n%s", s.output.String())
	}
	return found[1]
}

func readAddress(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// Health, metrics and profiles are on the listener of the operator only.
func TestOperatorSeesHealthMetricsAndProfiles(t *testing.T) {
	t.Parallel()
	stattest.AvoidMidnight()
	dir := t.TempDir()
	s := startProgram(t, dir, "--demo", "--limits", "anonymous=2", "--admin-listen", "127.0.0.1:0")
	admin := adminAddress(t, s)
	for _, path := range []string{"/livez", "/startupz", "/readyz"} {
		if status, body := readAddress(t, admin+path); status != http.StatusOK || body != "ok\n" {
			t.Errorf("%s: %d %q", path, status, body)
		}
	}
	for _, path := range []string{"/livez", "/startupz", "/metrics", "/debug/pprof/", "/debug/pprof/heap"} {
		if status, _ := readAddress(t, s.url+path); status != http.StatusNotFound {
			t.Errorf("%s is public: %d", path, status)
		}
	}
	for path, want := range map[string]string{"/debug/pprof/goroutine?debug=1": "goroutine profile", "/admin": "<html"} {
		if status, body := readAddress(t, admin+path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d, without %q", path, status, want)
		}
	}
	if status, _ := readAddress(t, admin+"/debug/pprof/cmdline"); status != http.StatusNotFound {
		t.Errorf("the command line, which may have secrets, is shown: %d", status)
	}
	for _, path := range []string{"/api/datasets/1/latest", "/api/datasets/1/data", "/api/datasets/1/data", "/datasets/1/gapminder", "/nowhere"} {
		_, _ = readAddress(t, s.url+path)
	}
	checkMetrics(t, admin, map[string]string{
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="200",http_route="/api/datasets/{id}/latest"}`: "1",
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="429",http_route="/api/datasets/{id}/data"}`:   "1",
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="200",http_route="/datasets/{id}/{code}"}`:     "1",
		`http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404",http_route=""}`:                          "[1-9]",
		`almanac_requests_counted_total{tier="anonymous"}`: "2",
		`almanac_requests_refused_total{tier="anonymous"}`: "1",
		"almanac_datasets":                            "2",
		"almanac_quarantined_datasets":                "0",
		"almanac_damaged_versions":                    "0",
		"http_server_active_requests":                 "0",
		"go_goroutines":                               `\d+`,
		"process_resident_memory_bytes":               `\S+`,
		`almanac_cache_requests_total{result="miss"}`: `\d+`,
		`almanac_requests_counted_total{tier="pro"}`:  "0",
		`almanac_build_info{version="[^"]*"}`:         "1",
	})
	s.stop(t)
}

// checkMetrics compares samples with regular expressions, and all names with the rules of
// Prometheus.
func checkMetrics(t *testing.T, admin string, want map[string]string) {
	t.Helper()
	status, text := readAddress(t, admin+"/metrics")
	if status != http.StatusOK {
		t.Fatalf("metrics: %d %s", status, text)
	}
	for sample, value := range want {
		name := regexp.QuoteMeta(sample)
		if strings.Contains(sample, "[^") {
			name = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(sample)
		}
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^%s %s$`, name, value)).MatchString(text) {
			t.Errorf("the metrics lack %s %s", sample, value)
		}
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	if t.Failed() {
		t.Log(text)
	}
}

// A server whose counts cannot be written is alive and not ready.
func TestUnreadyServerIsAlive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startProgram(t, dir, "--demo", "--limits", "anonymous=500", "--admin-listen", "127.0.0.1:0")
	admin := adminAddress(t, s)
	db, err := sql.Open("sqlite", filepath.Join(dir, "access.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	stattest.Eventually(t, func() error {
		_, _ = readAddress(t, s.url+"/api/datasets")
		if status, body := readAddress(t, admin+"/readyz"); status != http.StatusServiceUnavailable || body == "" {
			return fmt.Errorf("ready: %d %q", status, body)
		}
		return nil
	})
	if status, _ := readAddress(t, admin+"/livez"); status != http.StatusOK {
		t.Errorf("not alive: %d", status)
	}
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	stattest.Eventually(t, func() error {
		if status, body := readAddress(t, admin+"/readyz"); status != http.StatusOK {
			return fmt.Errorf("not ready again: %d %q", status, body)
		}
		return nil
	})
}

// The log of requests has a line for each, without the key and the address of the caller.
func TestAccessLogHasNoKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := makeKey(t, dir, "newsroom", "pro")
	file := filepath.Join(t.TempDir(), "access.jsonl")
	s := startProgram(t, dir, "--demo", "--access-log", file, "--trusted-proxies", "127.0.0.1")
	for _, path := range []string{"/api/datasets/1/data?country=Germany", "/api/datasets?limit=" + key.Key, "/healthz/" + key.Key} {
		r, err := http.NewRequest(http.MethodGet, s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-API-Key", key.Key)
		r.Header.Set("X-Forwarded-For", "198.51.100.77")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	s.stop(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(text), "\n"); got != 3 {
		t.Errorf("%d lines, want 3", got)
	}
	for _, want := range []string{`"path":"/api/datasets/1/data","query":"country=Germany","status":200`, `"network":"198.51.100.0/24"`, `"status":400`, `"status":404`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the log lacks %s", want)
		}
	}
	for _, secret := range []string{key.Key, key.Key[12:], "198.51.100.77"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("the log has %s", secret)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if t.Failed() {
		t.Logf("%s", text)
	}
}
