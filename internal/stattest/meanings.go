package stattest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Meanings compares what each case of testdata/*.txt means, or writes it where
// -update is given. Before the first case a file may say what it is about; a
// case is
//
//	== its name
//	a text
//	----
//	what it means
//
// The cases of formats that need nothing of their own are read by [Cases].
func Meanings(t *testing.T, meaning func(t *testing.T, text string) string) {
	t.Helper()
	for _, file := range caseFiles(t) {
		head, cases := readCases(t, file)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			rewritten := head
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					got := meaning(t, c.text)
					rewritten += fmt.Sprintf("\n== %s\n%s----\n%s", c.name, c.text, got)
					if got != c.want && !*Update {
						t.Errorf("%s\nmeans\n%s\nwant\n%s", c.text, got, c.want)
					}
				})
			}
			if *Update {
				if err := os.WriteFile(file, []byte(rewritten), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Texts are the texts of the cases that [Meanings] reads, as seeds of a fuzz
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
		t.Fatalf("there are no cases in testdata (error %v)", err)
	}
	return files
}

// testCase is one case of a file of cases.
type testCase struct{ name, text, want string }

// readCases splits a file into its cases; head is what stands before them.
func readCases(t testing.TB, file string) (head string, cases []testCase) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(content), "\n== ")
	for _, block := range blocks[1:] {
		name, rest, _ := strings.Cut(block, "\n")
		text, want, found := strings.Cut(rest, "----\n")
		if !found {
			t.Fatalf("%s: the case %q has no line ----", file, name)
		}
		cases = append(cases, testCase{name, text, strings.TrimRight(want, "\n") + "\n"})
	}
	return blocks[0], cases
}
