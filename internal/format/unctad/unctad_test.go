package unctad_test

import (
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/unctad"
	"almanac/internal/stattest"
)

func TestCases(t *testing.T) { stattest.Cases(t, unctad.Formats()) }

// TestStrict checks that no real file of another office is recognised.
func TestStrict(t *testing.T) { stattest.CheckRecognition(t, unctad.Formats()) }

const sample = "Year,Economy,Economy Label,Rate,Rate Footnote,Rate Missing value\n1950,004,Afghanistan,7.5,Break,\n1950,0001,Individual economies,,,Not applicable\n"

func TestConform(t *testing.T) {
	formattest.Conform(t, unctad.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}

func FuzzRead(f *testing.F) {
	formattest.Fuzz(f, unctad.Formats()[0], formattest.Sample{Name: "1.csv", Data: []byte(sample)})
}
