package gho_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/gho"
)

var update = flag.Bool("update", false, "rewrite the expectations of the cases in testdata")

// TestCases: the titles of the cases say which rule each proves.
func TestCases(t *testing.T) {
	var rewrite func(string, []byte) error
	if *update {
		rewrite = func(name string, text []byte) error { return os.WriteFile("testdata/"+name, text, 0o644) }
	}
	formattest.Cases(t, os.DirFS("testdata"), gho.Formats(), rewrite)
}

// formatOf is the one format that recognises a file.
func formatOf(s formattest.Sample) (format.Format, error) {
	var found []format.Format
	for _, f := range gho.Formats() {
		if f.Recognise(s.Name, s.Data[:min(len(s.Data), 64<<10)]) {
			found = append(found, f)
		}
	}
	if len(found) != 1 {
		return format.Format{}, fmt.Errorf("recognised by %d formats", len(found))
	}
	return found[0], nil
}

// meaning is what a file says.
func meaning(t *testing.T, s formattest.Sample) string {
	t.Helper()
	f, err := formatOf(s)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := formattest.Read(t.Context(), f, s)
	if err != nil {
		t.Fatal(err)
	}
	return formattest.Describe(tables)
}
