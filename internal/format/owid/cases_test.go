package owid_test

import (
	"testing"

	"almanac/internal/format/owid"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, owid.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, owid.Formats(),
		"owid/co2-emissions-per-capita.csv")
}
