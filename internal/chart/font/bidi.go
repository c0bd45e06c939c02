package font

import (
	"slices"

	"github.com/go-text/typesetting/bidi"
	unicodebidi "golang.org/x/text/unicode/bidi"
)

// setLevels sets the embedding levels of the characters; odd levels run from right to
// left. The first letter determines the paragraph's direction.
func (s *shaper) setLevels() {
	if !slices.ContainsFunc(s.text, affectsDirection) {
		return
	}
	runs := s.paragraph.Segment(s.text, bidi.Neutral)
	for i := range runs.NumRuns() {
		r := runs.Run(i)
		for j := r.Start; j < r.End; j++ {
			s.levels[j] = uint8(r.Level)
		}
	}
	s.raiseNumbers()
}

// affectsDirection reports whether a character can make text run from right to left.
func affectsDirection(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0x200F && r < 0x206A || r >= 0xFB1D && r < 0xFF00 || r >= 0x10800
}

// raiseNumbers restores the embedding level of numbers, which is lost because the library
// merges adjacent runs from left to right. In a left-to-right paragraph, a number after
// an Arabic word belongs to that word (level 2), but a Latin word after the number does
// not (level 0).
func (s *shaper) raiseNumbers() {
	first, last := unicodebidi.L, unicodebidi.L
	for i := len(s.text) - 1; i >= 0; i-- {
		if c := classOf(s.text[i]); isLetter(c) {
			first = c
		}
	}
	if first != unicodebidi.L {
		return // everything that runs from left to right is at level 2
	}
	for i, level := range s.levels {
		if level%2 == 0 {
			s.levels[i] = 0
		}
	}
	for i, r := range s.text {
		c := classOf(r)
		if isLetter(c) {
			last = c
		}
		if s.levels[i]%2 == 1 {
			continue
		}
		if c == unicodebidi.AN || c == unicodebidi.EN && last != unicodebidi.L {
			s.levels[i] = 2
			s.raiseSigns(i, last)
		}
	}
}

// raiseSigns restores the level of the signs that belong to the number with a figure at
// i: a point or comma between two figures and, if the number is European and follows a
// Hebrew word, adjacent signs such as % and $. last is the class of the letter before
// the number.
func (s *shaper) raiseSigns(i int, last unicodebidi.Class) {
	european := func(i int) bool { return last == unicodebidi.R && classOf(s.text[i]) == unicodebidi.EN }
	if i >= 2 && s.levels[i-1] == 0 && s.levels[i-2] == 2 && isFigure(s.text[i-2]) && european(i-2) == european(i) {
		if c := classOf(s.text[i-1]); c == unicodebidi.CS || european(i) && c == unicodebidi.ES {
			s.levels[i-1] = 2
		}
	}
	if !european(i) {
		return
	}
	for j := i - 1; j >= 0 && s.levels[j] == 0 && classOf(s.text[j]) == unicodebidi.ET; j-- {
		s.levels[j] = 2
	}
	for j := i + 1; j < len(s.text) && s.levels[j]%2 == 0 && classOf(s.text[j]) == unicodebidi.ET; j++ {
		s.levels[j] = 2
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
