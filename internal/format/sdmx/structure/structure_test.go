package structure_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
	"almanac/internal/format/sdmx"
	"almanac/internal/format/sdmx/structure"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// learn reads a message with the format that recognises it.
func learn(name string, data []byte, source string) (*stat.Dictionary, error) {
	for _, f := range structure.Formats() {
		if f.Recognise(name, data[:min(len(data), 64<<10)]) {
			return learnWith(f, name, data, source)
		}
	}
	return nil, errors.New("not recognised")
}

func learnWith(f format.Format, name string, data []byte, source string) (*stat.Dictionary, error) {
	again := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	return f.Learn(context.Background(), format.Input{Name: name, Data: bytes.NewReader(data), Again: again, Source: source})
}

// TestCases reads the messages in testdata and compares the dictionaries with the
// expected ones. A case is a line "== name", the message, a line of hyphens, and the
// expected text, which -update writes.
func TestCases(t *testing.T) {
	stattest.Meanings(t, func(_ *testing.T, text string) string { return describe(learn("file", []byte(text), "")) })
}

// describe returns a dictionary as text.
func describe(d *stat.Dictionary, err error) string {
	if err != nil {
		return fmt.Sprintf("error: %v\n", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "dictionary of %s", d.Source)
	if !d.Prepared.IsZero() {
		fmt.Fprintf(&b, " as of %s", d.Prepared.Format(time.RFC3339))
	}
	b.WriteString("\n")
	for _, name := range slices.Sorted(maps.Keys(d.Lists)) {
		l := d.Lists[name]
		fmt.Fprintf(&b, "list %s = %s version %s", name, l.Name, l.Version)
		if l.Partial {
			b.WriteString(" partial")
		}
		for _, c := range l.Codes {
			fmt.Fprintf(&b, " %s=%q", c.ID, c.Label)
		}
		for _, language := range slices.Sorted(maps.Keys(l.Translations)) {
			for _, code := range slices.Sorted(maps.Keys(l.Translations[language])) {
				fmt.Fprintf(&b, " %s[%s]=%q", code, language, l.Translations[language][code])
			}
		}
		b.WriteString("\n")
	}
	for _, name := range slices.Sorted(maps.Keys(d.Concepts)) {
		fmt.Fprintf(&b, "concept %s %q\n", name, d.Concepts[name])
	}
	for _, name := range slices.Sorted(maps.Keys(d.Structures)) {
		s := d.Structures[name]
		for _, language := range slices.Sorted(maps.Keys(s.Titles)) {
			fmt.Fprintf(&b, "title of %s[%s] %q\n", name, language, s.Titles[language])
		}
		fmt.Fprintf(&b, "structure %s = %s %q uses %q time %q measure %q\n", name, s.ID, s.Title, s.Uses, s.Time, s.Measure)
		for _, c := range s.Dimensions {
			fmt.Fprintf(&b, "  dimension %s %q %s %s\n", c.ID, c.Label, c.List, c.Role)
		}
		for _, c := range s.Attributes {
			fmt.Fprintf(&b, "  attribute %s %q %s %s\n", c.ID, c.Label, c.List, c.Role)
		}
	}
	return b.String()
}

// realFiles are the offices' structure messages, with the numbers of codes and lists
// in the manifest.
var realFiles = []struct {
	file, office string
	codes, lists int
}{
	{"ecb/ecb-datastructure-2.1.xml", "ecb", 1682, 11},
	{"eurostat/sdmx-ml/NRG_BAL_S-dsd.xml", "eurostat", 198, 6},
	{"eurostat/sdmx-ml/nama_10_fcs.sdmx.zip/nama_10_fcs.dsd.xml", "eurostat", 83, 6},
	{"ilo/CL_ECO-parentsandsiblings.xml.gz", "ilo", 2866, 46},
	{"imf/imf-dot-datastructure-2.0.xml", "imf", 616, 7},
	{"insee/insee-datastructure-2.1.xml", "insee", 62, 3},
	{"istat/47_850-dsd.xml", "istat", 0, 0},
	{"oecd/oecd-mei-datastructure-2.0.xml", "oecd", 2777, 10},
	{"statcan/34100158.zip/34100158_Structure.xml", "statcan", 55, 8},
	{"unicef/codelist_CL_COUNTRY.xml", "unicef", 454, 1},
}

// unpacked reads a file, or a member of a zip archive.
func unpacked(t testing.TB, file string) []byte {
	t.Helper()
	archive, member, isMember := strings.Cut(file, ".zip/")
	if isMember {
		file = archive + ".zip"
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r io.Reader = bytes.NewReader(data)
	if isMember {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		if r, err = z.Open(member); err != nil {
			t.Fatal(err)
		}
	} else if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	data, err = io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// node is an element in the tree of a file.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (n *node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// find returns all elements with one of some names.
func (n *node) find(names ...string) []*node {
	var found []*node
	for i := range n.Children {
		c := &n.Children[i]
		if slices.Contains(names, c.XMLName.Local) {
			found = append(found, c)
		}
		found = append(found, c.find(names...)...)
	}
	return found
}

// name returns the English text of the children with a name, else the first.
func (n *node) name(element string) string {
	label := ""
	for _, c := range n.Children {
		if c.XMLName.Local != element {
			continue
		}
		if text := strings.Join(strings.Fields(c.Text), " "); c.attr("lang") == "en" {
			return text
		} else if label == "" {
			label = text
		}
	}
	return label
}

// TestRealFiles compares all codes, labels and dimensions of the offices' structure
// messages with a tree of the file, and their numbers with the manifest.
func TestRealFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, f := range realFiles {
		t.Run(f.file, func(t *testing.T) {
			data := unpacked(t, filepath.Join(dir, f.file))
			d, err := learn(filepath.Base(f.file), data, "")
			if err != nil {
				t.Fatal(err)
			}
			var tree node
			if err := xml.Unmarshal(data, &tree); err != nil {
				t.Fatal(err)
			}
			codes := 0
			for _, list := range tree.find("Codelist", "CodeList") {
				got := d.Lists[stat.ListName(list.attr("id"))]
				if got == nil {
					t.Fatalf("no list %s", list.attr("id"))
				}
				at := 0
				for _, code := range list.Children {
					if code.XMLName.Local != "Code" {
						continue
					}
					id, label := code.attr("id")+code.attr("value"), code.name("Name")
					if label == "" {
						label = code.name("Description")
					}
					if c := got.Codes[at]; c.ID != id || c.Label != label {
						t.Fatalf("%s: code %d is %+v; want %s %q", got.Name, at, c, id, label)
					}
					at++
				}
				if codes += at; at != len(got.Codes) {
					t.Errorf("%s: %d codes, want %d", got.Name, len(got.Codes), at)
				}
			}
			if codes != f.codes || len(d.Lists) != f.lists || d.Source != f.office {
				t.Errorf("%d codes in %d lists of %q; the manifest counts %d in %d of %s", codes, len(d.Lists), d.Source, f.codes, f.lists, f.office)
			}
			compareStructures(t, d, &tree)
		})
	}
}

// compareStructures compares the dimensions of the structures in a tree.
func compareStructures(t *testing.T, d *stat.Dictionary, tree *node) {
	for _, structure := range tree.find("DataStructure", "KeyFamily") {
		dims := structure.find("Dimension")
		if len(structure.find("DimensionList", "Components")) == 0 {
			continue // only a reference
		}
		got := d.Structure(structure.attr("id"))
		if got == nil {
			t.Fatalf("no structure %s", structure.attr("id"))
		}
		var want []string
		for _, dim := range dims {
			if name := dim.attr("id") + dim.attr("conceptRef"); name == "" || sdmx.IsScale(d.Source, name) {
				continue
			}
			list := dim.attr("codelist")
			for _, e := range dim.find("Enumeration") {
				for _, ref := range e.find("Ref") {
					list = ref.attr("id")
				}
			}
			if len(dim.Children) > 0 || dim.attr("conceptRef") != "" { // else a reference of a group
				want = append(want, dim.attr("id")+dim.attr("conceptRef")+"="+list)
			}
		}
		var have []string
		for _, c := range got.Dimensions {
			have = append(have, c.ID+"="+c.List)
		}
		if !slices.Equal(have, want) || got.Time == "" || got.Measure == "" {
			t.Errorf("%s: dimensions %q, time %q, measure %q; want %q", got.ID, have, got.Time, got.Measure, want)
		}
	}
}

// TestRealMeaning checks English names, roles and dataflows.
func TestRealMeaning(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, c := range []struct{ file, dataset, title, geography, frequency string }{
		{"ecb/ecb-datastructure-2.1.xml", "EXR", "Exchange Rates", "", "FREQ"},
		{"eurostat/sdmx-ml/nama_10_fcs.sdmx.zip/nama_10_fcs.dsd.xml", "nama_10_fcs", "", "geo", "FREQ"},
		{"insee/insee-datastructure-2.1.xml", "IPI-2010-A21", "Industrial production index (base 2010) - NAF level A21", "", "FREQ"},
		{"istat/47_850-dsd.xml", "47_850", "Socio-educational services for infancy day-care", "REF_AREA", "FREQ"},
		{"oecd/oecd-mei-datastructure-2.0.xml", "mei", "Main Economic Indicators Publication", "LOCATION", "FREQUENCY"},
	} {
		d, err := learn("x.xml", unpacked(t, filepath.Join(dir, c.file)), "")
		if err != nil {
			t.Fatal(err)
		}
		s := d.Structure(c.dataset)
		if s == nil || s.Title != c.title {
			t.Fatalf("%s: structure %+v; want the title %q", c.file, s, c.title)
		}
		roles := map[stat.Role]string{}
		for _, dim := range s.Dimensions {
			roles[dim.Role] += dim.ID
		}
		if roles[stat.RoleGeo] != c.geography || roles[stat.RoleFrequency] != c.frequency {
			t.Errorf("%s: roles %v; want geography %q, frequency %q", c.file, roles, c.geography, c.frequency)
		}
	}
}

// TestCutOff checks that incomplete messages are errors with a position.
func TestCutOff(t *testing.T) {
	dir := stattest.DataDir(t)
	for _, f := range realFiles {
		data := unpacked(t, filepath.Join(dir, f.file))
		step := max(1024, len(data)/20)
		for size := step; size < len(bytes.TrimSpace(data)); size += step {
			_, err := learnWith(structure.Formats()[0], "x.xml", data[:size], "")
			var at *stat.FileError
			if !errors.As(err, &at) || at.At.Line < 1 {
				t.Errorf("%s cut off after %d bytes: %v", f.file, size, err)
			}
		}
	}
}

// TestBreaks checks that messages that can be unpacked only in part are refused with
// the line at which they end.
func TestBreaks(t *testing.T) {
	for i, data := range []string{
		"<Structure xmlns=\"http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message\">\n<Header/>\n</Structure>\n",
		"{\"data\": {\n\"codelists\": [\n]}}\n",
	} {
		formattest.CheckReadErrors(t, structure.Formats()[i], formattest.Sample{Name: "file", Data: []byte(data)})
	}
}

// TestOtherFiles checks that no other file of the offices is recognised.
// The code lists of a key may be those of the concepts, and positions may begin with 0.
func TestKeyOfConcepts(t *testing.T) {
	const message = `<Structure><Structures><Codelists>
<Codelist id="CL_AREA"><Code id="US"/><Code id="JP"/></Codelist><Codelist id="CL_FREQ"><Code id="A"/><Code id="M"/></Codelist></Codelists>
<Concepts><ConceptScheme id="CS"><Concept id="COUNTRY"><CoreRepresentation><Enumeration><Ref id="CL_AREA"/></Enumeration></CoreRepresentation></Concept>
<Concept id="FREQUENCY"><CoreRepresentation><Enumeration><Ref id="CL_FREQ"/></Enumeration></CoreRepresentation></Concept></ConceptScheme></Concepts>
<DataStructures><DataStructure id="DSD_WEO"><DataStructureComponents><DimensionList>
<Dimension id="FREQUENCY" position="1"><ConceptIdentity><Ref id="FREQUENCY" maintainableParentID="CS"/></ConceptIdentity></Dimension>
<Dimension id="COUNTRY" position="0"><ConceptIdentity><Ref id="COUNTRY" maintainableParentID="CS"/></ConceptIdentity></Dimension>
<TimeDimension id="TIME_PERIOD" position="2"/></DimensionList></DataStructureComponents></DataStructure></DataStructures></Structures></Structure>`
	key, err := structure.ReadKey(strings.NewReader(message), "WEO")
	got := fmt.Sprint(key, err)
	if want := "{[{COUNTRY [US JP]} {FREQUENCY [A M]}] true} <nil>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOtherFiles(t *testing.T) {
	dir := stattest.DataDir(t)
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".gz") {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		head, err := io.ReadAll(io.LimitReader(file, 64<<10))
		below, _ := filepath.Rel(dir, path)
		for _, f := range structure.Formats() {
			known := slices.ContainsFunc(realFiles, func(r struct {
				file, office string
				codes, lists int
			}) bool {
				return r.file == filepath.ToSlash(below)
			})
			if got := f.Recognise(filepath.Base(path), head); got != (known && f.Name == "sdmx-structure") {
				t.Errorf("%s: %s says %v", below, f.Name, got)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHostile checks that excessive nesting and attributes, and documents of other
// kinds, are errors. It would not end if the time grew with the square of the length.
func TestHostile(t *testing.T) {
	start := `<Structure xmlns="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><Structures>`
	for what, text := range map[string]string{
		"nested":      start + strings.Repeat("<Codelists>", 100_000),
		"nested name": start + `<Codelists><Codelist id="A"><Code id="a">` + strings.Repeat("<Name>", 100_000),
		"attributes":  start + `<Codelists><Codelist id="A" ` + strings.Repeat(`a="b" `, 1_000_000),
		"DOCTYPE":     `<!DOCTYPE a [<!ENTITY b "c">]>` + start + `</Structures></Structure>`,
		"entity":      start + `<Codelists><Codelist id="A"><Code id="&b;"/></Codelist></Codelists></Structures></Structure>`,
		"two roots":   start + `</Structures></Structure><Structure/>`,
	} {
		_, err := learnWith(structure.Formats()[0], "x.xml", []byte(text), "ECB")
		if stat.KindOf(err) != stat.Refused {
			t.Errorf("%s: %v", what, err)
		}
	}
	deep := `{"data":{"codelists":` + strings.Repeat("[", 100_000)
	if _, err := learnWith(structure.Formats()[1], "x.json", []byte(deep), "ECB"); stat.KindOf(err) != stat.Refused {
		t.Errorf("nested JSON: %v", err)
	}
}

// FuzzLearn checks that reading ends without a panic, and that errors are about the
// file.
func FuzzLearn(f *testing.F) {
	for _, text := range stattest.Texts(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range structure.Formats() {
			format.Recognise("x", data)
			if _, err := learnWith(format, "x", data, "ECB"); err != nil && stat.KindOf(err) != stat.Refused {
				t.Errorf("%s: %v is no error of the file", format.Name, err)
			}
		}
	})
}
