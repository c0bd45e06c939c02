package statcan_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/statcan"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, statcan.Formats()) }

const sample = "REF_DATE,GEO,DGUID,Sex,UOM,UOM_ID,SCALAR_FACTOR,SCALAR_ID,VECTOR,COORDINATE,VALUE,STATUS,SYMBOL,TERMINATED,DECIMALS\n" +
	"2023-01,Ontario,2016A000235,Females,Persons,249,thousands,3,v1,1.2,3.8,A,r,,1\n2023-02,Ontario,2016A000235,Females,Persons,249,thousands,3,v1,1.2,,..,,,1\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, statcan.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, statcan.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

// TestStrict checks that, of all real files, none of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, statcan.Formats()) }
