package chart

import (
	"slices"

	"almanac/internal/chart/atlas"
	"almanac/internal/chart/scene"
)

// leanness says what a small picture leaves out so that its map has room: a step
// more each time that is not enough.
type leanness int

const (
	noLeft   leanness = iota + 1 // which numbers have no room
	noNotes                      // the notes of the Spec and the map
	noMarks                      // the groups of countries on the legend
	oneLine                      // the second line of the subtitle
	fewEdges                     // the legend's title and all of its numbers but the ends
	noKey                        // the legend
	leanest
)

// Parts of a picture that its map takes at least.
const (
	leastHeight = .45 // of the picture's height
	leastWidth  = .9  // of the plot's width, where the map is as high as its shape allows
)

// cramped reports whether what stands around the map takes too much of the picture.
func (c *choropleth) cramped() bool {
	width := c.box.W
	if c.region == atlas.World {
		width = min(width, worldShape*c.box.H)
	}
	return c.box.H < leastHeight*c.scene.Height && width < leastWidth*c.plot.W
}

// leaner leaves out one thing more; false where nothing is left.
func (c *choropleth) leaner() bool {
	if _, ok := c.key.(*keyColumn); ok && c.lean == fewEdges {
		return false // it takes no height
	}
	c.lean++
	switch c.lean {
	case noNotes:
		c.drop(scene.Note)
	case noMarks:
		c.worthy = nil
	case oneLine:
		c.cutSubtitle()
	case leanest:
		return false
	}
	return true
}

// cutSubtitle takes out all lines of the subtitle but the first; what stands
// below it moves up.
func (c *choropleth) cutSubtitle() {
	lines, up := 0, 0.0
	c.scene.Marks = slices.DeleteFunc(c.scene.Marks, func(m scene.Mark) bool {
		text, ok := m.(*scene.Text)
		if !ok || text.Role != scene.Subtitle {
			return false
		}
		if lines++; lines > 1 {
			up += text.Size * leading
		}
		return lines > 1
	})
	for _, m := range c.scene.Marks {
		if text, ok := m.(*scene.Text); ok && text.Role == scene.Aside {
			text.Y -= up
		}
	}
	c.take(-up)
}
