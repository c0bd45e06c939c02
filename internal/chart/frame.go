package chart

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// Pictures are laid out at one size and then enlarged, so that text keeps its
// proportion to the picture: a picture of 16:9 is 900 units wide, whatever its
// pixels. Only where the smallest text would fall below smallestText pixels are
// there fewer units instead, and the layout shows less.
const (
	referenceArea = 900 * 506.25 // square units
	smallestText  = 7.5          // pixels
)

// Sizes of text, in units.
const (
	titleSize    = 22.0
	subtitleSize = 14.0
	labelSize    = 12.5 // ticks, names, values, legends
	smallSize    = 11.0 // notes and source
	leading      = 1.28 // from line to line, times the size
)

// Margins of the picture, in units.
const (
	marginX      = 22.0
	marginTop    = 18.0
	marginBottom = 14.0
)

// frame is a picture being laid out: what stands above and below the plot is
// placed, and plot is what is left.
type frame struct {
	spec  *Spec
	scene *scene.Scene
	plot  scene.Box
}

// Layout places everything that a Spec says. It is a pure function. The Spec is
// one that Check accepts.
func Layout(s *Spec) *scene.Scene {
	f := newFrame(s)
	f.header()
	f.footer()
	switch s.Type {
	case Line:
		f.lines()
	case Bar:
		f.bars()
	case HorizontalBar:
		f.horizontalBars()
	case Map:
		f.worldMap()
	}
	return f.scene
}

func newFrame(s *Spec) *frame {
	w, h := float64(s.Width), float64(s.Height)
	scale := math.Sqrt(w * h / referenceArea)
	scale = min(scale, w/300, h/250)
	scale = max(scale, smallestText/smallSize)
	f := &frame{spec: s, scene: &scene.Scene{
		Width: w / scale, Height: h / scale, Scale: scale, PixelWidth: s.Width, PixelHeight: s.Height,
		Ground: colour.White, Title: font.Clean(s.Title), Alt: s.Alt(),
	}}
	marginX := min(marginX, f.scene.Width/12)
	f.plot = scene.Box{X: marginX, Y: min(marginTop, f.scene.Height/14), W: f.scene.Width - 2*marginX}
	f.plot.H = f.scene.Height - f.plot.Y - min(marginBottom, f.scene.Height/16)
	return f
}

// header places title and subtitle and takes their room from the plot. Together
// they take at most two fifths of the picture.
func (f *frame) header() {
	limit := f.plot.Y + f.scene.Height*.4
	title := font.Clean(f.spec.Title)
	lines, size := wrapShrinking(title, titleSize, f.plot.W, f.scene.Height)
	f.stack(scene.Title, lines, size, scene.Bold, colour.Ink)
	if len(lines) > 0 {
		f.take(3)
	}
	room := int((limit - f.plot.Y) / (subtitleSize * leading))
	lines, _ = font.Wrap(font.Clean(f.spec.Subtitle), subtitleSize, scene.Regular, f.plot.W, min(room, 3))
	f.stack(scene.Subtitle, lines, subtitleSize, scene.Regular, colour.Text)
	if len(f.scene.Marks) > 0 {
		f.take(8)
	}
}

// wrapShrinking breaks a title into two lines, or three of a smaller size, or
// cuts it.
func wrapShrinking(title string, size, width, height float64) ([]string, float64) {
	room := func(size float64, lines int) int { return max(1, min(lines, int(height*.26/(size*leading)))) }
	lines, whole := font.Wrap(title, size, scene.Bold, width, room(size, 2))
	if whole {
		return lines, size
	}
	size = math.Round(size * .77)
	lines, _ = font.Wrap(title, size, scene.Bold, width, room(size, 3))
	return lines, size
}

// stack places lines at the top of the plot and takes their room from it.
func (f *frame) stack(role string, lines []string, size float64, w scene.Weight, c colour.RGB) {
	for _, line := range lines {
		f.scene.Add(&scene.Text{Tag: scene.Tag{Role: role}, X: f.plot.X, Y: f.plot.Y + size, Text: line, Size: size, Weight: w, Colour: c, W: font.Width(line, size, w)})
		f.take(size * leading)
	}
}

// take gives away room at the top of the plot.
func (f *frame) take(h float64) {
	f.plot.Y += h
	f.plot.H -= h
}

// footer places notes and source at the bottom and takes their room from the
// plot: at most a quarter of the picture, the source first.
func (f *frame) footer() {
	room := max(1, int(f.scene.Height*.25/(smallSize*leading)))
	source, _ := font.Wrap(font.Clean(f.spec.Source), smallSize, scene.Regular, f.plot.W, min(room, 2))
	room -= len(source)
	notes := f.spec.Notes
	if f.spec.Aside != "" && f.spec.Type != Map {
		notes = append([]string{f.spec.Aside}, notes...)
	}
	var lines []string
	for _, note := range notes {
		if room == len(lines) {
			break
		}
		more, _ := font.Wrap(font.Clean(note), smallSize, scene.Regular, f.plot.W, min(3, room-len(lines)))
		lines = append(lines, more...)
	}
	all := len(lines) + len(source)
	if all == 0 {
		return
	}
	height := float64(all) * smallSize * leading
	y := f.plot.Y + f.plot.H - height
	f.plot.H -= height + 8
	for i, line := range append(lines, source...) {
		role := scene.Note
		if i >= len(lines) {
			role = scene.Source
		}
		y += smallSize * leading
		f.scene.Add(&scene.Text{Tag: scene.Tag{Role: role}, X: f.plot.X, Y: y - smallSize*(leading-1), Text: line, Size: smallSize, Colour: colour.Muted, W: font.Width(line, smallSize, scene.Regular)})
	}
}
