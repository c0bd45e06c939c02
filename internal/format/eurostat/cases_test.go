package eurostat_test

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/eurostat"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// TestCases reads the small files in testdata and compares their content with the
// expected text. A file of cases has blocks like
//
//	== name of the case
//	file une_rt_a.tsv                 file name; optionally code=…, geo=…
//	geo\time⇥2020␠                   ⇥ is a tab, ␠ a space, ␍ a carriage
//	AT⇥4.5␠                          return, ␀ a zero byte, ÿ the byte FF,
//	                                  ⟨BOM⟩ a byte order mark; ¬ ends a file
//	                                  without a line end
//	----
//	its content
func TestCases(t *testing.T) { stattest.Meanings(t, meaning) }

// caseOf returns the file of a case.
func caseOf(text string) format.Input {
	first, rest, _ := strings.Cut(text, "\n")
	var in format.Input
	for i, word := range strings.Fields(first)[1:] {
		option, value, _ := strings.Cut(word, "=")
		switch {
		case i == 0:
			in.Name = word
		case option == "code":
			in.Code = value
		case option == "geo":
			in.Geo = value
		}
	}
	data := visible.Replace(rest)
	in.Data = strings.NewReader(data)
	in.Again = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }
	return in
}

// visible replaces visible characters by those for which they stand.
var visible = strings.NewReplacer("⇥", "\t", "␠", " ", "␍", "\r", "␀", "\x00", "ÿ", "\xff", "¬\n", "", "⟨BOM⟩", "\ufeff")

// meaning reads a case and describes its content.
func meaning(t *testing.T, text string) string {
	in := caseOf(text)
	if f := learning(in); f != nil {
		return describeDictionary(f.Learn(t.Context(), in))
	}
	var b strings.Builder
	for table, err := range eurostat.Formats()[0].Read(t.Context(), in) {
		if err != nil {
			return describeError(err)
		}
		var rows strings.Builder
		for o, err := range table.Observations {
			if err != nil {
				return describeError(err)
			}
			fmt.Fprintf(&rows, "%s\n", describe(table.Dataset, o))
		}
		describeDataset(&b, table.Dataset)
		b.WriteString(rows.String())
		describeReport(&b, table.Report)
	}
	return b.String()
}

func describeError(err error) string { return fmt.Sprintf("error: %v\n", err) }

func describeDataset(b *strings.Builder, d *stat.Dataset) {
	fmt.Fprintf(b, "dataset %s: %s\n", d.Code, d.Name)
	if !d.Updated.IsZero() {
		fmt.Fprintf(b, "updated %s\n", d.Updated.Format("2006-01-02T15:04:05-0700"))
	}
	for _, address := range []string{d.SourceURL, d.MetadataURL} {
		if address != "" {
			fmt.Fprintf(b, "see %s\n", address)
		}
	}
	if len(d.Undated) > 0 {
		fmt.Fprintf(b, "undated %s\n", strings.Join(d.Undated, " "))
	}
	for i, dim := range d.Axes() {
		if i == len(d.Dimensions) {
			fmt.Fprintf(b, "at %d ", d.GeographyAt)
		}
		fmt.Fprintf(b, "%s %q (%s):", dim.ID, dim.Label, dim.Role)
		for _, code := range dim.Codes {
			fmt.Fprintf(b, " %s", code.ID)
			if code.Label != "" {
				fmt.Fprintf(b, " %q", code.Label)
			}
		}
		b.WriteString("\n")
	}
}

// describe writes an observation as "A,PC,AT 2020 = 4.5 [E] @2:3".
func describe(d *stat.Dataset, o stat.Observation) string {
	value := "none"
	if !math.IsNaN(o.Value) {
		value = strconv.FormatFloat(o.Value, 'f', -1, 64)
	}
	text := fmt.Sprintf("%s %s = %s", strings.Join(ids(d, o.Key), ","), o.Period, value)
	if o.Flags != "" {
		text += fmt.Sprintf(" [%s]", o.Flags)
	}
	return text + fmt.Sprintf(" @%d:%d", o.At.Line, o.At.Column)
}

// ids returns the codes of a key in the order of the axes.
func ids(d *stat.Dataset, key []int32) []string {
	var ids []string
	for i, dim := range d.Axes() {
		if dim.ID != "" {
			ids = append(ids, dim.Codes[key[i]].ID)
		}
	}
	return ids
}

func describeReport(b *strings.Builder, r *stat.Report) {
	fmt.Fprintf(b, "read %d missing %d dropped %d\n", r.Read, r.Missing, r.Dropped())
	for _, n := range r.Notes() {
		drops := ""
		if n.Drops {
			drops = " drops"
		}
		fmt.Fprintf(b, "note %s %d%s: %s\n", n.Kind, n.Count, drops, n.Example)
	}
}
