package lazyregexp_test

import (
	"slices"
	"testing"

	"almanac/internal/lazyregexp"
)

func TestNew(t *testing.T) {
	year := lazyregexp.New(`\b(19|20)\d\d\b`)
	for range 2 { // compiled, and again
		if got := year.FindAllString("from 1999 to 2024, not 12000", -1); !slices.Equal(got, []string{"1999", "2024"}) {
			t.Errorf("found %q", got)
		}
	}
}

// TestWrong: in tests a wrong expression is found although nothing uses it.
func TestWrong(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression did not panic")
		}
	}()
	lazyregexp.New("(")
}
