package clients

import (
	"path/filepath"
	"testing"
)

// TestPython runs the tests of the client for Python.
func TestPython(t *testing.T) {
	url, _ := demo(t)
	t.Setenv("ALMANAC_URL", url)
	run(t, "python/bin/python3", filepath.Join("python", "tests", "test_client.py"))
}

// TestTypeScript compiles the client for TypeScript with the strictest options and runs its
// tests.
func TestTypeScript(t *testing.T) {
	url, _ := demo(t)
	t.Setenv("ALMANAC_URL", url)
	dir := t.TempDir()
	run(t, "node_modules/.bin/tsc", "--project", "typescript", "--outDir", dir, "--typeRoots", filepath.Join(installed(t), "node_modules", "@types"))
	run(t, "node", "--test", filepath.Join(dir, "almanac.test.js"))
}
