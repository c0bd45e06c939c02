package bis_test

import (
	"testing"

	"almanac/internal/format/bis"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, bis.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, bis.Formats(),
		"bis/full_bis_eer_csv.zip/full_BIS_EER_csv.csv")
}
