package font

import (
	"slices"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"almanac/internal/chart/scene"
)

// line is a text shaped at size 1.
type line struct {
	advance  float64
	glyphs   []Glyph
	advances []float64 // of each character; the first of a cluster has the whole advance
}

// run is a stretch of text with one face, script and direction.
type run struct {
	start, end int
	level      uint8 // odd: from right to left
}

// shaper converts characters to glyphs, for one goroutine at a time. Its slices are
// indexed by the characters of the last text.
type shaper struct {
	buffer    *harfbuzz.Buffer
	fonts     [len(faces)]*harfbuzz.Font // nil until first used
	paragraph bidi.Paragraph
	breaks    segmenter.Segmenter

	text     []rune
	faces    []uint8
	scripts  []language.Script
	levels   []uint8
	runs     []run
	advances []float64 // at size 1; the first character of a cluster has the whole advance
}

var shapers = sync.Pool{New: func() any { return &shaper{buffer: harfbuzz.NewBuffer()} }}

// shape lays out a text at size 1. Characters that are not drawn have no advance.
func (s *shaper) shape(text string, w scene.Weight) *line {
	s.layOut(text, w)
	l := &line{}
	for _, r := range s.runs {
		s.appendRun(l, r, w)
	}
	l.advances = slices.Clone(s.advances)
	return l
}

// layOut splits a text into runs.
func (s *shaper) layOut(text string, w scene.Weight) {
	s.begin(text)
	s.chooseFaces(w)
	s.setLevels()
	s.splitRuns()
}

func (s *shaper) begin(text string) {
	s.text = s.text[:0]
	for _, r := range text {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			r = ' ' // the library would end the paragraph
		}
		s.text = append(s.text, r)
	}
	n := len(s.text)
	s.faces = resize(s.faces, n)
	s.scripts = resize(s.scripts, n)
	s.levels = resize(s.levels, n)
	s.advances = resize(s.advances, n)
}

// resize returns a slice of n zeros and reuses list's memory if it is large enough.
func resize[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n, n+n/4)
	}
	list = list[:n]
	clear(list)
	return list
}

// chooseFaces chooses the face and the script of each character. A character without a
// script of its own, such as a mark or a bracket, gets those of the previous character.
func (s *shaper) chooseFaces(w scene.Weight) {
	before, script := uint8(none), s.firstScript()
	for i, r := range s.text {
		f := preferred(r)
		if own := language.LookupScript(r); own.Strong() && own != language.Unknown {
			script = own
		} else if isJoiner(r) {
			f = before
		} else if before != none && (f != regular || unicode.Is(unicode.M, r)) && faces[before].has(r) {
			f = before
		}
		if f == regular && w == scene.Bold {
			f = bold
		}
		if f == rest && before <= bold && unicode.Is(unicode.M, r) {
			s.moveLetter(i)
		}
		s.faces[i], s.scripts[i] = f, shapedAs(script, f)
		before = f
	}
}

// moveLetter assigns the letter before a mark that Inter lacks, and its other marks, to
// the face that has the mark, so that the font can position the mark.
func (s *shaper) moveLetter(mark int) {
	start := mark - 1
	for start > 0 && unicode.Is(unicode.M, s.text[start]) {
		start--
	}
	for _, r := range s.text[start:mark] {
		if !faces[rest].has(r) {
			return
		}
	}
	for i := start; i < mark; i++ {
		s.faces[i] = rest
	}
}

func (s *shaper) firstScript() language.Script {
	for _, r := range s.text {
		if own := language.LookupScript(r); own.Strong() && own != language.Unknown {
			return own
		}
	}
	return language.Latin
}

// shapedAs merges scripts that are shaped in the same way, to get fewer runs.
func shapedAs(script language.Script, face uint8) language.Script {
	switch {
	case face <= rest && script != language.Greek && script != language.Cyrillic:
		return language.Latin
	case script == language.Hiragana || script == language.Katakana || script == language.Bopomofo:
		return language.Han
	}
	return script
}

// splitRuns splits the text into runs, in visual order.
func (s *shaper) splitRuns() {
	s.runs = s.runs[:0]
	for i := range s.text {
		if i > 0 && s.faces[i] == s.faces[i-1] && s.scripts[i] == s.scripts[i-1] && s.levels[i] == s.levels[i-1] {
			s.runs[len(s.runs)-1].end = i + 1
			continue
		}
		s.runs = append(s.runs, run{start: i, end: i + 1, level: s.levels[i]})
	}
	reorder(s.runs)
}

// font returns a font for this shaper only: the library's faces have caches that are
// not safe to share.
func (s *shaper) font(number uint8) *harfbuzz.Font {
	if s.fonts[number] == nil {
		s.fonts[number] = harfbuzz.NewFont(font.NewFace(faces[number].load().font))
	}
	return s.fonts[number]
}

// appendRun shapes a run and appends it to the right end of the line.
func (s *shaper) appendRun(l *line, r run, w scene.Weight) {
	number := s.faces[r.start]
	if number == none {
		return
	}
	f := s.font(number)
	s.shapeRun(r)
	em := 1 / float64(f.Face().Upem())
	id, isBolder := uint32(number)<<16, w == scene.Bold && number > bold
	if isBolder {
		id |= 1 << 31
	}
	for i, g := range s.buffer.Info {
		if g.Glyph == 0 { // the box for a missing character
			continue
		}
		p := s.buffer.Pos[i]
		if o := faces[number].outline(f.Face(), g.Glyph, isBolder); o != nil {
			l.glyphs = append(l.glyphs, Glyph{
				ID: id | uint32(g.Glyph), Outline: o,
				X: l.advance + float64(p.XOffset)*em, Y: -float64(p.YOffset) * em,
			})
		}
		advance := float64(p.XAdvance) * em
		l.advance += advance
		s.advances[g.Cluster] += advance
	}
}

// shapeRun shapes a run into the buffer.
func (s *shaper) shapeRun(r run) {
	s.buffer.Clear()
	s.buffer.AddRunes(s.text, r.start, r.end-r.start)
	s.buffer.Props = harfbuzz.SegmentProperties{Language: "en", Script: s.scripts[r.start], Direction: harfbuzz.LeftToRight}
	if r.level%2 == 1 {
		s.buffer.Props.Direction = harfbuzz.RightToLeft
	}
	s.buffer.Shape(s.font(s.faces[r.start]), nil)
}

// isJoiner reports whether a character only joins or separates its neighbours.
func isJoiner(r rune) bool { return r == '\u200C' || r == '\u200D' }
