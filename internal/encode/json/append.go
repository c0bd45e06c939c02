package json

import (
	"strconv"
	"unicode/utf8"
)

// AppendString appends text as a JSON string. Invalid UTF-8 becomes the replacement
// character.
func AppendString(buf []byte, text string) []byte {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	buf = append(buf, '"')
	start := 0 // of the bytes that need no escape and are not yet appended
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			buf = append(buf, text[start:i]...)
			buf = appendEscape(buf, c)
			start = i + 1
		}
	}
	buf = append(buf, text[start:]...)
	return append(buf, '"')
}

// appendEscape appends the escape of a quote, a backslash or a control character.
func appendEscape(buf []byte, c byte) []byte {
	const hexDigits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(buf, '\\', c)
	case '\n':
		return append(buf, '\\', 'n')
	case '\t':
		return append(buf, '\\', 't')
	case '\r':
		return append(buf, '\\', 'r')
	}
	return append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// AppendComma appends a comma unless an object or array has just begun.
func AppendComma(buf []byte) []byte {
	if n := len(buf); n == 0 || buf[n-1] == '{' || buf[n-1] == '[' {
		return buf
	}
	return append(buf, ',')
}

// AppendName appends the name of a member and a colon. The name must not need escapes.
func AppendName(buf []byte, name string) []byte {
	buf = append(AppendComma(buf), '"')
	buf = append(buf, name...)
	return append(buf, '"', ':')
}

// AppendText appends a member with a string value, unless it is empty.
func AppendText(buf []byte, name, text string) []byte {
	if text == "" {
		return buf
	}
	return AppendString(AppendName(buf, name), text)
}

// AppendInt appends a member with an integer.
func AppendInt(buf []byte, name string, n int64) []byte {
	return strconv.AppendInt(AppendName(buf, name), n, 10)
}

// AppendTexts appends an array of strings.
func AppendTexts(buf []byte, texts []string) []byte {
	buf = append(buf, '[')
	for _, t := range texts {
		buf = AppendString(AppendComma(buf), t)
	}
	return append(buf, ']')
}
