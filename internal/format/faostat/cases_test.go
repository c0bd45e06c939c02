package faostat_test

import (
	"testing"

	"almanac/internal/format/faostat"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, faostat.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, faostat.Formats(),
		"fao/FAOSTAT_data-UKR-crops.csv")
}
