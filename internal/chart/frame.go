package chart

import (
	"math"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// Pictures are laid out at one size and then scaled, so that text keeps its proportion
// to the picture: a 16:9 picture is 900 units wide at any number of pixels. If the
// smallest text would fall below smallestText pixels, the picture has fewer units
// instead, and the layout shows less.
const (
	referenceArea = 900 * 506.25 // square units
	smallestText  = 9.0          // pixels
)

// Sizes of text, in units.
const (
	titleSize    = 22.0
	subtitleSize = 14.0
	labelSize    = 12.5 // ticks, names, values, legends
	smallSize    = 11.0 // notes and source
	leading      = 1.28 // line spacing, times the size
)

// Margins of the picture, in units.
const (
	marginX      = 22.0
	marginTop    = 18.0
	marginBottom = 14.0
)

// Space above and below the plot, in units.
const (
	headerGap      = 13.0  // from the subtitle to the plot, so that no value looks like part of it
	sourceGap      = 4.0   // from the notes to the source
	maxNoteLines   = 3     // of one note
	maxHeaderShare = .36   // largest fraction of the picture's height for title and subtitle
	maxTitleShare  = .3    // the same for the title alone
	smallerTitle   = .9    // smaller size of a title that would need a second line for a few letters
	maxLowPicture  = 180.0 // height of the picture up to which title and subtitle share a line
	maxNarrowTitle = 300.0 // width of the plot below which a title may be as small as the notes
)

// frame is a picture that is being laid out. Texts above and below the plot are placed;
// plot is the remaining space.
type frame struct {
	spec  *Spec
	scene *scene.Scene
	plot  scene.Box
	// notesEnd is the lower edge of the notes that the plot adds to those of the Spec.
	notesEnd float64
}

// Layout places everything in a Spec. It is a pure function. The Spec must pass Check.
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
		f.joinNotes()
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

// take removes height from the top of the plot.
func (f *frame) take(h float64) {
	f.plot.Y += h
	f.plot.H -= h
}

// footer places notes and source at the bottom. They take at most a quarter of the
// picture, less in a small one, and the source has priority.
func (f *frame) footer() {
	share := min(.25, max(.1, .1+(f.scene.Height-150)*.0004))
	room := max(1, int(f.scene.Height*share/(smallSize*leading)))
	source, _ := font.Wrap(font.Clean(f.spec.Source), smallSize, scene.Regular, f.plot.W, min(room, max(2, room/2)))
	f.notesEnd = f.plot.Y + f.plot.H
	f.smallLines(scene.Source, source)
	if len(source) > 0 {
		f.notesEnd -= sourceGap
	}
	f.smallLines(scene.Note, f.wrapNotes(f.ownNotes(), room-len(source)))
}

// ownNotes returns the notes of the Spec below the plot: the caller's text line by
// line, and the others, joined if there are many, to leave more height for the plot.
func (f *frame) ownNotes() []string {
	notes := f.spec.Notes
	if len(notes) > 2 {
		notes = []string{strings.Join(notes, " ")}
	}
	if f.spec.Type == Map {
		return notes
	}
	return append(textLines(f.spec.Aside), notes...)
}

// smallLines places lines above notesEnd, and ends the plot above them.
func (f *frame) smallLines(role string, lines []string) {
	if len(lines) == 0 {
		return
	}
	f.notesEnd -= float64(len(lines)) * smallSize * leading
	f.plot.H = min(f.plot.H, f.notesEnd-f.footerGap()-f.plot.Y)
	for i, line := range lines {
		y := f.notesEnd + smallSize*(leading*float64(i)+1)
		f.scene.Add(&scene.Text{Tag: scene.Tag{Role: role}, X: f.plot.X, Y: y, Text: line, Size: smallSize, Colour: colour.Muted, W: font.Width(line, smallSize, scene.Regular)})
	}
}

// footerGap returns the distance between the plot and the notes.
func (f *frame) footerGap() float64 { return min(8, max(5, f.scene.Height*.025)) }

// noteCost returns the height that a note of so many lines takes from the plot.
func (f *frame) noteCost(lines int) float64 {
	end := f.notesEnd - float64(lines)*smallSize*leading - f.footerGap()
	return max(0, f.plot.Y+f.plot.H-end)
}

// wrapNotes breaks notes into at most room lines. If they do not fit, they end in "…",
// after a whole sentence if possible.
func (f *frame) wrapNotes(notes []string, room int) []string {
	var lines []string
	for _, note := range notes {
		note = font.Clean(note)
		most := min(maxNoteLines, room-len(lines))
		if most == 0 {
			return f.withEllipsis(lines)
		}
		more, whole := font.Wrap(note, smallSize, scene.Regular, f.plot.W, most)
		if whole {
			lines = append(lines, more...)
			continue
		}
		for end := len(note); end > 0; {
			if end = strings.LastIndex(note[:end], ". "); end < 0 {
				if len(lines) > 0 { // part of a sentence is useless
					return f.withEllipsis(lines)
				}
				break
			}
			if part, whole := font.Wrap(note[:end+1]+" …", smallSize, scene.Regular, f.plot.W, most); whole {
				more = part
				break
			}
		}
		lines = append(lines, more...)
	}
	return lines
}

// withEllipsis adds "…" to the last line, if it fits.
func (f *frame) withEllipsis(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	last := &lines[len(lines)-1]
	if text := *last + " …"; !strings.HasSuffix(*last, "…") && font.Width(text, smallSize, scene.Regular) <= f.plot.W {
		*last = text
	}
	return lines
}

// noteBelow places a sentence between the plot and the notes of the Spec: the first form
// that fits in two lines and two fifths of the plot, else as much of the last form as
// fits in one line.
func (f *frame) noteBelow(forms ...string) {
	var lines []string
	for i, text := range forms {
		var whole bool
		text = font.Clean(text)
		lines, whole = font.Wrap(text, smallSize, scene.Regular, f.plot.W, 2)
		if whole && float64(len(lines))*smallSize*leading <= f.plot.H*.4 {
			break
		}
		if i == len(forms)-1 {
			lines, _ = font.Wrap(text, smallSize, scene.Regular, f.plot.W, 1)
		}
	}
	f.smallLines(scene.Note, lines)
}

// joinNotes moves the notes at the lower end of a map's plot down to those of the Spec,
// to form one block.
func (f *frame) joinNotes() {
	var own []*scene.Text
	low := 0.0
	for _, m := range f.scene.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == scene.Note && text.Y < f.notesEnd {
			own = append(own, text)
			low = max(low, text.Y+smallSize*(leading-1))
		}
	}
	for _, text := range own {
		text.Y += f.notesEnd - low
	}
}
