package chart_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/chart"
	"almanac/internal/chart/ink"
	"almanac/internal/chart/sketch"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// TestGoldens draws every sketch of testdata/cases and compares the SVG with the
// one beside it. A change of the drawing shows as a change of text; the gallery
// shows it as pictures.
func TestGoldens(t *testing.T) {
	cases, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(cases) < 60 {
		t.Fatalf("there are %d cases (%v); there should be 60 and more", len(cases), err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := sketch.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := ink.SVG(&got, chart.Layout(s.Spec)); err != nil {
				t.Fatal(err)
			}
			golden := strings.TrimSuffix(name, ".txt") + ".svg"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("the picture differs from %s; if that is meant, go test ./internal/chart -run TestGoldens -update and look at the gallery", golden)
			}
		})
	}
}
