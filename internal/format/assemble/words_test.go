package assemble

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestWords: headings are folded, and no word stands twice in a list.
func TestWords(t *testing.T) {
	for kind, list := range wordLists() {
		isCell := regexp.MustCompile(` cell$`).MatchString(kind)
		for i, w := range list {
			if w == "" || !isCell && Fold(w) != w {
				t.Errorf("%s: the word %q is not folded", kind, w)
			}
			if slices.Contains(list[:i], w) {
				t.Errorf("%s: the word %q is repeated", kind, w)
			}
		}
	}
}

// TestKinds: the kinds that the readers ask for exist.
func TestKinds(t *testing.T) {
	asks := regexp.MustCompile(`\b(?:isCalled|named|Means|Words)\(((?:"[^"]+"(?:, )?)+)`)
	literal := regexp.MustCompile(`"([^"]+)"`)
	files, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range asks.FindAllStringSubmatch(string(source), -1) {
			for _, kind := range literal.FindAllStringSubmatch(call[1], -1) {
				if found++; wordLists()[kind[1]] == nil {
					t.Errorf("%s: unknown kind of words %q", file, kind[1])
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d kinds were found", found)
	}
}
