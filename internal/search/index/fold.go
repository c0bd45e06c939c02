package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters spells letters that have no decomposition as people type them.
var letters = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i"}

// Words returns the words of a text in order: runs of letters and digits, in lower case,
// without accents. A point or comma between digits and an ampersand between letters
// belong to the word: pm2.5, r&d.
func Words(text string) []string {
	var words []string
	var b strings.Builder
	end := func() {
		if b.Len() > 0 {
			words = append(words, b.String())
			b.Reset()
		}
	}
	text = decompose(text)
	var last rune
	for i, r := range text {
		switch {
		case unicode.Is(unicode.Mn, r):
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			r = unicode.ToLower(r)
			if s, ok := letters[r]; ok {
				b.WriteString(s)
			} else {
				b.WriteRune(r)
			}
		case isInside(r, last, text[i+utf8.RuneLen(r):]):
			b.WriteRune(r)
		default:
			end()
		}
		last = r
	}
	end()
	return words
}

// decompose separates letters from their accents. Most texts are ASCII.
func decompose(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKD.String(strings.ToValidUTF8(text, " "))
		}
	}
	return text
}

// isInside reports whether a mark after last and before rest is part of a word.
func isInside(mark, last rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch mark {
	case '.', ',':
		return unicode.IsDigit(last) && unicode.IsDigit(next)
	case '&':
		return unicode.IsLetter(last) && unicode.IsLetter(next)
	}
	return false
}

// Fold returns the words of a text, separated by blanks.
func Fold(text string) string { return strings.Join(Words(text), " ") }

// FoldCode returns a code without case and punctuation, in which codes are compared:
// "nama10 gdp" and NAMA_10_GDP are equal.
func FoldCode(code string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, code)
}
