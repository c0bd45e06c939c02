package ilostat_test

import (
	"testing"

	"almanac/internal/format/ilostat"
	"almanac/internal/stattest"
)

// TestCases compares the meanings of the cases in testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, ilostat.Formats())
}

// TestStrict checks that, of all real files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, ilostat.Formats(),
		"ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
}
