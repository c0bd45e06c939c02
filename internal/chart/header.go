package chart

import (
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"math"
	"strings"
)

// header places title and subtitle at the top of the plot. A subtitle is never larger
// than its title. In a low picture it is next to the title.
func (f *frame) header() {
	limit := f.plot.Y + f.scene.Height*maxHeaderShare
	title, subtitle := font.Clean(f.spec.Title), font.Clean(f.spec.Subtitle)
	lines, size := f.wrapTitle(title)
	f.stack(scene.Title, lines, size, scene.Bold, colour.Dark)
	subtitleSize := subtitleSize
	if len(lines) > 0 {
		subtitleSize = min(subtitleSize, size)
	}
	switch {
	case len(lines) == 1 && f.placeBesideTitle(subtitle, subtitleSize):
		subtitle = ""
	case len(lines) > 1:
		f.take(7) // more than between its own lines
	case len(lines) > 0:
		f.take(4)
	}
	room := int((limit - f.plot.Y) / (subtitleSize * leading))
	lines = wrapParts(subtitle, subtitleSize, f.plot.W, min(room, 3))
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], " ·") // a line break replaces the separator
	}
	f.stack(scene.Subtitle, lines, subtitleSize, scene.Regular, colour.Text)
	if len(f.scene.Marks) > 0 {
		f.take(min(headerGap, f.scene.Height*.035))
	}
}

// wrapParts breaks a subtitle into lines. If it does not fit, its first parts are
// dropped before the last ones, which are the area and the period.
func wrapParts(subtitle string, size, width float64, most int) []string {
	lines, whole := font.Wrap(subtitle, size, scene.Regular, width, most)
	for rest, more := subtitle, true; !whole && more; {
		if _, rest, more = strings.Cut(rest, " · "); more {
			var shorter []string
			if shorter, whole = font.Wrap("… · "+rest, size, scene.Regular, width, most); whole {
				lines = shorter
			}
		}
	}
	return lines
}

// placeBesideTitle places the subtitle of a low picture in the line of the title. It returns
// false if the picture is higher or the subtitle does not fit.
func (f *frame) placeBesideTitle(subtitle string, size float64) bool {
	title := f.scene.Marks[len(f.scene.Marks)-1].(*scene.Text)
	text := &scene.Text{Tag: scene.Tag{Role: scene.Subtitle}, X: title.X + title.W + size, Y: title.Y, Text: subtitle, Size: size, Colour: colour.Text, W: font.Width(subtitle, size, scene.Regular)}
	if f.scene.Height > maxLowPicture || subtitle == "" || text.X+text.W > f.plot.X+f.plot.W {
		return false
	}
	f.scene.Add(text)
	return true
}

// wrapTitle breaks the title into two lines, or three of a smaller size. A title
// slightly too long for one line becomes a little smaller instead. In a narrow picture,
// letters become as small as is readable before a word is broken; a title that is still
// too long is cut.
func (f *frame) wrapTitle(title string) (lines []string, size float64) {
	type try struct {
		size  float64
		lines int
	}
	size = min(titleSize, math.Round(f.scene.Height*.13))
	tries := []try{{size, 1}, {math.Round(size * smallerTitle), 1}, {size, 2}, {math.Round(size * .77), 3}}
	if f.plot.W < maxNarrowTitle {
		tries = append(tries, try{subtitleSize, 3}, try{f.smallest(), 3})
	}
	widest := ""
	for word := range strings.FieldsSeq(title) {
		if len(word) > len(widest) {
			widest = word
		}
	}
	for _, t := range tries {
		t.size = max(t.size, f.smallest())
		room := max(1, min(t.lines, int(f.scene.Height*maxTitleShare/(t.size*leading))))
		var whole bool
		lines, whole = font.Wrap(title, t.size, scene.Bold, f.plot.W, room)
		if size = t.size; whole && font.Width(widest, size, scene.Bold) <= f.plot.W {
			break
		}
	}
	return lines, size
}

// stack places lines at the top of the plot and reduces the plot by their height.
func (f *frame) stack(role string, lines []string, size float64, w scene.Weight, c colour.RGB) {
	for _, line := range lines {
		f.scene.Add(&scene.Text{Tag: scene.Tag{Role: role}, X: f.plot.X, Y: f.plot.Y + size, Text: line, Size: size, Weight: w, Colour: c, W: font.Width(line, size, w)})
		f.take(size * leading)
	}
}
