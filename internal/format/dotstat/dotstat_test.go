package dotstat_test

import (
	"testing"

	"almanac/internal/format/dotstat"
	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, dotstat.Formats()) }

// TestStrict checks that no real file of another kind is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, dotstat.Formats()) }

const sample = "LOCATION,Country,MEASURE,Measure,TIME,Time,Unit Code,Unit,PowerCode Code,PowerCode,Value,Flag Codes,Flags\nAUS,Australia,C,Current,2019,2019,AUD,Dollar,6,Millions,1.5,P,Provisional\n"

func TestConform(t *testing.T) {
	s := formattest.Sample{Name: "1.csv", Data: []byte(sample)}
	formattest.Conform(t, formattest.FormatOf(t, dotstat.Formats(), s), s)
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, dotstat.Formats()[2], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}
