package faostat_test

import (
	"testing"

	"almanac/internal/format/faostat"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, faostat.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, faostat.Formats(),
		"fao/FAOSTAT_data-UKR-crops.csv")
}
