package update

import (
	"strings"
	"unicode/utf8"
)

// maxText is how many bytes of an error are kept and told: enough for a
// sentence, and not for a page that a server sent in place of one.
const maxText = 1000

// short cuts a text that is too long, between two letters.
func short(text string) string {
	const more = "…"
	if len(text) <= maxText {
		return text
	}
	end := maxText - len(more)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimRight(text[:end], " ") + more
}
