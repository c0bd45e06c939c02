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

// Update says that what tests expect is to be written anew instead of
// compared: the flag -update of every test that uses this package.
var Update = flag.Bool("update", false, "write what the tests see into what they expect")

// Meanings compares what each case of testdata/*.txt means, or writes it where
// -update is given. Before the first case a file may say what it is about; a
// case is
//
//	== its name
//	a text
//	----
//	what it means
func Meanings(t *testing.T, meaning func(t *testing.T, text string) string) {
	t.Helper()
	compareCases(t, "== ", meaning)
}

// Cases compares what the cases of a format's own testdata/*.txt mean to it, as
// [Meanings] does; their names are behind "=== ". See [formattest.Meaning].
func Cases(t *testing.T, formats []format.Format) {
	t.Helper()
	compareCases(t, "=== ", func(t *testing.T, text string) string { return formattest.Meaning(t, formats, text) })
}

// Texts are the texts of the cases that [Meanings] reads, as seeds of a fuzz
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
		t.Fatalf("there are no cases in testdata (error %v)", err)
	}
	return files
}

// testCase is one case of a file of cases.
type testCase struct{ name, text, want string }

// readCases splits a file into its cases, whose names are behind a mark; head is
// what stands before them.
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
			t.Fatalf("%s: the case %q has no line ----", file, name)
		}
		cases = append(cases, testCase{name, strings.TrimPrefix(text+"\n", "\n"), strings.TrimRight(want, "\n") + "\n"})
	}
	return blocks[0], cases
}
