package font

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

// maxMarks is the largest number of marks above and below a letter in any language. More
// would overlap the neighbouring lines.
const maxMarks = 3

// Clean makes a text drawable on one line. It replaces each run of invalid UTF-8 with
// U+FFFD; collapses white space to single spaces and trims it, keeping single no-break
// spaces; removes control, format (including bidi overrides) and private characters and
// unassigned code points, except joiners between letters of scripts that need them; and
// keeps at most three marks per letter. It also removes characters that no font has, so
// that the text equals what is drawn; Missing lists them. Clean(Clean(t)) is Clean(t).
func Clean(text string) string {
	if isClean(text) {
		return text
	}
	c := cleaner{}
	c.out.Grow(len(text))
	for i, r := range text {
		if r == utf8.RuneError {
			if _, width := utf8.DecodeRuneInString(text[i:]); width == 1 {
				c.addInvalid()
				continue
			}
		}
		c.add(r)
	}
	return c.out.String()
}

// isClean is a fast path for the most frequent texts: ASCII.
func isClean(text string) bool {
	space := true
	for i := range len(text) {
		b := text[i]
		if b < ' ' || b > '~' || b == ' ' && space {
			return false
		}
		space = b == ' '
	}
	return !space || text == ""
}

// cleaner processes characters one by one. It holds back spaces and joiners until the
// next character.
type cleaner struct {
	out     strings.Builder
	last    rune // the last written character; 0: none yet
	space   rune // held back; 0: none
	joiner  rune // held back; 0: none
	marks   int  // written since the last letter
	invalid bool // the previous bytes were not UTF-8
}

// addInvalid adds one U+FFFD for each run of invalid bytes.
func (c *cleaner) addInvalid() {
	if !c.invalid {
		c.add(utf8.RuneError)
	}
	c.invalid = true
}

func (c *cleaner) add(r rune) {
	c.invalid = false
	switch {
	case isSpace(r):
		c.holdSpace(r)
	case isJoiner(r):
		c.joiner = r
	case !isVisible(r) || preferred(r) == none:
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r):
		if c.last != 0 && c.space == 0 && c.marks < maxMarks {
			c.write(r)
			c.marks++
		}
	default:
		c.write(r)
		c.marks = 0
	}
}

func (c *cleaner) holdSpace(r rune) {
	c.joiner = 0
	if !isNoBreak(r) || c.space != 0 {
		r = ' '
	}
	c.space = r
}

func (c *cleaner) write(r rune) {
	if c.space != 0 && c.last != 0 {
		c.out.WriteRune(c.space)
		c.last = c.space
	}
	if c.joiner != 0 && joins(c.last, r) {
		c.out.WriteRune(c.joiner)
	}
	c.out.WriteRune(r)
	c.last, c.space, c.joiner = r, 0, 0
}

func isSpace(r rune) bool {
	return r == ' ' || unicode.IsSpace(r) || unicode.In(r, unicode.Z)
}

// isNoBreak reports whether a space keeps its neighbours on one line, as in "10 %".
func isNoBreak(r rune) bool { return r == '\u00A0' || r == '\u202F' || r == '\u2007' }

// isVisible reports whether a character is meant to be visible.
func isVisible(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) && !harfbuzz.IsDefaultIgnorable(r)
}

// joins reports whether a joiner between two characters can change their shapes.
func joins(a, b rune) bool {
	script := language.LookupScript(a)
	if language.LookupScript(b) != script {
		return false
	}
	switch script {
	case language.Arabic, language.Devanagari, language.Bengali, language.Gurmukhi, language.Gujarati,
		language.Oriya, language.Tamil, language.Telugu, language.Kannada, language.Malayalam,
		language.Sinhala, language.Khmer, language.Myanmar:
		return true
	}
	return false
}
