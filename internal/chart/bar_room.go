package chart

import (
	"slices"
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// roomForNames is the height of the plot that names and bars need before notes.
const roomForNames = 64.0

// roomForMore is the height of the plot below which a note on what names and
// bars say by themselves takes more than it gives.
const roomForMore = 100.0

// roomForBars is the height of the plot that no sentence may take.
const roomForBars = 6.0

// makeRoom takes notes out of a small picture whose bars would have no names for
// them, but for those that have room beside the source, and then a source that is
// cut off anyway.
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

// notesBehindSource writes the Spec's notes that have room there behind the
// source, in a picture that has no lines for them.
func (f *frame) notesBehindSource() {
	for _, note := range f.ownNotes() {
		if text := f.behindSource(note); text != nil {
			f.scene.Add(text)
		}
	}
}

// noted reports whether a note stands in the picture.
func (f *frame) noted() bool {
	return slices.ContainsFunc(f.scene.Marks, func(m scene.Mark) bool { return m.Tags().Role == scene.Note })
}

// say puts a sentence, the first of its forms that fits, below the plot; in a
// low and wide picture to the right of the source, where it costs no height.
func (f *frame) say(forms ...string) {
	if text := f.beside(forms); text != nil {
		f.scene.Add(text)
		return
	}
	f.noteBelow(forms...)
}

// sayIfRoom says what a picture of few pixels may leave out, rather than its bars.
func (f *frame) sayIfRoom(forms ...string) {
	if f.plot.H-f.sayCost(forms) >= roomForBars {
		f.say(forms...)
	}
}

// beside is a sentence in the line of the source of a low picture; nil where it
// has no room there.
func (f *frame) beside(forms []string) *scene.Text {
	if f.plot.H >= roomForNames {
		return nil
	}
	return f.behindSource(forms[0])
}

// behindSource is a sentence behind the source and the notes in its line; nil
// where it has no room there, or source and notes take several lines.
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

// sayCost is the height that say takes from the plot for a sentence in these forms.
func (f *frame) sayCost(forms []string) float64 {
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

// drop takes out the lines of a role below the plot, which gets their room.
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
