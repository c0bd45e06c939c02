package nodata_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/format/formattest"
	"almanac/internal/format/nodata"
	"almanac/internal/stattest"
)

// TestCases compares the refusals of the cases of testdata.
func TestCases(t *testing.T) {
	stattest.Cases(t, nodata.Formats())
}

// holds returns what a file holds, by the first format that recognises it.
func holds(name string, head []byte) string {
	for _, f := range nodata.Formats() {
		if f.Recognise(name, head) {
			if f.Read != nil {
				return f.Name
			}
			return f.Holds
		}
	}
	return ""
}

// TestBinary checks that binary files are recognised by their first bytes.
func TestBinary(t *testing.T) {
	for head, want := range map[string]string{
		"%PDF-1.7\n":                "a PDF document",
		"SQLite format 3\x00":       "an SQLite database",
		"\x89PNG\r\n\x1a\n\x00\x00": "an image",
		"\xff\xd8\xff\xe0":          "an image",
		"7z\xbc\xaf\x27\x1c":        "packed in a way that is not read",
		"PK\x03\x04":                "",
		"":                          "",
		"\x00\x00\x00":              "",
	} {
		if got := holds("file.csv", []byte(head)); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q is %q; want %q", head, got, want)
		}
	}
}

// TestFAOSTATLists checks that lists are told from data by their name and headings.
func TestFAOSTATLists(t *testing.T) {
	const list = "a list of FAOSTAT's codes, which the file of the data repeats"
	for _, c := range []struct{ name, head, want string }{
		{"Population_E_AreaCodes.csv", "Area Code,M49 Code,Area\n2,'004,Afghanistan\n", list},
		{"Population_E_ItemCodes.csv", "\"Item Code\",\"CPC Code\",\"Item\"\n15,'0111,Wheat\n", list},
		{"Population_E_Elements.csv", "Element Code,Element\n5510,Production\n", list},
		{"Population_E_Flags.csv", "Flag,Description\nX,Figure from international organizations\n", list},
		{"Codes.csv", "Item Code,Item\n15,Wheat\n", ""},
		{"Population_E_Africa.csv", "Area Code,Area,Item Code,Item,Y1961\n2,Afghanistan,15,Wheat,1\n", ""},
		{"Population_E_Europe.csv", "Area Code,Area,Year Code,Year,Value\n2,Afghanistan,2001,2001,1\n", ""},
	} {
		if got := holds(c.name, []byte(c.head)); got != c.want {
			t.Errorf("%s with %q is %q; want %q", c.name, c.head, got, c.want)
		}
	}
}

// TestRealFiles checks that, of all real files, only maps and lists of countries are
// recognised.
func TestRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	want := map[string]string{".geojson": "a map", ".topojson": "a map", ".csv": "a list of countries"}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		head, err := io.ReadAll(io.LimitReader(file, 64<<10))
		if err != nil {
			return err
		}
		expected := ""
		if filepath.Base(filepath.Dir(path)) == "geo" {
			expected = want[filepath.Ext(path)]
		}
		if got := holds(entry.Name(), head); got != expected {
			t.Errorf("%s is %q; want %q", path, got, expected)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDeep checks that very deep nesting and long repetition are harmless.
func TestDeep(t *testing.T) {
	for _, text := range []string{strings.Repeat("[", 1<<17), strings.Repeat(`{"a":`, 1<<17), strings.Repeat("<a>", 1<<17), strings.Repeat("<!--", 1<<17), strings.Repeat("<?x?>", 1<<17)} {
		if got := holds("file", []byte(text)); got != "" {
			t.Errorf("%.20q… is %q", text, got)
		}
	}
	deep := "<Error>" + strings.Repeat("<a>", 1<<17)
	if _, err := formattest.Read(t.Context(), nodata.Formats()[0], formattest.Sample{Data: []byte(deep)}); err == nil || !strings.Contains(err.Error(), "nested") {
		t.Error(err)
	}
}

func FuzzXML(f *testing.F) {
	formattest.Fuzz(f, nodata.Formats()[0],
		formattest.Sample{Data: []byte(`<?xml version="1.0"?><mes:Error><mes:ErrorMessage code="100"><com:Text>No data</com:Text></mes:ErrorMessage></mes:Error>`)},
		formattest.Sample{Data: []byte(`<S:Fault><faultcode>413</faultcode><faultstring>too big &amp; more</faultstring></S:Fault>`)})
}

func FuzzJSON(f *testing.F) {
	formattest.Fuzz(f, nodata.Formats()[1],
		formattest.Sample{Data: []byte(`{"error":[{"status":400,"id":150,"label":"Error"}]}`)},
		formattest.Sample{Data: []byte(`{"type":"about:blank","title":"Not found","status":404}`)})
}
