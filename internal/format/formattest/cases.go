package formattest

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// testCase is one case of a file of cases: a title, what the caller states, a
// file, and what it means.
type testCase struct {
	title string
	in    format.Input
	head  string // the lines that state something, as they are written
	file  string
	want  string
}

// Cases reads every case in the files *.txt and compares what it means. A
// case is
//
//	=== the rule that it proves
//	--name EUROFXREF.csv
//	Date,USD,
//	2024-01-02,1.0956,
//	----
//	dataset ecb:eurofxref …
//
// with lines of -- as needed, by the names of the options of the import. It is
// read by the first of the formats that recognises it; where none does, that
// is its meaning. In a case ␠ is a space at the end of a line, and ␍ a
// carriage return, so that editors leave them there; a line that ends with ⏎
// goes on in the next, or is the last one and has no line break. Where rewrite is not nil
// the meanings are written anew instead of compared.
func Cases(t *testing.T, files fs.FS, formats []format.Format, rewrite func(name string, text []byte) error) {
	t.Helper()
	names, err := fs.Glob(files, "*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no cases (error %v)", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		var rewritten bytes.Buffer
		for _, c := range readCases(t, name, string(text)) {
			got := c.meaning(t, formats)
			fmt.Fprintf(&rewritten, "=== %s\n%s%s----\n%s\n", c.title, c.head, c.file, got)
			if rewrite != nil {
				continue
			}
			t.Run(strings.TrimSuffix(name, ".txt")+"/"+c.title, func(t *testing.T) {
				if got != c.want {
					t.Errorf("the meaning is\n%s\nand is to be\n%s", got, c.want)
				}
			})
		}
		if rewrite != nil {
			if err := rewrite(name, rewritten.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// readCases splits a file of cases.
func readCases(t testing.TB, name, text string) []testCase {
	t.Helper()
	var cases []testCase
	for _, part := range strings.Split("\n"+text, "\n=== ")[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		c := testCase{title: title, in: format.Input{Name: "file"}}
		for strings.HasPrefix(rest, "--") && !strings.HasPrefix(rest, "----") {
			line, after, _ := strings.Cut(rest, "\n")
			c.head += line + "\n"
			option, value, _ := strings.Cut(strings.TrimPrefix(line, "--"), " ")
			into := map[string]*string{
				"name": &c.in.Name, "source": &c.in.Source, "code": &c.in.Code, "geo": &c.in.Geo,
				"period": &c.in.Period, "decimal": &c.in.Decimal, "encoding": &c.in.Encoding, "mapping": &c.in.Mapping,
			}[option]
			if into == nil {
				t.Fatalf("%s: %q is nothing that a caller can state", name, line)
			}
			*into, rest = value, after
		}
		file, want, found := strings.Cut("\n"+rest, "\n----\n")
		if !found {
			t.Fatalf("%s: the case %q has no line ----", name, title)
		}
		c.file, c.want = strings.TrimPrefix(file+"\n", "\n"), strings.TrimRight(want, "\n")+"\n"
		cases = append(cases, c)
	}
	return cases
}

// Seeds are the files of the cases in the files *.txt, to begin fuzzing with.
func Seeds(t testing.TB, files fs.FS) (seeds []Sample) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no cases (error %v)", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range readCases(t, name, string(text)) {
			seeds = append(seeds, Sample{Name: c.in.Name, Data: c.data()})
		}
	}
	return seeds
}

// data are the bytes of a case's file.
func (c testCase) data() []byte {
	return []byte(strings.NewReplacer("␠", " ", "␍", "\r", "⏎\n", "").Replace(c.file))
}

// meaning is what a case's file says, or the error that it has.
func (c testCase) meaning(t *testing.T, formats []format.Format) string {
	data := c.data()
	for _, f := range formats {
		if !f.Recognise(c.in.Name, data[:min(len(data), 64<<10)]) {
			continue
		}
		if f.Read == nil {
			return c.taught(t, f, data)
		}
		tables, err := Read(t.Context(), f, Sample{Name: c.in.Name, Data: data, In: c.in})
		if err != nil {
			return "error " + err.Error() + "\n"
		}
		for _, table := range tables {
			if problem := Problem(table); problem != "" {
				t.Errorf("%s: %s", c.title, problem)
			}
		}
		return Describe(tables)
	}
	return "not recognised\n"
}

// taught is what a file without data is, and what it teaches.
func (c testCase) taught(t *testing.T, f format.Format, data []byte) string {
	text := "holds " + f.Holds + "\n"
	if f.Learn == nil {
		return text
	}
	in := c.in
	in.Data = bytes.NewReader(data)
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	d, err := f.Learn(t.Context(), in)
	if err != nil {
		return text + "error " + err.Error() + "\n"
	}
	return text + DescribeDictionary(d)
}

// DescribeDictionary writes what a dictionary says: its lists of codes, then
// its structures, in the order of their names.
func DescribeDictionary(d *stat.Dictionary) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(d.Lists)) {
		fmt.Fprintf(&b, "%s list %s:", d.Source, name)
		for _, c := range d.Lists[name].Codes {
			fmt.Fprintf(&b, " %s=%q", c.ID, c.Label)
			if c.Unit != "" {
				fmt.Fprintf(&b, "[%s]", c.Unit)
			}
		}
		b.WriteByte('\n')
	}
	for _, name := range slices.Sorted(maps.Keys(d.Structures)) {
		s := d.Structures[name]
		fmt.Fprintf(&b, "%s structure %s %q", d.Source, s.ID, s.Title)
		for _, c := range s.Dimensions {
			fmt.Fprintf(&b, " %s=%q", c.ID, c.Label)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// SameLines compares the observations of a table with lines as [Line] writes
// them, in the file's order: those of an independent reader of a real file.
func SameLines(t *testing.T, table Table, want []string) {
	t.Helper()
	if len(table.All) != len(want) {
		t.Errorf("%d observations; the independent reader has %d", len(table.All), len(want))
	}
	wrong := 0
	for i, o := range table.All[:min(len(table.All), len(want))] {
		if got := Line(table.Dataset, o); got != want[i] {
			t.Errorf("line %d:\n  got  %s\n  want %s", o.At.Line, got, want[i])
			if wrong++; wrong == 5 {
				t.Fatal("and maybe more")
			}
		}
	}
}
