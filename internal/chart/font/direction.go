package font

import "golang.org/x/text/unicode/bidi"

// RightToLeft reports whether the first letter of a text belongs to a script that is
// written from right to left.
func RightToLeft(text string) bool {
	for _, r := range text {
		if r < 0x590 { // Latin, Greek, Cyrillic and before: most texts end here
			if p, _ := bidi.LookupRune(r); p.Class() == bidi.L {
				return false
			}
			continue
		}
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		}
	}
	return false
}
