package weo_test

import (
	"testing"

	"almanac/internal/format/weo"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, weo.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, weo.Formats(),
		"imf/WEOOct2009all.xls")
}
