package stattest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/format"
	"almanac/internal/format/formattest"
)

// Update is the flag -update of every test that uses this package: the tests
// write their expectations instead of comparing them.
var Update = flag.Bool("update", false, "write the expected results instead of comparing them")

// Meanings compares the meaning of each case in testdata/*.txt, or writes it with
// -update. A file may begin with an introduction; a case is
//
//	== name
//	text
//	----
//	meaning
func Meanings(t *testing.T, meaning func(t *testing.T, text string) string) {
	t.Helper()
	compareCases(t, "== ", meaning)
}

// Cases is like [Meanings] for the cases of a format, whose names follow "=== ".
// See [formattest.Meaning].
func Cases(t *testing.T, formats []format.Format) {
	t.Helper()
	compareCases(t, "=== ", func(t *testing.T, text string) string { return formattest.Meaning(t, formats, text) })
}

// Texts returns the texts of the cases that [Meanings] reads, as seeds of a fuzz
// test.
func Texts(t testing.TB) []string {
	t.Helper()
	var texts []string
	for _, file := range caseFiles(t) {
		_, cases := readCases(t, file, "== ")
		for _, c := range cases {
			texts = append(texts, c.text)
		}
	}
	return texts
}

func compareCases(t *testing.T, mark string, meaning func(t *testing.T, text string) string) {
	t.Helper()
	for _, file := range caseFiles(t) {
		rewritten, cases := readCases(t, file, mark)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					got := meaning(t, c.text)
					rewritten += fmt.Sprintf("\n%s%s\n%s----\n%s", mark, c.name, c.text, got)
					if got != c.want && !*Update {
						t.Errorf("%s\nmeans\n%s\nwant\n%s", c.text, got, c.want)
					}
				})
			}
			if *Update {
				if err := os.WriteFile(file, []byte(strings.TrimPrefix(rewritten, "\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata (error %v)", err)
	}
	return files
}

type testCase struct{ name, text, want string }

// readCases splits a file into its cases, whose names follow mark; head is the
// text before them.
func readCases(t testing.TB, file, mark string) (head string, cases []testCase) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split("\n"+string(content), "\n"+mark)
	for _, block := range blocks[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		text, want, found := strings.Cut("\n"+rest, "\n----\n")
		if !found {
			t.Fatalf("%s: case %q has no line ----", file, name)
		}
		cases = append(cases, testCase{name, strings.TrimPrefix(text+"\n", "\n"), strings.TrimRight(want, "\n") + "\n"})
	}
	return blocks[0], cases
}
