package ilostat_test

import (
	"testing"

	"almanac/internal/format/ilostat"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, ilostat.Formats())
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	stattest.CheckRecognition(t, ilostat.Formats(),
		"ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
}
