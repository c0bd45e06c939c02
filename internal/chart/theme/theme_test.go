package theme_test

import (
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/theme"
)

// sample returns a picture in the colours of Plain with a line, a hatched bar in a
// caller's navy, and a number on the bar.
func sample() (s *scene.Scene, line *scene.Line, bar *scene.Rect, number *scene.Text) {
	line = &scene.Line{Tag: scene.Tag{Role: scene.Series}, X2: 90, Y2: 9, Pen: scene.Pen{Colour: colour.Categorical()[0], Width: 2}}
	navy := colour.RGB{R: 10, G: 20, B: 80}
	bar = &scene.Rect{Tag: scene.Tag{Role: scene.Series}, X: 10, Y: 10, W: 50, H: 50, Fill: scene.Fill{Colour: navy, On: true, Hatch: &scene.Hatch{Colour: colour.White, Width: 1, Spacing: 4}}}
	number = &scene.Text{Tag: scene.Tag{Role: scene.Value}, X: 15, Y: 40, Text: "12", Size: 12, W: 14, Colour: colour.White}
	return &scene.Scene{Width: 100, Height: 100, Scale: 1, Ground: colour.White, Marks: []scene.Mark{line, bar, number}}, line, bar, number
}

// Colours of Plain become those of the theme. A caller's colour stays if it can be seen,
// and text is readable on what lies under it.
func TestApply(t *testing.T) {
	look, err := theme.Parse("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	s, line, bar, number := sample()
	hatch := bar.Fill.Hatch
	look.Apply(s)
	if s.Ground != colour.Night.Ground || line.Pen.Colour != colour.Night.Series[0] {
		t.Errorf("the ground is %s and the line %s", s.Ground, line.Pen.Colour)
	}
	if got := colour.Contrast(bar.Fill.Colour, s.Ground); got < colour.MarkContrast || got > 3.2 {
		t.Errorf("navy became %s, %.2f:1 on the ground, want just visible", bar.Fill.Colour, got)
	}
	if got := colour.Contrast(number.Colour, bar.Fill.Colour); got < colour.TextContrast {
		t.Errorf("the number is %.2f:1 on its bar", got)
	}
	if hatch.Colour != colour.White {
		t.Error("a hatch that scenes share was changed")
	}
}

// A number on a bright mark becomes as dark as on white, not only just readable.
func TestNumbersOnBrightMarks(t *testing.T) {
	look, err := theme.Parse("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	s, _, bar, number := sample()
	bar.Fill, number.Colour = scene.Fill{Colour: colour.Categorical()[1], On: true}, colour.Dark
	look.Apply(s)
	if got := colour.Contrast(number.Colour, bar.Fill.Colour); got < 7 {
		t.Errorf("the number is %s, %.2f:1 on its bar", number.Colour, got)
	}
}

// Without a theme, the background chooses between the colours for white and for near
// black. Nothing changes if neither is given.
func TestBackground(t *testing.T) {
	for background, title := range map[string]colour.RGB{"": colour.Dark, "#fff8e0": colour.Dark, "navy": colour.Night.Dark, "transparent": colour.Dark} {
		look, err := theme.Parse("", background)
		if err != nil {
			t.Fatal(err)
		}
		s, _, _, _ := sample()
		text := &scene.Text{X: 70, Y: 90, Text: "a", Size: 12, W: 7, Colour: colour.Dark}
		s.Add(text)
		look.Apply(s)
		if text.Colour != title {
			t.Errorf("on %q the title is %s, want %s", background, text.Colour, title)
		}
		if s.Transparent != (background == theme.Transparent) {
			t.Errorf("%q: transparent is %t", background, s.Transparent)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range [][2]string{{"sepia", ""}, {"Dark", ""}, {"", "#ggg"}, {"dark", "Transparent"}, {"", " red"}} {
		if _, err := theme.Parse(c[0], c[1]); err == nil {
			t.Errorf("theme %q and background %q are accepted", c[0], c[1])
		}
	}
}

// Gridlines, axes and spans are as visible on any background as on the ground of the theme.
func TestChromeOnAnyBackground(t *testing.T) {
	for _, name := range []string{"", "light", "dark", "print"} {
		for _, background := range []string{"#234", "#888", "#38342d", "#dfe3e8", "#fff8e0", "black", "white"} {
			look, err := theme.Parse(name, background)
			if err != nil {
				t.Fatal(err)
			}
			grid := &scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X2: 90, Pen: scene.Pen{Colour: colour.Rule, Width: 1}}
			zero := &scene.Line{Tag: scene.Tag{Role: scene.Zero}, X2: 90, Pen: scene.Pen{Colour: colour.Base, Width: 1}}
			span := &scene.Rect{Tag: scene.Tag{Role: scene.Span}, W: 9, H: 9, Fill: scene.Solid(colour.Land)}
			s := &scene.Scene{Width: 100, Height: 100, Scale: 1, Ground: colour.White, Marks: []scene.Mark{grid, zero, span}}
			look.Apply(s)
			for what, m := range map[string]struct {
				c     colour.RGB
				least float64
			}{"grid": {grid.Pen.Colour, 1.2}, "zero line": {zero.Pen.Colour, colour.MarkContrast}, "span": {span.Fill.Colour, 1.1}} {
				if got := colour.Contrast(m.c, s.Ground); got < m.least {
					t.Errorf("theme %q, background %s: the %s is %s, %.2f:1, want %.1f", name, background, what, m.c, got, m.least)
				}
			}
		}
	}
}
