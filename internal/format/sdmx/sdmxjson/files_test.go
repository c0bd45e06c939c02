package sdmxjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxjson"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// realFile is one of the offices' files, and what an independent reader based on
// encoding/json must know about it.
type realFile struct {
	name   string
	period string // stated
	header string
	key    []string // IDs of the dimensions in the order of the key
	notes  []string // of the report
	rest   func(codes map[string]string, position int) string
}

var realFiles = []realFile{
	{
		name: "oecd/PART2-sdmx-json-1.0.json", period: "2011",
		header: `dataset oecd:PART2 "Part 2 - Innovation as change in classrooms and schools"`,
		key:    []string{"IND", "PER", "GRD", "FLD", "MSR", "LOCATION"},
		notes:  []string{"read 7 missing 0 dropped 0", "note unknown-flag 3"},
		rest: func(codes map[string]string, status int) string {
			return []string{``, ` "OECD:x" "Change significant at the 0.05 level"`, ` "OECD:w" "Change significant at the 0.01 level"`,
				` "OECD:y" "Change significant at the 0.1 level"`}[status+1]
		},
	},
	{
		name: "sdmx-twg/agri.json", header: `dataset camstat:MILLED_RICE "Milled rice"`, key: []string{"FREQ", "REF_AREA"},
		notes: []string{"read 12 missing 0 dropped 0", "note attribute-not-kept 6 BASE_PER, PREF_SCALE, DECIMALS, CONTACT_EMAIL, SOURCE, EMBARGO_TIME"},
		rest: func(codes map[string]string, _ int) string {
			area := map[string]string{"ASIKHM": "Cambodia", "ASIKHM001": "Banteay Meanchey", "ASIKHM002": "Battambang"}[codes["REF_AREA"]]
			return ` "A" "Tones (thousands)" "Comment for Annual data for ` + area + `"`
		},
	},
	{
		name: "sdmx-twg/exr-time-series.json", header: `dataset ecb:EXR ""`,
		key:   []string{"FREQ", "CURRENCY", "CURRENCY_DENOM", "EXR_TYPE", "EXR_SUFFIX"},
		notes: []string{"read 4 missing 0 dropped 0", "note attribute-not-kept 2 annotations of a series, TITLE"},
		rest: func(codes map[string]string, _ int) string {
			if codes["CURRENCY"] == "RUB" && codes["TIME_PERIOD"] == "2013-01-21" {
				return ` "A" "Sample observation annotation text"`
			}
			return ` "A"`
		},
	},
}

func (f *realFile) sample(t *testing.T) formattest.Sample {
	t.Helper()
	s := stattest.Sample(t, f.name)
	s.In.Period = f.period
	return s
}

// TestRealFiles compares every observation of the real files with an independent reader.
func TestRealFiles(t *testing.T) {
	for _, f := range realFiles {
		t.Run(filepath.Base(f.name), func(t *testing.T) {
			tables, err := formattest.Read(t.Context(), sdmxjson.Formats()[0], f.sample(t))
			if err != nil || len(tables) != 1 {
				t.Fatalf("%d tables, error %v", len(tables), err)
			}
			// Objects have no order in encoding/json.
			slices.SortFunc(tables[0].All, func(a, b stat.Observation) int {
				return strings.Compare(formattest.Line(tables[0].Dataset, a), formattest.Line(tables[0].Dataset, b))
			})
			lines := f.lines(t)
			slices.Sort(lines)
			formattest.SameLines(t, tables[0], lines)
			description := formattest.Describe(tables)
			for _, part := range append([]string{f.header + "\n"}, f.notes...) {
				if !strings.Contains(description, part) {
					t.Errorf("no %q in\n%s", part, description)
				}
			}
			if tables[0].Prepared.IsZero() {
				t.Error("the time of preparation is missing")
			}
		})
	}
}

// small is the part of a message that the independent reader needs.
type small struct {
	Data       *small
	Structure  struct{ Dimensions map[string][]smallDimension }
	Structures []struct{ Dimensions map[string][]smallDimension }
	DataSets   []struct {
		Series       map[string]struct{ Observations map[string][]any }
		Observations map[string][]any
	}
}

type smallDimension struct {
	ID     string
	Values []struct{ ID string }
}

// lines returns the observations as the independent reader reads them.
func (f *realFile) lines(t *testing.T) []string {
	t.Helper()
	var m small
	if err := json.Unmarshal(f.sample(t).Data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Data != nil {
		m = *m.Data
	}
	dimensions := m.Structure.Dimensions
	if len(m.Structures) > 0 {
		dimensions = m.Structures[0].Dimensions
	}
	var lines []string
	add := func(codes map[string]string, observations map[string][]any) {
		for key, values := range observations {
			whole := decode(key, dimensions["observation"])
			for id, code := range codes {
				whole[id] = code
			}
			line := ""
			for _, id := range f.key {
				line += whole[id] + ","
			}
			status := -1
			if position, ok := values[1].(float64); ok {
				status = int(position)
			}
			period := whole["TIME_PERIOD"]
			if period == "" {
				period = f.period
			}
			if len(period) == 10 {
				period = period[8:] + "/" + period[5:7] + "/" + period[:4]
			}
			lines = append(lines, fmt.Sprintf("%s %s = %v%s", line, period, values[0], f.rest(whole, status)))
		}
	}
	for _, set := range m.DataSets {
		codes := map[string]string{}
		for _, d := range dimensions["dataSet"] {
			codes[d.ID] = d.Values[0].ID
		}
		add(codes, set.Observations)
		for key, series := range set.Series {
			whole := decode(key, dimensions["series"])
			for id, code := range codes {
				whole[id] = code
			}
			add(whole, series.Observations)
		}
	}
	return lines
}

// decode returns the codes of a name of positions, by dimension.
func decode(key string, dimensions []smallDimension) map[string]string {
	codes := map[string]string{}
	for i, part := range strings.Split(key, ":") {
		at, _ := strconv.Atoi(part)
		codes[dimensions[i].ID] = dimensions[i].Values[at].ID
	}
	return codes
}

// TestConform tests what holds for all readers with the real files.
func TestConform(t *testing.T) {
	var samples []formattest.Sample
	for _, f := range realFiles {
		samples = append(samples, f.sample(t))
	}
	formattest.Conform(t, sdmxjson.Formats()[0], samples...)
}

// TestStrict: of the offices' files, only those of the format are recognised.
func TestStrict(t *testing.T) {
	var own []string
	for _, f := range realFiles {
		own = append(own, f.name)
	}
	stattest.CheckRecognition(t, sdmxjson.Formats(), own...)
}

// TestFrequencyStated: the frequency is that of the dimension with its role, whatever the
// form of the periods.
func TestFrequencyStated(t *testing.T) {
	tables, err := readText(t, `{"structure": {"id": "X", "dimensions": {"observation": [
		{"id": "HOW_OFTEN", "roles": ["FREQ"], "values": [{"id": "Q"}]}, {"id": "TIME", "values": [{"id": "2020-03-31"}]}]}},
		"dataSets": [{"observations": {"0:0": [1]}}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := tables[0].All[0].Frequency; got != stat.Quarter {
		t.Errorf("the frequency is %d", got)
	}
}

// BenchmarkRead reads a flat message of 20 MB.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	text.WriteString(`{"dataSets": [{"observations": {"0:0:0": [0, 0]`)
	for i := 1; text.Len() < 20<<20; i++ {
		fmt.Fprintf(&text, ",\n\"%d:%d:%d\": [%d.%d, %d]", i/1000%200, i/20%50, i%20, i*7%1000, i%10, i%2)
	}
	text.WriteString("}}],\n")
	list := func(n, from int) string {
		var values []string
		for i := range n {
			values = append(values, fmt.Sprintf(`{"id": "%d"}`, from+i))
		}
		return strings.Join(values, ",")
	}
	fmt.Fprintf(&text, `"structure": {"id": "X", "dimensions": {"observation": [{"id": "A", "values": [%s]}, {"id": "GEO", "values": [%s]}, {"id": "TIME_PERIOD", "values": [%s]}]},
		"attributes": {"observation": [{"id": "OBS_STATUS", "values": [{"id": "A"}, {"id": "E"}]}]}}}`, list(200, 0), list(50, 0), list(20, 2000))
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		in := format.Input{Name: "x.json", Again: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes())), nil }}
		for table, err := range sdmxjson.Formats()[0].Read(b.Context(), in) {
			if err != nil {
				b.Fatal(err)
			}
			for _, err := range table.Observations {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
