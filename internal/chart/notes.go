package chart

import (
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
	"slices"
	"strings"
)

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

// minHeightForNotes is the height of the plot below which names and bars have priority
// over notes.
const minHeightForNotes = 64.0

// minHeightForExtraNotes is the height of the plot below which there are no notes on what
// names and bars already show.
const minHeightForExtraNotes = 100.0

// minHeightOfBars is the height of the plot that optional notes must leave.
const minHeightOfBars = 6.0

// dropNotes removes the notes of a small picture whose bars would otherwise have no names,
// except those that fit next to the source. If that is not enough, it also removes a
// source that is cut off.
func (f *frame) dropNotes() {
	if f.plot.H >= minHeightForNotes {
		return
	}
	f.drop(scene.Note)
	cut := func(m scene.Mark) bool {
		text, ok := m.(*scene.Text)
		return ok && text.Role == scene.Source && strings.HasSuffix(text.Text, "…")
	}
	if f.plot.H < minHeightForNotes && slices.ContainsFunc(f.scene.Marks, cut) {
		f.drop(scene.Source)
	}
	f.notesBesideSource()
}

// notesBesideSource writes the Spec's notes after the source, as far as they fit there.
func (f *frame) notesBesideSource() {
	for _, note := range f.ownNotes() {
		if text := f.afterSource(note); text != nil {
			f.scene.Add(text)
		}
	}
}

// hasNote reports whether the picture has a note.
func (f *frame) hasNote() bool {
	return slices.ContainsFunc(f.scene.Marks, func(m scene.Mark) bool { return m.Tags().Role == scene.Note })
}

// addNote writes the first form of a sentence that fits below the plot. In a low and
// wide picture it goes to the right of the source, where it costs no height.
func (f *frame) addNote(forms ...string) {
	if text := f.beside(forms); text != nil {
		f.scene.Add(text)
		return
	}
	f.noteBelow(forms...)
}

// addOptionalNote writes a sentence unless the bars need its space.
func (f *frame) addOptionalNote(forms ...string) {
	if f.plot.H-f.noteHeight(forms) >= minHeightOfBars {
		f.addNote(forms...)
	}
}

// beside returns a sentence for the line of the source in a low picture, or nil if it
// does not fit there.
func (f *frame) beside(forms []string) *scene.Text {
	if f.plot.H >= minHeightForNotes {
		return nil
	}
	return f.afterSource(forms[0])
}

// afterSource returns a sentence to follow the source and the notes in its line. It
// returns nil if the sentence does not fit, or source and notes take several lines.
func (f *frame) afterSource(sentence string) *scene.Text {
	var last *scene.Text
	for _, m := range f.scene.Marks {
		text, ok := m.(*scene.Text)
		if !ok || text.Role != scene.Source && text.Role != scene.Note {
			continue
		}
		if last == nil && text.Role == scene.Note || last != nil && text.Y != last.Y {
			return nil
		}
		last = text
	}
	if last == nil {
		return nil
	}
	text := &scene.Text{Tag: scene.Tag{Role: scene.Note}, X: last.X + last.W + remarkGap, Y: last.Y, Text: font.Clean(sentence), Size: last.Size, Colour: last.Colour}
	text.W = font.Width(text.Text, text.Size, text.Weight)
	if text.Text == "" || text.X+text.W > f.plot.X+f.plot.W {
		return nil
	}
	return text
}

// noteHeight returns the height that addNote takes from the plot for these forms.
func (f *frame) noteHeight(forms []string) float64 {
	if f.beside(forms) != nil {
		return 0
	}
	for _, text := range forms {
		lines, whole := font.Wrap(font.Clean(text), smallSize, scene.Regular, f.plot.W, 2)
		if whole && float64(len(lines))*smallSize*leading <= f.plot.H*.4 {
			return f.noteCost(len(lines))
		}
	}
	return f.noteCost(1)
}

// drop removes the lines with a role below the plot and gives their space to the plot.
func (f *frame) drop(role string) {
	before := len(f.scene.Marks)
	f.scene.Marks = slices.DeleteFunc(f.scene.Marks, func(m scene.Mark) bool { return m.Tags().Role == role })
	lines := before - len(f.scene.Marks)
	if lines == 0 {
		return
	}
	f.notesEnd += float64(lines) * smallSize * leading
	f.plot.H = f.notesEnd - f.plot.Y
	if role == scene.Note {
		f.plot.H -= f.footerGap() // the source stays
	}
}

// textLines returns the lines of a caller's text, split at its line breaks.
func textLines(text string) (lines []string) {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
		if line = font.Clean(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
