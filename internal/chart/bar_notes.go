package chart

import (
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

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
