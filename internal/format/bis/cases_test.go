package bis_test

import (
	"testing"

	"almanac/internal/format/bis"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, bis.Formats())
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, bis.Formats(),
		"bis/full_bis_eer_csv.zip/full_BIS_EER_csv.csv")
}
