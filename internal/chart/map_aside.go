package chart

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// Measures of the text on the left of a map.
const (
	asideShare     = .22 // of the plot's width, at most
	asideNarrowest = 64.0
)

// placeAside places the caller's text in a column on the left, from the top, and
// keeps the map out of it. Where the column would be too narrow to read, the
// text stands above the map.
func (c *choropleth) placeAside() {
	text := font.Clean(c.spec.Aside)
	if text == "" {
		return
	}
	width := asideShare * c.plot.W
	if width < asideNarrowest {
		room := max(int(c.plot.H*.2/(labelSize*leading)), 1)
		lines, _ := font.Wrap(text, labelSize, scene.Regular, c.plot.W, min(room, 3))
		c.stack(scene.Aside, lines, labelSize, scene.Regular, colour.Text)
		c.take(4)
		return
	}
	c.wrapAside(width, c.plot.H)
	for _, line := range c.aside {
		c.side = max(c.side, font.Width(line, labelSize, scene.Regular)+mapGap)
	}
}

// wrapAside breaks the text on the left into the lines that a width and a
// height have room for.
func (c *choropleth) wrapAside(width, height float64) {
	room := int((height - mapGap) / (labelSize * leading))
	c.aside, _ = font.Wrap(font.Clean(c.spec.Aside), labelSize, scene.Regular, width, room)
}

// drawAside writes the text on the left, as much of it as has room above the notes.
func (c *choropleth) drawAside() {
	if height := c.plot.H - c.notesHeight(len(c.notes)); c.aside != nil && c.asideHeight() > height {
		c.wrapAside(c.side-mapGap+.01, height)
	}
	for i, line := range c.aside {
		c.scene.Add(&scene.Text{
			Tag: scene.Tag{Role: scene.Aside}, X: c.plot.X, Y: c.plot.Y + labelSize*(1+leading*float64(i)),
			Text: line, Size: labelSize, Colour: colour.Text, W: font.Width(line, labelSize, scene.Regular),
		})
	}
}

// asideHeight is what the text on the left takes of its column.
func (c *choropleth) asideHeight() float64 {
	if len(c.aside) == 0 {
		return 0
	}
	return float64(len(c.aside))*labelSize*leading + mapGap
}

// mapNotes says what the map does not show, and how its numbers are to be read.
func (c *choropleth) mapNotes() []string {
	var notes []string
	if c.fills == nil {
		notes = append(notes, "None of the countries on this map has a value.")
	}
	if power := c.power(); c.spec.ShowValues && power != "" {
		notes = append(notes, "Numbers on the map are "+power+".")
	}
	if outside := c.outside(); outside != nil {
		if n := len(outside); n > maxNamed {
			outside = []string{fmt.Sprintf("%d countries with values", n)}
		}
		notes = append(notes, "Outside this map: "+enumerate(outside)+".")
	}
	if missing := slices.Concat(c.homeless, c.unmarked()); len(missing) > 0 {
		notes = append(notes, "Not on the map: "+enumerate(missing)+".")
	}
	if c.second != nil {
		notes = append(notes, "Only the first of several values is shown: "+enumerate(c.second)+".")
	}
	return notes
}

// power says what the bare numbers on the map count: nothing where they are
// written out.
func (c *choropleth) power() string {
	sign := scale.NumbersFor([]float64{1}, c.spec.Unit).Suffix
	power := strings.TrimSuffix(c.format.Suffix, sign)
	if times, ok := strings.CutPrefix(power, "×"); ok {
		return "to be multiplied by " + times
	}
	if power != "" {
		power = "in" + power + "s"
	}
	return power
}

// outside returns the labels of countries that have a value and an outline, but
// are not of the region; what a transform moves out of sight is the caller's wish.
func (c *choropleth) outside() []string {
	seen := map[string]bool{}
	for i := range c.base.Shapes {
		s := &c.base.Shapes[i]
		seen[s.Area] = seen[s.Area] || !s.Around
	}
	var labels []string
	for _, it := range c.labels {
		if !seen[it.area] {
			labels = append(labels, it.label)
		}
	}
	return labels
}

// unmarked returns the groups that the legend does not show: their labels, or
// how many they are.
func (c *choropleth) unmarked() []string {
	var labels []string
	for _, g := range c.groups {
		if !containsArea(c.marked, g.area) {
			labels = append(labels, g.label)
		}
	}
	if len(labels) > fewGroups {
		return []string{fmt.Sprintf("%d groups of countries", len(labels))}
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

// noteLines breaks notes into at most room lines.
func (c *choropleth) noteLines(notes []string, room int) []string {
	var lines []string
	for _, note := range notes {
		if len(lines) >= room {
			break
		}
		more, _ := font.Wrap(font.Clean(note), smallSize, scene.Regular, c.plot.W, min(2, room-len(lines)))
		lines = append(lines, more...)
	}
	return lines
}

func (c *choropleth) notesHeight(lines int) float64 {
	if lines == 0 {
		return 0
	}
	return float64(lines)*smallSize*leading + 6 // between map and notes
}

// drawNotes writes the notes at the lower end of the plot, above those of the frame.
func (c *choropleth) drawNotes() {
	y := c.plot.Y + c.plot.H - float64(len(c.notes))*smallSize*leading
	for _, line := range c.notes {
		y += smallSize * leading
		c.scene.Add(&scene.Text{
			Tag: scene.Tag{Role: scene.Note}, X: c.plot.X, Y: y - smallSize*(leading-1), Text: line,
			Size: smallSize, Colour: colour.Muted, W: font.Width(line, smallSize, scene.Regular),
		})
	}
}
