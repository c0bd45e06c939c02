package tidy_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/format"
	"almanac/internal/format/tidy"
	"almanac/internal/stat"
	"almanac/internal/stattest"
)

// testCase is a case of a file in testdata/cases: a title, what the caller states, a
// file, and its meaning. ␠ is a space at the end of a line, which editors would
// remove.
type testCase struct {
	title string
	in    format.Input
	head  string // the lines before the file, as they are written
	file  string
	want  string
}

// TestCases compares the meanings of the cases, whose titles are the rules.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/cases/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in testdata/cases: %v", err)
	}
	for _, path := range paths {
		var rewritten strings.Builder
		for _, c := range readCases(t, path) {
			got := meaning(c)
			fmt.Fprintf(&rewritten, "=== %s\n%s%s----\n%s\n", c.title, c.head, c.file, got)
			t.Run(filepath.Base(path)+"/"+c.title, func(t *testing.T) {
				if diff := cmp.Diff(c.want, got); diff != "" && !*stattest.Update {
					t.Errorf("the meaning differs (-want +got):\n%s", diff)
				}
			})
		}
		if *stattest.Update {
			if err := os.WriteFile(path, []byte(rewritten.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func readCases(t testing.TB, path string) []testCase {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []testCase
	for _, text := range strings.Split("\n"+string(data), "\n=== ")[1:] {
		title, rest, _ := strings.Cut(text, "\n")
		c := testCase{title: title, in: format.Input{Name: "file.tidy.csv"}}
		for strings.HasPrefix(rest, "--") && !strings.HasPrefix(rest, "----") {
			line, after, _ := strings.Cut(rest, "\n")
			c.head += line + "\n"
			name, value, _ := strings.Cut(strings.TrimPrefix(line, "--"), " ")
			switch name {
			case "name":
				c.in.Name = value
			case "code":
				c.in.Code = value
			case "geo":
				c.in.Geo = value
			case "period":
				c.in.Period = value
			case "decimal":
				c.in.Decimal = value
			default:
				t.Fatalf("%s: %q is not an option of a case", path, line)
			}
			rest = after
		}
		file, want, found := strings.Cut(rest, "----\n")
		if !found {
			t.Fatalf("%s: %q has no line ----", path, title)
		}
		c.file, c.want = file, strings.TrimRight(want, "\n")+"\n"
		cases = append(cases, c)
	}
	return cases
}

// meaning describes the file of a case: the structure, a line for each observation,
// and the report.
func meaning(c testCase) string {
	in := c.in
	in.Data = strings.NewReader(strings.ReplaceAll(c.file, "␠", " "))
	d, observations, report, err := readAll(in)
	if err != nil {
		return "error " + err.Error() + "\n"
	}
	var b strings.Builder
	line := func(text string, args ...any) { fmt.Fprintf(&b, text+"\n", args...) }
	line("dataset %s", strings.Join([]string{d.Source.ID, d.Source.Name, d.Source.URL, d.Code, d.Name}, "|"))
	for _, more := range []struct{ name, text string }{
		{"description", d.Description}, {"source_url", d.SourceURL}, {"metadata_url", d.MetadataURL},
		{"licence", d.Licence}, {"attribution", d.Attribution}, {"unit", d.Unit},
	} {
		if more.text != "" {
			line("%s %q", more.name, more.text)
		}
	}
	if !d.Updated.IsZero() {
		line("updated %s", d.Updated.Format(time.RFC3339))
	}
	for _, dim := range d.Axes() {
		line("%s %q %q total=%q", dim.Role, dim.ID, dim.Label, dim.Total)
		for _, code := range dim.Codes {
			line("  %s|%s|%s", code.ID, code.Label, code.Unit)
		}
	}
	line("geography at %d", d.GeographyAt)
	for _, o := range observations {
		line("%s", describe(d, o))
	}
	for _, p := range slices.SortedFunc(mapKeys(d.PeriodLabels), stat.Period.Compare) {
		line("period %s is %q", p, d.PeriodLabels[p])
	}
	line("read %d missing %d", report.Read, report.Missing)
	for _, n := range report.Notes() {
		line("note %s %d drops=%t %q", n.Kind, n.Count, n.Drops, n.Example)
	}
	return b.String()
}

func mapKeys[K comparable, V any](m map[K]V) func(func(K) bool) {
	return func(yield func(K) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// describe writes an observation: codes, period, value, flags, note and unit.
func describe(d *stat.Dataset, o stat.Observation) string {
	var words []string
	for i, dim := range d.Axes() {
		if dim.ID != "" {
			words = append(words, dim.Codes[o.Key[i]].ID)
		}
	}
	words = append(words, o.Period.String(), fmt.Sprint(o.Value))
	if o.Flags != "" {
		words = append(words, fmt.Sprintf("flags=%s", o.Flags))
	}
	if o.Note != "" {
		words = append(words, fmt.Sprintf("note=%q", o.Note))
	}
	if o.Unit != "" {
		words = append(words, fmt.Sprintf("unit=%q", o.Unit))
	}
	return strings.Join(words, " ") + fmt.Sprintf(" @%d:%d", o.At.Line, o.At.Column)
}

// readAll reads a file with one table to its end. It copies the keys, which
// [stat.Observation] requires.
func readAll(in format.Input) (d *stat.Dataset, observations []stat.Observation, report *stat.Report, err error) {
	for table, err := range tidy.Formats()[0].Read(context.Background(), in) {
		if err != nil {
			return nil, nil, nil, err
		}
		if d != nil {
			return nil, nil, nil, fmt.Errorf("the file has two tables")
		}
		d, report = table.Dataset, table.Report
		for o, err := range table.Observations {
			if err != nil {
				return nil, nil, nil, err
			}
			o.Key = slices.Clone(o.Key)
			observations = append(observations, o)
		}
	}
	if err := checkAccount(report, observations); err != nil {
		return nil, nil, nil, err
	}
	return d, observations, report, nil
}

// checkAccount checks that read = stored + missing + dropped.
func checkAccount(r *stat.Report, observations []stat.Observation) error {
	stored := 0
	for _, o := range observations {
		if !math.IsNaN(o.Value) {
			stored++
		}
	}
	if r.Read != stored+r.Missing+r.Dropped() {
		return fmt.Errorf("read %d is not stored %d + missing %d + dropped %d", r.Read, stored, r.Missing, r.Dropped())
	}
	return nil
}
