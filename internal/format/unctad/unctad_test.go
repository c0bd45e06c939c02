package unctad_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
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

// TestFile compares every cell of a real file with encoding/csv.
func TestFile(t *testing.T) {
	s := stattest.SampleMore(t, "unctad-pop/US_PopTotal_20230713030810 3.csv")
	table := formattest.ReadOne(t, formattest.FormatOf(t, unctad.Formats(), s), s)
	rows, err := csv.NewReader(bytes.NewReader(s.Data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range rows[1:] {
		for i, measure := range []string{"Absolute value in thousands", "Urban population as percentage of total population"} {
			value, footnote, missing := r[3+3*i], r[4+3*i], r[5+3*i]
			line := fmt.Sprintf("%s,%s, %s = ", measure, r[1], r[0])
			switch {
			case value == "" && missing == "Not applicable":
				line += `NaN "M"`
			case footnote != "":
				line += number(t, value) + fmt.Sprintf(" %q", footnote)
			default:
				line += number(t, value)
			}
			want = append(want, line)
		}
	}
	formattest.SameLines(t, table, want)
}

// number writes a number as Go does.
func number(t *testing.T, text string) string {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}
