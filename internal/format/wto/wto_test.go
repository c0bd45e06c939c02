package wto_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/wto"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, wto.Formats()) }

// TestStrict checks that no real file of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, wto.Formats()) }

const sample = "Indicator Category,Indicator Code,Indicator,Reporting Economy Code,Reporting Economy ISO3A Code,Reporting Economy,Period Code,Period,Frequency Code,Frequency,Unit Code,Unit,Year,Value Flag Code,Value Flag,Text Value,Value\n" +
	"C,I,Ind,012,DZA,Algeria,A,Annual,A,Annual,PCT,Percent,2017,,,,23.5\nC,I,Ind,012,DZA,Algeria,A,Annual,A,Annual,PCT,Percent,2018,E,Estimate,,\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, wto.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, wto.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}
