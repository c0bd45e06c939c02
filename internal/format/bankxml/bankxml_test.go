package bankxml_test

import (
	"testing"

	"almanac/internal/format/bankxml"
	"almanac/internal/format/formattest"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, bankxml.Formats()) }

// TestStrict checks that no real file of another kind is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, bankxml.Formats()) }

func TestConform(t *testing.T) {
	for _, s := range []formattest.Sample{england(t), austria(t)} {
		formattest.Conform(t, formattest.FormatOf(t, bankxml.Formats(), s), s)
	}
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, bankxml.Formats()[0], formattest.Sample{Name: "a.xml", Data: []byte(`<Envelope><Cube SCODE="A" DESC="B"><Cube FREQ_CODE="M"/><Cube TIME="2012-01-31" OBS_VALUE="1"/></Cube></Envelope>`)},
		formattest.Sample{Name: "a.xml", Data: []byte(`<OeNBData><dataSet pos="P" attr1="A" freq="A"><obs value="1" periode="1998"/></dataSet></OeNBData>`)})
}

func england(t *testing.T) formattest.Sample { return stattest.SampleMore(t, "boe-xml/boe-data.xml") }
func austria(t *testing.T) formattest.Sample { return stattest.SampleMore(t, "onb-xml/onb-data.xml") }
