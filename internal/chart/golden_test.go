package chart_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"almanac/internal/chart/chartcase"
	"almanac/internal/chart/layout"
	"almanac/internal/chart/render"
	"almanac/internal/stattest"
)

// longPath matches the path of a country or a coast. The paths of a world map would make
// a golden file of half a megabyte, and nobody reads them.
var longPath = regexp.MustCompile(`d="[^"]{1000,}"`)

// shorten keeps the beginning of a path and adds a checksum.
func shorten(path []byte) []byte {
	return fmt.Appendf(nil, "%s … %d characters, CRC-32 %08x\"", path[:60], len(path), crc32.ChecksumIEEE(path))
}

// TestGoldens draws every chart case in testdata/cases and compares the SVG with the
// golden file, so that changes appear as a text difference. The gallery shows them as
// pictures.
func TestGoldens(t *testing.T) {
	cases, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(cases) < 60 {
		t.Fatalf("%d cases (%v), want at least 60", len(cases), err)
	}
	for _, name := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			s, err := chartcase.Parse(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := render.SVG(&got, layout.Layout(s.Spec)); err != nil {
				t.Fatal(err)
			}
			short := longPath.ReplaceAllFunc(got.Bytes(), shorten)
			got = *bytes.NewBuffer(short)
			golden := strings.TrimSuffix(name, ".txt") + ".svg"
			if *stattest.Update {
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
				t.Errorf("the picture differs from %s; if that is intended, run go test ./internal/chart -run TestGoldens -update and look at the gallery", golden)
			}
		})
	}
}
