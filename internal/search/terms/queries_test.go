package terms_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"almanac/internal/search/terms"
)

// query is a line of testdata/queries.tsv.
type query struct{ text, language, concept string }

func readQueries(t *testing.T) []query {
	text, err := os.ReadFile("testdata/queries.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var queries []query
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if len(fields) != 3 {
			t.Fatalf("line %q has %d fields, want 3", line, len(fields))
		}
		queries = append(queries, query{fields[0], fields[1], fields[2]})
	}
	return queries
}

// TestQueries checks that questions of people lead to the concept that they mean, with
// their language known and without.
func TestQueries(t *testing.T) {
	for _, q := range readQueries(t) {
		for _, language := range []string{q.language, ""} {
			found := terms.Load().Find(q.text, language)
			i := slices.IndexFunc(found, func(m terms.Match) bool { return m.Concept.ID == q.concept })
			if i < 0 || i > 2 {
				var ids []string
				for _, m := range found {
					ids = append(ids, m.Concept.ID)
				}
				t.Errorf("%q in %q: want %s among the first three, found %v", q.text, language, q.concept, ids)
			}
		}
	}
}
