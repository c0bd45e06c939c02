package frame

import (
	"math"
	"slices"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// header places title and subtitle at the top of the plot. A subtitle is never larger
// than its title. In a low picture it is next to the title.
func (f *Frame) header() {
	if f.Spec.Plain {
		return
	}
	limit := f.Plot.Y + f.Scene.Height*maxHeaderShare
	title, subtitle := font.Clean(f.Spec.Title), font.Clean(f.Spec.Subtitle)
	lines, size := f.wrapTitle(title)
	titleLines := len(lines)
	f.Stack(scene.Title, lines, size, scene.Bold, colour.Dark)
	subtitleSize := subtitleSize
	if len(lines) > 0 {
		subtitleSize = min(subtitleSize, max(size*subtitleShare, f.Smallest()))
	}
	switch {
	case len(lines) == 1 && f.placeBesideTitle(subtitle, subtitleSize):
		subtitle = ""
	case len(lines) > 1:
		f.Take(7) // more than between its own lines
	case len(lines) > 0:
		f.Take(4)
	}
	room := int((limit - f.Plot.Y) / (subtitleSize * Leading))
	if room = min(room, 3); f.Scene.Height <= SmallPicture {
		room = min(room, max(1, smallHeader-titleLines))
	}
	lines = wrapParts(f.withoutPeriod(subtitle, subtitleSize), subtitleSize, f.Plot.W, room)
	for i := range lines { // a line break replaces the separator
		lines[i] = strings.TrimPrefix(strings.TrimSuffix(lines[i], " ·"), "· ")
		if font.HasRightToLeft(subtitle) {
			lines[i] = font.Isolate(lines[i], partSeparator, f.RightToLeft)
		}
	}
	f.Stack(scene.Subtitle, lines, subtitleSize, scene.Regular, colour.Text)
	if len(f.Scene.Marks) > 0 {
		f.Take(min(headerGap, f.Scene.Height*.035))
	}
}

// withoutPeriod leaves out the period of a subtitle that would take a second line of a small
// picture, if the time axis shows it.
func (f *Frame) withoutPeriod(subtitle string, size float64) string {
	periods := f.Spec.Periods
	if f.Scene.Height > SmallPicture || len(periods) == 0 || font.Width(subtitle, size, scene.Regular) <= f.Plot.W {
		return subtitle
	}
	return strings.TrimSuffix(subtitle, partSeparator+font.Clean(f.Spec.Words().Span(periods[0], periods[len(periods)-1])))
}

// wrapParts breaks a subtitle into lines. If it does not fit, parts are dropped from the
// second on, since the first says what is measured and the last two, of unit, area and
// period, are needed too; then from the first on.
func wrapParts(subtitle string, size, width float64, most int) []string {
	lines, whole := wrapWithPeriod(subtitle, size, width, most)
	if whole {
		return lines
	}
	parts := strings.Split(subtitle, partSeparator)
	var tries [][]string
	for n := 2; n <= len(parts)-2; n++ {
		tries = append(tries, slices.Concat(parts[:1], []string{"…"}, parts[n:]))
	}
	for n := max(1, len(parts)-2); n < len(parts); n++ {
		tries = append(tries, slices.Concat([]string{"…"}, parts[n:]))
	}
	for _, kept := range tries {
		if shorter, whole := wrapWithPeriod(strings.Join(kept, partSeparator), size, width, most); whole {
			return shorter
		}
	}
	return lines
}

// wrapWithPeriod breaks a subtitle into lines, but not within its last part, the period,
// if there is space for that.
func wrapWithPeriod(subtitle string, size, width float64, most int) (lines []string, whole bool) {
	lines, whole = font.Wrap(subtitle, size, scene.Regular, width, most)
	i := strings.LastIndex(subtitle, partSeparator)
	if !whole || len(lines) < 2 || i < 0 || font.Width(subtitle[i:], size, scene.Regular) > width {
		return lines, whole
	}
	period := subtitle[i+len(partSeparator):]
	if strings.HasSuffix(lines[len(lines)-1], period) {
		return lines, whole
	}
	if head, fits := font.Wrap(subtitle[:i]+strings.TrimRight(partSeparator, " "), size, scene.Regular, width, most-1); fits {
		return append(head, period), true
	}
	return lines, whole
}

// partSeparator is between the parts of a subtitle.
const partSeparator = " · "

// placeBesideTitle places the subtitle of a low picture in the line of the title. It returns
// false if the picture is higher or the subtitle does not fit.
func (f *Frame) placeBesideTitle(subtitle string, size float64) bool {
	title := f.Scene.Marks[len(f.Scene.Marks)-1].(*scene.Text)
	if font.HasRightToLeft(subtitle) {
		subtitle = font.Isolate(subtitle, partSeparator, f.RightToLeft)
	}
	text := &scene.Text{Tag: scene.Tag{Role: scene.Subtitle}, X: title.X + title.W + size, Y: title.Y, Text: subtitle, Size: size, Colour: colour.Text, W: font.Width(subtitle, size, scene.Regular)}
	if f.Scene.Height > MaxLowPicture || f.RightToLeft || subtitle == "" || text.X+text.W > f.Plot.X+f.Plot.W {
		return false
	}
	f.Scene.Add(text)
	return true
}

// wrapTitle breaks the title into two lines, or three of a smaller size. A title
// slightly too long for one line becomes a little smaller instead. In a narrow picture,
// letters become as small as is readable before a word is broken; a title that is still
// too long is cut.
func (f *Frame) wrapTitle(title string) (lines []string, size float64) {
	type try struct {
		size  float64
		lines int
	}
	size = min(TitleSize, math.Round(f.Scene.Height*titleShare))
	tries := []try{{size, 1}, {math.Round(size * SmallerTitle), 1}, {size, 2}, {math.Round(size * .77), 3}}
	if f.Plot.W < maxNarrowTitle {
		tries = append(tries, try{subtitleSize, 3}, try{f.Smallest(), 3})
	}
	widest := ""
	for word := range strings.FieldsSeq(title) {
		if len(word) > len(widest) {
			widest = word
		}
	}
	for _, t := range tries {
		t.size = max(t.size, f.Smallest())
		room := max(1, min(t.lines, int(f.Scene.Height*maxTitleShare/(t.size*Leading))))
		var whole bool
		lines, whole = font.Wrap(title, t.size, scene.Bold, f.Plot.W, room)
		if size = t.size; whole && font.Width(widest, size, scene.Bold) <= f.Plot.W {
			break
		}
	}
	return lines, size
}

// Stack places lines at the top of the plot and reduces the plot by their height.
func (f *Frame) Stack(role string, lines []string, size float64, w scene.Weight, c colour.RGB) {
	for _, line := range lines {
		f.AddLine(&scene.Text{Tag: scene.Tag{Role: role}, Y: f.Plot.Y + size, Text: line, Size: size, Weight: w, Colour: c, W: font.Width(line, size, w)})
		f.Take(size * Leading)
	}
}

// AddLine adds a line at the side where lines begin.
func (f *Frame) AddLine(text *scene.Text) {
	if text.X = f.Plot.X; f.RightToLeft {
		text.X, text.Anchor = f.Plot.X+f.Plot.W, scene.End
	}
	f.Scene.Add(text)
}
