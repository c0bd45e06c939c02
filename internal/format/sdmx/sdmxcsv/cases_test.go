package sdmxcsv_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxcsv"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCases compares the cases of testdata with their meanings.
func TestCases(t *testing.T) {
	stattest.Cases(t, sdmxcsv.Formats())
}

// readText reads a text as the file name.csv; dictionary may be nil.
func readText(t testing.TB, text string, dictionary *stat.Dictionary) ([]formattest.Table, error) {
	in := format.Input{Dictionary: func(string) *stat.Dictionary { return dictionary }}
	return formattest.Read(t.Context(), sdmxcsv.Formats()[0], formattest.Sample{Name: "name.csv", Data: []byte(text), In: in})
}

// TestStructureDecides: a known structure tells dimensions from attributes and orders
// them, whatever their names and columns; labels of units come from the office's lists.
func TestStructureDecides(t *testing.T) {
	d := stat.NewDictionary("bis")
	d.Structures["x"] = &stat.Structure{ID: "X", Time: "WHEN", Measure: "RATE",
		Dimensions: []stat.Component{{ID: "TITLE"}, {ID: "PLACE", Role: stat.RoleGeo}, {ID: "ABSENT"}}}
	d.Lists["unit"] = &stat.CodeList{Name: "CL_UNIT", Codes: []stat.Code{{ID: "USD", Label: "US dollar"}}}
	tables, err := readText(t, "DATAFLOW,SEX,PLACE,RATE,WHEN,TITLE,UNIT,UNIT_MULT\nBIS:X(1.0),F,FR,1,2020,T1,USD,6\n", d)
	if err != nil {
		t.Fatal(err)
	}
	want := `dataset bis:X ""
other TITLE "": T1
geo PLACE "": FR
T1,FR, 2020 = 1 "US dollar (millions)"
read 1 missing 0 dropped 0
note attribute-not-kept 1 SEX
note no-labels 1 TITLE: T1
`
	if got := formattest.Describe(tables); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestScale: SCALE of the IMF is not a dimension, although the IMF's structure declares
// it one.
func TestScale(t *testing.T) {
	d := stat.NewDictionary("imf")
	d.Structures["dot"] = &stat.Structure{ID: "DOT", Dimensions: []stat.Component{{ID: "FREQ"}, {ID: "REF_AREA"}, {ID: "SCALE"}}}
	const text = "DATAFLOW,FREQ,REF_AREA,SCALE,TIME_PERIOD,OBS_VALUE\nIMF:DOT(1.0),A,122,6,2010,200000\n"
	for _, known := range []*stat.Dictionary{d, nil} {
		tables, err := readText(t, text, known)
		if err != nil {
			t.Fatal(err)
		}
		got := formattest.Describe(tables)
		for _, want := range []string{"frequency FREQ", "geo REF_AREA", "\nA,122, 2010 = 200000\n", "note attribute-not-kept 1 SCALE"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
	}
}

// TestCutOff: a file without a line break at its end is refused, because its last number
// may be cut off.
func TestCutOff(t *testing.T) {
	_, err := readText(t, "DATAFLOW,GEO,TIME_PERIOD,OBS_VALUE\nBIS:X(1.0),FR,2020,12", nil)
	if err == nil || !strings.Contains(err.Error(), "file:2: the last line does not end") {
		t.Errorf("the error is %v", err)
	}
}

// TestHostile: bounds hold for any file.
func TestHostile(t *testing.T) {
	head := "DATAFLOW,GEO,TIME_PERIOD,OBS_VALUE\n"
	for name, text := range map[string]string{
		"a huge cell":          head + "BIS:X(1.0)," + strings.Repeat("x", 1<<17) + ",2020,1\n",
		"a quote left open":    head + "BIS:X(1.0),\"" + strings.Repeat("x\n", 4<<20) + ",2020,1\n",
		"many columns":         "DATAFLOW,OBS_VALUE" + strings.Repeat(",x", 1<<20) + "\n",
		"many cells":           head + "BIS:X(1.0)" + strings.Repeat(",", 1<<20) + "x\n",
		"a zero byte":          head + "BIS:X(1.0),F\x00R,2020,1\n",
		"many datasets":        head + manyDatasets(2000),
		"many wide datasets":   wideDatasets(4000, 400),
		"half a line":          "DATAFLOW,GEO",
		"nothing but the mark": "\ufeff",
		"brackets":             "STRUCTURE[[[[;,STRUCTURE_ID,OBS_VALUE\n",
		"a bracket at the end": "STRUCTURE[",
		"a quote at the end":   "\"DATAFLOW",
	} {
		t.Run(name, func(t *testing.T) {
			tables, err := readText(t, text, nil)
			if err == nil {
				t.Errorf("the file is read as %.300s", formattest.Describe(tables))
			} else if stat.KindOf(err) != stat.Refused {
				t.Errorf("the error is not about the file: %v", err)
			}
		})
	}
}

func manyDatasets(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "BIS:X%d(1.0),FR,2020,1\n", i)
	}
	return b.String()
}

// wideDatasets returns n datasets, each with many columns of values.
func wideDatasets(columns, n int) string {
	var b strings.Builder
	b.WriteString("DATAFLOW,GEO,TIME_PERIOD")
	for i := range columns {
		fmt.Fprintf(&b, ",OBS_VALUE%d", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "\nBIS:X%d(1.0),FR,2020%s", i, strings.Repeat(",1", columns))
	}
	return b.String() + "\n"
}

// TestOtherEncodings: files with a byte order mark, in UTF-16 and in windows-1252 are
// read.
func TestOtherEncodings(t *testing.T) {
	text := "DATAFLOW,GEO,TIME_PERIOD,OBS_VALUE\nBIS:X(1.0),Österreich und Färöer,2020,1\n"
	plain, err := readText(t, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	utf16 := []byte("\xff\xfe")
	for _, r := range text {
		utf16 = append(utf16, byte(r), byte(r>>8))
	}
	for name, other := range map[string]string{
		"mark": "\ufeff" + text, "UTF-16": string(utf16),
		"windows-1252": strings.NewReplacer("Ö", "\xd6", "ä", "\xe4", "ö", "\xf6").Replace(text),
	} {
		tables, err := readText(t, other, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := describeData(tables), describeData(plain); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func describeData(tables []formattest.Table) string {
	var b bytes.Buffer
	for _, table := range tables {
		for _, o := range table.All {
			fmt.Fprintln(&b, formattest.Line(table.Dataset, o))
		}
	}
	return b.String()
}

func FuzzRead(f *testing.F) {
	texts, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		f.Fatal(err)
	}
	var seeds []formattest.Sample
	for _, part := range strings.Split("\n"+string(texts), "\n=== ")[1:] {
		_, text, _ := strings.Cut(part, "\n")
		text, _, _ = strings.Cut(text, "\n----\n")
		for strings.HasPrefix(text, "--") {
			_, text, _ = strings.Cut(text, "\n")
		}
		seeds = append(seeds, formattest.Sample{Name: "fuzz.csv", Data: []byte(text + "\n")})
	}
	formattest.Fuzz(f, sdmxcsv.Formats()[0], seeds...)
}

// again opens data from the beginning.
func again(data []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
}
