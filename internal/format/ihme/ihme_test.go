package ihme_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/ihme"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, ihme.Formats()) }

// TestStrict checks that no real file of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, ihme.Formats()) }

const sample = "measure,location,metric,year,val,upper,lower\nDeaths,French Republic,Percent,2021,0.03,0.05,0.01\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, ihme.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, ihme.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}
