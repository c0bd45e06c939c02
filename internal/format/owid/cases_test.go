package owid_test

import (
	"testing"

	"almanac/internal/format/owid"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, owid.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, owid.Formats(),
		"owid/co2-emissions-per-capita.csv")
}
