package clients

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest/s3"
)

// printViews saves the views of a store and returns the name of the file.
func printViews(t *testing.T, almanac, data string) string {
	t.Helper()
	views, err := exec.Command(almanac, "views", "--data", data, "--duckdb").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "views.sql")
	if err := os.WriteFile(file, views, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestViews reads all datasets as views of DuckDB: each has as many values as the service says, and a label
// for every code.
func TestViews(t *testing.T) {
	s := serve(t)
	var want []string
	for _, d := range slices.SortedFunc(slices.Values(s.datasets), func(a, b dataset) int { return cmp.Compare(a.ID, b.ID) }) {
		want = append(want, fmt.Sprintf("[%d, %d, 0]", d.ID, d.Observations))
	}
	got := strings.Split(strings.TrimSpace(python(t, "views.py", printViews(t, s.almanac, s.data))), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d views, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("id, values and codes without label: %s, want %s", got[i], want[i])
		}
	}
}

// TestViewsFromS3 reads views of files in an object store: they have the values of the views of the same files in a folder.
func TestViewsFromS3(t *testing.T) {
	almanac := serve(t).almanac
	var read []string
	for _, more := range [][]string{nil, {"--blobs", s3.NewBucket(t).Place()}} {
		dir := t.TempDir()
		with := func(command string, args ...string) *exec.Cmd {
			return exec.Command(almanac, append(append([]string{command, "--data", dir}, more...), args...)...)
		}
		if out, err := with("import", filepath.Join("testdata", "odd.csv")).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		views, err := with("views", "--duckdb").Output()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "views.sql")
		if err := os.WriteFile(file, views, 0o600); err != nil {
			t.Fatal(err)
		}
		if isThere := strings.Contains(string(views), "'s3://"); isThere != (more != nil) {
			t.Errorf("with %q, files in an object store: %t", more, isThere)
		}
		read = append(read, python(t, "views.py", file))
	}
	if read[0] != read[1] || !strings.HasPrefix(read[0], "[1, ") {
		t.Errorf("the views have %s, and %s from S3", read[0], read[1])
	}
}

// TestDataFiles runs the queries of docs/data-files.md over the sample data.
func TestDataFiles(t *testing.T) {
	almanac, dir := serve(t).almanac, t.TempDir()
	_, stop, err := listen(almanac, "--demo", "--data", dir)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	for line := range strings.SplitSeq(strings.TrimSpace(python(t, "views.py", printViews(t, almanac, dir), filepath.Join("..", "docs", "data-files.md"))), "\n") {
		var rows int
		if err := json.Unmarshal([]byte(line), &rows); err != nil || rows == 0 {
			t.Errorf("a query returned %s rows: %v", line, err)
		}
	}
}
