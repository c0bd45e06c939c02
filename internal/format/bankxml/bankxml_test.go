package bankxml_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format/bankxml"
	"almanac/internal/format/formattest"
	"almanac/internal/stat"
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

var (
	cube = regexp.MustCompile(`TIME="(\d+)-(\d+)-(\d+)" OBS_VALUE="([^"]*)"`)
	obs  = regexp.MustCompile(`freq="(\w)"|obs value="([^"]*)" periode="([^"]*)"`)
)

func value(t *testing.T, text string) string {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(v)
}

// TestEngland compares every observation with a regular expression.
func TestEngland(t *testing.T) {
	s := england(t)
	got := formattest.ReadOne(t, formattest.FormatOf(t, bankxml.Formats(), s), s)
	var want []string
	for _, m := range cube.FindAllStringSubmatch(string(s.Data), -1) {
		want = append(want, fmt.Sprintf("LPMVWYR,M, %s/%s/%s = %s", m[3], m[2], m[1], value(t, m[4])))
	}
	formattest.SameLines(t, got, want)
	d := got.Dataset
	if len(want) == 0 || d.Source.ID != "boe" || d.Code != "LPMVWYR" || d.Unit != "sterling millions" || got.All[0].Frequency != stat.Month {
		t.Errorf("%d observations; the dataset is %s:%s in %q, frequency %v", len(want), d.Source.ID, d.Code, d.Unit, got.All[0].Frequency)
	}
}

// TestAustria compares every observation with a regular expression.
func TestAustria(t *testing.T) {
	s := austria(t)
	got := formattest.ReadOne(t, formattest.FormatOf(t, bankxml.Formats(), s), s)
	var want []string
	frequency := ""
	for _, m := range obs.FindAllStringSubmatch(string(s.Data), -1) {
		if m[1] != "" {
			frequency = m[1]
			continue
		}
		year, month, isMonth := strings.Cut(m[3], "-")
		if isMonth {
			year = month + "/" + year
		}
		want = append(want, fmt.Sprintf("VDBFKBSC217000,AT,00100KI,AT,Z0Z,%s, %s = %s", frequency, year, value(t, m[2])))
	}
	formattest.SameLines(t, got, want)
	if d := got.Dataset; len(want) == 0 || d.Source.ID != "oenb" || d.Unit != "in millions Euro" {
		t.Errorf("%d observations; the dataset is %s:%s in %q", len(want), d.Source.ID, d.Code, d.Unit)
	}
}
