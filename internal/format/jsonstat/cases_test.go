package jsonstat_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/jsonstat"
)

var update = flag.Bool("update", false, "rewrite the meanings of the cases in testdata")

// TestCases reads small files; the titles say which rule each proves.
func TestCases(t *testing.T) {
	var rewrite func(name string, text []byte) error
	if *update {
		rewrite = func(name string, text []byte) error {
			return os.WriteFile(filepath.Join("testdata", name), text, 0o644)
		}
	}
	formattest.Cases(t, os.DirFS("testdata"), jsonstat.Formats(), rewrite)
}
