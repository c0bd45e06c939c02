package render_test

import (
	"bytes"
	"image/png"
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/render"
	"almanac/internal/chart/scene"
)

// A transparent picture has no ground: pixels without a mark are transparent, marks are
// opaque in their colour, and their edges are between.
func TestTransparentPNG(t *testing.T) {
	s := canvas(&scene.Circle{X: 50, Y: 30, R: 20, Fill: scene.Solid(red)}, &scene.Rect{X: 44, Y: 25, W: 10, H: 10, Fill: scene.Solid(colour.White)})
	s.Transparent = true
	var b bytes.Buffer
	if err := render.PNG(&b, s); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	partial := 0
	for y := range picture.Bounds().Dy() {
		for x := range picture.Bounds().Dx() {
			if _, _, _, a := picture.At(x, y).RGBA(); a > 0 && a < 0xffff {
				partial++
			}
		}
	}
	if partial < 40 || partial > 400 {
		t.Errorf("%d pixels are partly transparent, want the edge of the circle", partial)
	}
	if _, _, _, a := picture.At(1, 1).RGBA(); a != 0 {
		t.Errorf("the corner has an opacity of %d", a)
	}
	if r, g, b, a := picture.At(36, 30).RGBA(); a != 0xffff || uint8(r) != red.R || uint8(g) != red.G || uint8(b) != red.B {
		t.Errorf("the circle is %d %d %d %d", uint8(r), uint8(g), uint8(b), a)
	}
	if _, _, _, a := picture.At(48, 30).RGBA(); a != 0xffff {
		t.Error("a mark in the colour of the ground is transparent")
	}
	s.EmbedFonts = true
	b.Reset()
	if err := render.SVG(&b, s); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(b.Bytes(), []byte(`class="ground"`)) {
		t.Error("the SVG has a ground")
	}
}
