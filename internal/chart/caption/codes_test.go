package caption

import (
	"io/fs"
	"strings"
	"testing"
)

// Each row of the tables of codes and titles has three to six fields, and no code of a
// dimension has two rows.
func TestTablesAreWellFormed(t *testing.T) {
	texts := map[string]string{}
	for _, pattern := range []string{"codes/*.tsv", "titles/*.tsv"} {
		names, err := fs.Glob(tables, pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := tables.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		}
	}
	seen := map[string]bool{}
	for name, text := range texts {
		for line := range strings.Lines(text) {
			fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if strings.HasPrefix(line, "#") {
				continue
			}
			if len(fields) < 3 || len(fields) > 6 || strings.TrimSpace(fields[2]) == "" {
				t.Errorf("%s: %q does not have three to six fields", name, line)
				continue
			}
			for dimension := range strings.FieldsSeq(fields[0]) {
				key := dimension + "\t" + fields[1]
				if name == "titles/other.tsv" {
					key = name + key // a row may replace one of eurostat.tsv
				}
				if seen[key] {
					t.Errorf("%s: %s has two rows", name, key)
				}
				seen[key] = true
			}
		}
	}
}
