package ecbrates_test

import (
	"testing"

	"almanac/internal/format/ecbrates"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, ecbrates.Formats())
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, ecbrates.Formats(),
		"ecb/eurofxref-hist.csv")
}
