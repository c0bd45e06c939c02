package gho_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/gho"
	"almanac/internal/stattest"
)

// TestConformAthena reads a real file of the older service.
func TestConformAthena(t *testing.T) {
	s := stattest.SampleMore(t, "who-gho-air1/AIR_1.csv")
	f := formattest.FormatOf(t, gho.Formats(), s)
	formattest.Conform(t, f, s)
	if table := formattest.ReadOne(t, f, s); table.Dataset.Code != "AIR_1" {
		t.Errorf("the dataset is %s", table.Dataset.Code)
	}
}
