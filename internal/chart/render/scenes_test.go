package render_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// These scenes are as large and varied as those of real charts, but made by hand, to test
// rendering without the layout.

var hues = []colour.RGB{{R: 0x12, G: 0x43, B: 0x6d}, {R: 0x28, G: 0xa1, B: 0x97}, {R: 0x80, G: 0x16, B: 0x50}, {R: 0xf4, G: 0x6a, B: 0x25}, {R: 0x3d, G: 0x3d, B: 0x3d}, {R: 0xa2, G: 0x85, B: 0xd1}}

var blues = []colour.RGB{{R: 0xde, G: 0xeb, B: 0xf7}, {R: 0xc6, G: 0xdb, B: 0xef}, {R: 0x9e, G: 0xca, B: 0xe1}, {R: 0x6b, G: 0xae, B: 0xd6}, {R: 0x42, G: 0x92, B: 0xc6}, {R: 0x21, G: 0x71, B: 0xb5}, {R: 0x08, G: 0x45, B: 0x94}}

// blankScene returns a white picture, 900 units wide.
func blankScene(width, height int) *scene.Scene {
	scale := float64(width) / 900
	return &scene.Scene{Width: 900, Height: float64(height) / scale, Scale: scale, PixelWidth: width, PixelHeight: height, Ground: colour.White, Title: "Sample", Alt: "A sample."}
}

func label(x, y float64, text string, size float64, a scene.Anchor) *scene.Text {
	return &scene.Text{X: x, Y: y, Text: text, Size: size, Anchor: a, Colour: colour.Text, W: font.Width(text, size, scene.Regular)}
}

func head(s *scene.Scene, title, subtitle string) {
	t := label(22, 40, title, 22, scene.Start)
	t.Role, t.Weight, t.Colour, t.W = scene.Title, scene.Bold, colour.Dark, font.Width(title, 22, scene.Bold)
	s.Add(t, label(22, 62, subtitle, 14, scene.Start), label(22, s.Height-14, "Source: Eurostat (une_rt_q), updated 12 March 2025", 11, scene.Start))
}

// lineScene has six smooth series of 60 quarters.
func lineScene(width, height int) *scene.Scene {
	s := blankScene(width, height)
	head(s, "Unemployment rate by country", "Per cent of the labour force, seasonally adjusted, Q1/2010–Q4/2024")
	rng := rand.New(rand.NewPCG(1, 2))
	bottom := s.Height - 70
	for i := range 8 {
		y := 90 + float64(i)*(bottom-90)/7
		s.Add(&scene.Line{Tag: scene.Tag{Role: scene.Gridline}, X1: 22, Y1: y, X2: 780, Y2: y, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
		s.Add(label(776, y-4, fmt.Sprint(18-2*i), 12.5, scene.End))
	}
	for i := range 15 {
		x := 40 + float64(i)*52
		s.Add(&scene.Line{X1: x, Y1: bottom, X2: x, Y2: bottom + 5, Pen: scene.Pen{Colour: colour.Base, Width: 1}})
		s.Add(label(x, bottom+20, fmt.Sprint(2010+i), 12.5, scene.Middle))
	}
	for i, name := range []string{"Germany", "France", "Italy", "España", "Польша", "Ελλάδα"} {
		o := &scene.Outline{}
		y := 130 + float64(i)*50
		prev := scene.Point{X: 30, Y: y}
		o.MoveTo(prev.X, prev.Y)
		for q := 1; q < 60; q++ {
			y += rng.Float64()*24 - 12
			next := scene.Point{X: 30 + float64(q)*12.5, Y: y}
			o.CubicTo(scene.Point{X: prev.X + 4.2, Y: prev.Y}, scene.Point{X: next.X - 4.2, Y: next.Y}, next)
			prev = next
		}
		s.Add(&scene.Path{Tag: scene.Tag{Role: scene.Series, Name: name}, Outline: o, Pen: scene.Pen{Colour: hues[i], Width: 2, Round: true}})
		t := label(prev.X+8, prev.Y+4, name, 12.5, scene.Start)
		t.Colour, t.Weight = hues[i], scene.Bold
		s.Add(t)
	}
	return s
}

// barScene has 30 countries.
func barScene(width, height int) *scene.Scene {
	s := blankScene(width, height)
	head(s, "GDP per capita in purchasing power standards", "Index, EU = 100, 2024")
	pitch := (s.Height - 110) / 30
	for i := range 6 {
		x := 150 + float64(i)*140
		s.Add(&scene.Line{X1: x, Y1: 75, X2: x, Y2: s.Height - 34, Pen: scene.Pen{Colour: colour.Rule, Width: 1}})
	}
	for i := range 30 {
		y, w := 76+float64(i)*pitch, 700*math.Pow(.94, float64(i))
		s.Add(&scene.Rect{X: 150, Y: y + pitch*.14, W: w, H: pitch * .72, Fill: scene.Solid(hues[0])})
		s.Add(label(144, y+pitch*.72, fmt.Sprintf("Country %d", i+1), 11, scene.End))
		s.Add(label(150+w+5, y+pitch*.72, fmt.Sprintf("%.1f", w/5), 11, scene.Start))
	}
	return s
}

// mapScene has 240 areas with about 30,000 points in total, their borders, and some
// areas without data.
func mapScene(width, height int) *scene.Scene {
	s := blankScene(width, height)
	head(s, "GDP per capita", "Index, EU = 100, 2024")
	const columns, rows = 20, 12
	rng := rand.New(rand.NewPCG(3, 4))
	var corner [rows + 1][columns + 1]scene.Point
	for r := range corner {
		for c := range corner[r] {
			corner[r][c] = scene.Point{X: 30 + float64(c)*42 + rng.Float64()*16, Y: 80 + float64(r)*31 + rng.Float64()*12}
		}
	}
	var across [rows + 1][columns][]scene.Point
	var down [rows][columns + 1][]scene.Point
	for r := range corner {
		for c := range corner[r] {
			if c < columns {
				across[r][c] = coast(rng, corner[r][c], corner[r][c+1], 5)
			}
			if r < rows {
				down[r][c] = coast(rng, corner[r][c], corner[r+1][c], 5)
			}
		}
	}
	borders := &scene.Outline{}
	for r := range rows {
		for c := range columns {
			o := &scene.Outline{}
			o.MoveTo(corner[r][c].X, corner[r][c].Y)
			along(o, across[r][c], false)
			along(o, down[r][c+1], false)
			along(o, across[r+1][c], true)
			along(o, down[r][c], true)
			o.Close()
			fill := scene.Solid(blues[rng.IntN(len(blues))])
			if rng.IntN(8) == 0 {
				fill = scene.Fill{Colour: colour.RGB{R: 0xf2, G: 0xf2, B: 0xf2}, On: true, Hatch: &scene.Hatch{Colour: colour.RGB{R: 0xc0, G: 0xc0, B: 0xc0}, Width: .8, Spacing: 4}}
			}
			s.Add(&scene.Path{Tag: scene.Tag{Role: scene.Area, Name: fmt.Sprintf("%d-%d", r, c)}, Outline: o, Fill: fill})
			borders.MoveTo(corner[r][c].X, corner[r][c].Y)
			along(borders, across[r][c], false)
			borders.MoveTo(corner[r][c].X, corner[r][c].Y)
			along(borders, down[r][c], false)
		}
	}
	s.Add(&scene.Path{Tag: scene.Tag{Role: scene.Border}, Outline: borders, Pen: scene.Pen{Colour: colour.White, Width: .6, Round: true}})
	for i, c := range blues {
		s.Add(&scene.Rect{X: 500 + float64(i)*40, Y: 50, W: 40, H: 10, Fill: scene.Solid(c)}, label(500+float64(i)*40, 73, fmt.Sprint(i*20), 11, scene.Middle))
	}
	return s
}

// coast returns a line with detail, without its first point.
func coast(rng *rand.Rand, a, b scene.Point, depth int) []scene.Point {
	if depth == 0 {
		return []scene.Point{b}
	}
	d := (rng.Float64() - .5) * .35
	m := scene.Point{X: (a.X+b.X)/2 - (b.Y-a.Y)*d, Y: (a.Y+b.Y)/2 + (b.X-a.X)*d}
	return append(coast(rng, a, m, depth-1), coast(rng, m, b, depth-1)...)
}

func along(o *scene.Outline, points []scene.Point, back bool) {
	if !back {
		for _, p := range points {
			o.LineTo(p.X, p.Y)
		}
		return
	}
	for i := len(points) - 2; i >= 0; i-- {
		o.LineTo(points[i].X, points[i].Y)
	}
}

// marksScene has every kind of mark and pen.
func marksScene(width, height int) *scene.Scene {
	s := blankScene(width, height)
	pen := func(width float64, round bool, dash ...float64) scene.Pen {
		return scene.Pen{Colour: hues[0], Width: width, Round: round, Dash: dash}
	}
	for i, p := range []scene.Pen{pen(1, false), pen(1.5, false), pen(3, true), pen(1, false, 4, 3), pen(2.5, true, .01, 5), pen(3, false, 10, 4, 2, 4), pen(8, true), pen(8, false), pen(.4, false)} {
		y := 30 + float64(i)*24
		s.Add(&scene.Line{X1: 20, Y1: y, X2: 200, Y2: y, Pen: p})
		s.Add(&scene.Line{X1: 220, Y1: y + 8, X2: 300, Y2: y - 8, Pen: p})
		zigzag := &scene.Outline{}
		zigzag.MoveTo(320, y+8)
		for k, x := range []float64{345, 355, 385, 390, 420} {
			zigzag.LineTo(x, y+8-16*float64((k+1)%2))
		}
		zigzag.CubicTo(scene.Point{X: 440, Y: y - 20}, scene.Point{X: 450, Y: y + 30}, scene.Point{X: 480, Y: y})
		s.Add(&scene.Path{Outline: zigzag, Pen: p})
	}
	hatch := &scene.Hatch{Colour: colour.Quiet, Width: 1, Spacing: 5}
	s.Add(
		&scene.Rect{X: 500, Y: 30, W: 60, H: 40, Fill: scene.Solid(hues[1])},
		&scene.Rect{X: 580, Y: 30, W: 60, H: 40, Fill: scene.Solid(hues[1]), Pen: pen(1, false)},
		&scene.Rect{X: 660, Y: 30, W: 60, H: 40, Fill: scene.Solid(hues[1]), Pen: pen(2, true), Radius: 8},
		&scene.Rect{X: 740, Y: 30, W: 60, H: 40, Fill: scene.Fill{Colour: colour.Rule, On: true, Hatch: hatch}, Pen: pen(1, false)},
		&scene.Rect{X: 800, Y: 40, W: 60, H: 40, Fill: scene.Fill{Hatch: hatch}},
	)
	for i := range 7 {
		x, r := 510+float64(i)*45, .5+float64(i*i)*.6
		s.Add(&scene.Circle{X: x, Y: 120, R: r, Fill: scene.Solid(hues[3])})
		s.Add(&scene.Circle{X: x, Y: 170, R: r, Fill: scene.Solid(colour.White), Pen: pen(1.5, false)})
	}
	star := &scene.Outline{}
	for i := range 5 {
		sin, cos := math.Sincos(float64(i) * 4 * math.Pi / 5)
		if i == 0 {
			star.MoveTo(550+40*sin, 250-40*cos)
		} else {
			star.LineTo(550+40*sin, 250-40*cos)
		}
	}
	star.Close()
	s.Add(&scene.Path{Outline: star, Fill: scene.Solid(hues[5]), Pen: pen(2, false)})
	ring := &scene.Outline{}
	for _, r := range []float64{40, 25} {
		ring.MoveTo(660-r, 250)
		dir := 1.0
		if r == 25 {
			dir = -1
		}
		ring.QuadTo(660-r, 250-dir*r, 660, 250-dir*r)
		ring.QuadTo(660+r, 250-dir*r, 660+r, 250)
		ring.QuadTo(660+r, 250+dir*r, 660, 250+dir*r)
		ring.QuadTo(660-r, 250+dir*r, 660-r, 250)
		ring.Close()
	}
	s.Add(&scene.Path{Outline: ring, Fill: scene.Solid(hues[2])})
	s.Add(&scene.Rect{X: 720, Y: 210, W: 160, H: 80, Fill: scene.Solid(hues[0])})
	for i, text := range []string{"12.4 Rim", "ישראל (2020)", "المملكة العربية السعودية", "日本 Japan"} {
		for k, a := range []scene.Anchor{scene.Start, scene.Middle, scene.End} {
			x, y := 20+float64(i)*220+float64(k)*90, 320+float64(k)*22
			s.Add(&scene.Line{X1: x, Y1: y - 12, X2: x, Y2: y + 4, Pen: scene.Pen{Colour: colour.Alert, Width: 1}})
			t := label(x, y, text, 12.5, a)
			s.Add(t)
		}
	}
	white := label(800, 240, "White on dark", 12.5, scene.Middle)
	white.Colour = colour.White
	rim := label(800, 262, "Rim 1,234.5", 14, scene.Middle)
	rim.Halo, rim.Rim = 2, colour.White
	s.Add(white, rim)
	s.Add(&scene.Line{X1: 700, Y1: 400, X2: 880, Y2: 480, Pen: scene.Pen{Colour: hues[3], Width: 3}})
	over := label(790, 445, "Halo over a line", 16, scene.Middle)
	over.Halo, over.Rim, over.Weight, over.W = 2.5, colour.White, scene.Bold, font.Width(over.Text, 16, scene.Bold)
	big := label(20, 470, "Ägypten & Œuvre", 60, scene.Start)
	s.Add(over, big)
	s.Add(
		&scene.Circle{X: 0, Y: s.Height, R: 30, Fill: scene.Solid(hues[4])},
		&scene.Line{X1: -1e12, Y1: 505, X2: 1e12, Y2: 500, Pen: pen(2, false, 12, 6)},
		&scene.Line{X1: math.NaN(), Y1: 0, X2: 900, Y2: 500, Pen: pen(9, false)},
	)
	return s
}
