package format

import "testing"

// TestStyleOfDots: dots for missing values say nothing of how numbers are
// written.
func TestStyleOfDots(t *testing.T) {
	f := StyleFinder{}
	for _, cell := range []string{"..", "...", ".", "1.5", "-", "'", " , "} {
		f.See([]byte(cell))
	}
	if s, err := f.Style(""); err != nil || s != (Style{Decimal: '.'}) {
		t.Errorf("the style is %q, error %v", s, err)
	}
}
