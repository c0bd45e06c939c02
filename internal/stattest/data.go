// Package stattest gives tests what they share: the offices' real files, and
// cases in testdata that -update writes anew.
package stattest

import (
	"os"
	"path/filepath"
	"testing"
)

// DataDir returns the folder of the offices' real files: $ALMANAC_TESTDATA,
// else ../shared/data beside the project's root. Where it is missing the test
// is skipped, or fails if ALMANAC_REQUIRE=1.
func DataDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("ALMANAC_TESTDATA")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		Missing(t, "the offices' files are not at "+dir+"; set ALMANAC_TESTDATA")
	}
	return dir
}

// Missing skips a test because something it needs is not on this machine, or
// fails it if ALMANAC_REQUIRE=1.
func Missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("ALMANAC_REQUIRE") == "1" {
		t.Fatal(what)
	}
	t.Skip("SKIPPED: " + what)
}

// root is the folder of go.mod, found upwards from where the test runs.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Rounds is how often a test repeats what is worth repeating: short within
// `go test ./...`, full where ALMANAC_SOAK=1 (`make soak`).
func Rounds(t testing.TB, short, full int) int {
	t.Helper()
	if os.Getenv("ALMANAC_SOAK") == "1" {
		return full
	}
	return short
}
