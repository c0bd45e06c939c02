package bis_test

import (
	"testing"

	"almanac/internal/format/bis"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, bis.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, bis.Formats(),
		"bis/full_bis_eer_csv.zip/full_BIS_EER_csv.csv")
}
