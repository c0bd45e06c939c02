package charset

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed pairs.txt
var pairTable string

// pair is two letters that follow one another, in lower case; '_' is the beginning or end
// of a word. For Chinese, Japanese and Korean the second is 0.
type pair [2]rune

// models returns the cost of the known pairs of each language: the rarer, the higher.
var models = sync.OnceValue(func() (all []map[pair]float64) {
	for line := range strings.Lines(pairTable) {
		_, list, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		model := map[pair]float64{}
		var known []pair
		if strings.Contains(list, " ") {
			for text := range strings.FieldsSeq(list) {
				runes := []rune(text)
				known = append(known, pair{runes[0], runes[1]})
			}
		} else {
			for _, r := range list {
				known = append(known, pair{r})
			}
		}
		for i, p := range known {
			model[p] = cheapest + (dearest-cheapest)*float64(i)/float64(len(known))
		}
		all = append(all, model)
	}
	return all
})

// The costs of pairs, known and unknown, and of characters that are no letters.
const (
	cheapest    = 0.5
	dearest     = 3.5
	unknownPair = 6.0
	unknownSign = 9.0 // of Chinese, Japanese and Korean
	wrongCase   = 6.0 // a capital letter within a word
	usualSign   = 0.5
	rareSign    = 4.0
	wrongSign   = 12.0

	otherLanguage = 2.5 // of a word in another language than the text
)

// A scorer finds the cost of a text. It keeps the costs of words.
type scorer struct {
	known map[string][]float64 // by the language
	other map[string]float64   // of wrong capital letters and scripts
}

// costOf returns the cost of all words of a text, each in the language of most of them or
// in the one that fits it best.
func (s *scorer) costOf(text string) float64 {
	if s.known == nil {
		s.known, s.other = map[string][]float64{}, map[string]float64{}
	}
	words, total := splitWords(text)
	sums := make([]float64, len(models()))
	for _, w := range words {
		for i, c := range s.costsOf(w) {
			sums[i] += c
		}
	}
	main := 0
	for i := range sums {
		if sums[i] < sums[main] {
			main = i
		}
	}
	for _, w := range words {
		costs := s.known[w]
		total += min(costs[main], slices.Min(costs)+otherLanguage) + s.other[w]
	}
	return total
}

// splitWords returns the words of a text that are not ASCII, and the cost of its signs.
func splitWords(text string) (words []string, signs float64) {
	add := func(word string) {
		if strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			words = append(words, word)
		}
	}
	for piece := range strings.Lines(text) {
		start, previous := 0, ' '
		for i, r := range piece {
			if !isLetter(r) {
				add(piece[start:i])
				start = i + utf8.RuneLen(r)
				if r >= utf8.RuneSelf {
					next, _ := utf8.DecodeRuneInString(piece[start:])
					signs += signCost(previous, r, next)
				}
			}
			previous = r
		}
		add(piece[start:])
	}
	return words, signs
}

func isLetter(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && r != 'º' && r != 'ª'
}

// costsOf returns the costs of a word in each language.
func (s *scorer) costsOf(word string) []float64 {
	costs, isKnown := s.known[word]
	if !isKnown {
		runes := []rune(word)
		for _, model := range models() {
			costs = append(costs, costIn(runes, model))
		}
		s.known[word] = costs
		s.other[word] = caseCost(runes) + scriptCost(runes)
	}
	return costs
}

func costIn(word []rune, model map[pair]float64) (cost float64) {
	before := '_'
	for i := 0; i <= len(word); i++ {
		r := '_'
		if i < len(word) {
			r = unicode.ToLower(word[i])
		}
		if r >= 0x2e80 && r < 0xfb00 { // Chinese, Japanese, Korean
			cost += costOr(model, pair{r}, unknownSign)
		} else if r >= utf8.RuneSelf || before >= utf8.RuneSelf && before < 0x2e80 {
			cost += costOr(model, pair{before, r}, unknownPair)
		}
		before = r
	}
	return cost
}

func costOr(model map[pair]float64, p pair, unknown float64) float64 {
	if c, isKnown := model[p]; isKnown {
		return c
	}
	return unknown
}

// caseCost is for words like "CafÃ": capitals are first, or all.
func caseCost(word []rune) (cost float64) {
	for i := 1; i < len(word); i++ {
		if unicode.IsUpper(word[i]) && unicode.IsLower(word[i-1]) && (word[i] >= utf8.RuneSelf || word[i-1] >= utf8.RuneSelf) {
			cost += wrongCase
		}
	}
	return cost
}

// signCost is for a character that is no letter, between two others.
func signCost(before, r, after rune) float64 {
	follows, precedes := isLetter(before), isLetter(after)
	is := func(set string) bool { return strings.ContainsRune(set, r) }
	isEastern := is("・ー／") || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff61 || r >= 0x2460 && r < 0x2500
	switch {
	case r == '\u00a0' && precedes && (follows || before == '\n' || before == ' '):
		return rareSign
	case r == '\u00a0':
		return usualSign
	case r == '\u00ad', is("€£¥§") && precedes, is("—–”’") && follows && (after == '\n' || is("—–")):
		return rareSign
	case isEastern && (follows && !isEasternLetter(before) || precedes && !isEasternLetter(after)):
		return wrongSign
	case isEastern:
		return usualSign
	case is("’–—·") && follows && precedes, r == '…' && follows:
		return rareSign
	case is("‘“„«‚‹¡¿") && follows, is("”»›…") && precedes, is("‰°½¼¾§©®™€£¥±×•¶→←≥≤№") && (follows || is("½¼¾‰©®™¶") && precedes):
		return wrongSign
	case is("²³¹ºª†‡") && precedes:
		return wrongSign
	case is("ºª†‡") && follows, before >= utf8.RuneSelf && !follows && before != '\u00a0':
		return rareSign
	case is("’–—‘“„«‚‹¡¿”»›…·‰°½¼¾§©®™€£¥±×•¶→←≥≤№²³¹ºª†‡µ"):
		return usualSign
	}
	return wrongSign
}

func isEasternLetter(r rune) bool { return r >= 0x2e80 && r < 0xff00 }

// scriptCost is for words with letters of several scripts, such as "som體".
func scriptCost(word []rune) (cost float64) {
	for i := 1; i < len(word); i++ {
		if unicode.IsLetter(word[i-1]) && unicode.IsLetter(word[i]) && scriptOf(word[i]) != scriptOf(word[i-1]) {
			cost += wrongSign
		}
	}
	return cost
}

// scriptOf returns the script of a letter: those of the encodings, and one for the others.
func scriptOf(r rune) int {
	switch {
	case isEasternLetter(r):
		return 5
	case unicode.Is(unicode.Latin, r):
		return 1
	case unicode.Is(unicode.Cyrillic, r):
		return 2
	case unicode.Is(unicode.Greek, r):
		return 3
	}
	return 4
}
