package chart

import (
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// roomForNames is the height of the plot that names and bars need before notes get
// space.
const roomForNames = 64.0

// roomForMore is the height of the plot below which a note on what names and bars
// already show is not worth its space.
const roomForMore = 100.0

// roomForBars is the height of the plot that no sentence may take.
const roomForBars = 6.0

// makeRoom removes notes from a small picture whose bars would otherwise have no names,
// except those that fit next to the source. It then removes a source that is cut off
// anyway.
func (f *frame) makeRoom() {
	if f.plot.H >= roomForNames {
		return
	}
	f.drop(scene.Note)
	cut := func(m scene.Mark) bool {
		text, ok := m.(*scene.Text)
		return ok && text.Role == scene.Source && strings.HasSuffix(text.Text, "…")
	}
	if f.plot.H < roomForNames && slices.ContainsFunc(f.scene.Marks, cut) {
		f.drop(scene.Source)
	}
	f.notesBehindSource()
}

// notesBehindSource writes the Spec's notes after the source if they fit there, in a
// picture without lines for them.
func (f *frame) notesBehindSource() {
	for _, note := range f.ownNotes() {
		if text := f.behindSource(note); text != nil {
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

// addNoteIfRoom writes a sentence that a small picture leaves out in favour of its
// bars.
func (f *frame) addNoteIfRoom(forms ...string) {
	if f.plot.H-f.noteHeight(forms) >= roomForBars {
		f.addNote(forms...)
	}
}

// beside returns a sentence for the line of the source in a low picture, or nil if it
// does not fit there.
func (f *frame) beside(forms []string) *scene.Text {
	if f.plot.H >= roomForNames {
		return nil
	}
	return f.behindSource(forms[0])
}

// behindSource returns a sentence to follow the source and the notes in its line. It
// returns nil if the sentence does not fit, or source and notes take several lines.
func (f *frame) behindSource(sentence string) *scene.Text {
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

// drop removes the lines of a role below the plot and gives their space to the plot.
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
