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
