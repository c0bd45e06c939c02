package maps

import (
	"slices"

	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// reduction says what a small picture leaves out to make its map larger. Each step
// includes those before.
type reduction int

const (
	noLeft   reduction = iota + 1 // the list of numbers that do not fit
	noNotes                       // the notes of the Spec and the map
	noMarks                       // the groups of countries on the legend
	oneLine                       // the second line of the subtitle
	fewEdges                      // the legend's title and all its numbers except the ends
	noKey                         // the legend
	mostReduced
)

// Minimum sizes of the map, as fractions of the picture.
const (
	minMapHeight = .45 // of the picture's height
	leastHeight  = .3  // the same before the legend is left out, without which colours say little
	minMapWidth  = .9  // of the plot's width, if the map is as high as its shape allows
)

// isCramped reports whether everything around the map takes too much of the picture.
func (c *choropleth) isCramped() bool {
	width := c.box.W
	if c.isWorld() {
		width = min(width, worldAspect*c.box.H)
	}
	height := minMapHeight
	if c.reduction >= fewEdges {
		height = leastHeight
	}
	return c.box.H < height*c.Scene.Height && width < minMapWidth*c.Plot.W
}

// reduce takes the next step of reduction. It returns false if there is none.
func (c *choropleth) reduce() bool {
	if _, ok := c.key.(*keyColumn); ok && c.reduction == fewEdges {
		return false // it takes no height
	}
	c.reduction++
	switch c.reduction {
	case noNotes:
		c.Drop(scene.Note)
	case noMarks:
		c.eligible = nil
	case oneLine:
		c.cutSubtitle()
	case mostReduced:
		return false
	}
	return true
}

// cutSubtitle removes all lines of the subtitle except the first, and moves up what is
// below.
func (c *choropleth) cutSubtitle() {
	lines, up := 0, 0.0
	c.Scene.Marks = slices.DeleteFunc(c.Scene.Marks, func(m scene.Mark) bool {
		text, ok := m.(*scene.Text)
		if !ok || text.Role != scene.Subtitle {
			return false
		}
		if lines++; lines > 1 {
			up += text.Size * frame.Leading
		}
		return lines > 1
	})
	for _, m := range c.Scene.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == scene.Aside {
			text.Y -= up
		}
	}
	c.Take(-up)
}
