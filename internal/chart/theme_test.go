package chart_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart/chartcase"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/stattest"
)

// Every chart case is readable in every theme and on other backgrounds.
func TestThemes(t *testing.T) {
	stattest.SkipUnderRace(t)
	cases, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(cases) < 60 {
		t.Fatalf("%d cases (%v), want at least 60", len(cases), err)
	}
	for _, look := range []struct{ theme, background string }{{"light", ""}, {"dark", ""}, {"", "#0b2545"}} {
		t.Run(strings.Trim(look.theme+" "+look.background, " "), func(t *testing.T) {
			for _, name := range cases {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				s, err := chartcase.Parse(string(text))
				if err != nil {
					t.Fatal(err)
				}
				s.Spec.Theme, s.Spec.Background = look.theme, look.background
				for _, problem := range layoutcheck.Check(layout.Layout(s.Spec)) {
					t.Errorf("%s: %s", filepath.Base(name), problem)
				}
			}
		})
	}
}
