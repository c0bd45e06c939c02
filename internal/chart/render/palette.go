package render

import (
	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// A canvas has one byte per pixel: an entry of the picture's palette. The colours of the
// scene get their own entries first, so they are exact in the picture. Mixed colours,
// where an edge covers part of a pixel, get entries as long as some are left, and after
// that use the closest one.

// blank is the unused entry 0. In lookup tables it means not yet known.
const blank = 0

// levels is the number of levels of mixing; the last one is full coverage.
const (
	levelBits = 5
	levels    = 1 << levelBits
)

// maxExactColours is how many colours of the scene get their own entries. The rest of the
// palette is for mixed colours.
const maxExactColours = 160

// palette holds the colours of a picture. Entry 0 is blank.
type palette struct {
	colours [256]colour.RGB
	opacity [256]uint8 // out of levels-1
	n       int        // entries in use, including blank
	// hasAlpha says that the background is transparent. Without it, all entries are
	// opaque.
	hasAlpha bool
}

// paint is one colour to paint with.
type paint struct {
	entry uint8
	// mixed caches the entries of mixes, indexed by the entry below, shifted left by
	// levelBits, and the level.
	mixed [256 << levelBits]uint8
}

func (p *palette) reset() { p.n, p.hasAlpha = 1, false }

// entry returns the entry of a colour of the scene. It adds one if there is space, and
// otherwise returns the closest.
func (p *palette) entry(c colour.RGB) uint8 {
	for i := 1; i < p.n; i++ {
		if p.colours[i] == c && p.opacity[i] == levels-1 {
			return uint8(i)
		}
	}
	if p.n > maxExactColours {
		e, _ := p.nearest(c)
		return e
	}
	return p.add(c)
}

func (p *palette) add(c colour.RGB) uint8 {
	p.colours[p.n], p.opacity[p.n] = c, levels-1
	p.n++
	return uint8(p.n - 1)
}

// nearest returns the opaque entry closest to a colour, and their distance.
func (p *palette) nearest(c colour.RGB) (entry uint8, distance int32) {
	distance = 1 << 30
	r, g, b := int32(c.R), int32(c.G), int32(c.B)
	for i, q := range p.colours[1:p.n] {
		if p.hasAlpha && p.opacity[i+1] < levels-1 {
			continue
		}
		dr, dg, db := int32(q.R)-r, int32(q.G)-g, int32(q.B)-b
		// The eye is most sensitive to green and least to blue.
		if d := 3*dr*dr + 4*dg*dg + 2*db*db; d < distance {
			entry, distance = uint8(i+1), d
		}
	}
	return entry, distance
}

// mix returns the entry for over at level/(levels-1) opacity on under.
func (p *palette) mix(under, over uint8, level int) uint8 {
	if p.opacity[under] < levels-1 {
		return p.mixTransparent(under, over, level)
	}
	a, b := p.colours[under], p.colours[over]
	const whole = levels - 1
	part := func(a, b uint8) uint8 {
		return uint8((int(a)*(whole-level) + int(b)*level + whole/2) / whole)
	}
	c := colour.RGB{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B)}
	e, d := p.nearest(c)
	if d == 0 || p.n == len(p.colours) || d <= p.tolerance() {
		return e
	}
	return p.add(c)
}

// ground adds the entry of a transparent background.
func (p *palette) ground(c colour.RGB) {
	p.hasAlpha = true
	p.opacity[p.add(c)] = 0
}

// mixTransparent is mix over an entry that is not opaque.
func (p *palette) mixTransparent(under, over uint8, level int) uint8 {
	const whole = levels - 1
	rest := int(p.opacity[under]) * (whole - level) / whole
	opacity := level + rest
	if opacity == 0 {
		return under
	}
	a, b := p.colours[under], p.colours[over]
	part := func(a, b uint8) uint8 { return uint8((int(a)*rest + int(b)*level) / opacity) }
	c := colour.RGB{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B)}
	best, distance := under, int32(1<<30)
	for i := 1; i < p.n; i++ {
		q := p.colours[i]
		dr, dg, db, do := int32(q.R)-int32(c.R), int32(q.G)-int32(c.G), int32(q.B)-int32(c.B), 8*(int32(p.opacity[i])-int32(opacity))
		if d := 3*dr*dr + 4*dg*dg + 2*db*db + 9*do*do; d < distance {
			best, distance = uint8(i), d
		}
	}
	if distance <= p.tolerance() || p.n == len(p.colours) {
		return best
	}
	e := p.add(c)
	p.opacity[e] = uint8(opacity)
	return e
}

// tolerance returns the distance up to which a mix uses an existing entry. It grows as
// entries are used up, so that the last ones go to colours that differ much from all
// others.
func (p *palette) tolerance() int32 {
	used := int32(p.n * 64 / len(p.colours)) // of 64
	steps := 3 + 40*used*used*used*used/(64*64*64*64)
	return 9 * steps * steps
}

// gather adds the colours of a scene to the palette.
func (p *palette) gather(s *scene.Scene) {
	p.entry(s.Ground)
	for _, m := range s.Marks {
		switch m := m.(type) {
		case *scene.Rect:
			p.gatherShape(m.Fill, m.Pen)
		case *scene.Circle:
			p.gatherShape(m.Fill, m.Pen)
		case *scene.Path:
			p.gatherShape(m.Fill, m.Pen)
		case *scene.Line:
			p.gatherShape(scene.Fill{}, m.Pen)
		case *scene.Text:
			p.entry(m.Colour)
			if m.Halo > 0 {
				p.entry(m.Rim)
			}
		}
	}
}

func (p *palette) gatherShape(f scene.Fill, pen scene.Pen) {
	if f.On {
		p.entry(f.Colour)
	}
	if f.Hatch != nil {
		p.entry(f.Hatch.Colour)
	}
	if pen.Width > 0 {
		p.entry(pen.Colour)
	}
}
