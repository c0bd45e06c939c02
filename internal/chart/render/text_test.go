package render_test

import (
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// Texts are drawn within their Box, in every script and with every anchor.
func TestTextIsInItsBox(t *testing.T) {
	for _, text := range []string{"Unemployment 12.4 %", "Ελλάδα", "Österreich", "Россия", "ישראל (2020)", "المملكة العربية السعودية", "日本"} {
		for _, anchor := range []scene.Anchor{scene.Start, scene.Middle, scene.End} {
			m := label(300.3, 50.6, text, 20, anchor)
			s := &scene.Scene{Width: 600, Height: 100, Scale: 1, PixelWidth: 600, PixelHeight: 100, Ground: colour.White, Marks: []scene.Mark{m}}
			p := drawn(t, s)
			left, top, right, bottom := 600, 100, 0, 0
			for y := range 100 {
				for x := range 600 {
					if at(p, x, y).R < 0xc0 {
						left, top, right, bottom = min(left, x), min(top, y), max(right, x+1), max(bottom, y+1)
					}
				}
			}
			drawnBox := scene.Box{X: float64(left), Y: float64(top), W: float64(right - left), H: float64(bottom - top)}
			box := m.Box()
			const slack = 4 // letters extend a little beyond their advance, and Arabic ones below Latin descenders
			if !drawnBox.Inside(scene.Box{X: box.X - slack, Y: box.Y - slack, W: box.W + 2*slack, H: box.H + 2*slack}) {
				t.Errorf("%q with anchor %d is drawn at %+v, want within %+v", text, anchor, drawnBox, box)
			}
			if drawnBox.W < box.W-3*slack {
				t.Errorf("%q with anchor %d is drawn %.0f wide, want about %.0f", text, anchor, drawnBox.W, box.W)
			}
		}
	}
}

// The rim of a text hides what is behind it, and the letters are drawn on the rim.
func TestHalo(t *testing.T) {
	box := &scene.Rect{X: 0, Y: 0, W: 100, H: 60, Fill: scene.Solid(blue)}
	m := label(50, 36, "lll", 24, scene.Middle)
	m.Colour, m.Halo, m.Rim = red, 3, colour.White
	p := drawn(t, canvas(box, m))
	var seen []colour.RGB
	for x := range 100 {
		if c := at(p, x, 30); (c == red || c == blue || c == colour.White) && (len(seen) == 0 || seen[len(seen)-1] != c) {
			seen = append(seen, c)
		}
	}
	want := []colour.RGB{blue, colour.White, red, colour.White, red, colour.White, red, colour.White, blue}
	if len(seen) != len(want) {
		t.Fatalf("the colours across the letters are %v, want %v", seen, want)
	}
	for i := range want {
		if seen[i] != want[i] {
			t.Fatalf("the colours across the letters are %v, want %v", seen, want)
		}
	}
}

// Large letters, which are not cached, look like small ones enlarged, with and without a
// rim.
func TestLargeLetters(t *testing.T) {
	for _, halo := range []float64{0, 2} {
		part := func(size float64, pixels int) float64 {
			m := label(5, 20, "Bg", size, scene.Start)
			m.Colour, m.Halo, m.Rim = red, halo, blue
			s := &scene.Scene{Width: 40, Height: 30, Scale: float64(pixels) / 40, PixelWidth: pixels, PixelHeight: pixels * 3 / 4, Ground: colour.White, Marks: []scene.Mark{m}}
			p := drawn(t, s)
			n := 0
			for y := range p.Rect.Dy() {
				for x := range p.Rect.Dx() {
					if c := at(p, x, y); halo > 0 && c == blue || halo == 0 && c == red {
						n++
					}
				}
			}
			return float64(n) / float64(pixels*pixels)
		}
		small, large := part(16, 160), part(16, 1600) // 64 and 640 pixels
		if large == 0 || small < .7*large || small > large {
			t.Errorf("with a rim of %g, letters cover %.4f at 64 pixels and %.4f at 640; want a little less at 64", halo, small, large)
		}
	}
}
