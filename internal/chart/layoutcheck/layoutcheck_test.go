package layoutcheck_test

import (
	"math"
	"strings"
	"testing"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layoutcheck"
	"almanac/internal/chart/scene"
)

// Check finds each kind of problem, and none in a good picture.
func TestCheck(t *testing.T) {
	text := func(x, y float64, c colour.RGB) *scene.Text {
		return &scene.Text{Tag: scene.Tag{Role: scene.Value}, X: x, Y: y, Text: "12", Size: 12, Colour: c, W: font.Width("12", 12, scene.Regular)}
	}
	edit := func(change func(*scene.Text)) *scene.Text {
		one := text(10, 50, colour.Dark)
		change(one)
		return one
	}
	var side scene.Outline
	side.MoveTo(0, 90)
	side.LineTo(90, 90)
	side.QuadTo(10, 0, 0, 0)
	side.Close()
	zero := scene.Tag{Role: scene.Zero}
	series := scene.Tag{Role: scene.Series}
	for _, c := range []struct {
		want  string // part of the problem; empty for none
		marks []scene.Mark
	}{
		{"", []scene.Mark{text(10, 50, colour.Dark), text(40, 50, colour.Dark), &scene.Line{Tag: zero, X2: 100, Y1: 60, Y2: 60}, &scene.Circle{Tag: series, X: 10, Y: 10, R: 2, Fill: scene.Solid(colour.Dark)}}},
		{"leaves the picture", []scene.Mark{text(95, 50, colour.Dark)}},
		{"overlaps", []scene.Mark{text(10, 50, colour.Dark), text(12, 50, colour.Dark)}},
		{"not clean", []scene.Mark{edit(func(t *scene.Text) { t.Text = "1\x002" })}},
		{"empty", []scene.Mark{edit(func(t *scene.Text) { t.Text, t.W = "", 0 })}},
		{"states a width", []scene.Mark{edit(func(t *scene.Text) { t.W++ })}},
		{"pixels high", []scene.Mark{edit(func(t *scene.Text) { t.Size, t.W = 8, font.Width("12", 8, scene.Regular) })}},
		{"contrast", []scene.Mark{text(10, 50, colour.Rule)}},
		{"contrast", []scene.Mark{&scene.Rect{Y: 30, W: 60, H: 40, Fill: scene.Solid(colour.Dark)}, text(10, 50, colour.Dark)}},
		{"contrast", []scene.Mark{&scene.Path{Outline: &side, Fill: scene.Solid(colour.Dark)}, text(10, 50, colour.Dark)}},
		{"struck through", []scene.Mark{text(10, 50, colour.Dark), &scene.Line{Tag: zero, X2: 100, Y1: 46, Y2: 46}}},
		{"no finite position", []scene.Mark{&scene.Line{X1: math.NaN()}}},
		{"leaves the picture", []scene.Mark{&scene.Line{X1: 10, Y1: 10, X2: 10, Y2: 101}}},
		{"contrast", []scene.Mark{&scene.Circle{Tag: series, X: 10, Y: 10, R: 2, Fill: scene.Solid(colour.Rule)}}},
	} {
		found := strings.Join(layoutcheck.Check(&scene.Scene{Width: 100, Height: 100, Scale: 1, Ground: colour.White, Marks: c.marks}), "; ")
		if c.want == "" && found != "" || !strings.Contains(found, c.want) {
			t.Errorf("found %q, want %q", found, c.want)
		}
	}
}
