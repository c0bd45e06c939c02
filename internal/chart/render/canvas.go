package render

import (
	"fmt"
	"math"
	"sync"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// maxPixels bounds the size of a picture, which takes one byte of memory per pixel.
const maxPixels = 50_000_000

// canvas is the picture that is being drawn. Canvases are pooled.
type canvas struct {
	width, height int
	scale         float64 // pixels per unit
	pixels        []uint8 // entries of the palette, row by row
	palette       palette
	paints        []*paint
	raster        raster
	points        []point // for one subpath
	pieces        []point // for one dash
	hatches       []hatching
	chroma        []uint8 // for JPEG
	across, down  boxes
}

var canvases = sync.Pool{New: func() any { return new(canvas) }}

// draw renders the scene to a canvas. The caller releases it.
func draw(s *scene.Scene) (*canvas, error) {
	w, h := s.PixelWidth, s.PixelHeight
	if w < 1 || h < 1 || w > maxPixels/h {
		return nil, fmt.Errorf("invalid picture size of %d × %d pixels: each side must be at least 1, and the product at most %d", w, h, maxPixels)
	}
	if !(s.Scale > 0) || math.IsInf(s.Scale, 0) {
		return nil, fmt.Errorf("invalid picture scale of %g pixels per unit: it must be positive and finite", s.Scale)
	}
	c := canvases.Get().(*canvas)
	c.width, c.height, c.scale = w, h, s.Scale
	if cap(c.pixels) < w*h {
		c.pixels = make([]uint8, w*h)
	}
	c.pixels = c.pixels[:w*h]
	c.palette.reset()
	if s.Transparent {
		c.palette.ground(s.Ground)
	}
	c.palette.gather(s)
	c.raster.reset(w, h)
	c.across, c.down = boxesOf(s)
	fillRow(c.pixels, blank+1) // the ground, which is the first entry
	for _, m := range s.Marks {
		c.mark(m)
	}
	return c, nil
}

// release returns the canvas to the pool.
func (c *canvas) release() {
	for _, p := range c.paints {
		paints.Put(p)
	}
	clear(c.paints)
	c.paints, c.hatches = c.paints[:0], nil
	canvases.Put(c)
}

var paints = sync.Pool{New: func() any { return new(paint) }}

func (c *canvas) paint(rgb colour.RGB) *paint {
	entry := c.palette.entry(rgb)
	for _, p := range c.paints {
		if p.entry == entry {
			return p
		}
	}
	p := paints.Get().(*paint)
	p.entry = entry
	clear(p.mixed[:])
	c.paints = append(c.paints, p)
	return p
}

// fillRow sets all pixels of row to entry.
func fillRow(row []uint8, entry uint8) {
	if len(row) == 0 {
		return
	}
	row[0] = entry
	for n := 1; n < len(row); n *= 2 {
		copy(row[n:], row[:n])
	}
}

// linear maps a coverage out of 255 to a level of mixing, in proportion.
var linear = func() (t [256]uint8) {
	for cov := range t {
		t[cov] = uint8((cov*(levels-1) + 127) / 255)
	}
	return t
}()

// solid paints the shape in the raster with one colour.
func (c *canvas) solid(p *paint) {
	c.raster.sweep(func(y int, runs []run) {
		row := c.pixels[y*c.width : (y+1)*c.width]
		for _, r := range runs {
			level := linear[r.cov]
			if level == levels-1 {
				fillRow(row[r.x0:r.x1], p.entry)
				continue
			}
			for x := r.x0; x < r.x1; x++ {
				c.blend(&row[x], p, level)
			}
		}
	})
}

func (c *canvas) blend(pixel *uint8, p *paint, level uint8) {
	slot := &p.mixed[int(*pixel)<<levelBits|int(level)]
	if *slot == blank {
		*slot = c.palette.mix(*pixel, p.entry, int(level))
	}
	*pixel = *slot
}

// hatch paints the shape in the raster with parallel lines. lines holds the coverage of
// pixels, indexed by the sum of column and row.
func (c *canvas) hatch(p *paint, lines []uint8) {
	c.raster.sweep(func(y int, runs []run) {
		row := c.pixels[y*c.width : (y+1)*c.width]
		for _, r := range runs {
			for x := r.x0; x < r.x1; x++ {
				cov := int(lines[int(x)+y]) * int(r.cov) / 255
				if level := linear[cov]; level > 0 {
					c.blend(&row[x], p, level)
				}
			}
		}
	})
}
