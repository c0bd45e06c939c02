package search

import (
	"fmt"
	"maps"
	"testing"
)

// The words of a text are the same when they are kept, beside other texts and after many others; what is kept is limited.
func TestWordsAreKept(t *testing.T) {
	same := func(a, b within) bool { return fmt.Sprint(a) == fmt.Sprint(b) }
	for _, text := range []string{"Life expectancy at birth, by sex", "Bevölkerung nach Kreisen", "Births", ""} {
		want := readWords(text)
		for _, got := range []WordSet{WordsOf(text), WordsOf(text), WordsOf(text, ""), WordsOf("", text)} {
			if !maps.EqualFunc(got, want, same) {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	}
	// Of a word in several terms, the shortest counts, in whatever order the texts are.
	one, other := WordsOf("Life expectancy at birth", "birth"), WordsOf("birth", "Life expectancy at birth")
	if !maps.EqualFunc(one, other, same) || len(one["birth"].others) != 0 || len(one["expectancy"].others) == 0 {
		t.Errorf("%v and %v", one, other)
	}
	var k keptWords
	for i := range maxKeptTexts + 10 {
		k.of(fmt.Sprint("text ", i))
	}
	if long := string(make([]byte, maxKeptLength+1)); len(k.kept) > maxKeptTexts || len(k.of(long)) != 0 || len(k.kept) != 10 {
		t.Errorf("%d texts are kept", len(k.kept))
	}
}
