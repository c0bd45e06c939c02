package render

import (
	"math"
	"sync"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// quarters is the number of positions within a pixel at which a glyph may start. Base
// lines are at whole pixels.
const quarters = 4

// maxCachedSize is the largest size in pixels of cached glyphs. Larger ones are rarely
// drawn again.
const maxCachedSize = 64

// cacheBytes bounds the memory of cached glyphs.
const cacheBytes = 8 << 20

// glyphKey identifies a rendered glyph: its size in pixels, its position within the
// pixel, and its rim.
type glyphKey struct {
	id        uint32
	quarter   uint8
	size, rim float64
}

// glyphMask is the coverage of a glyph out of 255, row by row. x and y are the position
// of its first pixel relative to the pixel that contains its origin.
type glyphMask struct {
	x, y, width, height int
	coverage            []uint8
}

// glyphMasks caches masks. It is emptied when it grows too large.
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
	if m.Halo > 0 && inRange(c.scale, m.Halo) {
		p := c.paint(m.Rim)
		for i := range glyphs {
			c.glyph(&glyphs[i], point{x, y}, glyphKey{size: size, rim: m.Halo * c.scale}, p, &linear)
		}
	}
	p, curve := c.paint(m.Colour), textCurve(m.Colour)
	for i := range glyphs {
		c.glyph(&glyphs[i], point{x, y}, glyphKey{size: size}, p, curve)
	}
}

// glyph draws one glyph of a text that starts at origin.
func (c *canvas) glyph(g *font.Glyph, origin point, key glyphKey, p *paint, curve *[256]uint8) {
	at := point{origin.x + g.X, origin.y + g.Y}
	if max(key.size, key.rim) > maxCachedSize {
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
	m := cachedMask(key, g.Outline)
	c.stamp(m, int(x)+m.x, int(math.Round(at.y))+m.y, p, curve)
}

// largeGlyph adds a glyph that is not cached to the raster.
func (c *canvas) largeGlyph(g *font.Glyph, at point, key glyphKey) {
	place := placement{key.size, at}
	if key.rim == 0 {
		c.points = walk(g.Outline, place, c.points, c.raster.fill)
		return
	}
	n := nib{half: key.rim, round: true}
	c.points = walk(g.Outline, place, c.points, func(line polyline) { c.raster.stroke(line, n) })
}

// stamp paints through a mask whose first pixel is at x, y.
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

// cachedMask returns the cached mask of a glyph. The caller must not change it.
func cachedMask(key glyphKey, o *scene.Outline) *glyphMask {
	glyphMasks.RLock()
	m := glyphMasks.masks[key]
	glyphMasks.RUnlock()
	if m != nil {
		return m
	}
	m = newMask(key, o)
	glyphMasks.Lock()
	defer glyphMasks.Unlock()
	if glyphMasks.masks == nil || glyphMasks.bytes > cacheBytes {
		glyphMasks.masks, glyphMasks.bytes = map[glyphKey]*glyphMask{}, 0
	}
	const overhead = 160
	glyphMasks.masks[key] = m
	glyphMasks.bytes += len(m.coverage) + overhead
	return m
}

// newMask draws a glyph into a new mask.
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
	m.add(&r)
	if key.rim > 0 {
		// Draw the rim separately, because its contours may wind the other way.
		walk(o, place, nil, func(line polyline) { r.stroke(line, nib{half: key.rim, round: true}) })
		m.add(&r)
	}
	return m
}

// add adds the shape in the raster to the mask.
func (m *glyphMask) add(r *raster) {
	r.sweep(func(y int, runs []run) {
		for _, run := range runs {
			for x := run.x0; x < run.x1; x++ {
				cov := &m.coverage[y*m.width+int(x)]
				*cov = max(*cov, run.cov)
			}
		}
	})
}

// textCurve returns the level of mixing for each coverage of a letter. With linear
// mixing, dark letters on a light background look too thin, so their level is higher.
func textCurve(c colour.RGB) *[256]uint8 {
	bright := (3*int(c.R) + 6*int(c.G) + int(c.B)) / 10
	return &textCurves[min(bright/64, len(textCurves)-1)]
}

// textCurves has one curve for each of four steps of brightness.
var textCurves = func() (t [4][256]uint8) {
	for i, gamma := range [4]float64{1.2, 1.15, 1.08, 1} {
		for cov := range 256 {
			t[i][cov] = linear[int(255*math.Pow(float64(cov)/255, 1/gamma)+.5)]
		}
	}
	return t
}()
