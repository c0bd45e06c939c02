package font

import (
	"sync"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"

	"almanac/internal/chart/scene"
)

// line is a shaped text at size 1.
type line struct {
	advance float64
	glyphs  []Glyph
}

// shaper turns characters into glyphs, for one goroutine at a time.
type shaper struct {
	buffer *harfbuzz.Buffer
	fonts  []*harfbuzz.Font // by face; nil: not used yet
}

var shapers = sync.Pool{New: func() any {
	return &shaper{buffer: harfbuzz.NewBuffer(), fonts: make([]*harfbuzz.Font, len(faces))}
}}

func shaped(text string, w scene.Weight) *line {
	s := shapers.Get().(*shaper)
	defer shapers.Put(s)
	l := &line{}
	n := regular
	if w == scene.Bold {
		n = bold
	}
	s.run(l, []rune(text), n)
	return l
}

// font returns a face for this shaper alone: faces of the library keep caches
// that are not safe to share.
func (s *shaper) font(number int) *harfbuzz.Font {
	if s.fonts[number] == nil {
		s.fonts[number] = harfbuzz.NewFont(font.NewFace(faces[number].load().font))
	}
	return s.fonts[number]
}

func (s *shaper) run(l *line, text []rune, number int) {
	f := s.font(number)
	s.buffer.Clear()
	s.buffer.AddRunes(text, 0, len(text))
	s.buffer.Props = harfbuzz.SegmentProperties{Language: "en", Script: language.Latin, Direction: harfbuzz.LeftToRight}
	s.buffer.Shape(f, nil)
	em := 1 / float64(f.Face().Upem())
	for i, g := range s.buffer.Info {
		p := s.buffer.Pos[i]
		if g.Glyph == 0 {
			continue
		}
		if o := faces[number].outline(f.Face(), g.Glyph); o != nil {
			l.glyphs = append(l.glyphs, Glyph{
				ID: faces[number].number<<16 | uint32(g.Glyph), Outline: o,
				X: l.advance + float64(p.XOffset)*em, Y: -float64(p.YOffset) * em,
			})
		}
		l.advance += float64(p.XAdvance) * em
	}
}
