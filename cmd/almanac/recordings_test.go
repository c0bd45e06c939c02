package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/stattest"
)

// withoutWaiting is the environment variable with which the program of the tests does not
// wait between requests to offices.
const withoutWaiting = "TEST_WITHOUT_WAITING"

// mainOfTests is main, which waits for nothing if withoutWaiting is set.
func mainOfTests() {
	if os.Getenv(withoutWaiting) != "" {
		sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	main()
}

// recordedRoute is an answer of a real server: what it answers to, and what it is.
type recordedRoute struct {
	Method  string `json:"m"`
	Path    string `json:"p"` // regular expression of path and query
	Accept  string // the same of the header
	Status  int
	Type    string
	Headers map[string]string
	File    string // below the folder of all material
	Body    string
	Once    *int // how often it is used
	Sub     []string

	path, accept *regexp.Regexp
	used         int
}

// recordings serves the recorded answers of real servers under the offices' paths.
type recordings struct {
	dir    string // of all material
	url    string
	mu     sync.Mutex
	routes []*recordedRoute
	lost   []string // requests without an answer
}

// recordedAddress is the address of the server in the recordings.
const recordedAddress = "http://127.0.0.1:18333"

// serveRecordings serves the recordings and returns them with a file of their offices.
func serveRecordings(t *testing.T) (r *recordings, sources string) {
	t.Helper()
	r = &recordings{dir: filepath.Dir(stattest.DataDir(t))}
	text, err := os.ReadFile(filepath.Join(r.dir, "recordings", "routes.json"))
	if err != nil {
		stattest.SkipOrFail(t, "the recordings of servers are not beside the offices' files: "+err.Error())
	}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	move := func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(recordedAddress), []byte(r.url)) }
	if err := json.Unmarshal(move(text), &r.routes); err != nil {
		t.Fatal(err)
	}
	r.routes = append(r.routes, furtherRoutes...)
	for _, route := range r.routes {
		route.path, route.accept = regexp.MustCompile(route.Path), regexp.MustCompile(route.Accept)
	}
	offices, err := os.ReadFile(filepath.Join(r.dir, "recordings", "sources.json"))
	if err != nil {
		t.Fatal(err)
	}
	offices = bytes.Replace(offices, []byte(`"id": "boi",`), []byte(`"id": "boi", "country": "IL",`), 1)
	sources = filepath.Join(t.TempDir(), "sources.json")
	if err := os.WriteFile(sources, move(offices), 0o644); err != nil {
		t.Fatal(err)
	}
	return r, sources
}

// furtherRoutes are recorded answers that have no route of their own, and answers that
// somebody noted down.
var furtherRoutes = []*recordedRoute{
	{Method: "POST", Path: "^/px2/api/v2/tables/TAB004/data", Type: "text/plain", File: "recordings/answers/px2-tab4few.px"},
	{Method: "POST", Path: "^/scb/api/v2/tables/TAB6471/data", Type: "application/json", File: "recordings/answers/scb2-TAB6471_data.json"},
	{Path: "^/ecb/service/data/CBD/", Accept: "xml", Status: http.StatusNotAcceptable, Body: "Not Acceptable, use text/csv"},
	{Path: "^/ecb/service/data/CBD/", Type: "text/csv", Body: "KEY,FREQ,REF_AREA,TIME_PERIOD,OBS_VALUE\nCBD.A.DE,A,DE,2020,1.5\n"},
	{Path: "^/oecd/public/rest/data/OECD.KEY,X", Status: http.StatusBadRequest, Type: "application/json", Body: `{"status":400,"code":40000,"message":"Key has 4 parts, the structure has 3 dimensions"}`},
	{Path: "^/istat/SDMXWS/rest/data/41_983/", Status: http.StatusInternalServerError},
	{Path: "^/boi/rest/dataflow/BOI.STATISTICS/EXR/latest", File: "recordings/answers/boi-dsd.xml"},
}

// find returns the first route of a request, or nil.
func (r *recordings) find(q *http.Request) *recordedRoute {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, route := range r.routes {
		switch {
		case route.Method != "" && route.Method != q.Method, route.Once != nil && *route.Once <= route.used:
		case route.path.MatchString(q.URL.RequestURI()) && route.accept.MatchString(q.Header.Get("Accept")):
			route.used++
			return route
		}
	}
	r.lost = append(r.lost, q.Method+" "+q.URL.RequestURI())
	return nil
}

func (r *recordings) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	_, _ = io.Copy(io.Discard, q.Body)
	route := r.find(q)
	if route == nil {
		http.Error(w, "Not found", http.StatusNotFound)
		return
	}
	body := []byte(route.Body)
	if route.File != "" {
		var err error
		if body, err = os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(route.File))); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	if len(route.Sub) == 2 {
		body = bytes.ReplaceAll(body, []byte(route.Sub[0]), []byte(route.Sub[1]))
	}
	w.Header().Set("Content-Type", "application/xml")
	if route.Type != "" {
		w.Header().Set("Content-Type", route.Type)
	}
	for name, value := range route.Headers {
		w.Header().Set(name, value)
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(max(route.Status, 0) + map[bool]int{true: http.StatusOK}[route.Status == 0])
	_, _ = w.Write(body) // an error means that the client is gone
}

// recordedCase is a case of testdata/recordings.txt.
type recordedCase struct {
	line    int
	command string // datasets or import
	what    string // the office or the reference
	flags   []string
	matches []string // regular expressions of the output
	numbers [][2]string
}

// readRecordedCases reads the cases, which begin with "datasets OFFICE FLAGS" or "import REF".
// The indented lines below are regular expressions of the output, or "data QUERY NUMBER".
func readRecordedCases(t *testing.T) (cases []*recordedCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/recordings.txt")
	if err != nil {
		t.Fatal(err)
	}
	line := 0
	for text := range strings.Lines(string(text)) {
		line++
		words := strings.Fields(text)
		switch isIndented := strings.HasPrefix(text, " "); {
		case len(words) == 0 || words[0] == "#":
		case !isIndented:
			cases = append(cases, &recordedCase{line: line, command: words[0], what: words[1], flags: words[2:]})
		case words[0] == "data":
			last := cases[len(cases)-1]
			last.numbers = append(last.numbers, [2]string{words[1], words[2]})
		default:
			last := cases[len(cases)-1]
			last.matches = append(last.matches, strings.TrimSpace(text))
		}
	}
	return cases
}

// Each recorded answer of a real server leads to the right word and the right next step,
// from the list of datasets to served JSON.
func TestRecordings(t *testing.T) {
	t.Parallel()
	r, sources := serveRecordings(t)
	dir := t.TempDir()
	cases := readRecordedCases(t)
	run := func(args ...string) string {
		cmd := exec.Command("almanac", append(args, "--sources", sources, "--networks", "127.0.0.1/32")...)
		cmd.Env = append(os.Environ(), withoutWaiting+"=1")
		out, _ := cmd.CombinedOutput() // the cases say what is printed
		return strings.ReplaceAll(string(out), r.url, "http://office")
	}
	importArgs := []string{"import", "--data", dir}
	for _, c := range cases {
		if c.command == "import" {
			importArgs = append(importArgs, c.what)
		}
	}
	imported := run(importArgs...)
	s := startProgram(t, dir, "--limits", "anonymous=unlimited")
	for _, c := range cases {
		t.Run(strings.Join(append([]string{c.command, c.what}, c.flags...), " "), func(t *testing.T) {
			out := ""
			if c.command == "datasets" {
				out = run(append([]string{"source", "datasets", c.what}, c.flags...)...)
			} else {
				out = outputOf(imported, c.what)
			}
			c.check(t, out, s.url)
		})
	}
	s.stop(t)
	r.checkUse(t)
}

// outputOf returns the part of an import's output about a reference.
func outputOf(output, ref string) string {
	start := regexp.MustCompile(`(?m)^(refused: )?` + regexp.QuoteMeta(ref) + `: `).FindStringIndex(output)
	if start == nil {
		return "nothing"
	}
	part := output[start[0]:]
	if end := regexp.MustCompile(`\n[^ ]`).FindStringIndex(part); end != nil {
		part = part[:end[0]]
	}
	return part
}

var datasetNumber = regexp.MustCompile(`, dataset ([0-9]+) `)

func (c *recordedCase) check(t *testing.T, out, url string) {

	for _, match := range c.matches {
		if !regexp.MustCompile(match).MatchString(out) {
			t.Errorf("testdata/recordings.txt:%d: want %s in:\n%s", c.line, match, out)
		}
	}
	id := datasetNumber.FindStringSubmatch(out)
	if (id == nil) != (len(c.numbers) == 0) {
		t.Errorf("testdata/recordings.txt:%d: want a number of each stored dataset:\n%s", c.line, out)
		return
	}
	for _, n := range c.numbers {
		body, err := bodyOf(fmt.Sprintf("%s/api/datasets/%s/data?%s", url, id[1], n[0]))
		if err != nil || !regexp.MustCompile(`:`+regexp.QuoteMeta(n[1])+`[,}]`).Match(body) {
			t.Errorf("testdata/recordings.txt:%d: want %s for %s in: %.1500s (%v)", c.line, n[1], n[0], body, err)
		}
	}
}

// checkUse checks that each recorded answer was used.
func (r *recordings) checkUse(t *testing.T) {
	for _, route := range r.routes {
		if route.used == 0 {
			t.Errorf("the answer to %s was not used", route.Path)
		}
	}
	for _, request := range r.lost {
		t.Logf("no recorded answer: %s", request)
	}
}
