package frame

import (
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// footer places notes and source at the bottom. They take at most a quarter of the
// picture, less in a small one, and the source has priority.
func (f *Frame) footer() {
	f.notesEnd = f.Plot.Y + f.Plot.H
	if f.Spec.Plain {
		return
	}
	share := min(.25, max(.1, .1+(f.Scene.Height-150)*.0004))
	room := max(1, int(f.Scene.Height*share/(SmallSize*Leading)))
	source := f.wrapSource(min(room, max(2, room/2)))
	f.smallLines(scene.Source, source)
	if len(source) > 0 {
		f.notesEnd -= sourceGap
	}
	if room > len(source) {
		f.smallLines(scene.Note, f.WrapNotes(f.ownNotes(), room-len(source)))
	} else if f.Scene.Height <= SmallPicture {
		f.NotesBesideSource()
	}
}

// wrapSource breaks the source into lines. If a picture has space for a part of it, that ends
// before a comma: "Source: World Bank, dataset SP.POP.TOTL". Licences that must be named stay,
// if need be in further lines. Of several sources, none is left out without "…".
func (f *Frame) wrapSource(room int) []string {
	source := font.Clean(f.Spec.Source)
	lines, whole := f.wrapSmall(source, room)
	named, terms := source, ""
	if at := strings.LastIndex(source, chart.BeforeLicence); at >= 0 {
		named, terms = source[:at], source[at:]
	}
	if whole || terms == "" && f.Scene.Height > SmallPicture {
		return lines
	}
	for end := len(named); end > 0 && !strings.Contains(named[end:], ". "); end = strings.LastIndexAny(named[:end], commas) {
		if part, fits := f.wrapSmall(named[:end]+terms, room); fits {
			return part
		}
	}
	if terms == "" {
		return lines
	}
	for _, text := range []string{source, officesAndLicences(source)} {
		if part, fits := f.wrapSmall(text, room+1); fits {
			return part
		}
	}
	lines, _ = f.wrapSmall(officesAndLicences(source), room+2)
	return lines
}

// commas are the commas of the scripts in which source lines are written.
const commas = ",،、"

// officesAndLicences shortens each sentence of a source line that names a licence:
// "Source: OECD · CC BY 4.0. Source: World Bank · CC BY 4.0".
func officesAndLicences(source string) string {
	sentences := strings.Split(source, ". ")
	for i, text := range sentences {
		comma, licence := strings.IndexAny(text, commas), strings.LastIndex(text, chart.BeforeLicence)
		if comma >= 0 && comma < licence {
			sentences[i] = text[:comma] + text[licence:]
		}
	}
	return strings.Join(sentences, ". ")
}

// wrapSmall breaks a text below the plot into at most room lines.
func (f *Frame) wrapSmall(text string, room int) (lines []string, whole bool) {
	return font.Wrap(text, SmallSize, scene.Regular, f.Plot.W, room)
}

// ownNotes returns the notes of the Spec below the plot: the caller's text line by
// line, and the others, joined if there are many, to leave more height for the plot.
func (f *Frame) ownNotes() []string {
	notes := f.Spec.Notes
	if len(notes) > 2 {
		notes = []string{strings.Join(notes, " ")}
	}
	if f.Spec.Type == chart.Map {
		return notes
	}
	return append(TextLines(f.Spec.Aside), notes...)
}

// smallLines places lines above notesEnd, and ends the plot above them.
func (f *Frame) smallLines(role string, lines []string) {
	if len(lines) == 0 {
		return
	}
	f.notesEnd -= float64(len(lines)) * SmallSize * Leading
	f.Plot.H = min(f.Plot.H, f.notesEnd-f.footerGap()-f.Plot.Y)
	for i, line := range lines {
		y := f.notesEnd + SmallSize*(Leading*float64(i)+1)
		f.AddLine(&scene.Text{Tag: scene.Tag{Role: role}, Y: y, Text: line, Size: SmallSize, Colour: colour.Muted, W: font.Width(line, SmallSize, scene.Regular)})
	}
}

// footerGap returns the distance between the plot and the notes.
func (f *Frame) footerGap() float64 { return min(8, max(5, f.Scene.Height*.025)) }

// noteCost returns the height that a note of so many lines takes from the plot.
func (f *Frame) noteCost(lines int) float64 {
	end := f.notesEnd - float64(lines)*SmallSize*Leading - f.footerGap()
	return max(0, f.Plot.Y+f.Plot.H-end)
}

// WrapNotes breaks notes into at most room lines. If they do not fit, they end in "…",
// after a whole sentence if possible.
func (f *Frame) WrapNotes(notes []string, room int) []string {
	var lines []string
	for _, note := range notes {
		note = font.Clean(note)
		most := min(maxNoteLines, room-len(lines))
		if most == 0 {
			return f.withEllipsis(lines)
		}
		more, whole := font.Wrap(note, SmallSize, scene.Regular, f.Plot.W, most)
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
			if part, whole := font.Wrap(note[:end+1]+" …", SmallSize, scene.Regular, f.Plot.W, most); whole {
				more = part
				break
			}
		}
		lines = append(lines, more...)
	}
	return lines
}

// withEllipsis adds "…" to the last line, if it fits.
func (f *Frame) withEllipsis(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	last := &lines[len(lines)-1]
	if text := *last + " …"; !strings.HasSuffix(*last, "…") && font.Width(text, SmallSize, scene.Regular) <= f.Plot.W {
		*last = text
	}
	return lines
}

// noteBelow places a sentence between the plot and the notes of the Spec: the first form
// that fits in its lines and two fifths of the plot, else as much of the last form as
// fits in one line.
func (f *Frame) noteBelow(forms ...string) {
	var lines []string
	for i, text := range forms {
		var whole bool
		text = font.Clean(text)
		lines, whole = font.Wrap(text, SmallSize, scene.Regular, f.Plot.W, f.linesOf(forms))
		if whole && float64(len(lines))*SmallSize*Leading <= f.Plot.H*.4 {
			break
		}
		if i == len(forms)-1 {
			lines, _ = font.Wrap(text, SmallSize, scene.Regular, f.Plot.W, 1)
		}
	}
	f.smallLines(scene.Note, lines)
}

// linesOf returns the lines that a sentence may take: two, or one in a small picture if it has
// a shorter form.
func (f *Frame) linesOf(forms []string) int {
	if len(forms) > 1 && f.Scene.Height <= SmallPicture {
		return 1
	}
	return 2
}

// JoinNotes moves the notes at the lower end of a map's plot down to those of the Spec,
// to form one block.
func (f *Frame) JoinNotes() {
	var own []*scene.Text
	low := 0.0
	for _, m := range f.Scene.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == scene.Note && text.Y < f.notesEnd {
			own = append(own, text)
			low = max(low, text.Y+SmallSize*(Leading-1))
		}
	}
	for _, text := range own {
		text.Y += f.notesEnd - low
	}
}

// minHeightForNotes is the height of the plot below which names and bars have priority
// over notes.
const minHeightForNotes = 64.0

// MinHeightForExtraNotes is the height of the plot below which there are no notes on what
// names and bars already show.
const MinHeightForExtraNotes = 100.0

// minHeightOfBars is the height of the plot that optional notes must leave.
const minHeightOfBars = 6.0

// DropNotes removes the notes of a small picture whose bars would otherwise have no names,
// except those that fit next to the source. If that is not enough, it also removes a
// source that is cut off.
func (f *Frame) DropNotes() {
	if f.Plot.H >= minHeightForNotes {
		return
	}
	f.Drop(scene.Note)
	cut := func(m scene.Mark) bool {
		text, ok := m.(*scene.Text)
		return ok && text.Role == scene.Source && strings.HasSuffix(text.Text, "…")
	}
	if f.Plot.H < minHeightForNotes && slices.ContainsFunc(f.Scene.Marks, cut) {
		f.Drop(scene.Source)
	}
	f.NotesBesideSource()
}

// NotesBesideSource writes the Spec's notes after the source, as far as they fit there.
func (f *Frame) NotesBesideSource() {
	if f.Spec.Plain {
		return
	}
	for _, note := range f.ownNotes() {
		if text := f.afterSource(note); text != nil {
			f.Scene.Add(text)
		}
	}
}

// HasNote reports whether the picture has a note.
func (f *Frame) HasNote() bool {
	return slices.ContainsFunc(f.Scene.Marks, func(m scene.Mark) bool { return m.Tags().Role == scene.Note })
}

// AddNote writes the first form of a sentence that fits below the plot. In a low and
// wide picture it goes to the right of the source, where it costs no height.
func (f *Frame) AddNote(forms ...string) {
	if text := f.beside(forms); text != nil {
		f.Scene.Add(text)
		return
	}
	f.noteBelow(forms...)
}

// AddOptionalNote writes a sentence unless the bars need its space.
func (f *Frame) AddOptionalNote(forms ...string) {
	if f.Plot.H-f.NoteHeight(forms) >= minHeightOfBars {
		f.AddNote(forms...)
	}
}

// beside returns a sentence for the line of the source in a low picture, or nil if it
// does not fit there.
func (f *Frame) beside(forms []string) *scene.Text {
	if f.Plot.H >= minHeightForNotes && f.Scene.Height > SmallPicture {
		return nil
	}
	return f.afterSource(forms[0])
}

// afterSource returns a sentence to follow the source and the notes in its line. It
// returns nil if the sentence does not fit, or source and notes take several lines.
func (f *Frame) afterSource(sentence string) *scene.Text {
	var last *scene.Text
	for _, m := range f.Scene.Marks {
		text, ok := m.(*scene.Text)
		if !ok || text.Role != scene.Source && text.Role != scene.Note {
			continue
		}
		if last == nil && text.Role == scene.Note || last != nil && text.Y != last.Y {
			return nil
		}
		last = text
	}
	if last == nil || f.RightToLeft {
		return nil
	}
	text := &scene.Text{Tag: scene.Tag{Role: scene.Note}, X: last.X + last.W + remarkGap, Y: last.Y, Text: font.Clean(sentence), Size: last.Size, Colour: last.Colour}
	text.W = font.Width(text.Text, text.Size, text.Weight)
	if text.Text == "" || text.X+text.W > f.Plot.X+f.Plot.W {
		return nil
	}
	return text
}

// NoteHeight returns the height that AddNote takes from the plot for these forms.
func (f *Frame) NoteHeight(forms []string) float64 {
	if f.beside(forms) != nil {
		return 0
	}
	for _, text := range forms {
		lines, whole := font.Wrap(font.Clean(text), SmallSize, scene.Regular, f.Plot.W, f.linesOf(forms))
		if whole && float64(len(lines))*SmallSize*Leading <= f.Plot.H*.4 {
			return f.noteCost(len(lines))
		}
	}
	return f.noteCost(1)
}

// Drop removes the lines with a role below the plot and gives their space to the plot.
func (f *Frame) Drop(role string) {
	lines := 0
	f.Scene.Marks = slices.DeleteFunc(f.Scene.Marks, func(m scene.Mark) bool {
		text, ok := m.(*scene.Text)
		if !ok || text.Role != role {
			return false
		}
		if f.RightToLeft || text.X == f.Plot.X { // others are beside the source
			lines++
		}
		return true
	})
	if lines == 0 {
		return
	}
	f.notesEnd += float64(lines) * SmallSize * Leading
	f.Plot.H = f.notesEnd - f.Plot.Y
	if role == scene.Note {
		f.Plot.H -= f.footerGap() // the source stays
	}
}

// TextLines returns the lines of a caller's text, split at its line breaks.
func TextLines(text string) (lines []string) {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) }) {
		if line = font.Clean(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
