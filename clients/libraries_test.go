package clients

import (
	"os/exec"
	"path/filepath"
	"testing"

	"almanac/internal/stattest"
)

// serveLibraries serves the sample data at $ALMANAC_URL and the dataset of testdata/odd.csv, whose texts
// look like formulas, at $ALMANAC_ODD_URL.
func serveLibraries(t *testing.T) {
	t.Helper()
	url, _ := demo(t)
	t.Setenv("ALMANAC_URL", url)
	almanac, data := serve(t).almanac, t.TempDir()
	if out, err := exec.Command(almanac, "import", "--data", data, filepath.Join("testdata", "odd.csv")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	url, stop, err := listen(almanac, "--data", data, "--limits", "anonymous=unlimited")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	t.Setenv("ALMANAC_ODD_URL", url)
}

// TestPython runs the tests of the client for Python.
func TestPython(t *testing.T) {
	serveLibraries(t)
	run(t, "python/bin/python3", filepath.Join("python", "tests", "test_client.py"))
}

// TestTypeScript compiles the client for TypeScript with the strictest options and runs its
// tests.
func TestTypeScript(t *testing.T) {
	serveLibraries(t)
	dir := t.TempDir()
	run(t, "node_modules/.bin/tsc", "--project", "typescript", "--outDir", dir, "--typeRoots", filepath.Join(stattest.InstalledClients(t), "node_modules", "@types"))
	run(t, "node", "--test", filepath.Join(dir, "almanac.test.js"))
}
