package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/replay"
	"almanac/internal/stattest"
)

// replayed are the offices whose real files can be served under their own
// paths, by ID.
var replayed = map[string]func(dir string) (http.Handler, error){
	"eurostat":  func(dir string) (http.Handler, error) { return replay.Eurostat(dir), nil },
	"worldbank": func(dir string) (http.Handler, error) { return replay.NewWorldbank(dir) },
	"who":       func(dir string) (http.Handler, error) { return replay.NewGho(dir) },
	"cso":       func(dir string) (http.Handler, error) { return replay.JSONStat(dir), nil },
	"dbnomics":  func(dir string) (http.Handler, error) { return replay.NewDbnomics(dir) },
	"ecb-rates": func(dir string) (http.Handler, error) { return replay.Plain(dir), nil },
}

// replayOffice serves an office's real files until the test ends, and returns the
// server with the office's row, whose addresses are the server's.
func replayOffice(t testing.TB, id string) (*replay.Server, http.Handler, source.Office) {
	t.Helper()
	handler, err := replayed[id](stattest.DataDir(t))
	if err != nil {
		t.Fatal(err)
	}
	server := replay.Serve(handler)
	t.Cleanup(server.Close)
	return server, handler, moved(t, id, server.URL)
}

// moved is an office's row with its addresses on another server.
func moved(t testing.TB, id, base string) source.Office {
	t.Helper()
	client, err := fetch.New(fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := source.NewTable(client, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, ok := table.Office(id)
	if !ok {
		t.Fatalf("there is no office %s", id)
	}
	for _, address := range []*string{&o.Address, &o.Contents, &o.Data} {
		if *address == "" {
			continue
		}
		u, err := url.Parse(strings.ReplaceAll(*address, "{code}", "CODE"))
		if err != nil {
			t.Fatal(err)
		}
		*address = base + strings.TrimPrefix(*address, u.Scheme+"://"+u.Host)
	}
	o.Pause = 0 // nobody is spared by it here
	return o
}

// writeOffices makes offices known to the installation in dir.
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

// madeOffice is an office that serves the files of a folder, as they are when
// they are asked for: contents.tsv is the list of what it has.
type madeOffice string

func (dir madeOffice) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// serveOffice is the script's command office STORE FOLDER.
func serveOffice(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: office STORE FOLDER")
	}
	server := ts.Value(officeKey{}).(**replay.Server)
	*server = replay.Serve(madeOffice(ts.MkAbs(args[1])))
	ts.Defer((*server).Close)
	base := (*server).URL
	ts.Setenv("ALMANAC_NETWORKS", "127.0.0.1/32")
	ts.Setenv("OFFICE", base)
	ts.Check(writeOffices(ts.MkAbs(args[0]), source.Office{
		ID: "made", Name: "Made up", Kind: "files", Address: base, Contents: base + "/contents.tsv", Data: base + "/{code}.csv",
		Limits: "none", Quirks: "it is not there",
	}))
}

// breakOffice is the script's command fault MATCH STATUS.
func breakOffice(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: fault MATCH STATUS")
	}
	status, err := strconv.Atoi(args[1])
	ts.Check(err)
	(*ts.Value(officeKey{}).(**replay.Server)).Fault(replay.Fault{Match: args[0], Status: status})
}

// mendOffice is the script's command mend.
func mendOffice(ts *testscript.TestScript, _ bool, _ []string) {
	(*ts.Value(officeKey{}).(**replay.Server)).Mend()
}
