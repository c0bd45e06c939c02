package maps

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
	"almanac/internal/chart/words"
)

// Measures of the text on the left of a map.
const (
	maxAsideShare = .22 // largest fraction of the plot's width
	minAsideWidth = 64.0
)

// placeAside places the caller's text in a column to the left of the map. If the column
// would be too narrow to read, the text is above the map.
func (c *choropleth) placeAside() {
	if font.Clean(c.Spec.Aside) == "" {
		return
	}
	width := maxAsideShare * c.Plot.W
	if width < minAsideWidth {
		room := max(int(c.Plot.H*.2/(frame.LabelSize*frame.Leading)), 1)
		lines := wrapLines(c.Spec.Aside, c.Plot.W, min(room, 3))
		c.Stack(scene.Aside, lines, frame.LabelSize, scene.Regular, colour.Text)
		c.Take(4)
		return
	}
	c.wrapAside(width, c.Plot.H)
	for _, line := range c.aside {
		c.side = max(c.side, font.Width(line, frame.LabelSize, scene.Regular)+mapGap)
	}
}

// wrapAside breaks the text on the left into lines that fit the given width and height.
func (c *choropleth) wrapAside(width, height float64) {
	room := int((height - mapGap) / (frame.LabelSize * frame.Leading))
	c.aside = wrapLines(c.Spec.Aside, width, room)
}

// wrapLines breaks each line of a caller's text into lines no wider than width, at most
// room in total. The last ends in "…" if more follows.
func wrapLines(text string, width float64, room int) (lines []string) {
	for _, line := range frame.TextLines(text) {
		if n := len(lines); n > 0 && n >= room {
			if last := lines[n-1]; !strings.HasSuffix(last, "…") {
				cut, _ := font.Wrap(last+" …", frame.LabelSize, scene.Regular, width, 1)
				lines = append(lines[:n-1], cut...)
			}
			break
		}
		more, _ := font.Wrap(line, frame.LabelSize, scene.Regular, width, max(room-len(lines), 0))
		lines = append(lines, more...)
	}
	return lines
}

// drawAside writes as much of the text on the left as fits above the notes.
func (c *choropleth) drawAside() {
	if height := c.Plot.H - c.notesHeight(len(c.notes)) - (c.asideTop() - c.Plot.Y); c.aside != nil && c.asideHeight() > height {
		c.wrapAside(c.side-mapGap+.01, height)
	}
	for i, line := range c.aside {
		c.Scene.Add(&scene.Text{
			Tag: scene.Tag{Role: scene.Aside}, X: c.left, Y: c.asideTop() + frame.LabelSize*(1+frame.Leading*float64(i)),
			Text: line, Size: frame.LabelSize, Colour: colour.Text, W: font.Width(line, frame.LabelSize, scene.Regular),
		})
	}
}

// asideTop returns the top of the text on the left, which is that of the map.
func (c *choropleth) asideTop() float64 { return c.box.Y }

// asideHeight returns the height of the text on the left.
func (c *choropleth) asideHeight() float64 {
	if len(c.aside) == 0 {
		return 0
	}
	return float64(len(c.aside))*frame.LabelSize*frame.Leading + mapGap
}

// mapNotes returns the notes on what the map does not show and how to read its numbers.
func (c *choropleth) mapNotes() []string {
	if c.reduction >= noNotes {
		return nil
	}
	var notes []string
	l := c.Spec.Words()
	switch shown, valued := c.shown(); {
	case !shown && c.moved():
		notes = append(notes, l.Text("The map is moved or enlarged so far that none of its countries is in the picture."))
	case !valued:
		notes = append(notes, l.Text("None of the countries on this map has a value."))
	}
	if c.view.Note != "" {
		notes = append(notes, l.Text(c.view.Note))
	}
	if c.Spec.ShowValues {
		notes = append(notes, c.powerNotes()...)
	}
	if missing := c.missingNote(); missing != "" && !c.Spec.IsInPage() {
		notes = append(notes, missing)
	}
	if c.mapNumbers != nil && c.mapNumbers.left != nil && c.reduction < noLeft {
		notes = append(notes, c.mapNumbers.leftNote())
	}
	if c.second != nil {
		notes = append(notes, l.Text("Only the first of several values is shown: %s.", l.List(c.second)))
	}
	return notes
}

// shown reports whether any country of the region is visible, and whether one with a
// value is.
func (c *choropleth) shown() (shown, valued bool) {
	for i := range c.view.Shapes {
		s := &c.view.Shapes[i]
		shown = shown || !s.Around
		if c.valueOf(s) != nil {
			return true, true
		}
	}
	return shown, false
}

// powerNotes says by which power of ten the numbers on the map are to be multiplied,
// unless they are written in full.
func (c *choropleth) powerNotes() []string {
	sign := scale.NumbersFor([]float64{1}, c.Spec.NumberUnit()).Suffix
	power := strings.TrimSuffix(c.format.Suffix, sign)
	if times, ok := strings.CutPrefix(power, "×"); ok {
		return []string{c.Spec.Words().Text("Numbers on the map are to be multiplied by %s.", times)}
	}
	for _, p := range c.Spec.Words().Powers() {
		if p.Name == power {
			return []string{c.Spec.Words().Text("Numbers on the map are in %s.", p.Plural)}
		}
	}
	return nil
}

// missingNote names areas that have a value but no place on the map, with their values. If the
// list would be longer than two lines, it leaves out the values, or gives the number of areas; after a
// caller's choice of region, if it would be longer than a few names.
func (c *choropleth) missingNote() string {
	missing, groups := slices.Concat(c.outside(), c.withoutOutline), c.unmarked()
	if len(missing)+len(groups) == 0 {
		return ""
	}
	l := c.Spec.Words()
	write := func(areas []string) string {
		return l.Text("Not on the map: %s.", l.List(slices.Concat(areas, groups)))
	}
	isTooLong := func(note string) bool {
		return font.Width(note, frame.SmallSize, scene.Regular) > maxMissing*c.Plot.W
	}
	note := write(c.namesOf(missing, true))
	if isTooLong(note) {
		note = write(c.namesOf(missing, false))
	}
	chosen := c.Spec.Region != atlas.World || c.moved()
	if n := len(missing); n > 1 && (chosen && n > words.MaxListed || isTooLong(note)) {
		note = write([]string{l.Text("%s areas with values", n)})
	}
	return note
}

// maxMissing is the width of a note on missing areas, in widths of the plot: with breaks
// between words it fits in two lines.
const maxMissing = 1.8

// maxNamedGroups is the number of groups outside the map up to which a note names them.
const maxNamedGroups = 4

// namesOf returns the labels of areas, with their values if these are wanted.
func (c *choropleth) namesOf(areas []labelled, withValues bool) []string {
	var names []string
	unnamed := 0
	for _, it := range areas {
		name := it.label
		if bareCode.MatchString(name) {
			unnamed++
			continue
		}
		if withValues {
			name += " " + c.write(it.value)
		}
		names = append(names, name)
	}
	switch l := c.Spec.Words(); {
	case unnamed == 1:
		names = append(names, l.Text("1 area without a name"))
	case unnamed > 1:
		names = append(names, l.Text("%s areas without a name", unnamed))
	}
	return names
}

// write writes a value in the text, in a power of ten of its own.
func (c *choropleth) write(v float64) string {
	return scale.NumbersFor([]float64{v}, c.Spec.NumberUnit()).Write(v)
}

// bareCode matches codes that stand in place of a name: "ME1".
var bareCode = regexp.MustCompile(`^[A-Z]+[0-9_][A-Z0-9_]*$`)

// outside returns the countries that have a value and an outline, but are not visible with
// it.
func (c *choropleth) outside() []labelled {
	visible := 0
	for i := range c.view.Shapes {
		if c.valueOf(&c.view.Shapes[i]) != nil {
			visible++
		}
	}
	if visible == len(c.labels) {
		return nil
	}
	seen := make(map[string]bool, len(c.view.Shapes))
	for i := range c.view.Shapes {
		if s := &c.view.Shapes[i]; !s.Around {
			seen[s.Area] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(c.labels), func(it labelled) bool { return seen[it.area] })
}

// unmarked returns the groups that the legend does not show: their labels and values. If they are many, it
// returns the number of all groups, as the description in words does.
func (c *choropleth) unmarked() []string {
	var labels []string
	for _, g := range c.groups {
		if !containsArea(c.marked, g.area) {
			labels = append(labels, g.label+" "+c.write(g.value))
		}
	}
	if len(labels) > maxNamedGroups {
		return []string{c.Spec.Words().Text("%s groups of countries", len(c.groups))}
	}
	return labels
}

func containsArea(list []labelled, area string) bool {
	for _, it := range list {
		if it.area == area {
			return true
		}
	}
	return false
}

// notesAbove is the distance between the map and its notes.
const notesAbove = 6.0

func (c *choropleth) notesHeight(lines int) float64 {
	if lines == 0 {
		return 0
	}
	return float64(lines)*frame.SmallSize*frame.Leading + notesAbove
}

// drawNotes writes the notes at the lower end of the plot, above those of the frame.
func (c *choropleth) drawNotes() {
	y := c.Plot.Y + c.Plot.H - float64(len(c.notes))*frame.SmallSize*frame.Leading
	for _, line := range c.notes {
		y += frame.SmallSize * frame.Leading
		c.AddLine(&scene.Text{
			Tag: scene.Tag{Role: scene.Note}, Y: y - frame.SmallSize*(frame.Leading-1), Text: line,
			Size: frame.SmallSize, Colour: colour.Muted, W: font.Width(line, frame.SmallSize, scene.Regular),
		})
	}
}
