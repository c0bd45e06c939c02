package ink_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"almanac/internal/chart/ink"
)

// TestLook writes the scenes as files to $ALMANAC_LOOK, for people to look at.
func TestLook(t *testing.T) {
	dir := os.Getenv("ALMANAC_LOOK")
	if dir == "" {
		t.Skip("ALMANAC_LOOK is not set")
	}
	for _, k := range kinds {
		s := k.of(1200, 675)
		var b bytes.Buffer
		if err := ink.PNG(&b, s); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(filepath.Join(dir, k.name+".png"), b.Bytes(), 0o666)
		b.Reset()
		ink.SVG(&b, s)
		os.WriteFile(filepath.Join(dir, k.name+".svg"), b.Bytes(), 0o666)
		b.Reset()
		ink.JPEG(&b, s)
		os.WriteFile(filepath.Join(dir, k.name+".jpg"), b.Bytes(), 0o666)
	}
}
