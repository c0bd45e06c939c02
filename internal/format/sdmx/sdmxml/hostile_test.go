package sdmxml_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx/sdmxml"
	"almanac/internal/stattest"
)

// TestRecognise checks that of all files of the offices, unpacked or not, only data
// messages are recognised.
func TestRecognise(t *testing.T) {
	var want, got []string
	for _, f := range reals {
		if !strings.Contains(f.file, "|") {
			want = append(want, f.file)
		}
	}
	dir := stattest.DataDir(t)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if sdmxml.Formats()[0].Recognise(entry.Name(), data[:min(len(data), 64<<10)]) {
			name, _ := filepath.Rel(dir, path)
			got = append(got, filepath.ToSlash(name))
		}
		return err
	})
	slices.Sort(got)
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("recognised\n%v; want\n%v (error %v)", got, want, err)
	}
	for _, member := range []string{"eurostat/sdmx-ml/nama_10_fcs.sdmx.zip|nama_10_fcs.dsd.xml", "statcan/34100158.zip|34100158_Structure.xml"} {
		if sdmxml.Formats()[0].Recognise("x.xml", open(t, member)) {
			t.Errorf("%s is recognised as data", member)
		}
	}
}

// TestUTF16 reads a message in UTF-16.
func TestUTF16(t *testing.T) {
	text := "\ufeff" + `<?xml version="1.0" encoding="UTF-16"?>` + specificHead +
		`<Series FREQ="A" ITEM="ä"><Obs TIME_PERIOD="2014" OBS_VALUE="1"/></Series></m:DataSet></m:StructureSpecificData>`
	var data []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit), byte(unit>>8))
	}
	if !sdmxml.Formats()[0].Recognise("x.xml", data) {
		t.Error("not recognised")
	}
	table := readOne(t, formattest.Sample{Name: "x.xml", Data: data})
	if got := formattest.Line(table.Dataset, table.All[0]); got != "A,ä, 2014 = 1" {
		t.Error(got)
	}
}

// TestHostile reads excessive messages; they are refused or read in bounded time.
func TestHostile(t *testing.T) {
	series := func(attributes, obs string) string {
		return specificHead + "<Series FREQ='A'" + attributes + ">" + obs + "</Series></m:DataSet></m:StructureSpecificData>"
	}
	const one = "<Obs TIME_PERIOD='2014' OBS_VALUE='1'/>"
	var attributes, names, dims strings.Builder
	for i := range 1000000 {
		fmt.Fprintf(&attributes, " a%d='1'", i)
	}
	for i := range 5000 {
		fmt.Fprintf(&names, "</Series><Series FREQ='A' X%d='1'>%s", i, one)
	}
	for i := range 100 {
		fmt.Fprintf(&dims, " D%d='1'", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"10^6 attributes":     {series(attributes.String(), one), "more than 256 attributes"},
		"elements 10^5 deep":  {series("", strings.Repeat("<a>", 100000)), "more than 64 deep"},
		"a code of 3 MB":      {series(" X='"+strings.Repeat("x", 3<<20)+"'", one), "a tag, CDATA section, header or footer of more than 1048576 bytes"},
		"5000 names":          {series("", one+names.String()), "more than 4096 different attributes"},
		"100 dimensions":      {series(dims.String(), one), "has 101 dimensions; at most 64"},
		"a name of 3 MB":      {strings.Replace(series("", one), "<m:Sender", "<m:Name>"+strings.Repeat("x", 3<<20)+"</m:Name><m:Sender", 1), "header or footer of more than 1048576 bytes"},
		"3 MB between series": {series("", one+strings.Repeat("text ", 600000)), ""},
		"a comment of 3 MB":   {series("", one+"<!--"+strings.Repeat("text ", 600000)+"-->"), ""},
		"100000 data sets":    {specificHead + strings.Repeat("</m:DataSet><m:DataSet structureRef='S'>", 100000) + "</m:DataSet></m:StructureSpecificData>", "no observations"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := formattest.Read(t.Context(), sdmxml.Formats()[0], formattest.Sample{Name: "x.xml", Data: []byte(c.text)})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v; want %s", err, c.want)
			}
		})
	}
}

// TestPositions checks the line and column of observations.
func TestPositions(t *testing.T) {
	text := specificHead + "\n<Series FREQ='A'\n  ITEM='&amp;\n'><Obs TIME_PERIOD='2014' OBS_VALUE='1'/>\n  <Obs TIME_PERIOD='2015' OBS_VALUE='1'/></Series></m:DataSet></m:StructureSpecificData>"
	table := readOne(t, formattest.Sample{Name: "x.xml", Data: []byte(text)})
	if a, b := table.All[0].At, table.All[1].At; a.Line != 4 || a.Column != 3 || b.Line != 5 || b.Column != 3 {
		t.Errorf("at %v and %v", a, b)
	}
}

// TestCutAnywhere checks that incomplete messages are refused, wherever they end.
func TestCutAnywhere(t *testing.T) {
	for _, head := range []string{specificHead, genericHead} {
		data := []byte(head + "<g:Series FREQ='A'><g:SeriesKey><g:Value id='FREQ' value='A'/></g:SeriesKey><!-- x --><g:Obs TIME_PERIOD='2014' OBS_VALUE='&#49;'><g:ObsDimension value='2014'/></g:Obs></g:Series></m:DataSet>")
		data = append(data, bytes.Replace([]byte("</m:X>"), []byte("X"), []byte(rootOf(head)), 1)...)
		for size := range data {
			if _, err := formattest.Read(t.Context(), sdmxml.Formats()[0], formattest.Sample{Name: "x.xml", Data: data[:size]}); err == nil {
				t.Errorf("cut off after %q", data[:size])
			}
		}
		if _, err := formattest.Read(t.Context(), sdmxml.Formats()[0], formattest.Sample{Name: "x.xml", Data: data}); err != nil {
			t.Errorf("the whole: %v", err)
		}
	}
}

func rootOf(head string) string {
	if head == genericHead {
		return "GenericData"
	}
	return "StructureSpecificData"
}
