package ecbrates_test

import (
	"testing"

	"almanac/internal/format/ecbrates"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, ecbrates.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, ecbrates.Formats(),
		"ecb/eurofxref-hist.csv")
}
