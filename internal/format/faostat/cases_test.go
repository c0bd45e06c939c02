package faostat_test

import (
	"testing"

	"almanac/internal/format/faostat"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, faostat.Formats())
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, faostat.Formats(),
		"fao/FAOSTAT_data-UKR-crops.csv")
}
