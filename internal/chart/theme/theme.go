// Package theme shows a picture in the colours of another theme or on another background.
// Layouts use the colours of [colour.Plain] and know nothing of themes.
package theme

import (
	"fmt"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/scene"
)

// Look is how a picture is coloured.
type Look struct {
	theme         *colour.Theme
	ground        colour.RGB
	isTransparent bool
}

// Transparent is the background that leaves out the ground.
const Transparent = "transparent"

// named are the themes by the names that callers use.
var named = map[string]*colour.Theme{"light": colour.Paper, "dark": colour.Night, "print": colour.Print}

// Parse returns the look of a theme (light, dark, print or empty) and a background (a
// colour, transparent or empty). On a background without a theme, the colours are those
// of white or of near black, whichever stand out more.
func Parse(name, background string) (Look, error) {
	l := Look{theme: colour.Plain}
	if name != "" {
		if l.theme = named[name]; l.theme == nil {
			return Look{}, fmt.Errorf("theme must be light, dark or print, not %.40q", name)
		}
	}
	l.ground = l.theme.Ground
	switch c, ok := colour.Parse(background); {
	case background == "":
	case background == Transparent:
		l.isTransparent = true
	case !ok:
		return Look{}, fmt.Errorf("background must be transparent, #rgb, #rrggbb or a CSS colour name, not %.40q", background)
	default:
		l.ground = c
		if name == "" && colour.Contrast(c, colour.White) > colour.Contrast(c, colour.RGB{}) {
			l.theme = colour.Night
		}
	}
	return l, nil
}

// Background returns the shortest way to write a background of a theme: nothing for the ground that
// the theme has, else transparent or #rrggbb. Both must be valid.
func Background(name, background string) string {
	l, _ := Parse(name, background)
	switch {
	case l.isTransparent || background == "":
		return background
	case l.ground == l.theme.Ground && l.theme == themeOf(name):
		return ""
	}
	return l.ground.String()
}

// themeOf returns the theme of a request that states no background.
func themeOf(name string) *colour.Theme {
	if name == "" {
		return colour.Plain
	}
	return named[name]
}

// Apply changes the colours of a scene that was laid out in the colours of Plain. A
// caller's colours stay as they are if they can be seen on the ground, and are made
// lighter or darker otherwise. Text stays readable on what lies under it.
func (l Look) Apply(s *scene.Scene) {
	s.Transparent = l.isTransparent
	if l.theme == colour.Plain && l.ground == s.Ground {
		return
	}
	s.Ground = l.ground
	isMap := false
	for _, m := range s.Marks {
		isMap = isMap || m.Tags().Role == scene.Area
	}
	for i, m := range s.Marks {
		u := useOf(m.Tags().Role)
		if isMap {
			u = fixed
		}
		switch m := m.(type) {
		case *scene.Rect:
			l.fill(&m.Fill, u)
			m.Pen.Colour = l.of(m.Pen.Colour, u)
		case *scene.Circle:
			l.fill(&m.Fill, u)
			m.Pen.Colour = l.of(m.Pen.Colour, u)
		case *scene.Path:
			l.fill(&m.Fill, u)
			m.Pen.Colour = l.of(m.Pen.Colour, u)
		case *scene.Line:
			m.Pen.Colour = l.of(m.Pen.Colour, u)
		case *scene.Text:
			m.Colour, m.Rim = l.of(m.Colour, fixed), l.of(m.Rim, fixed)
			l.makeReadable(s, m, i)
		}
	}
}

// use is what a colour is for. It decides how well the colour must be seen on the ground.
type use int

const (
	fixed  use = iota // keeps its shade: on a map, or in a text, which makeReadable changes
	data              // must be visible
	chrome            // gridlines, axes, spans: as visible as on the ground of the theme
)

func useOf(role string) use {
	switch role {
	case scene.Series, scene.Band, scene.Highlight, scene.Legend:
		return data
	}
	return chrome
}

// of returns the colour that stands for a colour of Plain, or a caller's colour, as well
// visible on the ground as its use needs.
func (l Look) of(c colour.RGB, u use) colour.RGB {
	counterpart, ok := l.theme.Counterpart(c)
	switch {
	case c == colour.White:
		return l.ground
	case !ok && u == data:
		return colour.VisibleOn(c, l.ground)
	case !ok:
		return c
	case u == fixed || l.ground == l.theme.Ground:
		return counterpart
	case u == data:
		return colour.VisibleOn(counterpart, l.ground)
	}
	return colour.Contrasting(counterpart, l.ground, min(colour.Contrast(counterpart, l.theme.Ground), colour.MarkContrast))
}

func (l Look) fill(f *scene.Fill, u use) {
	if f.On {
		f.Colour = l.of(f.Colour, u)
	}
	if f.Hatch != nil { // scenes may share it
		hatch := *f.Hatch
		hatch.Colour = l.of(hatch.Colour, fixed)
		f.Hatch = &hatch
	}
}

// makeReadable makes a text darker or lighter if what lies under it needs that. index is
// its place among the marks.
func (l Look) makeReadable(s *scene.Scene, t *scene.Text, index int) {
	if t.Halo > 0 {
		t.Colour = colour.ReadableOn(t.Colour, t.Rim)
		return
	}
	box := t.Box()
	for _, part := range [...]float64{.1, .9, .5} {
		under := s.Under(box.X+box.W*part, box.Y+box.H/2, index)
		if under != l.ground && colour.Contrast(t.Colour, under) < colour.TextContrast {
			t.Colour = colour.On(under) // just readable would be a dull shade of the mark
		}
		t.Colour = colour.ReadableOn(t.Colour, under)
	}
}
