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
//
// or has three equals signs, if lines of a text begin with two.
func Meanings(t *testing.T, meaning func(t *testing.T, text string) string) {
	t.Helper()
	for _, file := range caseFiles(t) {
		rewritten, cases := readCases(t, file)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			for _, c := range cases {
				t.Run(strings.TrimLeft(c.heading, "= "), func(t *testing.T) {
					got := meaning(t, c.text)
					rewritten += fmt.Sprintf("\n%s\n%s----\n%s", c.heading, c.text, got)
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

// Cases compares the cases of formats; see [formattest.Meaning].
func Cases(t *testing.T, formats []format.Format) {
	t.Helper()
	Meanings(t, func(t *testing.T, text string) string { return formattest.Meaning(t, formats, text) })
}

// Texts returns the texts of the cases that [Meanings] reads, as seeds of a fuzz
// test.
func Texts(t testing.TB) []string {
	t.Helper()
	var texts []string
	for _, file := range caseFiles(t) {
		_, cases := readCases(t, file)
		for _, c := range cases {
			texts = append(texts, c.text)
		}
	}
	return texts
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata (error %v)", err)
	}
	return files
}

type testCase struct{ heading, text, want string }

// readCases splits a file into its cases; head is the text before them.
func readCases(t testing.TB, file string) (head string, cases []testCase) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, mark := "\n"+string(content), "=== "
	if !strings.Contains(text, "\n"+mark) {
		mark = "== "
	}
	blocks := strings.Split(text, "\n"+mark)
	for _, block := range blocks[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		text, want, found := strings.Cut("\n"+rest+"\n", "\n----\n")
		if !found {
			t.Fatalf("%s: case %q has no line ----", file, name)
		}
		cases = append(cases, testCase{mark + name, strings.TrimPrefix(text+"\n", "\n"), strings.TrimRight(want, "\n") + "\n"})
	}
	return blocks[0], cases
}
