package font

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// trueType is a font that is being written, in the format of the OpenType specification
// 1.9 with outlines in the table glyf.
type trueType struct {
	source *opentype.Loader // the font that it is a part of
	glyphs []glyph
	chars  map[rune]font.GID
	kerns  []kern // sorted
}

// glyph is an outline in font units. The zero glyph is blank and has no width.
type glyph struct {
	advance  uint16
	contours [][]contourPoint
}

// contourPoint is a point of a closed contour of lines and quadratic curves.
type contourPoint struct {
	x, y  int16
	onArc bool // else a control point
}

type kern struct {
	left, right font.GID
	distance    int16
}

// table is a part of a font file.
type table struct {
	tag  string
	data []byte
}

var be = binary.BigEndian

// newGlyph converts a glyph of a font.
func newGlyph(shape *font.Face, id font.GID) glyph {
	g := glyph{advance: uint16(shape.HorizontalAdvance(id))}
	data, _ := shape.GlyphDataOutline(id)
	var at font.SegmentPoint
	for _, s := range data.Segments {
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			g.contours = append(g.contours, nil)
			g.add(s.Args[0], true)
			at = s.Args[0]
		case opentype.SegmentOpLineTo:
			g.add(s.Args[0], true)
			at = s.Args[0]
		case opentype.SegmentOpQuadTo:
			g.add(s.Args[0], false)
			g.add(s.Args[1], true)
			at = s.Args[1]
		case opentype.SegmentOpCubeTo:
			g.addCubic(at, s.Args)
			at = s.Args[2]
		}
	}
	g.contours = slices.DeleteFunc(g.contours, func(c []contourPoint) bool { return len(c) < 2 })
	for i, c := range g.contours {
		if last := len(c) - 1; c[last] == c[0] {
			g.contours[i] = c[:last] // contours are closed
		}
	}
	return g
}

func (g *glyph) add(p font.SegmentPoint, onArc bool) {
	last := len(g.contours) - 1
	if last < 0 {
		return
	}
	round := func(v float32) int16 { return int16(math.Round(float64(v))) }
	g.contours[last] = append(g.contours[last], contourPoint{round(p.X), round(p.Y), onArc})
}

// addCubic adds a cubic curve as two quadratic ones, which differ from it by less than a
// hundredth of the letter's size, much less than a pixel.
func (g *glyph) addCubic(a font.SegmentPoint, args [3]font.SegmentPoint) {
	b, c, d := args[0], args[1], args[2]
	mid := func(p, q font.SegmentPoint) font.SegmentPoint {
		return font.SegmentPoint{X: (p.X + q.X) / 2, Y: (p.Y + q.Y) / 2}
	}
	// Each half of a cubic is close to the quadratic curve whose control point is the
	// mean of the two that the cubic's ends suggest.
	quad := func(a, b, c, d font.SegmentPoint) {
		g.add(font.SegmentPoint{X: (3*(b.X+c.X) - a.X - d.X) / 4, Y: (3*(b.Y+c.Y) - a.Y - d.Y) / 4}, false)
		g.add(d, true)
	}
	ab, bc, cd := mid(a, b), mid(b, c), mid(c, d)
	abc, bcd := mid(ab, bc), mid(bc, cd)
	centre := mid(abc, bcd)
	quad(a, ab, abc, centre)
	quad(centre, bcd, cd, d)
}

// tables returns the tables of the font, with copies of the named tables of the source,
// ordered by tag.
func (t *trueType) tables(copied ...string) ([]table, error) {
	tables := []table{{"cmap", t.cmap()}, {"name", []byte{0, 0, 0, 0, 0, 6}}, {"post", t.post()}}
	glyf, loca, maxp := t.outlines()
	tables = append(tables, table{"glyf", glyf}, table{"loca", loca}, table{"maxp", maxp}, table{"hmtx", t.hmtx()})
	if len(t.kerns) > 0 {
		tables = append(tables, table{"kern", t.kern()})
	}
	for _, tag := range append(copied, "OS/2", "head", "hhea") {
		data, err := t.source.RawTable(opentype.MustNewTag(tag))
		if err != nil {
			if slices.Contains(copied, tag) {
				continue // not every font has every table for layout
			}
			return nil, fmt.Errorf("table %s: %w", tag, err)
		}
		data = slices.Clone(data)
		switch tag {
		case "head":
			be.PutUint16(data[50:], 1) // long offsets in loca
		case "hhea":
			be.PutUint16(data[34:], uint16(len(t.glyphs)))
		}
		tables = append(tables, table{tag, data})
	}
	slices.SortFunc(tables, func(a, b table) int { return compareTags(a.tag, b.tag) })
	return tables, nil
}

// cmap maps characters to glyphs, in format 4.
func (t *trueType) cmap() []byte {
	type segment struct{ start, end, delta uint16 }
	var segments []segment
	for _, c := range slices.Sorted(maps.Keys(t.chars)) {
		code, delta := uint16(c), uint16(t.chars[c])-uint16(c)
		if n := len(segments); n > 0 && segments[n-1].end == code-1 && segments[n-1].delta == delta {
			segments[n-1].end = code
			continue
		}
		segments = append(segments, segment{code, code, delta})
	}
	segments = append(segments, segment{0xFFFF, 0xFFFF, 1})
	n := uint16(len(segments))
	power := uint16(1)
	for 2*power <= n {
		power *= 2
	}
	selector := uint16(math.Log2(float64(power)))
	b := u16s(0, 1, 3, 1, 0, 12, 4, 16+8*n, 0, 2*n, 2*power, selector, 2*n-2*power)
	for _, s := range segments {
		b = be.AppendUint16(b, s.end)
	}
	b = be.AppendUint16(b, 0)
	for _, s := range segments {
		b = be.AppendUint16(b, s.start)
	}
	for _, s := range segments {
		b = be.AppendUint16(b, s.delta)
	}
	return append(b, make([]byte, 2*n)...) // no offsets into a list of glyphs
}

func u16s(values ...uint16) []byte {
	var b []byte
	for _, v := range values {
		b = be.AppendUint16(b, v)
	}
	return b
}

// post has no names of glyphs.
func (t *trueType) post() []byte {
	b := make([]byte, 32)
	be.PutUint32(b, 0x00030000)
	return b
}

func (t *trueType) hmtx() []byte {
	var b []byte
	for i := range t.glyphs {
		left, _, _, _ := t.glyphs[i].box()
		b = be.AppendUint16(b, t.glyphs[i].advance)
		b = be.AppendUint16(b, uint16(left))
	}
	return b
}

// kern lists the pairs, in format 0.
func (t *trueType) kern() []byte {
	n := uint16(len(t.kerns))
	power := uint16(1)
	for 2*power <= n {
		power *= 2
	}
	const horizontal = 1
	b := u16s(0, 1, 0, 14+6*n, horizontal, n, 6*power, uint16(math.Log2(float64(power))), 6*(n-power))
	for _, k := range t.kerns {
		b = append(b, u16s(uint16(k.left), uint16(k.right), uint16(k.distance))...)
	}
	return b
}

// outlines returns the tables of outlines, of their offsets and of their sizes.
func (t *trueType) outlines() (glyf, loca, maxp []byte) {
	points, contours := 0, 0
	for i := range t.glyphs {
		g := &t.glyphs[i]
		loca = be.AppendUint32(loca, uint32(len(glyf)))
		glyf = g.encode(glyf)
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		n := 0
		for _, c := range g.contours {
			n += len(c)
		}
		points, contours = max(points, n), max(contours, len(g.contours))
	}
	loca = be.AppendUint32(loca, uint32(len(glyf)))
	const zones = 2
	maxp = be.AppendUint32(nil, 0x00010000)
	maxp = append(maxp, u16s(uint16(len(t.glyphs)), uint16(points), uint16(contours), 0, 0, zones, 0, 0, 0, 0, 0, 0, 0, 0)...)
	return glyf, loca, maxp
}

func (g *glyph) box() (left, bottom, right, top int16) {
	first := true
	for _, c := range g.contours {
		for _, p := range c {
			if first {
				left, right, bottom, top, first = p.x, p.x, p.y, p.y, false
			}
			left, right = min(left, p.x), max(right, p.x)
			bottom, top = min(bottom, p.y), max(top, p.y)
		}
	}
	return left, bottom, right, top
}

// Flags of a point in glyf.
const (
	flagOnArc  = 1 << 0
	flagShortX = 1 << 1 // one byte, whose sign is flagSameX
	flagShortY = 1 << 2
	flagSameX  = 1 << 4 // without flagShortX: as before
	flagSameY  = 1 << 5
)

// encode appends the glyph as the table glyf has it. A blank glyph has no bytes.
func (g *glyph) encode(b []byte) []byte {
	if len(g.contours) == 0 {
		return b
	}
	left, bottom, right, top := g.box()
	b = append(b, u16s(uint16(len(g.contours)), uint16(left), uint16(bottom), uint16(right), uint16(top))...)
	end := -1
	for _, c := range g.contours {
		end += len(c)
		b = be.AppendUint16(b, uint16(end))
	}
	b = append(b, 0, 0) // no instructions
	var flags, xs, ys []byte
	var x, y int16
	for _, c := range g.contours {
		for _, p := range c {
			var flag byte
			if p.onArc {
				flag = flagOnArc
			}
			flag, xs = appendStep(flag, xs, int(p.x)-int(x), flagShortX, flagSameX)
			flag, ys = appendStep(flag, ys, int(p.y)-int(y), flagShortY, flagSameY)
			flags = append(flags, flag)
			x, y = p.x, p.y
		}
	}
	return append(append(append(b, flags...), xs...), ys...)
}

// appendStep appends the distance to the point before and returns the flags with those
// that say how it is written.
func appendStep(flags byte, list []byte, step int, short, same byte) (byte, []byte) {
	switch {
	case step == 0:
		return flags | same, list
	case step > 0 && step < 256:
		return flags | short | same, append(list, byte(step))
	case step < 0 && step > -256:
		return flags | short, append(list, byte(-step))
	}
	return flags, be.AppendUint16(list, uint16(int16(step)))
}
