package portal

import (
	"html/template"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// breakable writes a text that may be broken behind each underscore, as in a code.
func breakable(text string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(text), "_", "_<wbr>"))
}

// isolate writes a text of a page with each part in a script that is written from right to left, such as the Arabic name of an area,
// isolated from what is beside it. Otherwise numbers after it would stand before it, and the years of "2018–2021" in the wrong order.
func isolate(text string) template.HTML {
	var b strings.Builder
	for text != "" {
		start := strings.IndexFunc(text, isRightToLeft)
		if start < 0 {
			break
		}
		end := start + lengthOfRightToLeft(text[start:])
		b.WriteString(template.HTMLEscapeString(text[:start]) + "<bdi>" + template.HTMLEscapeString(text[start:end]) + "</bdi>")
		text = text[end:]
	}
	return template.HTML(b.String() + template.HTMLEscapeString(text))
}

// lengthOfRightToLeft returns how many bytes of a text that begins with a letter of such a script are words of it.
func lengthOfRightToLeft(text string) (n int) {
	for i, r := range text {
		switch {
		case isRightToLeft(r) || unicode.Is(unicode.Mn, r):
			n = i + len(string(r))
		case r != ' ' && r != '-' && r != '\'' && r != '’':
			return n
		}
	}
	return n
}

func isRightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	of, _ := bidi.LookupRune(r)
	return of.Class() == bidi.R || of.Class() == bidi.AL
}
