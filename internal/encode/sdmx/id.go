package sdmx

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// EscapeID returns a text as an ID of SDMX, which has letters and digits of ASCII and the
// characters _ @ $ and -. Any other character is written as its code point in hexadecimal
// between "_x" and "_": "A/B" is "A_x2F_B". A text that looks escaped is escaped, so that
// [Unescape] is the inverse; other IDs stay as they are.
func EscapeID(text string) string { return escape(text, isIDChar) }

// EscapeName returns a text as the ID of a dimension, a concept or an agency, which also begins
// with a letter and has neither @ nor $. "X" stands before an ID that begins with an escape.
func EscapeName(text string) string {
	if text == "" {
		return "X_x_"
	}
	isFirst := true
	id := escape(text, func(r rune) bool {
		ok := isLetter(r) || !isFirst && (r >= '0' && r <= '9' || r == '_' || r == '-')
		isFirst = false
		return ok
	})
	switch {
	case strings.HasPrefix(id, "_"):
		return "X" + id
	case strings.HasPrefix(id, "X_x") && id != text:
		return "X_x58_" + id[1:] // or the X would be taken for that before an escape
	}
	return id
}

func escape(text string, isAllowed func(rune) bool) string {
	if text == "" {
		return "_x_"
	}
	var b strings.Builder
	for i, r := range text {
		switch size := utf8.RuneLen(r); {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, "_xD8%02X_", text[i]) // a byte that is no UTF-8, as a half of a surrogate pair
		case isAllowed(r) && (r != '_' || !looksEscaped(text[i:])):
			b.WriteString(text[i : i+size])
		default:
			fmt.Fprintf(&b, "_x%X_", r)
		}
	}
	return b.String()
}

// looksEscaped reports whether a text begins with an escape.
func looksEscaped(text string) bool {
	_, size := readEscape(text)
	return size > 0
}

// readEscape returns what an escape at the beginning of a text stands for, and its length, 0 if
// there is none.
func readEscape(text string) (character string, size int) {
	digits, ok := strings.CutPrefix(text, "_x")
	end := strings.IndexByte(digits, '_')
	if !ok || end < 0 || end > 6 {
		return "", 0
	}
	size = len("_x") + end + len("_")
	if end == 0 {
		return "", size
	}
	n, err := strconv.ParseUint(digits[:end], 16, 32)
	if err != nil || strings.ToUpper(digits[:end]) != digits[:end] {
		return "", 0
	}
	if n >= 0xD800 && n <= 0xD8FF {
		return string([]byte{byte(n)}), size
	}
	return string(rune(n)), size
}

// UnescapeName is the inverse of [EscapeName]. A text without escapes stays as it is.
func UnescapeName(id string) string {
	if strings.HasPrefix(id, "X") && looksEscaped(id[1:]) {
		id = id[1:]
	}
	return Unescape(id)
}

// Unescape is the inverse of [EscapeID]. A text without escapes stays as it is.
func Unescape(id string) string {
	if !strings.Contains(id, "_x") {
		return id
	}
	var b strings.Builder
	for i := 0; i < len(id); {
		character, size := readEscape(id[i:])
		if size == 0 {
			character, size = id[i:i+1], 1
		}
		b.WriteString(character)
		i += size
	}
	return b.String()
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func isIDChar(r rune) bool {
	return isLetter(r) || r >= '0' && r <= '9' || r == '_' || r == '@' || r == '$' || r == '-'
}
