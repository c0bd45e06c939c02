package clients

import (
	"os"
	"path/filepath"
	"testing"
)

// reference saves the description of the interface and returns the name of the file.
func reference(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, serve(t).read(t, "/openapi.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestLint checks the description of the interface with the rules of Spectral and Redocly.
func TestLint(t *testing.T) {
	file := reference(t)
	t.Run("spectral", func(t *testing.T) {
		run(t, "node_modules/.bin/spectral", "lint", "--ruleset", "testdata/spectral.yaml", "--fail-severity", "hint", file)
	})
	t.Run("redocly", func(t *testing.T) {
		run(t, "node_modules/.bin/redocly", "lint", "--config", "testdata/redocly.yaml", "--max-problems", "20", file)
	})
}

// TestSchemathesis sends requests that follow the description of the interface, and some that
// do not, and finds no answer that the description does not allow.
func TestSchemathesis(t *testing.T) {
	url, key := demo(t)
	run(t, "python/bin/schemathesis", "--config-file", "testdata/schemathesis.toml", "run", url+"/openapi.json", "--header", "X-API-Key: "+key,
		"--checks", "all", "--exclude-checks", "ignored_auth", // a key is optional at most addresses
		"--max-examples", "10", "--generation-deterministic")
}

// TestGeneratedTypes compiles requests and answers of the types that openapi-typescript
// generates with its default options.
func TestGeneratedTypes(t *testing.T) {
	dir := t.TempDir()
	run(t, "node_modules/.bin/openapi-typescript", reference(t), "--output", filepath.Join(dir, "almanac.d.ts"))
	source, err := os.ReadFile("testdata/types.ts")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "types.ts"), source, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	run(t, "node_modules/.bin/tsc", "--strict", "--noEmit", "--target", "es2022", "--moduleResolution", "node", "--module", "es2022", filepath.Join(dir, "types.ts"))
}
