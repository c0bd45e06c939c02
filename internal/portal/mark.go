package portal

import (
	"html/template"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// mark writes a text as HTML with the phrases that a question matched marked, or each word of one that the text does not have as
// it is. Case, accents and what stands between words do not matter.
func mark(text string, phrases []string) template.HTML {
	letters, starts := foldLetters(text)
	isMarked := make([]bool, len(letters))
	markAll := func(phrase string) (isFound bool) {
		want, _ := foldLetters(phrase)
		for i := 0; len(want) > 0 && i+len(want) <= len(letters); i++ {
			if (i == 0 || letters[i-1] == ' ') && string(letters[i:i+len(want)]) == string(want) {
				isFound = true
				for k := range want {
					isMarked[i+k] = true
				}
			}
		}
		return isFound
	}
	for _, phrase := range phrases {
		if markAll(phrase) {
			continue
		}
		for word := range strings.FieldsSeq(phrase) {
			markAll(word)
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
