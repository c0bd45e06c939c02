package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	wire "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"almanac/internal/stattest"
	"almanac/internal/stattest/s3"
)

// traceReceiver is a collector of traces.
type traceReceiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*wire.Span
	text  string // of everything
}

func newTraceReceiver(t *testing.T) *traceReceiver {
	t.Helper()
	c := &traceReceiver{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var sent collector.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &sent)
		}
		if err != nil || r.URL.Path != "/v1/traces" {
			t.Errorf("%s: %v", r.URL.Path, err)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.text += sent.String()
		for _, resource := range sent.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// wait returns the spans once there are some of each of the names.
func (c *traceReceiver) wait(t *testing.T, names ...string) []*wire.Span {
	t.Helper()
	var spans []*wire.Span
	stattest.Eventually(t, func() error {
		c.mu.Lock()
		defer c.mu.Unlock()
		spans = slices.Clone(c.spans)
		for _, name := range names {
			if !slices.ContainsFunc(spans, func(s *wire.Span) bool { return s.Name == name }) {
				return fmt.Errorf("no span %q in %d spans", name, len(spans))
			}
		}
		return nil
	})
	return spans
}

// serve starts a server that sends its traces, of requests only those that their callers want.
func (c *traceReceiver) serve(t *testing.T, dir string, flags ...string) *served {
	t.Helper()
	cmd := exec.Command("almanac", append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, flags...)...)
	cmd.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT="+c.URL, "OTEL_TRACES_SAMPLER=parentbased_always_off", "OTEL_BSP_SCHEDULE_DELAY=50")
	return startCommand(t, cmd)
}

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan  = "00f067aa0ba902b7"
)

// A request whose caller traces it has spans for what a slow one may have waited for, in the trace of the caller,
// without its key and what it asked for. Its line in the log of requests has the id of the trace.
func TestTraces(t *testing.T) {
	place, dir, log := s3.NewBucket(t).Place(), t.TempDir(), filepath.Join(t.TempDir(), "access.jsonl")
	t.Parallel()
	must(t, "import", "--data", dir, "--blobs", place, manyRows(t, 40))
	key := makeKey(t, dir, "desk", "pro")
	if err := os.RemoveAll(filepath.Join(dir, "blobs")); err != nil { // so that files are read from the bucket
		t.Fatal(err)
	}
	c := newTraceReceiver(t)
	s := c.serve(t, dir, "--blobs", place, "--access-log", log)
	getWith(t, s, key.Key, "/api/datasets") // in no trace
	for _, path := range []string{"/api/datasets/1/data?period_from=1100-01-05", "/api/datasets/1/chart.svg?type=line"} {
		r, err := http.NewRequest(http.MethodGet, s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-API-Key", key.Key)
		r.Header.Set("traceparent", "00-"+callersTrace+"-"+callersSpan+"-01")
		if resp, err := http.DefaultClient.Do(r); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		} else if err := resp.Body.Close(); err != nil {
			t.Fatal(err)
		}
	}
	spans := c.wait(t, "GET /api/datasets/{id}/data", "GET /api/datasets/{id}/chart.svg", "select observations", "S3 GetObject", "draw chart")
	byID, want := map[string]*wire.Span{}, map[string]string{
		"http.request.method": "GET", "http.route": "/api/datasets/{id}/data", "url.path": "/api/datasets/1/data", "http.response.status_code": "200",
	}
	for _, span := range spans {
		byID[hex.EncodeToString(span.SpanId)] = span
		if got := hex.EncodeToString(span.TraceId); got != callersTrace {
			t.Errorf("the span %s is in the trace %s", span.Name, got)
		}
	}
	for _, span := range spans {
		parent := hex.EncodeToString(span.ParentSpanId)
		if isRequest := strings.HasPrefix(span.Name, "GET "); isRequest != (parent == callersSpan) || !isRequest && byID[parent] == nil {
			t.Errorf("the parent of %s is %s", span.Name, parent)
		}
		if span.Name == "GET /api/datasets/{id}/data" {
			for name, value := range want {
				if got := attributeOf(span, name); got != value {
					t.Errorf("%s is %q, want %q", name, got, value)
				}
			}
		}
	}
	if strings.Contains(c.text, key.Key) || strings.Contains(c.text, "1100-01-05") || !strings.Contains(c.text, `"almanac"`) {
		t.Errorf("the traces contain a key or a query, or do not say of which service they are: %s", c.text)
	}
	s.stop(t)
	lines, err := os.ReadFile(log)
	if n := strings.Count(string(lines), `"trace_id":"`+callersTrace+`"`); err != nil || n != 2 {
		t.Errorf("%d lines of the log have the id of the trace, %v:\n%s", n, err, lines)
	}
}

// attributeOf returns an attribute of a span as text.
func attributeOf(span *wire.Span, name string) string {
	for _, a := range span.Attributes {
		if a.Key == name {
			if text := a.Value.GetStringValue(); text != "" {
				return text
			}
			return fmt.Sprint(a.Value.GetIntValue())
		}
	}
	return ""
}

// Statements in a trace say their kind and their database. An import is a trace of its own. What a server
// does by itself is none.
func TestTracesOfStatementsAndImports(t *testing.T) {
	t.Parallel()
	office, dir := newOffice(t, 1), t.TempDir()
	office.table(t, dir)
	c := newTraceReceiver(t)
	cmd := exec.Command("almanac", slices.Concat([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, unlimitedJobs)...)
	cmd.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="+c.URL+"/v1/traces", "OTEL_BSP_SCHEDULE_DELAY=50")
	s := startCommand(t, cmd)
	status, j, _, err := postReference(s.url, "made:d0", "")
	if err != nil || status != http.StatusAccepted {
		t.Fatalf("%d, %v", status, err)
	}
	if j = waitForJob(t, s.url, j.Job); j.Status != "done" {
		t.Fatalf("%+v", j)
	}
	for _, span := range c.wait(t, "POST /api/datasets", "import", "INSERT sync") {
		if len(span.ParentSpanId) == 0 && span.Kind != wire.Span_SPAN_KIND_SERVER && span.Name != "import" {
			t.Errorf("%s is a trace of its own", span.Name)
		}
		if system := attributeOf(span, "db.system.name"); span.Kind == wire.Span_SPAN_KIND_CLIENT && system != "sqlite" {
			t.Errorf("%s is of %q", span.Name, system)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if strings.Contains(c.text, " VALUES ") || strings.Contains(c.text, "made:d0") {
		t.Errorf("the traces contain texts of statements or their values: %s", c.text)
	}
}

// A protocol that is not spoken is an error at the start.
func TestTracesByOtherProtocol(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("almanac", "serve", "--data", t.TempDir(), "--listen", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "http/protobuf only") {
		t.Errorf("%v: %s", err, out)
	}
}
