package font

import (
	"slices"

	"github.com/go-text/typesetting/bidi"
	unicodebidi "golang.org/x/text/unicode/bidi"
)

// setLevels sets the embedding levels of the characters; odd levels run from right to
// left. The first letter determines the paragraph's direction. Each part of a line that
// [Isolate] made is a paragraph of its own.
func (s *shaper) setLevels() {
	if !slices.ContainsFunc(s.text, affectsDirection) {
		return
	}
	if !slices.Contains(s.text, popIsolate) {
		s.setLevelsOf(leveled{s.text, s.levels}, bidi.Neutral)
		return
	}
	base := uint8(0)
	if s.text[0] == rightToLeftMark {
		base = 1
	}
	for start, r := range s.text {
		s.levels[start] = max(s.levels[start], base) // outside of the parts
		if r != firstStrongIsolate && r != rightToLeftIsolate {
			continue
		}
		direction, end := bidi.Neutral, start+slices.Index(s.text[start:], popIsolate)
		if r == rightToLeftIsolate {
			direction = bidi.RightToLeft
		}
		part := leveled{s.text[start+1 : end], s.levels[start+1 : end]}
		s.setLevelsOf(part, direction)
		for i := range part.levels {
			part.levels[i] += 2 * base
		}
	}
}

// leveled is a text with the levels of its characters.
type leveled struct {
	text   []rune
	levels []uint8
}

// setLevelsOf sets the levels of one paragraph. The direction is that of a text without
// letters.
func (s *shaper) setLevelsOf(l leveled, direction bidi.Direction) {
	runs := s.paragraph.Segment(l.text, direction)
	for i := range runs.NumRuns() {
		r := runs.Run(i)
		for j := r.Start; j < r.End; j++ {
			l.levels[j] = uint8(r.Level)
		}
	}
	if direction != bidi.RightToLeft { // otherwise all numbers are at level 2
		l.raiseNumbers()
	}
}

// affectsDirection reports whether a character can make text run from right to left.
func affectsDirection(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0x200F && r < 0x206A || r >= 0xFB1D && r < 0xFF00 || r >= 0x10800
}

// raiseNumbers restores the embedding level of numbers, which is lost because the library
// merges adjacent runs from left to right. In a left-to-right paragraph, a number after
// an Arabic word belongs to that word (level 2), but a Latin word after the number does
// not (level 0).
func (l leveled) raiseNumbers() {
	first, last := unicodebidi.L, unicodebidi.L
	for i := len(l.text) - 1; i >= 0; i-- {
		if c := classOf(l.text[i]); isLetter(c) {
			first = c
		}
	}
	if first != unicodebidi.L {
		return // everything that runs from left to right is at level 2
	}
	for i, level := range l.levels {
		if level%2 == 0 {
			l.levels[i] = 0
		}
	}
	for i, r := range l.text {
		c := classOf(r)
		if isLetter(c) {
			last = c
		}
		if l.levels[i]%2 == 1 {
			continue
		}
		if c == unicodebidi.AN || c == unicodebidi.EN && last != unicodebidi.L {
			l.levels[i] = 2
			l.raiseSigns(i, last)
		}
	}
}

// raiseSigns restores the level of the signs that belong to the number with a figure at
// i: a point or comma between two figures and, if the number is European and follows a
// Hebrew word, adjacent signs such as % and $. last is the class of the letter before
// the number.
func (l leveled) raiseSigns(i int, last unicodebidi.Class) {
	european := func(i int) bool { return last == unicodebidi.R && classOf(l.text[i]) == unicodebidi.EN }
	if i >= 2 && l.levels[i-1] == 0 && l.levels[i-2] == 2 && isFigure(l.text[i-2]) && european(i-2) == european(i) {
		if c := classOf(l.text[i-1]); c == unicodebidi.CS || european(i) && c == unicodebidi.ES {
			l.levels[i-1] = 2
		}
	}
	if !european(i) {
		return
	}
	for j := i - 1; j >= 0 && l.levels[j] == 0 && classOf(l.text[j]) == unicodebidi.ET; j-- {
		l.levels[j] = 2
	}
	for j := i + 1; j < len(l.text) && l.levels[j]%2 == 0 && classOf(l.text[j]) == unicodebidi.ET; j++ {
		l.levels[j] = 2
	}
}

func isFigure(r rune) bool {
	c := classOf(r)
	return c == unicodebidi.EN || c == unicodebidi.AN
}

func classOf(r rune) unicodebidi.Class {
	p, _ := unicodebidi.LookupRune(r)
	return p.Class()
}

func isLetter(c unicodebidi.Class) bool {
	return c == unicodebidi.L || c == unicodebidi.R || c == unicodebidi.AL
}

// reorder changes runs from reading order to visual order, from left to right (rule L2
// of the Unicode Bidirectional Algorithm).
func reorder(runs []run) {
	highest := uint8(0)
	for _, r := range runs {
		highest = max(highest, r.level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(runs); i++ {
			start := i
			for i < len(runs) && runs[i].level >= level {
				i++
			}
			slices.Reverse(runs[start:i])
		}
	}
}
