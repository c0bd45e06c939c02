package un_test

import (
	"testing"

	"almanac/internal/format/un"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, un.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, un.Formats(),
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "un/WPP2019_Period_Indicators_Medium.csv")
}
