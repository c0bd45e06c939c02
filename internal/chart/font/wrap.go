package font

import (
	"math"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"

	"almanac/internal/chart/scene"
)

const ellipsis = "…"

// Width returns the advance width of a text at a size, shaped with kerning. All figures
// of the regular weight have the same width.
func Width(text string, size float64, w scene.Weight) float64 {
	return shaped(text, w).advance * size
}

// Wrap breaks a text into at most max lines, each no wider than width. It breaks a word
// only if the word alone is too wide. If the text does not fit, the last line ends in
// "…" and whole is false. There are no lines if the text is empty or not even one
// letter fits.
//
// Lines break at spaces, after hyphens, dashes and slashes, and between the letters of
// scripts that are written without spaces. They do not break at no-break spaces, nor at
// a space between a figure and "%".
func Wrap(text string, size float64, w scene.Weight, width float64, max int) (lines []string, whole bool) {
	text = strings.TrimFunc(text, isSpace)
	if text == "" {
		return nil, true
	}
	if max <= 0 || !usable(size, width) {
		return nil, false
	}
	if len(text) <= maxCachedBytes && Width(text, size, w) <= width {
		return []string{text}, true
	}
	// Shape only as much of a long text as the lines need.
	runes := []rune(text)
	for n := firstChunk; n < len(runes); n *= 4 {
		if lines, whole := newParagraph(runes[:n], size, w, width).wrap(max); !whole {
			return lines, false
		}
	}
	return newParagraph(runes, size, w, width).wrap(max)
}

// firstChunk is how many characters of a long text are shaped first.
const firstChunk = 1000

// Cut returns the text if it fits the width, or else the part that fits with "…" at its
// end. It returns "" if not even one letter fits.
func Cut(text string, size float64, w scene.Weight, width float64) string {
	text = strings.TrimFunc(text, isSpace)
	if text == "" || !usable(size, width) {
		return ""
	}
	if len(text) <= maxCachedBytes && Width(text, size, w) <= width {
		return text
	}
	runes := []rune(text)
	for n := firstChunk; n < len(runes); n *= 4 {
		p := newParagraph(runes[:n], size, w, width)
		if p.fitting(0) < n {
			return p.cut(0)
		}
	}
	p := newParagraph(runes, size, w, width)
	if p.fitting(0) == len(runes) && Width(text, size, w) <= width {
		return text
	}
	return p.cut(0)
}

// usable reports whether a text can be measured at a size.
func usable(size, width float64) bool {
	return size > 0 && !math.IsInf(size, 1) && width > 0
}

// paragraph is a text that is broken into lines.
type paragraph struct {
	text     []rune
	size     float64
	weight   scene.Weight
	width    float64
	advances []float64 // of each character; the first of a cluster has the whole advance
	letter   []bool    // a grapheme may end before the character
	line     []bool    // a line may end before the character
}

func newParagraph(text []rune, size float64, w scene.Weight, width float64) *paragraph {
	l := shaped(string(text), w)
	s := shapers.Get().(*shaper)
	defer shapers.Put(s)
	p := &paragraph{
		text: text, size: size, weight: w, width: width,
		advances: make([]float64, len(text)),
		letter:   make([]bool, len(text)+1), line: make([]bool, len(text)+1),
	}
	for i, a := range l.advances {
		p.advances[i] = a * size
	}
	s.breaks.Init(text)
	for letters := s.breaks.GraphemeIterator(); letters.Next(); {
		g := letters.Grapheme()
		p.letter[g.Offset+len(g.Text)] = true
	}
	for parts := s.breaks.LineIterator(); parts.Next(); {
		l := parts.Line()
		p.line[l.Offset+len(l.Text)] = true
	}
	for i := 1; i < len(text); i++ {
		p.line[i] = (p.line[i] || isUnspaced(text[i-1]) && isUnspaced(text[i])) && p.letter[i] && !p.isBeforePercent(i) && !(isHangul(text[i-1]) && isHangul(text[i]))
	}
	return p
}

// isUnspaced reports whether a script has no spaces between words. Chinese and Japanese
// are not included: the line breaking rules already cover them.
func isUnspaced(r rune) bool {
	switch language.LookupScript(r) {
	case language.Thai, language.Lao, language.Khmer, language.Myanmar:
		return true
	}
	return false
}

// isHangul reports whether a letter is Korean. Korean has spaces between words.
func isHangul(r rune) bool { return language.LookupScript(r) == language.Hangul }

// isBeforePercent reports whether the space before i is between a figure and "%".
func (p *paragraph) isBeforePercent(i int) bool {
	return i >= 2 && p.text[i] == '%' && p.text[i-1] == ' ' && unicode.IsDigit(p.text[i-2])
}

func (p *paragraph) wrap(max int) (lines []string, whole bool) {
	start := 0
	for len(lines) < max-1 {
		end := p.breakAfter(start)
		if end == start {
			return p.incomplete(lines)
		}
		lines = append(lines, p.trimmed(start, end))
		if start = p.skip(end); start == len(p.text) {
			return lines, true
		}
	}
	if end := p.breakAfter(start); p.skip(end) == len(p.text) {
		return append(lines, p.trimmed(start, end)), true
	}
	if last := p.cut(start); last != "" {
		return append(lines, last), false
	}
	return p.incomplete(lines)
}

// incomplete returns lines that end early because not even one letter of the rest fits.
func (p *paragraph) incomplete(lines []string) ([]string, bool) {
	if Width(ellipsis, p.size, p.weight) <= p.width {
		lines = append(lines, ellipsis)
	}
	return lines, false
}

// breakAfter returns where the line from start ends: at the last line break that fits,
// else within a word. It returns start if not even one letter fits.
func (p *paragraph) breakAfter(start int) int {
	end := p.fitting(start)
	// Letters may be wider at the end of a line than within it, so check each
	// candidate.
	for end > start {
		at := p.last(p.line, start, end)
		if at == start {
			at = p.last(p.letter, start, end)
		}
		if at == start || Width(p.trimmed(start, at), p.size, p.weight) <= p.width {
			return at
		}
		end = at - 1
	}
	return start
}

// fitting returns the end of the longest part from start that is not wider than the
// paragraph, not counting the space at its end.
func (p *paragraph) fitting(start int) int {
	sum := 0.0
	for i := start; i < len(p.text); i++ {
		sum += p.advances[i]
		if sum > p.width && !isSpace(p.text[i]) {
			return i
		}
	}
	return len(p.text)
}

// last returns the last marked position in (start, end], or start.
func (p *paragraph) last(marked []bool, start, end int) int {
	for ; end > start; end-- {
		if marked[end] {
			return end
		}
	}
	return start
}

func (p *paragraph) trimmed(start, end int) string {
	return strings.TrimFunc(string(p.text[start:end]), isSpace)
}

func (p *paragraph) skip(at int) int {
	for at < len(p.text) && isSpace(p.text[at]) {
		at++
	}
	return at
}

// minWordShare is the fraction of the fitting text that must remain for a text to be cut
// between words. Otherwise it is cut within a word.
const minWordShare = .6

// cut returns the part of the text from start that fits, followed by "…", or "". It
// cuts between words if most of what fits remains.
func (p *paragraph) cut(start int) string {
	width := p.width - Width(ellipsis, p.size, p.weight)
	end, sum := start, 0.0
	for end < len(p.text) && sum+p.advances[end] <= width {
		sum += p.advances[end]
		end++
	}
	if end < len(p.text) {
		if at := p.last(p.line, start, end); float64(at-start) >= minWordShare*float64(end-start) {
			end = at
		}
	}
	for end > start {
		at := p.last(p.letter, start, end)
		head := strings.TrimRightFunc(p.trimmed(start, at), isLoose)
		if head == "" {
			return ""
		}
		if Width(head+ellipsis, p.size, p.weight) <= p.width {
			return head + ellipsis
		}
		end = at - 1
	}
	return ""
}

// isLoose reports whether a character looks odd before "…".
func isLoose(r rune) bool { return strings.ContainsRune(" ,;:(-–—/", r) || isNoBreak(r) }
