package stattest

import (
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
)

// Update says that what tests expect is to be written anew instead of
// compared: the flag -update of every test that uses this package.
var Update = flag.Bool("update", false, "write what the tests see into what they expect")

// Cases compares what the cases of a format's own testdata/*.txt mean, or
// writes it where -update is given. See [formattest.Cases].
func Cases(t *testing.T, formats []format.Format) {
	t.Helper()
	var rewrite func(string, []byte) error
	if *Update {
		rewrite = func(name string, text []byte) error {
			return os.WriteFile(filepath.Join("testdata", name), text, 0o644)
		}
	}
	formattest.Cases(t, os.DirFS("testdata"), formats, rewrite)
}

// Strict tries formats on all of the offices' real files: they may recognise
// those of their own, whose paths below [DataDir] are given, and no others.
func Strict(t *testing.T, formats []format.Format, own ...string) {
	t.Helper()
	formattest.Strict(t, os.DirFS(DataDir(t)), formats, own...)
}

// Sample is one of the offices' real files, by its path below [DataDir].
func Sample(t testing.TB, file string) formattest.Sample {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(DataDir(t), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	ends := strings.HasSuffix(file, ".json") || strings.HasSuffix(file, ".xml")
	return formattest.Sample{Name: path.Base(file), Data: data, Ends: ends}
}
