package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/source"
	"almanac/internal/source/replay"
)

// The key of an office reaches its server and nothing else: no output, no file of the
// store, no answer.
func TestOfficeKeys(t *testing.T) {
	const key = "sesame-open-1234-5678"
	server := replay.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("api_key") != key {
			http.Error(w, "unknown key "+r.URL.Query().Get("api_key"), http.StatusBadRequest)
			return
		}
		if r.URL.Path != "/births.csv" {
			http.Error(w, "nothing at "+r.URL.String(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Disposition", `attachment; filename="`+key+`.csv"`)
		fmt.Fprintf(w, "country,year,value\nDE,2020,1.5\nFR,2020,2.5\n")
	}))
	defer server.Close()
	dir := t.TempDir()
	row := source.Office{ID: "nso", Name: "NSO", Kind: "files", Address: server.URL, Data: server.URL + "/{code}.csv", Key: &source.Key{Parameter: "api_key", From: "https://nso.example/keys"}}
	if err := writeOffices(dir, row); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	run := func(key string, args ...string) string {
		cmd := exec.Command("almanac", append(args, "--data", dir, "--networks", "127.0.0.1/32")...)
		cmd.Env = append(os.Environ(), withoutWaiting+"=1", "ALMANAC_KEY_NSO="+key)
		out, _ := cmd.CombinedOutput() // the test looks at the text
		all.Write(out)
		return string(out)
	}
	want := func(out, text string) {
		t.Helper()
		if !strings.Contains(out, text) {
			t.Errorf("want %q in:\n%s", text, out)
		}
	}
	want(run("", "import", "nso:births"), "get one at https://nso.example/keys, and set ALMANAC_KEY_NSO")
	want(run("short", "import", "nso:births"), "invalid key of nso")
	want(run("another-key-9999", "import", "nso:births"), "status 400")
	want(run(key, "import", "nso:births"), "of 2 cells 2 stored")
	want(run(key, "import", "nso:deaths"), "status 400")
	want(run(key, "watch", "add", "nso:births"), "watched")
	run(key, "sync", "--json", "nso:births")
	want(run(key, "source", "show", "nso", "--json"), `"parameter":"api_key"`)

	secrets := filepath.Join(dir, secretsFile)
	if err := os.WriteFile(secrets, []byte(`{"nso": "`+key+`"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	want(run("", "import", "nso:births"), "chmod 600")
	if err := os.Chmod(secrets, 0o600); err != nil {
		t.Fatal(err)
	}
	want(run("", "import", "nso:births"), "of 2 cells 2 stored")
	if err := os.Remove(secrets); err != nil {
		t.Fatal(err)
	}
	row.Data = server.URL + "/{code}.csv?api_key=" + key
	if err := writeOffices(dir, row); err != nil {
		t.Fatal(err)
	}
	want(run("", "source", "list"), "contains a key; leave it out")
	if err := os.Remove(filepath.Join(dir, sourcesFile)); err != nil {
		t.Fatal(err)
	}

	if strings.Contains(all.String(), key) {
		t.Errorf("the output contains the key:\n%s", all.String())
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(key)) {
			t.Errorf("%s contains the key", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
