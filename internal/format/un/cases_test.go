package un_test

import (
	"testing"

	"almanac/internal/format/un"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, un.Formats())
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, un.Formats(),
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "un/WPP2019_Period_Indicators_Medium.csv")
}
