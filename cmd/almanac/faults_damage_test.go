package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// docs/operations.md, Damaged files: while the file of the current version has a flipped byte, all forms of
// data are those of the version before and say so, check and the status report it, and an import of the same
// file brings the version back in running servers.
func TestDamagedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "births.tsv")
	for _, value := range []string{"738819", "738820"} {
		text := "freq,geo\\TIME_PERIOD\t2021 \t2022 \nA,DE\t795492 \t" + value + " \nA,FR\t742052 \t725997 \n"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		must(t, "import", "--data", dir, file)
	}
	must(t, "check", "--data", dir)
	flipByte(t, dir)
	_, stderr, code := commandLine(t, "check", "--data", dir)
	if code != exitFailed || !strings.Contains(stderr, "dataset 1 (births), version 1.1: the file has the digest") || !strings.Contains(stderr, "2 versions read, 1 damaged") {
		t.Errorf("check ended with %d: %s", code, stderr)
	}

	s := startProgram(t, dir, "--limits", "anonymous=unlimited")
	for _, form := range []string{"data", "data.csv", "data.xlsx", "latest", "chart.svg?type=line", "dataset.parquet"} {
		r, body := fetchPath(t, s, "/api/datasets/1/"+form)
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s is answered with %s: %s", form, r.Status, body)
		}
	}
	if _, body := fetchPath(t, s, "/api/datasets/1/data"); !strings.Contains(body, "738819") || !strings.Contains(body, "the file of the current version is damaged") {
		t.Errorf("the data do not say that they are of the version before: %s", body)
	}
	for _, path := range []string{"data.csv", "dataset.parquet", "chart.svg?type=line"} {
		if r, _ := fetchPath(t, s, "/api/datasets/1/"+path); !strings.Contains(r.Header.Get("X-Notice"), "is damaged") {
			t.Errorf("%s has the notice %q", path, r.Header.Get("X-Notice"))
		}
	}
	if r, _ := fetchPath(t, s, "/sdmx/2.1/data/births?format=csvdata"); r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("X-Notice"), "is damaged") {
		t.Errorf("SDMX is answered with %s and the notice %q", r.Status, r.Header.Get("X-Notice"))
	}
	if _, body := fetchPath(t, s, "/api/datasets/1/chart.svg?type=line"); !strings.Contains(body, "version 1.0") && !strings.Contains(body, "Version 1.0") {
		t.Error("the picture does not say of which version it is")
	}
	for _, path := range []string{"data?version=1.1", "revisions"} { // what was asked for cannot be said
		if r, body := fetchPath(t, s, "/api/datasets/1/"+path); r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "version 1.1 of dataset 1 cannot be read") {
			t.Errorf("%s is answered with %s: %s", path, r.Status, body)
		}
	}
	if r, body := fetchPath(t, s, "/api/datasets/1/data?version=1.1"); r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
		t.Errorf("the damaged version itself is answered with %s: %s", r.Status, body)
	}
	if _, body := fetchPath(t, s, "/api/status"); !strings.Contains(body, `"damaged":1`) {
		t.Errorf("the status does not report the damage: %s", body)
	}
	if r, _ := fetchPath(t, s, "/readyz"); r.StatusCode != http.StatusOK {
		t.Errorf("the server is not ready: %s", r.Status)
	}

	var outcome struct {
		Status string
		Notes  []struct{ Kind, Example string }
	}
	line := must(t, "import", "--json", "--data", dir, file)
	if err := json.Unmarshal([]byte(line), &outcome); err != nil || outcome.Status != "unchanged" || !strings.Contains(line, `"kind":"repaired","count":1`) {
		t.Errorf("importing the same file: %s, %v", line, err)
	}
	must(t, "check", "--data", dir)
	stattest.Eventually(t, func() error {
		_, body := fetchPath(t, s, "/api/datasets/1/data")
		_, status := fetchPath(t, s, "/api/status")
		if !strings.Contains(body, "738820") || strings.Contains(body, "damaged") || strings.Contains(status, "damaged") {
			return fmt.Errorf("after the import: %s, %s", body, status)
		}
		return nil
	})
	s.stop(t)
}

// flipByte flips a bit of the newest version of the only dataset of a store.
func flipByte(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "vintages", "0", "1", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the store has no files: %v", err)
	}
	newest := files[len(files)-1]
	bytes, err := os.ReadFile(newest)
	if err != nil {
		t.Fatal(err)
	}
	bytes[len(bytes)/8] ^= 4
	if err := os.WriteFile(newest, bytes, 0o644); err != nil {
		t.Fatal(err)
	}
}

func fetchPath(t *testing.T, s *served, path string) (*http.Response, string) {
	t.Helper()
	r, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(body)
}
