// Package ink turns a scene into bytes: SVG, PNG or JPEG. The same scene is the
// same bytes.
//
// SVG says what is drawn and leaves pixels to its reader. PNG and JPEG are drawn
// here, on a canvas of one byte a pixel, an entry of the picture's palette:
//
//	scene.Mark → outline, stroke, dash   contours in pixels
//	           → raster                  runs of pixels that are covered evenly
//	           → canvas                  entries of the palette, mixed by table
//	           → PNG, JPEG
//
// Horizontal and vertical lines and the edges of boxes are moved to whole
// pixels; everything else stands where the scene says. A mark with a place that
// is no number, or farther away than any layout puts one, is left out.
package ink

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"sync"

	"almanac/internal/chart/scene"
)

// PNG writes a scene as PNG with a palette: the colours of the scene's fills,
// lines and texts are exact in it.
func PNG(w io.Writer, s *scene.Scene) error {
	c, err := draw(s)
	if err != nil {
		return err
	}
	defer c.release()
	picture := &image.Paletted{Pix: c.pixels, Stride: c.width, Rect: image.Rect(0, 0, c.width, c.height)}
	for i, rgb := range c.palette.colours[:c.palette.n] {
		if i == blank {
			rgb = s.Ground
		}
		picture.Palette = append(picture.Palette, color.RGBA{R: rgb.R, G: rgb.G, B: rgb.B, A: 0xff})
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &pngBuffers}
	if err := encoder.Encode(w, picture); err != nil {
		return fmt.Errorf("write PNG: %w", err)
	}
	return nil
}

// pngBuffers keeps the encoder's memory from picture to picture.
var pngBuffers bufferPool

type bufferPool struct{ pool sync.Pool }

// Get returns memory of an earlier picture, or nil.
func (p *bufferPool) Get() *png.EncoderBuffer {
	b, _ := p.pool.Get().(*png.EncoderBuffer)
	return b
}

// Put keeps memory for the next picture.
func (p *bufferPool) Put(b *png.EncoderBuffer) { p.pool.Put(b) }

// quality is that of JPEG: at 92 the rims of letters show no noise.
const quality = 92

// JPEG writes a scene as JPEG.
func JPEG(w io.Writer, s *scene.Scene) error {
	c, err := draw(s)
	if err != nil {
		return err
	}
	defer c.release()
	if err := jpeg.Encode(w, c.split(), &jpeg.Options{Quality: quality}); err != nil {
		return fmt.Errorf("write JPEG: %w", err)
	}
	return nil
}

// split turns the canvas into brightness and, for each four pixels, their mean
// colour, as JPEG stores it. The brightness takes the place of the pixels.
func (c *canvas) split() *image.YCbCr {
	var y, cb, cr [256]uint8
	for i, rgb := range c.palette.colours[:c.palette.n] {
		y[i], cb[i], cr[i] = color.RGBToYCbCr(rgb.R, rgb.G, rgb.B)
	}
	halfWidth, halfHeight := (c.width+1)/2, (c.height+1)/2
	picture := &image.YCbCr{
		Y: c.pixels, YStride: c.width,
		Cb: make([]uint8, halfWidth*halfHeight), Cr: make([]uint8, halfWidth*halfHeight), CStride: halfWidth,
		SubsampleRatio: image.YCbCrSubsampleRatio420, Rect: image.Rect(0, 0, c.width, c.height),
	}
	for row := range halfHeight {
		above := c.pixels[2*row*c.width : (2*row+1)*c.width]
		under := above
		if 2*row+1 < c.height {
			under = c.pixels[(2*row+1)*c.width : (2*row+2)*c.width]
		}
		for col := range halfWidth {
			i, j := 2*col, min(2*col+1, c.width-1)
			p, q, r, s := above[i], above[j], under[i], under[j]
			picture.Cb[row*halfWidth+col] = mean(cb[p], cb[q], cb[r], cb[s])
			picture.Cr[row*halfWidth+col] = mean(cr[p], cr[q], cr[r], cr[s])
		}
	}
	for i, entry := range c.pixels {
		c.pixels[i] = y[entry]
	}
	return picture
}

func mean(a, b, c, d uint8) uint8 { return uint8((int(a) + int(b) + int(c) + int(d) + 2) / 4) }
