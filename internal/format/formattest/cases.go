package formattest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/format"
	"almanac/internal/stat"
)

// Meaning returns what the first format that recognises a text reads or learns from
// it, or its error. The text is
//
//	--name EUROFXREF.csv
//	Date,USD,
//	2024-01-02,1.0956,
//
// The lines that begin with -- are optional; they have the names of the options of
// an import. ␠ is a space at the end of a line and ␍ a carriage return, so that
// editors keep them. A line that ends with ⏎ continues in the next one; the last
// line with ⏎ has no line break.
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
			t.Fatalf("unknown option in the line %q", line)
		}
		*options[option], text = value, rest
	}
	s := Sample{Name: in.Name, Data: []byte(strings.NewReplacer("␠", " ", "␍", "\r", "⏎\n", "").Replace(text)), In: in}
	at := slices.IndexFunc(formats, s.recognisedBy)
	if at < 0 {
		return "not recognised\n"
	}
	f := formats[at]
	if f.Read != nil {
		tables, err := Read(t.Context(), f, s)
		if err != nil {
			return "error " + err.Error() + "\n" + describeSuggestions(err)
		}
		checkTables(t, tables)
		return Describe(tables)
	}
	holds := "holds " + f.Holds + "\n"
	if f.Learn == nil {
		return holds
	}
	d, err := f.Learn(t.Context(), s.input(func() io.Reader { return bytes.NewReader(s.Data) }))
	if err != nil {
		return holds + "error " + err.Error() + "\n"
	}
	return holds + describeDictionary(d)
}

// describeSuggestions writes what a refusal suggests to state.
func describeSuggestions(err error) (text string) {
	for _, s := range stat.SuggestionsOf(err) {
		text += "suggest " + strings.TrimSpace(s.Option+" "+s.Value) + "\n"
	}
	return text
}

// describeDictionary writes a dictionary: its lists of codes, then its
// structures, in the order of their names.
func describeDictionary(d *stat.Dictionary) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(d.Lists)) {
		fmt.Fprintf(&b, "%s list %s:", d.Source, name)
		for _, c := range d.Lists[name].Codes {
			fmt.Fprintf(&b, " %s=%q%s", c.ID, c.Label, optional("[%s]", c.Unit))
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

// optional formats a text unless it is empty.
func optional(format, text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(format, text)
}

// Describe writes tables as text: structure, then a line for each observation in
// the file's order, and the report.
func Describe(tables []Table) string {
	var b strings.Builder
	for _, t := range tables {
		d, r, updated := t.Dataset, t.Report, ""
		if !d.Updated.IsZero() {
			updated = " updated " + d.Updated.Format(time.RFC3339)
		}
		if !d.NextUpdate.IsZero() {
			updated += " next update " + d.NextUpdate.Format(time.RFC3339)
		}
		fmt.Fprintf(&b, "dataset %s:%s %q%s%s%s\n", d.Source.ID, d.Code, d.Name, optional(" unit %q", d.Unit), updated, optional(" partial %q", t.Partial))
		for _, axis := range d.Axes() {
			fmt.Fprintf(&b, "%s %s %q:%s", axis.Role, axis.ID, axis.Label, optional(" (total %s)", axis.Total))
			for _, c := range axis.Codes {
				fmt.Fprintf(&b, " %s%s%s", c.ID, optional("=%q", c.Label), optional("[%s]", c.Unit))
			}
			b.WriteByte('\n')
		}
		for _, o := range t.All {
			b.WriteString(Line(d, o) + "\n")
		}
		fmt.Fprintf(&b, "read %d missing %d dropped %d\n", r.Read, r.Missing, r.Dropped())
		for _, n := range r.Notes() {
			fmt.Fprintf(&b, "note %s %d %s\n", n.Kind, n.Count, n.Example)
		}
	}
	return b.String()
}

// Line writes an observation: "B1GQ,DE 2014 = 3.5 P".
func Line(d *stat.Dataset, o stat.Observation) string {
	key := ""
	for i, axis := range d.Axes() {
		if int(o.Key[i]) < len(axis.Codes) {
			key += axis.Codes[o.Key[i]].ID + ","
		}
	}
	return fmt.Sprintf("%s %s = %v%s%s%s", key, o.Period, o.Value, optional(" %q", string(o.Flags)), optional(" %q", o.Unit), optional(" %q", o.Note))
}

// SameLines compares the observations of a table with lines as [Line] writes
// them, in the file's order. An independent reader of a real file wrote them.
func SameLines(t *testing.T, table Table, want []string) {
	t.Helper()
	if len(table.All) != len(want) {
		t.Errorf("%d observations; the independent reader has %d", len(table.All), len(want))
	}
	for i, o := range table.All[:min(len(table.All), len(want))] {
		if got := Line(table.Dataset, o); got != want[i] {
			t.Fatalf("line %d:\n  got  %s\n  want %s", o.At.Line, got, want[i])
		}
	}
}
