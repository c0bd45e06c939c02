package render

import (
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"

	"almanac/internal/chart/scene"
)

// quality is high enough that no noise is visible around letters.
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

// split converts the canvas to luma and, for each block of four pixels, their mean
// chroma, as JPEG stores it. The luma overwrites the pixels.
func (c *canvas) split() *image.YCbCr {
	var y, cb, cr [256]uint8
	for i, rgb := range c.palette.colours[:c.palette.n] {
		y[i], cb[i], cr[i] = color.RGBToYCbCr(rgb.R, rgb.G, rgb.B)
	}
	halfWidth, halfHeight := (c.width+1)/2, (c.height+1)/2
	n := halfWidth * halfHeight
	if cap(c.chroma) < 2*n {
		c.chroma = make([]uint8, 2*n)
	}
	picture := &image.YCbCr{
		Y: c.pixels, YStride: c.width,
		Cb: c.chroma[:n], Cr: c.chroma[n : 2*n], CStride: halfWidth,
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
