package strength

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"unicode"
)

// wordList has on line n the words that are number n of their list: of 30,000
// common passwords, 30,000 words of the English Wikipedia, 19,000 of films, 10,000 surnames and 5,000
// first names.
//
//go:embed words.txt
var wordList string

// minWord is the fewest characters of a word. One letter is none, or the frequent ones would make any
// text easy to guess.
const minWord = 2

// Characters that people write for letters. A few stand for two letters.
var (
	spelling      = strings.NewReplacer("4", "a", "@", "a", "8", "b", "(", "c", "3", "e", "6", "g", "9", "g", "1", "i", "!", "i", "|", "i", "0", "o", "$", "s", "5", "s", "7", "t", "+", "t", "2", "z")
	otherSpelling = strings.NewReplacer("4", "a", "@", "a", "8", "b", "(", "c", "3", "e", "6", "b", "9", "g", "1", "l", "!", "l", "|", "l", "0", "o", "$", "s", "5", "s", "7", "l", "+", "t", "2", "z")
)

// spellings returns the words that somebody may have started from: the piece in lower case, with
// letters for other characters, and backwards.
func spellings(piece []rune) []string {
	lower := strings.ToLower(string(piece))
	words := []string{lower}
	for _, word := range []string{spelling.Replace(lower), otherSpelling.Replace(lower)} {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	for _, word := range words {
		backward := []rune(word)
		slices.Reverse(backward)
		words = append(words, string(backward))
	}
	return words
}

// ranks returns which words of the list and of own are in a text, each with its number in its list.
// The list is read each time, in a few milliseconds, so that the program starts without it.
func ranks(text []rune, own []string) map[string]int {
	const none = math.MaxInt
	ranks := map[string]int{}
	for i := range text {
		for j := i + minWord; j <= len(text); j++ {
			for _, word := range spellings(text[i:j]) {
				ranks[word] = none
			}
		}
	}
	rank := func(word string, n int) {
		if ranks[word] > n {
			ranks[word] = n
		}
	}
	for i, word := range own {
		rank(strings.ToLower(word), i+1)
	}
	n := 0
	for line := range strings.Lines(wordList) {
		n++
		for word := range strings.FieldsSeq(line) {
			rank(word, n)
		}
	}
	for word, n := range ranks {
		if n == none {
			delete(ranks, word)
		}
	}
	return ranks
}

// wordBits returns the bits of a piece as a word: those of its rank, of its capitals, and of what was
// changed in it.
func wordBits(piece []rune, ranks map[string]int) float64 {
	fewest := math.Inf(1)
	if len(piece) < minWord {
		return fewest
	}
	for at, word := range spellings(piece) {
		n, isWord := ranks[word]
		if !isWord {
			continue
		}
		bits := math.Log2(float64(n)) + capitalBits(piece)
		if at > 0 {
			bits += 1 + float64(substituted(piece))
		}
		fewest = min(fewest, bits)
	}
	return fewest
}

// substituted returns the number of characters that may stand for letters, each of which is a choice.
func substituted(piece []rune) int {
	n := 0
	for _, r := range piece {
		if spelling.Replace(string(r)) != string(r) {
			n++
		}
	}
	return n
}

// capitalBits returns one bit for the usual capitals, at an end or everywhere, and the logarithm of the
// number of choices for others.
func capitalBits(piece []rune) float64 {
	var capitals, letters int
	for _, r := range piece {
		if unicode.IsUpper(r) {
			capitals++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	isAtEnd := unicode.IsUpper(piece[0]) || unicode.IsUpper(piece[len(piece)-1])
	switch {
	case capitals == 0:
		return 0
	case capitals == letters, capitals == 1 && isAtEnd:
		return 1
	}
	choices := 0.0
	perCount := 1.0 // how many ways there are to choose n of the letters
	for n := 1; n <= min(capitals, letters-capitals); n++ {
		perCount *= float64(letters-n+1) / float64(n)
		choices += perCount
	}
	return math.Log2(choices)
}
