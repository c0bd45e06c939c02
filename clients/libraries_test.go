package clients

import (
	"errors"
	"os"
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
	run(t, "node_modules/.bin/tsc", "--project", "typescript/tsconfig.test.json", "--outDir", dir, "--typeRoots", filepath.Join(stattest.InstalledClients(t), "node_modules", "@types"))
	run(t, "node", "--test", filepath.Join(dir, "almanac.test.js"))
}

// TestTypeScriptInstalls follows the steps of docs/clients.md in an empty folder, with the compiler that is
// installed here in place of one from npm.
func TestTypeScriptInstalls(t *testing.T) {
	dir := t.TempDir()
	library := filepath.Join(dir, "clients", "typescript")
	if err := os.CopyFS(library, os.DirFS("typescript")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(library, "dist")); err != nil {
		t.Fatal(err)
	}
	installed := filepath.Join(stattest.InstalledClients(t), "node_modules")
	if err := errors.Join(os.RemoveAll(filepath.Join(library, "node_modules")), os.Symlink(installed, filepath.Join(library, "node_modules"))); err != nil {
		t.Fatal(err)
	}
	run(t, "npm", "run", "--prefix", library, "prepare")
	project := filepath.Join(dir, "project")
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	run(t, "npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", project, library)
	script := filepath.Join(project, "read.mjs")
	if err := os.WriteFile(script, []byte(`import { Almanac } from "almanac-client"; console.log(new Almanac("http://127.0.0.1:8080").address(1, "data.csv"));`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, "node", script), "http://127.0.0.1:8080/api/datasets/1/data.csv\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
