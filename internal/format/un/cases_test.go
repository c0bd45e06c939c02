package un_test

import (
	"testing"

	"almanac/internal/format/un"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, un.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, un.Formats(),
		"un/SYB63_230_202009_GDP and GDP Per Capita.csv", "un/WPP2019_Period_Indicators_Medium.csv")
}
