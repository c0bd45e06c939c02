package font

import (
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"

	"almanac/internal/chart/scene"
)

// Glyph is one shape of a text with its position.
type Glyph struct {
	// ID identifies the shape: glyphs with the same ID have the same Outline,
	// regardless of text and size, for the lifetime of the program.
	ID uint32
	// Outline is the shape at size 1, with its origin on the base line and y pointing
	// down. Multiply it by the size of the text and fill it with nonzero winding. It is
	// shared and must not be changed.
	Outline *scene.Outline
	// X and Y are the position of the origin in units, relative to the start of the
	// text's base line, y pointing down.
	X, Y float64
}

// Glyphs returns the shapes of a text at a size, in visual order from left to right:
// right-to-left script is reordered, and its brackets are mirrored. Spaces have no
// shape. Characters that no font has are left out; see Missing.
func Glyphs(text string, size float64, w scene.Weight) []Glyph {
	l := shaped(text, w)
	if len(l.glyphs) == 0 {
		return nil
	}
	glyphs := make([]Glyph, len(l.glyphs))
	for i, g := range l.glyphs {
		g.X *= size
		g.Y *= size
		glyphs[i] = g
	}
	return glyphs
}

// outline returns the shape of a glyph at size 1, thickened if asked for, or nil if the
// glyph is blank.
func (f *face) outline(shape *font.Face, id font.GID, isBolder bool) *scene.Outline {
	outlines := f.load().outlines
	if isBolder {
		outlines = f.load().bolder
	}
	if int(id) >= len(outlines) {
		return nil
	}
	o := outlines[id].Load()
	if o == nil {
		data, _ := shape.GlyphDataOutline(id)
		o = outlineOf(data.Segments, 1/float64(shape.Upem()))
		if isBolder {
			o = bolder(o)
		}
		// Two goroutines may convert the same glyph at once. Keep the first outline, so
		// that an ID always has the same one.
		outlines[id].CompareAndSwap(nil, o)
		o = outlines[id].Load()
	}
	if len(o.Ops) == 0 {
		return nil
	}
	return o
}

// outlineOf converts a font's segments, with y pointing up, to an outline.
func outlineOf(segments []font.Segment, scale float64) *scene.Outline {
	o := &scene.Outline{}
	at := func(p font.SegmentPoint) scene.Point {
		return scene.Point{X: float64(p.X) * scale, Y: -float64(p.Y) * scale}
	}
	for i, s := range segments {
		a, b, c := at(s.Args[0]), at(s.Args[1]), at(s.Args[2])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				o.Close()
			}
			o.MoveTo(a.X, a.Y)
		case opentype.SegmentOpLineTo:
			o.LineTo(a.X, a.Y)
		case opentype.SegmentOpQuadTo:
			o.QuadTo(a.X, a.Y, b.X, b.Y)
		case opentype.SegmentOpCubeTo:
			o.CubicTo(a, b, c)
		}
	}
	if len(o.Ops) > 0 {
		o.Close()
	}
	return o
}
