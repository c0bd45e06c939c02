package un_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/un"
	"almanac/internal/stattest"
)

var update = flag.Bool("update", false, "rewrite the meanings of the cases in testdata")

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	var rewrite func(string, []byte) error
	if *update {
		rewrite = func(name string, text []byte) error {
			return os.WriteFile(filepath.Join("testdata", name), text, 0o644)
		}
	}
	formattest.Cases(t, os.DirFS("testdata"), un.Formats(), rewrite)
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	formattest.Strict(t, os.DirFS(stattest.DataDir(t)), un.Formats(),
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "un/WPP2019_Period_Indicators_Medium.csv")
}
