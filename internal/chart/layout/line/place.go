package line

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// placeNames chooses and places the names. If the name of a grey line would come too far from
// its line, no grey line has a name, and a note counts them.
func (c *lineChart) placeNames() *endNames {
	for {
		n := c.chooseNames()
		c.divideHeight()
		c.valueAxis()
		n.place(c)
		if c.greyUnnamed || !n.isGreyFar() {
			return n
		}
		c.greyUnnamed = true
		for _, t := range c.tracks {
			if !t.lead {
				t.dash = nil
			}
		}
	}
}

// place finds the positions of the names, and thereby the width of the plot. It first
// tries to place names of lines that end early at those ends. Names that do not fit there
// are moved to the column. That may make the column wider and the plot narrower, so it
// tries the others again. A value wider than the column is written in the plot or not at
// all; its point is marked in any case.
func (n *endNames) place(c *lineChart) {
	var early []*endName
	for _, e := range n.all {
		s := e.track.last()
		e.target = c.middle(e.track, s.at)
		gap := float64(c.lastDay - c.Spec.Periods[s.at].StartDay())
		if gap > minEarlyShare*float64(c.lastDay-c.firstDay) || e.w > c.widestEnd() {
			early = append(early, e)
		} else {
			n.column = append(n.column, e)
		}
	}
	for {
		top, bottom := c.nameBounds()
		spread(n.column, top, bottom)
		connect(n.column)
		c.right = c.Plot.X + c.Plot.W - max(n.columnWidth(c), c.lastLabelWidth())
		c.place()
		var failed, kept []*endName
		c.resetTaken()
		if x, ok := n.beside(c); ok {
			for _, e := range n.column {
				c.taken = append(c.taken, scene.Box{X: x + e.gap(), Y: e.y - e.h/2, W: e.w, H: e.h})
			}
		}
		for _, e := range early {
			switch {
			case n.placeAtEnd(c, e):
				kept = append(kept, e)
			case e.w > c.widestEnd(): // a value that does not fit into the picture
				n.all = slices.DeleteFunc(n.all, func(o *endName) bool { return o == e })
			default:
				failed = append(failed, e)
			}
		}
		if failed == nil {
			return
		}
		n.column, early = append(n.column, failed...), kept
	}
}

// maxGreyShift is how far the name of a grey line may be from the end of its line, times
// its height. Leaders that fan out from lines close to each other cannot be followed.
const maxGreyShift = .8

// isGreyFar reports whether the name of a grey line in the column is too far from its line.
func (n *endNames) isGreyFar() bool {
	return slices.ContainsFunc(n.column, func(e *endName) bool {
		return !e.track.lead && math.Abs(e.y-e.target) > maxGreyShift*e.h
	})
}

// lastLabelWidth returns the space to the right of the last period's stroke that its
// label needs to stay out of the margin.
func (c *lineChart) lastLabelWidth() float64 {
	if c.isSinglePeriod() || !c.hasTimeAxis {
		return 0
	}
	label := c.Spec.Words().Period(c.Spec.Periods[len(c.Spec.Periods)-1])
	return min(font.Width(label, c.label, scene.Regular)/2, c.Plot.W*.05)
}

// widestEnd returns the largest width of a name or value to the right of the plot. In
// very small pictures a wider one would cover axis labels in the plot.
func (c *lineChart) widestEnd() float64 {
	w := maxValueShare * c.Plot.W
	for _, text := range c.axis {
		if box := text.Box(); c.inside {
			w = min(w, c.Plot.X+c.Plot.W-box.X-box.W-leaderGap)
		}
	}
	return w
}

// beside returns the position of the dots in a chart of one period, which have the
// column of names next to them. ok is false if the column is to the right of the plot.
func (n *endNames) beside(c *lineChart) (x float64, ok bool) {
	return c.x(c.lastDay), c.isSinglePeriod() && !c.inside
}

// inPlot returns the boxes of the names in the plot.
func (n *endNames) inPlot(c *lineChart) []scene.Box {
	var boxes []scene.Box
	x, ok := n.beside(c)
	for _, e := range n.all {
		switch box := (scene.Box{X: e.x, Y: e.y - e.h/2, W: e.w, H: e.h}); {
		case !slices.Contains(n.column, e):
			boxes = append(boxes, box)
		case ok:
			box.X = x + e.gap()
			boxes = append(boxes, box)
		}
	}
	return boxes
}

// columnWidth returns the width that the column of names takes from the plot. In a chart of
// one period, names are next to the dots in its middle, if half of the plot is wide
// enough.
func (n *endNames) columnWidth(c *lineChart) float64 {
	room := 0.0
	for _, e := range n.column {
		room = max(room, e.w+e.gap())
	}
	if _, ok := n.beside(c); ok && room <= (c.Plot.X+c.Plot.W-c.left)/2 {
		return 0
	}
	return room
}

// gap returns the distance from the lines to a name.
func (e *endName) gap() float64 {
	if e.hasLeader {
		return leaderGap
	}
	return endGap
}

// moved reports whether a name is no longer next to the end of its line, so that it
// needs a leader.
func (e *endName) moved() bool { return math.Abs(e.y-e.target) > e.h/2 }

// connect sets hasLeader for the names that were moved and for the names that touch them,
// which a leader would otherwise run through.
func connect(names []*endName) {
	for first := 0; first < len(names); {
		end := first + 1
		for end < len(names) && names[end].y-names[end].h/2 <= names[end-1].y+names[end-1].h/2+1e-6 {
			end++
		}
		moved := slices.ContainsFunc(names[first:end], (*endName).moved)
		for _, e := range names[first:end] {
			e.hasLeader = moved
		}
		first = end
	}
}

// spread moves names apart so that none overlaps another and all are between top and
// bottom, if possible. Names that collide become a pile, placed at the mean of their
// targets. Names are in the order of the ends of the lines, so that leaders do not cross.
func spread(names []*endName, top, bottom float64) {
	slices.SortStableFunc(names, func(a, b *endName) int { return cmp.Compare(a.target, b.target) })
	type pile struct {
		first      int     // index of its first name
		start, h   float64 // top and height
		sum, count float64 // of the target positions of its top
	}
	var piles []pile
	for i, e := range names {
		p := pile{first: i, h: e.h, sum: e.target - e.h/2, count: 1}
		for {
			p.start = max(min(p.sum/p.count, bottom-p.h), top)
			n := len(piles) - 1
			if n < 0 || piles[n].start+piles[n].h <= p.start {
				break
			}
			before := piles[n]
			// Convert the targets to those of the top of the joined pile.
			before.sum += p.sum - p.count*before.h
			before.count += p.count
			before.h += p.h
			p, piles = before, piles[:n]
		}
		piles = append(piles, p)
	}
	for i, p := range piles {
		end := len(names)
		if i+1 < len(piles) {
			end = piles[i+1].first
		}
		y := p.start
		for _, e := range names[p.first:end] {
			e.y = y + e.h/2
			y += e.h
		}
	}
}

// minLeaderDistance is the distance from the end of a line from which a name at the same
// height needs a leader.
const minLeaderDistance = 24.0

// draw writes the names, with leaders if they are away from the ends of their lines.
func (n *endNames) draw(c *lineChart) {
	end, ok := n.beside(c)
	if !ok {
		end = c.right
	}
	for _, e := range n.all {
		if !slices.Contains(n.column, e) {
			e.draw(c, e.x, 2)
			continue
		}
		x := end + e.gap()
		if e.hasLeader || x-e.track.last().X > minLeaderDistance {
			drawLeader(c, e, x)
		}
		e.draw(c, x, 0)
	}
}

// minDottedLeader is the length from which a leader is dotted.
const minDottedLeader = 60.0

// drawLeader connects a name to its line, in the colour of the name, or lighter if the
// line is grey.
func drawLeader(c *lineChart, e *endName, x float64) {
	s := e.track.last()
	lineColour := colour.Quiet
	if e.track.lead {
		lineColour = colour.Readable(e.track.colour)
	}
	from := s.X + 4
	if c.Spec.HighlightLatest {
		from += 2.5
	}
	o := &scene.Outline{}
	o.MoveTo(from, s.Y)
	o.LineTo(max(from, x-leaderGap+4), s.Y)
	o.LineTo(x-3, e.y)
	pen := scene.Pen{Colour: lineColour, Width: .8}
	if x-s.X > minDottedLeader { // the leader of a series that ended early must not look like its continuation
		pen.Dash = []float64{.8, 3}
	}
	c.Scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Leader, Name: e.track.name}, Outline: o, Pen: pen})
}

// placeAtEnd finds a free position in the plot next to the end of a line.
func (n *endNames) placeAtEnd(c *lineChart, e *endName) bool {
	s := e.track.last()
	far := 6 + c.label*.3
	for _, at := range []scene.Point{
		{X: s.X + far, Y: s.Y - e.h/2},
		{X: s.X - far - e.w, Y: s.Y - e.h/2},
		{X: s.X - e.w/2, Y: s.Y - far - e.h},
		{X: s.X - e.w/2, Y: s.Y + far},
		{X: s.X + 2, Y: s.Y - far - e.h},
		{X: s.X + 2, Y: s.Y + far},
		{X: s.X - e.w, Y: s.Y - far - e.h},
		{X: s.X - e.w, Y: s.Y + far},
	} {
		at.X = max(min(at.X, c.right-e.w-clearance), c.left+clearance)
		if box := (scene.Box{X: at.X, Y: at.Y, W: e.w, H: e.h}); c.isFree(box) {
			e.x, e.y = at.X, at.Y+e.h/2
			c.taken = append(c.taken, box)
			return true
		}
	}
	return false
}

// clearance is the distance around names and values in the plot, in units.
const clearance = 3.0

// isFree reports whether a box lies in the plot and covers no text and no line.
func (c *lineChart) isFree(b scene.Box) bool {
	b = frame.Pad(b, clearance)
	if !b.Inside(scene.Box{X: c.left, Y: c.Plot.Y, W: c.right - c.left, H: c.bottom - c.Plot.Y}) || frame.OverlapsAny(b, c.taken) {
		return false
	}
	spots := 0
	for _, t := range c.tracks {
		spots += len(t.spots)
		if spots > maxSpots {
			return false
		}
		if slices.ContainsFunc(t.curves, func(p curve) bool { return p.meets(b) }) {
			return false
		}
	}
	return true
}
