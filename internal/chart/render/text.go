package render

import (
	"math"
	"sync"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// quarters is at how many places within a pixel a glyph may begin. Base lines
// stand on whole pixels.
const quarters = 4

// largestKept is the size in pixels up to which glyphs are kept for the next
// text: they come again and again, larger ones do not.
const largestKept = 64

// keptBytes bounds the memory of glyphs that are kept.
const keptBytes = 8 << 20

// glyphKey names a glyph as it is drawn: at a size in pixels, a place within
// the pixel, and with a rim.
type glyphKey struct {
	id        uint32
	quarter   uint8
	size, rim float64
}

// glyphMask is the coverage of a glyph, of 255, row by row; x and y are of its
// first pixel from the pixel that its origin is in.
type glyphMask struct {
	x, y, width, height int
	coverage            []uint8
}

// glyphMasks keeps masks, and starts again when there are too many.
var glyphMasks struct {
	sync.RWMutex
	masks map[glyphKey]*glyphMask
	bytes int
}

// text draws a text, its rim first.
func (c *canvas) text(m *scene.Text) {
	size := m.Size * c.scale
	x, y := m.Box().X*c.scale, math.Round(m.Y*c.scale)
	glyphs := font.Glyphs(m.Text, size, m.Weight)
	if m.Halo > 0 && placeable(c.scale, m.Halo) {
		p := c.paint(m.Rim)
		for i := range glyphs {
			c.glyph(&glyphs[i], point{x, y}, glyphKey{size: size, rim: m.Halo * c.scale}, p, &even)
		}
	}
	p, curve := c.paint(m.Colour), textCurve(m.Colour)
	for i := range glyphs {
		c.glyph(&glyphs[i], point{x, y}, glyphKey{size: size}, p, curve)
	}
}

// glyph draws one glyph of a text that begins at origin.
func (c *canvas) glyph(g *font.Glyph, origin point, key glyphKey, p *paint, curve *[256]uint8) {
	at := point{origin.x + g.X, origin.y + g.Y}
	if max(key.size, key.rim) > largestKept {
		c.largeGlyph(g, at, key)
		c.solid(p)
		return
	}
	reach := 3 * (key.size + key.rim)
	if !(at.x > -reach && at.x < float64(c.width)+reach && at.y > -reach && at.y < float64(c.height)+reach) {
		return
	}
	place := math.Floor(at.x*quarters + .5)
	x := math.Floor(place / quarters)
	key.id, key.quarter = g.ID, uint8(place-x*quarters)
	m := keptMask(key, g.Outline)
	c.stamp(m, int(x)+m.x, int(math.Round(at.y))+m.y, p, curve)
}

// largeGlyph adds a glyph that is not kept to the raster.
func (c *canvas) largeGlyph(g *font.Glyph, at point, key glyphKey) {
	place := placement{key.size, at}
	if key.rim == 0 {
		c.points = walk(g.Outline, place, c.points, c.raster.fill)
		return
	}
	n := nib{half: key.rim, round: true}
	c.points = walk(g.Outline, place, c.points, func(line polyline) { c.raster.stroke(line, n) })
}

// stamp paints through a mask, its first pixel at x, y.
func (c *canvas) stamp(m *glyphMask, x, y int, p *paint, curve *[256]uint8) {
	from, to := max(0, -x), min(m.width, c.width-x)
	if from >= to {
		return
	}
	for i := max(0, -y); i < min(m.height, c.height-y); i++ {
		row := c.pixels[(y+i)*c.width+x+from : (y+i)*c.width+x+to]
		for j, cov := range m.coverage[i*m.width+from : i*m.width+to] {
			if level := curve[cov]; level > 0 {
				c.blend(&row[j], p, level)
			}
		}
	}
}

// keptMask returns the mask of a glyph, which must not be changed.
func keptMask(key glyphKey, o *scene.Outline) *glyphMask {
	glyphMasks.RLock()
	m := glyphMasks.masks[key]
	glyphMasks.RUnlock()
	if m != nil {
		return m
	}
	m = newMask(key, o)
	glyphMasks.Lock()
	defer glyphMasks.Unlock()
	if glyphMasks.masks == nil || glyphMasks.bytes > keptBytes {
		glyphMasks.masks, glyphMasks.bytes = map[glyphKey]*glyphMask{}, 0
	}
	const overhead = 160
	glyphMasks.masks[key] = m
	glyphMasks.bytes += len(m.coverage) + overhead
	return m
}

// newMask draws a glyph into a mask of its own.
func newMask(key glyphKey, o *scene.Outline) *glyphMask {
	m := &glyphMask{}
	if o == nil || len(o.Points) == 0 {
		return m
	}
	low, high := o.Points[0], o.Points[0]
	for _, p := range o.Points {
		low.X, low.Y = min(low.X, p.X), min(low.Y, p.Y)
		high.X, high.Y = max(high.X, p.X), max(high.Y, p.Y)
	}
	shift := float64(key.quarter) / quarters
	m.x, m.y = int(math.Floor(low.X*key.size+shift-key.rim)), int(math.Floor(low.Y*key.size-key.rim))
	m.width = int(math.Ceil(high.X*key.size+shift+key.rim)) - m.x + 1
	m.height = int(math.Ceil(high.Y*key.size+key.rim)) - m.y + 1
	m.coverage = make([]uint8, m.width*m.height)
	var r raster
	r.reset(m.width, m.height)
	place := placement{key.size, point{shift - float64(m.x), -float64(m.y)}}
	walk(o, place, nil, r.fill)
	m.take(&r)
	if key.rim > 0 {
		// The rim is wound its own way, so it is drawn by itself.
		walk(o, place, nil, func(line polyline) { r.stroke(line, nib{half: key.rim, round: true}) })
		m.take(&r)
	}
	return m
}

// take adds what is in the raster to the mask.
func (m *glyphMask) take(r *raster) {
	r.sweep(func(y int, runs []run) {
		for _, run := range runs {
			for x := run.x0; x < run.x1; x++ {
				cov := &m.coverage[y*m.width+int(x)]
				*cov = max(*cov, run.cov)
			}
		}
	})
}

// textCurve returns the level of each coverage of a letter. Dark letters on
// light ground look thinner than they are when their edges are mixed evenly, so
// they get a little more.
func textCurve(c colour.RGB) *[256]uint8 {
	bright := (3*int(c.R) + 6*int(c.G) + int(c.B)) / 10
	return &textCurves[min(bright/64, len(textCurves)-1)]
}

// textCurves are for four steps of brightness.
var textCurves = func() (t [4][256]uint8) {
	for i, gamma := range [4]float64{1.2, 1.15, 1.08, 1} {
		for cov := range 256 {
			t[i][cov] = even[int(255*math.Pow(float64(cov)/255, 1/gamma)+.5)]
		}
	}
	return t
}()
