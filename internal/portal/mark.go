package portal

import (
	"html/template"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// mark writes a text as HTML with the words that a question matched marked. Case, accents and what stands between words do not
// matter.
func mark(text string, words []string) template.HTML {
	letters, starts := foldLetters(text)
	isMarked := make([]bool, len(letters))
	for _, word := range words {
		want, _ := foldLetters(word)
		if len(want) == 0 {
			continue
		}
		for i := 0; i+len(want) <= len(letters); i++ {
			if (i == 0 || letters[i-1] == ' ') && string(letters[i:i+len(want)]) == string(want) {
				for k := range want {
					isMarked[i+k] = true
				}
			}
		}
	}
	var b strings.Builder
	for i := 0; i < len(letters); {
		end := i + 1
		for end < len(letters) && isMarked[end] == isMarked[i] {
			end++
		}
		part := template.HTMLEscapeString(text[starts[i]:starts[end]])
		if isMarked[i] {
			part = "<mark>" + part + "</mark>"
		}
		b.WriteString(part)
		i = end
	}
	return template.HTML(b.String())
}

// foldLetters returns the letters of a text in lower case without accents, with a space for what is neither a letter nor a
// digit, and where each begins in the text; the last is its end.
func foldLetters(text string) (letters []rune, starts []int) {
	for i, r := range text {
		folded := []rune(norm.NFKD.String(string(r)))[0]
		if unicode.IsLetter(folded) || unicode.IsDigit(folded) {
			folded = unicode.ToLower(folded)
		} else {
			folded = ' '
		}
		letters, starts = append(letters, folded), append(starts, i)
	}
	return letters, append(starts, len(text))
}
