package importer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"almanac/internal/importer"
	"almanac/internal/stattest"
)

// holdsNoData lists the files without data, and what they are.
var holdsNoData = []struct{ file, reason string }{
	{"eurostat/codelist/*", "a dictionary of codes"},
	{"eurostat/dic/*", "a dictionary of codes"},
	{"eurostat/toc/*", "a table of contents"},
	{"*/*datastructure*", "a structure message"},
	{"*/*/*-dsd.xml", "a structure message"},
	{"*/*-dsd.xml", "a structure message"},
	{"ilo/CL_ECO*", "a structure message"},
	{"unicef/codelist*", "a structure message"},
	{"geo/*json", "a map"},
	{"geo/*.csv", "list of (countries|areas)"},
	{"worldbank/*/WDICountry.csv", "a list of countries"},
	{"worldbank/*/countries.json", "a list of countries"},
	{"jsonstat/collection.json", "links"},
	{"jsonstat/hierarchy.json", "--period|no value"},
	{"jsonstat/order.json", "state the period"},
	{"jsonstat/pxapi2-dataset-meta-scb.json", "no value"},
	{"sdmx-twg/csv-2.0-example-*.csv", "no geography: .*--country"},
	{"oecd/PART2-sdmx-json-1.0.json", "state the period"},
	{"px/ine/14001.px", "state the period"},
	{"px/scb/10variabler.px", "state the period"},
}

// whyRefused returns a pattern for the reason of a refusal, or "" if the file must be
// imported.
func whyRefused(file string) string {
	for _, r := range holdsNoData {
		if ok, _ := filepath.Match(r.file, file); ok {
			return r.reason
		}
	}
	return ""
}

// Every file of the offices is either imported without flags or refused with the right
// reason. Every cell is accounted for, and importing the file again changes nothing. Files
// are imported with the structures beside them. The table in docs/formats.md lists the
// outcomes.
func TestEveryFile(t *testing.T) {
	files := realFiles(t)
	rows := map[string]string{}
	for _, f := range files {
		t.Run(f.name, func(t *testing.T) { rows[f.name] = f.check(t) })
	}
	stattest.SkipUnderRace(t) // the table has the large files too
	if !t.Failed() && len(rows) < 129 {
		t.Errorf("%d files, want 129", len(rows))
	}
	checkTable(t, rows)
}

// check checks the outcomes of a file and returns its lines of the table.
func (f *realFile) check(t *testing.T) string {
	t.Helper()
	file, inspected, first, again := f.name, f.inspected, f.first, f.again
	if reason := whyRefused(file); reason != "" {
		if len(first) != 1 || first[0].Status != importer.Refused || !regexp.MustCompile(reason).MatchString(first[0].Error) {
			t.Errorf("%s: %+v, want status refused with the reason %q", file, first, reason)
		}
		return row(file, inspected)
	}
	if len(first) == 0 || len(first) != len(inspected) || len(first) != len(again) {
		t.Errorf("%s: inspected %d datasets, imported %d, then %d", file, len(inspected), len(first), len(again))
		return row(file, inspected)
	}
	for i := range first {
		checkOutcome(t, file, inspected[i], first[i], again[i])
	}
	return row(file, inspected)
}

func checkOutcome(t *testing.T, file string, seen importer.Inspection, first, again importer.Outcome) {
	t.Helper()
	if first.Status == importer.Refused {
		t.Errorf("%s: refused: %s", file, first.Error)
		return
	}
	if n := first.Observations; n.Read != n.Stored+n.Missing+n.Dropped || n.Read == 0 || n != seen.Counts {
		t.Errorf("%s: imported %+v, inspected %+v: not every cell is accounted for", file, n, seen.Counts)
	}
	if again.Status != importer.Unchanged || again.Version != first.Version || again.Observations != first.Observations {
		t.Errorf("%s: the second import: %+v; the first: %+v", file, again, first)
	}
	if seen.Source == "" || seen.Code == "" || seen.Name == "" {
		t.Errorf("%s: source %q, code %q, name %q", file, seen.Source, seen.Code, seen.Name)
	}
}

// row returns the lines of the table for a file, one for each dataset.
func row(file string, inspected []importer.Inspection) string {
	var lines []string
	for _, i := range inspected {
		if i.Error != "" {
			_, reason, _ := strings.Cut(i.Error, ": ")
			lines = append(lines, fmt.Sprintf("| `%s` | %s | refused: %s | | | | | |\n", file, i.Format, strings.ReplaceAll(reason, "|", "\\|")))
			continue
		}
		var dims, flags, notes []string
		for _, d := range i.Dimensions {
			dims = append(dims, fmt.Sprintf("%s %d", d.ID, len(d.Codes)))
		}
		for _, f := range i.Flags {
			flags = append(flags, fmt.Sprintf("%s %d", f.Flag, f.Count))
		}
		for _, n := range i.Notes {
			if n.Kind == importer.NoteLabelsNotUsed {
				continue // of this test: it gives each file the folder that it is in
			}
			notes = append(notes, fmt.Sprintf("%s %d", n.Kind, n.Count))
		}
		lines = append(lines, fmt.Sprintf("| `%s` | %s | %s:%s: %s | %d | %d | %d, %d, %d | %s | %s |\n", file, i.Format, i.Source, i.Code,
			strings.ReplaceAll(strings.Join(dims, ", "), "|", "\\|"), i.Series, i.Counts.Read, i.Counts.Stored, i.Counts.Missing, i.Counts.Dropped,
			strings.Join(flags, ", "), strings.Join(notes, ", ")))
	}
	return strings.Join(lines, "")
}

// The markers around the table.
const (
	tableBegins = "<!-- table of files: written by go test ./internal/importer -run TestEveryFile -update -->\n"
	tableEnds   = "<!-- end of the table -->\n"
)

// checkTable compares the table of docs/formats.md with the outcomes.
func checkTable(t *testing.T, rows map[string]string) {
	t.Helper()
	const path = "../../docs/formats.md"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(doc), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !found || !ends {
		t.Fatalf("%s has no markers for the table", path)
	}
	var b strings.Builder
	b.WriteString("| file | format | dataset: dimensions with their number of codes | series | read | stored, missing, dropped | flags | notes |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	var files []string
	for file := range rows {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		b.WriteString(rows[file])
	}
	table := b.String()
	if want := before + tableBegins + table + tableEnds + after; want != string(doc) {
		if !*stattest.Update {
			t.Errorf("the table in docs/formats.md is not up to date: run this test with -update")
			return
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
