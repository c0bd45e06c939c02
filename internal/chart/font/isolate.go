package font

import (
	"slices"
	"strings"
	"unicode"
)

// The characters that keep parts of a line apart. They are not drawn. Clean removes those of
// a caller.
const (
	leftToRightMark    = '\u200E'
	rightToLeftMark    = '\u200F'
	rightToLeftIsolate = '\u2067'
	firstStrongIsolate = '\u2068'
	popIsolate         = '\u2069'
)

// Isolate returns a clean line of parts so that the letters of no part change the order of
// its neighbours: the parts follow one another in the direction of the line, and each is
// written in the direction of its own letters, if it has any.
func Isolate(line, separator string, rightToLeft bool) string {
	mark, plain := leftToRightMark, firstStrongIsolate
	if rightToLeft {
		mark, plain = rightToLeftMark, rightToLeftIsolate
	}
	parts := strings.Split(line, separator)
	for i, part := range parts {
		isolate := plain
		if strings.ContainsFunc(part, unicode.IsLetter) {
			isolate = firstStrongIsolate
		}
		parts[i] = string(isolate) + part + string(popIsolate)
	}
	return string(mark) + strings.Join(parts, separator)
}

// WithoutIsolates removes the characters that Isolate added.
func WithoutIsolates(line string) string {
	return strings.Map(func(r rune) rune {
		if slices.Contains([]rune{leftToRightMark, rightToLeftMark, rightToLeftIsolate, firstStrongIsolate, popIsolate}, r) {
			return -1
		}
		return r
	}, line)
}

// HasRightToLeft reports whether a text has a letter of a script that is written from right
// to left.
func HasRightToLeft(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= 0x590 && RightToLeft(string(r)) })
}
