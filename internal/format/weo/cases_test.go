package weo_test

import (
	"testing"

	"almanac/internal/format/weo"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, weo.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, weo.Formats(),
		"imf/WEOOct2009all.xls")
}
