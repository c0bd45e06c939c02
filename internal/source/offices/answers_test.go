package offices_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/sourcetest"
)

// faultyAnswer is what a server returns to every request, and what the error must say.
type faultyAnswer struct {
	name    string
	status  int
	headers string // "Name: value"
	body    string
	message string // regular expression
}

const notThere = `has no (list|dataset|table|indicator)|returns no list`

// faultyAnswers are answers that any server may give.
func faultyAnswers() []faultyAnswer {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = io.WriteString(w, strings.Repeat("x", 4000))
	_ = w.Close()
	const html = "Content-Type: text/html"
	inTwoHours := sourcetest.NewClock().Now().Add(2 * time.Hour).UTC().Format(http.TimeFormat)
	return []faultyAnswer{
		{"nothing", 204, "", "", notThere},
		{"empty", 200, "", "", `the server returned an empty response$|has no dataset`},
		{"a web page", 200, html, "<!DOCTYPE html><title>Maintenance</title>", `a web page instead of data \("Maintenance"\), after 4 attempts$`},
		{"text", 200, "", "Service restarting", `.`},
		{"a JSON error", 200, "", `{"error":{"message":"Unknown table"}}`, `.`},
		{"an SDMX error", 400, "", sdmxtest.ErrorMessage("140", "FREQ has no code X"), `400 Bad Request \("FREQ has no code X"\)$`},
		{"a JSON problem", 400, "", `{"type":"https://tools.ietf.org/x","title":"Bad Request","detail":"no FREQ","status":400}`, `400 Bad Request \("no FREQ"\)$`},
		{"unauthorized", 401, html, "<html><title>Sign in</title></html>", `asks for a key, or does not accept .* \("Sign in"\)$`},
		{"a firewall", 403, html, "<html><title>Access Denied</title></html>", `403 Forbidden \("Access Denied"\)$`},
		{"forbidden", 403, "", `{"message":"Missing Authentication Token"}`, `refused the request: status 403 Forbidden \("Missing Authentication Token"\)$`},
		{"not found", 404, "", `{"title":"Not Found","status":404}`, notThere},
		{"not acceptable", 406, "", "Not Acceptable", `status 406`},
		{"too large", 413, "", "Too large", `(?i)too large`},
		{"a long address", 414, "", "Too long", `(?i)too (large|long)`},
		{"too many", 429, "", "Too many requests", `accepts no more requests for now: status 429 .*, after 4 attempts$`},
		{"seconds", 429, "Retry-After: 7", "Too many requests", `after 4 attempts; the server asks to wait 7s$`},
		{"a date", 429, "Retry-After: " + inTwoHours, "Too many requests", `; the server asks to wait 2h0m0s$`},
		{"broken", 500, "", `{"error":"Internal error"}`, `unavailable: status 500 .* \("Internal error"\), after 4 attempts$`},
		{"a gateway", 502, html, "<html><title>Bad Gateway</title></html>", `unavailable: status 502 .*, after 4 attempts$`},
		{"maintenance", 503, "Retry-After: 120", "Unavailable", `unavailable: .*; the server asks to wait 2m0s$`},
		{"truncated", 200, "Content-Encoding: gzip", packed.String()[:25], `damaged or incomplete: it ended after 25 bytes, after 4 attempts$`},
		{"cut", 200, "Content-Length: 1000", `{"id": "FOLK1A", "text": "Popul`, `damaged or incomplete: it ended after 31 bytes, after 4 attempts$`},
		{"not modified", 304, "", "", `refused the request: status 304`},
		{"a login page", 302, "Location: /login", "", `/login: .* a web page instead of data \("Sign in"\), after 4 attempts$`},
		{"a redirect loop", 302, "Location: /again", "", `more than 3 redirects$`},
	}
}

func (a faultyAnswer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/login" {
		_, _ = io.WriteString(w, "<html><title>Sign in</title></html>")
		return
	}
	if name, value, ok := strings.Cut(a.headers, ": "); ok {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body) // an error means that the client is gone
}

// officesOfAllKinds returns a row and the code of a dataset for each kind of server.
func officesOfAllKinds(url string) map[string]source.Office {
	return map[string]source.Office{
		"FLOW":            {Kind: "sdmx", Agency: "X"},
		"X,FLOW":          {Kind: "sdmx", Version: "3.0"},
		"34100158":        {Kind: "sdmx", Version: "cubes"},
		"folder/table.px": {Kind: "pxweb"},
		"TAB1":            {Kind: "pxweb", Version: "2"},
		"FOLK1A":          {Kind: "statbank", Cells: 1000},
		"12411-0015":      {Kind: "genesis"},
		"T1":              {Kind: "jsonstat", Contents: url + "/list", Data: url + "/data/{code}"},
		"QCL":             {Kind: "index", Contents: url + "/list", Data: url + "/data/{code}", Index: &source.Index{Code: "id"}},
		"37296ned":        {Kind: "odata4"},
		"file":            {Kind: "files", Contents: url + "/list", Data: url + "/{code}.csv"},
		"nama_10_gdp":     {Kind: "eurostat"},
		"SP.POP.TOTL":     {Kind: "worldbank"},
		"WHOSIS_000001":   {Kind: "gho"},
		"ECB/EXR":         {Kind: "dbnomics"},
	}
}

// Whatever a server of any kind answers, the error says what happened, requests end, and
// no file remains.
func TestFaultyAnswers(t *testing.T) {
	t.Parallel()
	for _, a := range faultyAnswers() {
		t.Run(a.name, func(t *testing.T) {
			for code := range officesOfAllKinds("") {
				server := httptest.NewServer(a)
				checkFaultyAnswer(t, server.URL, code, a)
				server.Close()
			}
		})
	}
}

func checkFaultyAnswer(t *testing.T, url, code string, a faultyAnswer) {
	t.Helper()
	o := officesOfAllKinds(url)[code]
	o.ID, o.Name, o.Address = "nso", "NSO", url
	message := regexp.MustCompile(a.message)
	s := sourcetest.NewServer(t, sourcetest.NewClock(), o)
	listErr := sourcetest.ListError(s.Contents(t.Context(), source.Filter{}))
	if listErr == nil || !message.MatchString(listErr.Error()) {
		t.Errorf("%s: the list: got %v, want %s", o.Kind, listErr, a.message)
	}
	folder := t.TempDir()
	d, err := s.Fetch(t.Context(), source.Request{Code: code, Folder: folder})
	if o.Kind == "files" && a.message == "." { // the importer refuses what is no table
		return
	}
	if err == nil || !message.MatchString(err.Error()) {
		t.Errorf("%s: got %+v, %v, want %s", o.Kind, d, err, a.message)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
		t.Errorf("%s: %d files remain (%v)", o.Kind, len(files), err)
	}
}

// A server whose certificate is not valid, and one that closes connections.
func TestFaultyConnections(t *testing.T) {
	t.Parallel()
	broken := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	broken.Start()
	defer broken.Close()
	untrusted := httptest.NewUnstartedServer(faultyAnswer{status: 200, body: "{}"})
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	for code := range officesOfAllKinds("") {
		checkFaultyAnswer(t, broken.URL, code, faultyAnswer{message: `the server cannot be reached: .*, after 4 attempts$`})
		checkFaultyAnswer(t, untrusted.URL, code, faultyAnswer{message: `unsafe: .*certificate`})
	}
}

// The next step of a missing dataset is the office's list, if it has one.
func TestNextStep(t *testing.T) {
	server := httptest.NewServer(faultyAnswer{status: 404})
	defer server.Close()
	for name, c := range map[string]struct {
		office source.Office
		want   string
	}{
		"list":    {source.Office{Kind: "files", Contents: server.URL + "/list", Data: server.URL + "/{code}.csv"}, "NSO has no dataset X; `almanac source datasets nso` lists the codes: "},
		"no list": {source.Office{Kind: "files", Data: server.URL + "/{code}.csv"}, fmt.Sprintf("NSO has no dataset X: %s/X.csv: not found", server.URL)},
	} {
		c.office.ID, c.office.Name, c.office.Address = "nso", "NSO", server.URL
		_, err := sourcetest.NewServer(t, sourcetest.NewClock(), c.office).Fetch(t.Context(), source.Request{Code: "X", Folder: t.TempDir()})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}
