package terms_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"almanac/internal/search/terms"
	"almanac/internal/stattest"
)

// TestTable checks what the reader of the files does not: enough concepts, names, and no
// circle of broader concepts. The reader itself refuses a concept without one of the
// languages, a term that stands twice, and one of two concepts that is not declared
// ambiguous.
func TestTable(t *testing.T) {
	table := terms.Load()
	if n := len(table.Concepts()); n < 600 {
		t.Errorf("the table has %d concepts, want 600 or more", n)
	}
	for _, c := range table.Concepts() {
		if strings.Trim(c.ID, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("the name of concept %q has other characters than small letters, digits and _", c.ID)
		}
		if isCircle(table, c, c.ID, 0) {
			t.Errorf("concept %s is one of its own broader concepts", c.ID)
		}
	}
}

func isCircle(table *terms.Table, c *terms.Concept, id string, depth int) bool {
	return depth > 10 || slices.ContainsFunc(c.Broader, func(b string) bool {
		return b == id || isCircle(table, table.Concept(b), id, depth+1)
	})
}

// TestEveryTermIsFound checks that each term finds its own concept.
func TestEveryTermIsFound(t *testing.T) {
	table := terms.Load()
	for _, c := range table.Concepts() {
		for _, byLanguage := range []map[string][]string{c.Terms, c.Everyday} {
			for language, list := range byLanguage {
				for _, term := range list {
					isConcept := func(m terms.Match) bool { return m.Concept == c }
					if !slices.ContainsFunc(table.Find(term, language), isConcept) {
						t.Errorf("term %q of %s in %s does not find it", term, c.ID, language)
					}
				}
			}
		}
	}
}

// mostTitles is the share of the titles of all datasets that one term may be in.
const mostTitles = .03

// TestTermsAreNotGeneral lists terms that many titles of the catalogue of offices have.
func TestTermsAreNotGeneral(t *testing.T) {
	f, err := os.Open(filepath.Join(stattest.SearchDir(t), "catalogue.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	titles, n := map[string]int{}, 0
	for row := 0; lines.Scan(); row++ {
		if row%5 != 1 { // a fifth is enough, and leaves out the heading
			continue
		}
		n++
		fields := strings.Split(lines.Text(), "\t")
		for _, m := range terms.Load().Find(fields[2], fields[5]) {
			if m.Adjacent {
				titles[m.Concept.ID+": "+m.Term]++
			}
		}
	}
	for term, count := range titles {
		if share := float64(count) / float64(n); share > mostTitles {
			t.Errorf("term %s is in %.1f %% of the titles", term, 100*share)
		}
	}
}

func TestWrongFiles(t *testing.T) {
	const all = "\nde: a%\nfr: b%\nes: c%\nit: d%\n"
	block := func(id, english, others string) string {
		return id + "\nen: " + english + strings.ReplaceAll(all, "%", others)
	}
	for _, c := range []struct{ name, text, want string }{
		{"no topic", block("one", "x", "1"), `concept "one" stands before the first line "topic …"`},
		{"language missing", "topic 1.1\none\nen: x\n", `concept one has no terms in "de"`},
		{"unknown language", "topic 1.1\none\npt: x\n", `unknown language "pt"`},
		{"term of two concepts", "topic 1.1\n" + block("one", "x", "1") + block("two", "x", "2"), `term "x" is also one of one`},
		{"ambiguous in one only", "topic 1.1\n" + block("one", "~x", "1") + block("two", "x", "2"), `write ~x in both`},
		{"term twice", "topic 1.1\n" + block("one", "x y, X-Y", "1"), `term "X-Y" stands twice in concept one`},
		{"concept twice", "topic 1.1\n" + block("one", "x", "1") + "one\n", `concept "one" was defined before`},
		{"unknown broader concept", "topic 1.1\n" + block("one < two", "x", "1"), `broader concept "two" is not in the table`},
		{"line twice", "topic 1.1\none\nen: x\nen: y\n", `second line for "en"`},
		{"good", "topic 1.1\n" + block("one", "~x", "1") + block("two < one", "~x", "2"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{"concepts/a.txt": {Data: []byte(c.text)}}
			_, err := terms.Parse(files, "en function: the\n", "DE: german\n")
			switch {
			case c.want == "" && err != nil:
				t.Errorf("unexpected error: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestWordsFold(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Émissions de CO₂", []string{"emissions", "de", "co2"}},
		{"Straße, Ärzte; ÖPNV", []string{"strasse", "arzte", "opnv"}},
		{"R&D (GERD)", []string{"r", "d", "gerd"}},
		{"l'œuvre d’art", []string{"l", "oeuvre", "d", "art"}},
		{"Ελλάδα", []string{"ελλαδα"}},
		{"", nil},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := terms.Words(c.text); !slices.Equal(got, c.want) {
				t.Errorf("Words(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// TestFindAnyText checks that any text is answered with places inside it.
func TestFindAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([a-zäöéñ]{1,12}[ ,'&]){0,80}`)).Draw(t, "text")
		words := len(terms.Words(text))
		for _, m := range terms.Load().Find(text, "en") {
			if m.Concept == nil || len(m.Places) == 0 || slices.Max(m.Places) >= words {
				t.Fatalf("Find(%q) = %+v", text, m)
			}
		}
		for _, a := range terms.Load().Areas(text) {
			if a.ID == "" || slices.Max(a.Places) >= words {
				t.Fatalf("Areas(%q) = %+v", text, a)
			}
		}
	})
}

func BenchmarkFind(b *testing.B) {
	table := terms.Load()
	for b.Loop() {
		table.Find("how many young people in Germany are out of work", "en")
	}
}
