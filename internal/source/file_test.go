package source

import (
	"path/filepath"
	"strings"
	"testing"
)

// A file name stays in its folder and keeps its extension.
func FuzzFileName(f *testing.F) {
	for _, name := range []string{"a.csv", "../../etc/passwd", "..", "", ".hidden", strings.Repeat("ä", 99) + ".csv.zip", "a\x00b\\c.px"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := FileName(name)
		if got == "" || got != filepath.Base(got) || strings.HasPrefix(got, ".") || strings.ContainsAny(got, "/\\\x00\n") || len(got) > MaxFileName {
			t.Errorf("%q is saved as %q", name, got)
		}
	})
}
