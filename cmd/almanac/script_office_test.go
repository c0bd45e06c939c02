package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"almanac/internal/source"
	"almanac/internal/source/replay"
	"almanac/internal/source/replay/dbnomicstest"
	"almanac/internal/source/replay/eurostattest"
	"almanac/internal/source/replay/ghotest"
	"almanac/internal/source/replay/jsonstattest"
	"almanac/internal/source/replay/plaintest"
	"almanac/internal/source/replay/pxwebtest"
	"almanac/internal/source/replay/sdmxtest"
	"almanac/internal/source/replay/worldbanktest"
	"almanac/internal/source/sourcetest"
	"almanac/internal/stattest"
)

// replayed has handlers that serve the real files of an office under its own paths, by ID.
var replayed = map[string]func(dir string) (http.Handler, error){
	"cso":       func(dir string) (http.Handler, error) { return jsonstattest.New(dir), nil },
	"dbnomics":  func(dir string) (http.Handler, error) { return dbnomicstest.New(dir) },
	"dst":       func(string) (http.Handler, error) { return pxwebtest.Statbank(), nil },
	"ecb":       func(dir string) (http.Handler, error) { return sdmxtest.Offices(dir)["ecb"], nil },
	"eurostat":  func(dir string) (http.Handler, error) { return eurostattest.New(dir), nil },
	"owid":      func(dir string) (http.Handler, error) { return plaintest.New(dir), nil },
	"statgl":    func(dir string) (http.Handler, error) { return pxwebtest.New(dir, 100_000) },
	"who":       func(dir string) (http.Handler, error) { return ghotest.New(dir) },
	"worldbank": func(dir string) (http.Handler, error) { return worldbanktest.New(dir) },
}

// replayOffice serves an office's real files until the test ends. The row has the
// addresses of that server.
func replayOffice(t testing.TB, id string) (*edited, source.Office) {
	t.Helper()
	inner, err := replayed[id](stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	e := &edited{inner: inner}
	server := replay.Serve(e)
	t.Cleanup(server.Close)
	o := sourcetest.OfficeAt(t, id, server)
	o.Pause = 0 // there is no office to protect
	return e, o
}

// edited is an office that can publish new editions of its files, in which texts are
// replaced.
type edited struct {
	inner http.Handler
	edits atomic.Pointer[strings.Replacer]
}

// publish replaces texts in all later responses. The arguments are pairs of old and new.
func (e *edited) publish(texts ...string) { e.edits.Store(strings.NewReplacer(texts...)) }

func (e *edited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	edits := e.edits.Load()
	if edits == nil {
		e.inner.ServeHTTP(w, r)
		return
	}
	for _, name := range []string{"If-None-Match", "If-Modified-Since"} {
		r.Header.Del(name) // they belong to the original files
	}
	response := httptest.NewRecorder()
	e.inner.ServeHTTP(response, r)
	body := response.Body.Bytes()
	if unpacked, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		var packed bytes.Buffer
		pack := gzip.NewWriter(&packed)
		if text, err := io.ReadAll(unpacked); err == nil {
			_, _ = edits.WriteString(pack, string(text)) // never fails
		}
		_ = pack.Close()
		body = packed.Bytes()
	} else {
		body = []byte(edits.Replace(string(body)))
	}
	for name, values := range response.Header() {
		w.Header()[name] = values
	}
	for _, name := range []string{"ETag", "Etag", "Last-Modified", "Content-Length"} {
		w.Header().Del(name)
	}
	w.WriteHeader(response.Code)
	_, _ = w.Write(body) // an error means that the client is gone
}

// writeOffices adds offices to the store in dir.
func writeOffices(dir string, offices ...source.Office) error {
	text, err := json.MarshalIndent(map[string]any{"offices": offices}, "", "  ")
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, sourcesFile), append(text, '\n'), 0o644)
}

// folderOffice is an office that serves the current files of a folder: contents.tsv is
// its list of contents.
type folderOffice string

func (dir folderOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, err := os.ReadFile(filepath.Join(string(dir), filepath.Base(r.URL.Path)))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(text)))
	if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(text)
}

type officeKey struct{}

// serveOffice implements office STORE FOLDER.
func serveOffice(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: office STORE FOLDER")
	}
	server := ts.Value(officeKey{}).(**replay.Server)
	*server = replay.Serve(folderOffice(ts.MkAbs(args[1])))
	ts.Defer((*server).Close)
	base := (*server).URL
	ts.Setenv("ALMANAC_NETWORKS", "127.0.0.1/32")
	ts.Setenv("OFFICE", base)
	ts.Check(writeOffices(ts.MkAbs(args[0]), source.Office{
		ID: "made", Name: "Made up", Kind: "files", Address: base, Contents: base + "/contents.tsv", Data: base + "/{code}.csv",
		Limits: "none", Quirks: "it does not exist",
	}))
}

// breakOffice implements fault MATCH STATUS [RETRY-AFTER].
func breakOffice(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: fault MATCH STATUS [RETRY-AFTER]")
	}
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	fault := replay.Fault{Match: args[0], Status: status}
	if len(args) == 3 {
		fault.After = args[2]
	}
	(*ts.Value(officeKey{}).(**replay.Server)).Fault(fault)
}

// mendOffice implements mend.
func mendOffice(ts *testscript.TestScript, _ bool, _ []string) {
	(*ts.Value(officeKey{}).(**replay.Server)).Mend()
}
