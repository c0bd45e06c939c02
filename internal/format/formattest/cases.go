package formattest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// Meaning is what the text of a case means: what the first of the formats that
// recognises it reads or learns, or the error that it has. The text is
//
//	--name EUROFXREF.csv
//	Date,USD,
//	2024-01-02,1.0956,
//
// with lines of -- as needed, by the names of the options of the import. In a
// case ␠ is a space at the end of a line, and ␍ a carriage return, so that
// editors leave them there; a line that ends with ⏎ goes on in the next, or is
// the last one and has no line break.
func Meaning(t *testing.T, formats []format.Format, text string) string {
	t.Helper()
	in := format.Input{Name: "file"}
	options := map[string]*string{
		"name": &in.Name, "source": &in.Source, "code": &in.Code, "geo": &in.Geo,
		"period": &in.Period, "decimal": &in.Decimal, "encoding": &in.Encoding, "mapping": &in.Mapping,
	}
	for strings.HasPrefix(text, "--") {
		line, rest, _ := strings.Cut(text, "\n")
		option, value, _ := strings.Cut(strings.TrimPrefix(line, "--"), " ")
		if options[option] == nil {
			t.Fatalf("%q is nothing that a caller can state", line)
		}
		*options[option], text = value, rest
	}
	s := Sample{Name: in.Name, Data: []byte(strings.NewReplacer("␠", " ", "␍", "\r", "⏎\n", "").Replace(text)), In: in}
	at := slices.IndexFunc(formats, s.recognisedBy)
	switch {
	case at < 0:
		return "not recognised\n"
	case formats[at].Read == nil:
		return learnedMeaning(t, formats[at], s)
	}
	tables, err := Read(t.Context(), formats[at], s)
	if err != nil {
		return "error " + err.Error() + "\n"
	}
	checkTables(t, tables)
	return Describe(tables)
}

// learnedMeaning is what a file without data is, and what can be learned from it.
func learnedMeaning(t *testing.T, f format.Format, s Sample) string {
	text := "holds " + f.Holds + "\n"
	if f.Learn == nil {
		return text
	}
	d, err := f.Learn(t.Context(), s.input(func() io.Reader { return bytes.NewReader(s.Data) }))
	if err != nil {
		return text + "error " + err.Error() + "\n"
	}
	return text + describeDictionary(d)
}

// describeDictionary writes a dictionary: its lists of codes, then its
// structures, in the order of their names.
func describeDictionary(d *stat.Dictionary) string {
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

// Describe writes tables as text: structure, then a line for each observation in
// the file's order. For comparisons and for cases.
func Describe(tables []Table) string {
	var b strings.Builder
	for _, t := range tables {
		d := t.Dataset
		fmt.Fprintf(&b, "dataset %s:%s %q", d.Source.ID, d.Code, d.Name)
		if d.Unit != "" {
			fmt.Fprintf(&b, " unit %q", d.Unit)
		}
		if !d.Updated.IsZero() {
			fmt.Fprintf(&b, " updated %s", d.Updated.Format("2006-01-02T15:04:05Z07:00"))
		}
		if t.Partial != "" {
			fmt.Fprintf(&b, " partial %q", t.Partial)
		}
		b.WriteByte('\n')
		for _, axis := range d.Axes() {
			fmt.Fprintf(&b, "%s %s %q:", axis.Role, axis.ID, axis.Label)
			if axis.Total != "" {
				fmt.Fprintf(&b, " (total %s)", axis.Total)
			}
			for _, c := range axis.Codes {
				fmt.Fprintf(&b, " %s", c.ID)
				if c.Label != "" {
					fmt.Fprintf(&b, "=%q", c.Label)
				}
				if c.Unit != "" {
					fmt.Fprintf(&b, "[%s]", c.Unit)
				}
			}
			b.WriteByte('\n')
		}
		for _, o := range t.All {
			b.WriteString(Line(d, o))
			b.WriteByte('\n')
		}
		r := t.Report
		fmt.Fprintf(&b, "read %d missing %d dropped %d\n", r.Read, r.Missing, r.Dropped())
		for _, n := range r.Notes() {
			fmt.Fprintf(&b, "note %s %d %s\n", n.Kind, n.Count, n.Example)
		}
	}
	return b.String()
}

// Line writes an observation: "B1GQ,DE 2014 = 3.5 P".
func Line(d *stat.Dataset, o stat.Observation) string {
	var b strings.Builder
	for i, axis := range d.Axes() {
		if int(o.Key[i]) < len(axis.Codes) {
			fmt.Fprintf(&b, "%s,", axis.Codes[o.Key[i]].ID)
		}
	}
	fmt.Fprintf(&b, " %s = %v", o.Period, o.Value)
	for _, text := range []string{string(o.Flags), o.Unit, o.Note} {
		if text != "" {
			fmt.Fprintf(&b, " %q", text)
		}
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
