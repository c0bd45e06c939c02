package eurostat_test

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// learning returns the format of dictionaries or contents that recognises a file.
func learning(in format.Input) *format.Format {
	data, err := in.Again()
	if err != nil {
		return nil
	}
	defer data.Close()
	head, _ := io.ReadAll(io.LimitReader(data, 64<<10))
	for _, f := range eurostat.Formats() {
		if f.Learn != nil && f.Recognise(in.Name, head) {
			return &f
		}
	}
	return nil
}

// describeDictionary writes the content of a dictionary.
func describeDictionary(d *stat.Dictionary, err error) string {
	var b strings.Builder
	if d != nil {
		fmt.Fprintf(&b, "dictionary of %s", d.Source)
		if !d.Prepared.IsZero() {
			fmt.Fprintf(&b, " as of %s", d.Prepared.Format(time.RFC3339))
		}
		b.WriteString("\n")
		for _, name := range slices.Sorted(maps.Keys(d.Lists)) {
			l := d.Lists[name]
			fmt.Fprintf(&b, "list %s = %s version %s %s:", name, l.Name, l.Version, l.Encoding)
			for _, c := range l.Codes {
				fmt.Fprintf(&b, " %s %q", c.ID, c.Label)
			}
			for _, language := range slices.Sorted(maps.Keys(l.Translations)) {
				for _, c := range l.Codes {
					fmt.Fprintf(&b, " %s %s %q", language, c.ID, l.Translations[language][c.ID])
				}
			}
			b.WriteString("\n")
		}
		for _, name := range slices.Sorted(maps.Keys(d.Concepts)) {
			fmt.Fprintf(&b, "dimension %s %q\n", name, d.Concepts[name])
		}
		for _, name := range slices.Sorted(maps.Keys(d.ConceptTexts)) {
			fmt.Fprintf(&b, "dimension %s %v\n", name, d.ConceptTexts[name])
		}
		for _, name := range slices.Sorted(maps.Keys(d.Structures)) {
			s := d.Structures[name]
			fmt.Fprintf(&b, "dataset %s = %s %q", name, s.ID, s.Title)
			if s.Titles != nil {
				fmt.Fprintf(&b, " %v", s.Titles)
			}
			if !s.Listed.IsZero() {
				fmt.Fprintf(&b, " listed %s", s.Listed.Format("2006-01-02T15:04:05-0700"))
			}
			fmt.Fprintf(&b, " %s %s\n", s.SourceURL, s.MetadataURL)
		}
	}
	if err != nil {
		b.WriteString(describeError(err))
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// learnFile reads a dictionary or a table of contents of the office.
func learnFile(t testing.TB, file string) *stat.Dictionary {
	name, text := unpacked(t, file)
	in := format.Input{Name: name, Data: strings.NewReader(string(text))}
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(text))), nil }
	f := learning(in)
	if f == nil {
		t.Fatalf("%s is not recognised", name)
	}
	d, err := f.Learn(context.Background(), in)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return d
}

// TestOfficeDictionaries: each dictionary of the office has as many codes as the manifest
// counts, with the labels that a small reader finds.
func TestOfficeDictionaries(t *testing.T) {
	dir := stattest.DataDir(t)
	counts := dictionaryCounts(t, dir)
	for file, count := range counts {
		d := learnFile(t, filepath.Join(dir, file))
		found := map[string]string{}
		for _, l := range d.Lists {
			for _, c := range l.Codes {
				found[c.ID] = c.Label
			}
		}
		for id, label := range d.Concepts {
			found[strings.ToUpper(id)] = label
		}
		for _, s := range d.Structures {
			found[s.ID] = s.Title
		}
		_, text := unpacked(t, filepath.Join(dir, file))
		want := map[string]string{}
		for _, line := range strings.Split(string(text), "\n") {
			id, label, ok := strings.Cut(strings.TrimSuffix(line, "\r"), "\t")
			if ok {
				count--
			}
			if label = smallLabel(label); label != "" {
				want[strings.TrimSpace(id)] = label
			}
		}
		if count != 0 || !maps.Equal(found, want) {
			t.Errorf("%s: %d codes with a label; want %d, and the manifest counts %d more lines", file, len(found), len(want), count)
			for id, label := range want {
				if found[id] != label {
					t.Errorf("%s: %q is %q, want %q", file, id, found[id], label)
					break
				}
			}
		}
	}
}

// dictionaryCounts returns the number of codes in each dictionary of the manifest.
func dictionaryCounts(t *testing.T, dir string) map[string]int {
	_, manifest := unpacked(t, filepath.Join(dir, "MANIFEST.md"))
	counts := map[string]int{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(eurostat/(?:dic|codelist)/[^`]+)` .*? (\\d+) codes ").FindAllStringSubmatch(string(manifest), -1) {
		counts[m[1]], _ = strconv.Atoi(m[2])
	}
	if len(counts) < 11 {
		t.Fatalf("%d dictionaries in the manifest; there are 11", len(counts))
	}
	return counts
}

// smallLabel decodes a label, 8-bit if it is not UTF-8, and makes its white space single
// spaces.
func smallLabel(label string) string {
	if strings.ToValidUTF8(label, "") != label {
		var b strings.Builder
		for _, c := range []byte(label) {
			if special, ok := map[byte]rune{0x80: '€', 0x85: '…', 0x8a: 'Š', 0x91: '‘', 0x92: '’', 0x93: '“', 0x94: '”', 0x95: '•', 0x96: '–', 0x97: '—', 0x9a: 'š', 0x9e: 'ž'}[c]; ok {
				b.WriteRune(special)
			} else {
				b.WriteRune(rune(c))
			}
		}
		label = b.String()
	}
	return strings.Join(strings.Fields(label), " ")
}

// TestOfficeContents: the datasets of the tables of contents are those that a
// small reader finds.
func TestOfficeContents(t *testing.T) {
	dir := filepath.Join(stattest.DataDir(t), "eurostat/toc")
	_, text := unpacked(t, filepath.Join(dir, "table_of_contents_en.txt"))
	want := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^"( *.*?) *"\t"([^"]*)"\t"(?:dataset|table)"`).FindAllStringSubmatch(string(text), -1) {
		want[strings.ToLower(m[2])] = strings.Join(strings.Fields(strings.ReplaceAll(m[1], `""`, `"`)), " ")
	}
	got := map[string]string{}
	for code, s := range learnFile(t, filepath.Join(dir, "table_of_contents_en.txt")).Structures {
		got[code] = s.Title
		if s.Listed.IsZero() {
			t.Errorf("%s: the time of update is not read", code)
		}
	}
	if len(want) < 5000 || !maps.Equal(got, want) {
		t.Errorf("%d datasets, want %d", len(got), len(want))
	}
	_, text = unpacked(t, filepath.Join(dir, "table_of_contents.xml"))
	codes := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?s)<[a-z:]*leaf [^>]*>.*?<[a-z:]*code>([^<]+)<`).FindAllStringSubmatch(string(text), -1) {
		codes[strings.ToLower(m[1])] = true
	}
	old := learnFile(t, filepath.Join(dir, "table_of_contents.xml")).Structures
	if len(codes) == 0 || len(old) != len(codes) || old["nama_10_gdp"].MetadataURL == "" {
		t.Errorf("%d datasets in XML, want %d, and addresses of metadata", len(old), len(codes))
	}
}

// FuzzLearn: whatever the bytes are, reading dictionaries and contents does not panic, and
// errors have a position in the file.
func FuzzLearn(f *testing.F) {
	for _, seed := range []string{
		"PC\tPer cent\r\n", "A\tß\n\nB C\n\t\n", "\xff\xfe",
		"\"title\"\t\"code\"\t\"type\"\t\"last update of data\"\n\"x\"\t\"y\"\t\"dataset\"\t\"14.07.2023\"\n",
		`<nt:tree xmlns:nt="urn:eu.europa.ec.eurostat.navtree"><nt:leaf><nt:title language="en">X</nt:title><nt:code>x</nt:code></nt:leaf></nt:tree>`,
	} {
		f.Add("unit.dic", []byte(seed))
		f.Add("table_of_contents", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		for _, format := range eurostat.Formats()[1:3] {
			in := inputOf(name, data)
			format.Recognise(name, data)
			if _, err := format.Learn(t.Context(), in); err != nil && stat.KindOf(err) != stat.Refused {
				t.Errorf("%s: %v is not an error about the file", format.Name, err)
			}
		}
	})
}

func inputOf(name string, data []byte) format.Input {
	again := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(string(data))), nil }
	return format.Input{Name: name, Data: iotest.HalfReader(strings.NewReader(string(data))), Again: again}
}
