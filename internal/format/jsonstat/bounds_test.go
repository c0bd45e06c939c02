package jsonstat_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/stat"
)

// oneSeries is a dataset with a value for each of some years.
const oneSeries = `{"version":"2.0","class":"dataset","source":"X","id":["t"],"size":[3],"role":{"time":["t"]},` +
	`"dimension":{"t":{"category":{"index":["2021","2022","2023"]}}},"value":[1,2,3]`

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		oneSeries + `}`,
		oneSeries + `,"status":{"0":"e","2":".."}}`,
		`{"dataset":{"value":{"0":1,"3":null},"status":"e","source":"Statistics Norway","updated":"2024-01-01T00:00:00Z","note":["x"],` +
			`"dimension":{"id":["sex","Tid"],"size":[2,2],"role":{"time":["Tid"],"geo":["sex"]},"sex":{"category":{"index":{"F":0,"M":1},` +
			`"unit":{"F":{"base":"x","multiplier":3}},"note":{"F":["y"]}}},"Tid":{"category":{"index":{"2023":0,"2020W99":1}}}}}}`,
		`{"nama_x":{"wsVersion":"V1_1","code":"nama_x","lastUpdateDate":1455058800000,"status":{"value":[":","b"]},"value":[null,1],` +
			`"dimension":{"id":["geo","time"],"size":[1,2],"geo":{"category":{"index":{"AT":0}}},"time":{"category":{"index":{"2012":0,"2013Q1":1}}}}}}`,
		`{"class":"collection","version":"2.0","link":{"item":[` + oneSeries + `}]}}`,
		`{"version":"2.0","class":"dataset","id":["freq","geo","time"],"size":[1,1,1],"extension":{"agencyId":"ESTAT","annotation":[{"type":"OBS_COUNT","title":"9"}]},` +
			`"dimension":{"freq":{"category":{"index":["B2"]}},"geo":{"category":{"label":{"DK":""}}},"time":{"category":{"index":["1950-1955"]}}},"value":["1"]}`,
	} {
		f.Add([]byte(text), "", "")
	}
	f.Fuzz(func(t *testing.T, data []byte, period, geo string) {
		s := formattest.Sample{Name: "fuzz", Data: data, In: format.Input{Period: period, Geo: geo}}
		reader().Recognise(s.Name, data[:min(len(data), 64<<10)])
		tables, err := formattest.Read(t.Context(), reader(), s)
		if err != nil {
			if stat.KindOf(err) == stat.Internal {
				t.Errorf("the error is not about the file: %v", err)
			}
			return
		}
		for _, table := range tables {
			if problem := formattest.Problem(table); problem != "" {
				t.Error(problem)
			}
		}
	})
}

func readText(t *testing.T, text string) ([]formattest.Table, error) {
	t.Helper()
	return formattest.Read(t.Context(), reader(), formattest.Sample{Name: "file", Data: []byte(text)})
}

// TestHostile: hostile files are refused quickly, with a position.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nested 100,000 deep":      {`{"dataset":{"extension":` + strings.Repeat(`[`, 1e5), "nested more than"},
		"nested in the dimensions": {`{"dataset":{"dimension":` + strings.Repeat(`{"a":`, 1e5), "nested more than"},
		"a text without end":       {`{"dataset":{"label":"` + strings.Repeat("x", 2<<20), "more than"},
		"a size of a terabyte":     {strings.Replace(oneSeries, `"size":[3]`, `"size":[1000000000000]`, 1) + `}`, "1000000000000 categories"},
		"sizes past counting":      {strings.Replace(oneSeries, `"size":[3]`, `"size":[99999999999999999999]`, 1) + `}`, "a whole number"},
		"a cell past counting":     {strings.Replace(oneSeries, `[1,2,3]`, `{"99999999999999999999":1}`, 1) + `}`, "not the number of a cell"},
		"a cell far away":          {strings.Replace(oneSeries, `[1,2,3]`, `{"4000000000000000":1}`, 1) + `}`, "the cells are 0 to 2"},
		"cut off":                  {oneSeries, "cut off"},
		"nothing":                  {``, "the text ends where a value"},
		"a list":                   {`[]`, "one object"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := readText(t, c.text)
			if err == nil || stat.KindOf(err) != stat.Refused || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

// TestManyDimensions: sizes whose product overflows are refused.
func TestManyDimensions(t *testing.T) {
	var ids, dims []string
	for i := range 70 {
		ids = append(ids, fmt.Sprintf(`"d%d"`, i))
		dims = append(dims, fmt.Sprintf(`"d%d":{"category":{"index":["a","b"]}}`, i))
	}
	_, err := readText(t, `{"version":"2.0","class":"dataset","id":[`+strings.Join(ids, ",")+`],"dimension":{`+strings.Join(dims, ",")+`},"value":{"0":1}}`)
	if err == nil || !strings.Contains(err.Error(), "too many cells to count") {
		t.Error(err)
	}
}

// TestManyFields: objects with very many fields and codes are read.
func TestManyFields(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version":"2.0","class":"dataset","source":"X","id":["a","t"],"size":[100000,1],"role":{"time":["t"]},"extension":{`)
	for i := range 100000 {
		fmt.Fprintf(&b, `"x%d":0,`, i)
	}
	b.WriteString(`"y":0},"dimension":{"t":{"category":{"index":["2023"]}},"a":{"category":{"index":{"c":0`)
	for i := range 99999 {
		fmt.Fprintf(&b, `,"c%d":%d`, i, i+1)
	}
	b.WriteString(`}}}},"value":{"99999":1}}`)
	tables, err := readText(t, b.String())
	if err != nil || len(tables) != 1 || len(tables[0].All) != 1 || tables[0].Dataset.Dimensions[0].Codes[tables[0].All[0].Key[0]].ID != "c99998" {
		t.Errorf("%v", err)
	}
}

// generated is a file of a million cells that is made while it is read.
type generated struct {
	parts []func() string
	text  string
}

func (g *generated) Read(p []byte) (int, error) {
	for g.text == "" {
		if len(g.parts) == 0 {
			return 0, io.EOF
		}
		if g.text = g.parts[0](); g.text == "" {
			g.parts = g.parts[1:]
		}
	}
	n := copy(p, g.text)
	g.text = g.text[n:]
	return n, nil
}

func million() io.ReadCloser {
	once := func(text string) func() string {
		return func() string { all := text; text = ""; return all }
	}
	var codes []string
	for i := range 1000 {
		codes = append(codes, fmt.Sprintf(`"c%d"`, i))
	}
	index := `{"category":{"index":[` + strings.Join(codes, ",") + `]}}`
	n := 0
	return io.NopCloser(&generated{parts: []func() string{
		once(`{"dataset":{"source":"X","value":[0`),
		func() string {
			if n++; n%1000 == 0 && n == 1e6 {
				return ""
			}
			return ",1.25"
		},
		once(`],"dimension":{"id":["a","b","time"],"size":[1000,1000,1],"a":` + index + `,"b":` + index + `,"time":{"category":{"index":["2023"]}}}}}`),
	}})
}

// TestMemory: memory does not grow with the number of cells, even if they come first.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	in := format.Input{Name: "million", Again: func() (io.ReadCloser, error) { return million(), nil }}
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := 0
	for table, err := range reader().Read(t.Context(), in) {
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range table.Observations {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
	}
	runtime.ReadMemStats(&after)
	if n != 1e6 {
		t.Errorf("%d observations", n)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 8<<20 {
		t.Errorf("%d bytes were allocated for a million cells", grown)
	}
}

// TestEncoding: text that is not UTF-8 is read as windows-1252, with a note.
func TestEncoding(t *testing.T) {
	text := strings.Replace(oneSeries, `"source":"X"`, "\"source\":\"X\",\"label\":\"M\xe5nad, k\xf6n och l\xe4n\"", 1) + `}`
	tables, err := readText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if got := tables[0].Dataset.Name; got != "Månad, kön och län" {
		t.Errorf("the name is %q", got)
	}
	if notes := tables[0].Report.Notes(); !bytes.Contains(fmt.Append(nil, notes), []byte(stat.NoteEncoding)) {
		t.Errorf("the notes are %v", notes)
	}
}

// TestStatedFrequency: observations have the frequency that the file states, which
// decides the periods of dates.
func TestStatedFrequency(t *testing.T) {
	for text, want := range map[string]stat.Frequency{
		`{"version":"2.0","class":"dataset","source":"X","id":["freq","time"],"size":[1,1],"dimension":{"freq":{"category":{"index":["Q"]}},"time":{"category":{"index":["2024-03-31"]}}},"value":[1]}`: stat.Quarter,
		`{"version":"2.0","class":"dataset","source":"X","id":["time"],"size":[1],"dimension":{"time":{"category":{"index":["2024-03-31"]},"extension":{"frequency":"M"}}},"value":[1]}`:                stat.Month,
		`{"version":"2.0","class":"dataset","source":"X","id":["time"],"size":[1],"dimension":{"time":{"category":{"index":["2024-03-31"]}}},"value":[1]}`:                                              0,
	} {
		tables, err := readText(t, text)
		if err != nil || tables[0].All[0].Frequency != want {
			t.Errorf("%s: %v, error %v; want %d", text, tables, err, want)
		}
	}
}

// TestSpans: the text of a span of years is kept.
func TestSpans(t *testing.T) {
	tables, err := readText(t, strings.NewReplacer(`"2021"`, `"1950-1955"`, `"2022"`, `"LTAA"`).Replace(oneSeries)+`}`)
	if err != nil {
		t.Fatal(err)
	}
	d := tables[0].Dataset
	if got := d.PeriodLabels[stat.NewPeriod(stat.Annual, 1955, 1)]; got != "1950-1955" || len(d.Undated) != 1 || d.Undated[0] != "LTAA" {
		t.Errorf("%q, %q", got, d.Undated)
	}
}

// TestMinusZero: -0 is 0.
func TestMinusZero(t *testing.T) {
	tables, err := readText(t, strings.Replace(oneSeries, "[1,2,3]", "[-0,-0.0,-0e5]", 1)+`}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range tables[0].All {
		if o.Value != 0 || math.Signbit(o.Value) {
			t.Errorf("%v", o.Value)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text, _ := io.ReadAll(million())
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		in := format.Input{Name: "million", Again: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
		for table, err := range reader().Read(b.Context(), in) {
			if err != nil {
				b.Fatal(err)
			}
			for range table.Observations {
			}
		}
	}
}
