package unesco_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/unesco"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, unesco.Formats()) }

// TestStrict checks that no real file of another kind is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, unesco.Formats()) }

const sample = "INDICATOR_ID,COUNTRY_ID,YEAR,VALUE,MAGNITUDE,QUALIFIER\nCR.1,ABW,2010,95.5,,\nCR.1,AFG,2011,,NIL,UIS_EST\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, unesco.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, unesco.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}
