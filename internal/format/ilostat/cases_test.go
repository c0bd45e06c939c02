package ilostat_test

import (
	"testing"

	"almanac/internal/format/ilostat"
	"almanac/internal/stattest"
)

// TestCases: every case of testdata means what is written below it.
func TestCases(t *testing.T) {
	stattest.Cases(t, ilostat.Formats())
}

// TestStrict: of all offices' files only its own are recognised.
func TestStrict(t *testing.T) {
	stattest.Strict(t, ilostat.Formats(),
		"ilo/EAR_4MTH_SEX_GEO_CUR_NB_A.csv")
}
