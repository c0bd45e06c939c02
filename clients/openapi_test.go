package clients

import (
	"encoding/json"
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
		var lint struct {
			Problems []struct {
				Rule, Severity, Message string
				Location                []struct{ Pointer string }
			} `json:"problems"`
		}
		out := run(t, "node_modules/.bin/redocly", "lint", "--config", "testdata/redocly.yaml", "--format", "json", file)
		if err := json.Unmarshal([]byte(out), &lint); err != nil {
			t.Fatalf("%v in %.500s", err, out)
		}
		for _, problem := range lint.Problems {
			t.Errorf("%+v", problem)
		}
	})
}

// TestSchemathesis sends requests that follow the description of the interface, and some that
// do not, and finds no answer that the description does not allow.
func TestSchemathesis(t *testing.T) {
	url, key := demo(t)
	run(t, "python/bin/schemathesis", "--config-file", "testdata/schemathesis.toml", "run", url+"/openapi.json", "--header", "X-API-Key: "+key,
		"--checks", "all", "--exclude-checks", "ignored_auth", // a key is optional at most addresses
		"--max-examples", "5", "--generation-deterministic")
}
