package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"almanac/internal/stattest"
)

// TestTablesInDocs checks the table in docs/formats.md that says how the files of
// [TestTables] are read.
func TestTablesInDocs(t *testing.T) {
	const (
		path   = "../../docs/formats.md"
		begins = "<!-- further files: written by go test ./cmd/almanac -run TestTablesInDocs -update -->\n"
		ends   = "<!-- end of further files -->\n"
	)
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(doc), begins)
	_, after, hasEnd := strings.Cut(rest, ends)
	if !found || !hasEnd {
		t.Fatalf("%s has no markers for the table", path)
	}
	want := before + begins + tableOfTables() + ends + after
	if want == string(doc) {
		return
	}
	if !*stattest.Update {
		t.Fatal("the table of further files in docs/formats.md is not up to date: run this test with -update")
	}
	if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tableOfTables returns the numbers of files that are read in each way, and a row for each
// file.
func tableOfTables() string {
	var rows []string
	first, second, refused, values := 0, 0, 0, 0
	for _, table := range allTables() {
		how := "at first try"
		switch {
		case table.refused != "":
			how = "refused: " + table.refused
			if table.stated != "" {
				how += "; read with `" + table.stated + "`"
			}
			refused++
		case table.flags != "":
			how = "with the command that is printed: `" + table.flags + "`"
			second++
		default:
			first++
		}
		if table.dropped > 0 {
			how += fmt.Sprintf("; %d dropped, with a note", table.dropped)
		}
		if table.fault != "" {
			how += "; wrong: " + table.fault
		}
		values += table.values
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %d |\n", table.path, table.sourceID(), how, table.values))
	}
	slices.Sort(rows)
	return fmt.Sprintf("Of %d tables, %d are read at first try, %d with the command that the refusal prints, and %d are refused. %d values are compared.\n\n"+
		"| file | source | read | values |\n|---|---|---|---|\n", len(rows), first, second, refused, values) + strings.Join(rows, "")
}
