package ecbrates_test

import (
	"testing"

	"almanac/internal/format/ecbrates"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, ecbrates.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, ecbrates.Formats(),
		"ecb/eurofxref-hist.csv")
}
