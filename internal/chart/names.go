package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// Measures of the names at the ends of lines, in units; heights are parts of
// the text's size.
const (
	nameLine      = 1.18 // from line to line
	endGap        = 8.0  // from the end of the lines to the names
	leaderGap     = 20.0 // the same where names had to move
	besideGap     = .45  // from a name to the value after it
	earlyPart     = .04  // of the time that a line ends before the others to be named there
	mostSpots     = 20_000
	nameShare     = .3  // of the plot's width that names take at most
	widestName    = .42 // the same for a value in a picture that is very small
	nameLineCount = 3   // into which a name is broken at most
)

// endName is what stands at the end of one line: name, value of the latest
// period, or both.
type endName struct {
	track  *track
	lines  []string // of the name
	value  string   // highlighted; may be empty
	beside bool     // the value follows the last line of the name, else stands below
	w, h   float64
	wanted float64 // height of the middle, where the line ends
	y      float64 // height of the middle, where it stands
	x      float64 // of the left end, where it stands in the plot
}

// endNames are the names of a line chart, in a column right of the plot. Those
// that would overlap are moved apart, no farther than needed, and tied to their
// lines. A line that ends early has its name there where nothing is in the way.
type endNames struct {
	all    []*endName
	column []*endName // those that do not stand in the plot
	w      float64    // of the widest
}

// chooseNames decides which lines are named where. All of them at their ends,
// if there is room; else the grey ones are left without a name, and counted in a
// note; else the others stand in a legend, where their lines are broken in
// different ways; without one, names are cut and the last ones left out.
func (c *lineChart) chooseNames() *endNames {
	leads := slices.DeleteFunc(slices.Clone(c.tracks), func(t *track) bool { return !t.lead })
	context := len(c.tracks) - len(leads)
	c.upright()
	if n, ok := c.namesFor(c.tracks, 0); ok {
		return n
	}
	note := 0.0
	if context > 0 {
		note = smallSize * leading
	}
	n, ok := c.namesFor(leads, note)
	if context > 0 {
		c.noteBelow(fmt.Sprintf("Thin grey lines: %d other series.", context))
	}
	if ok {
		c.upright()
		return n
	}
	keyed := c.spec.ShowLegend && c.plot.H > lowestPlot+c.label*legendRow+legendBelow
	if keyed {
		c.legend(c.legendItems(leads))
	}
	c.upright()
	n = &endNames{}
	for _, t := range leads {
		e := &endName{track: t, value: c.latestValue(t)}
		if !keyed {
			e.lines, _ = font.Wrap(c.nameOf(t), c.label, c.weight(t), c.plot.W*nameShare, 1)
		}
		n.add(c, e, c.plot.W*nameShare)
	}
	for len(n.all) > 0 && n.height() > c.nameRoom() {
		n.all = n.all[:len(n.all)-1]
	}
	return n
}

// namesFor wraps the names of tracks into the narrowest column that will do. ok
// is false where they need more height than there is, but for the reserve, or a
// name more width.
func (c *lineChart) namesFor(tracks []*track, reserve float64) (n *endNames, ok bool) {
	if float64(len(tracks))*c.label*nameLine > c.nameRoom()-reserve {
		return nil, false
	}
	for lines := 2; lines <= nameLineCount; lines++ {
		for _, share := range []float64{.18, .22, .26, nameShare} {
			n, ok = c.wrapNames(tracks, c.plot.W*share, lines)
			if ok && n.height() <= c.nameRoom()-reserve {
				return n, true
			}
		}
	}
	return nil, false
}

// wrapNames breaks names into lines; ok is false where one is cut or a word
// broken.
func (c *lineChart) wrapNames(tracks []*track, widest float64, lines int) (n *endNames, ok bool) {
	n = &endNames{}
	for _, t := range tracks {
		e := &endName{track: t, value: c.latestValue(t)}
		name, weight := c.nameOf(t), c.weight(t)
		for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -–/", r) }) {
			if font.Width(word, c.label, weight) > widest && !isUnspaced(word) {
				return nil, false
			}
		}
		var whole bool
		if e.lines, whole = font.Wrap(name, c.label, weight, widest, lines); name != "" && !whole {
			return nil, false
		}
		n.add(c, e, widest)
	}
	return n, n.w <= widest
}

// isUnspaced reports whether a word is of a script that writes no spaces, and
// may be broken anywhere.
func isUnspaced(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// nameOf is the name at the end of a line. The only line of a chart has none if
// title or subtitle say what it is.
func (c *lineChart) nameOf(t *track) string {
	if len(c.tracks) == 1 && mentions(font.Clean(c.spec.Title+" · "+c.spec.Subtitle), t.name) {
		return ""
	}
	return t.name
}

// mentions reports whether a text has a name in it that is not part of a longer
// word: "EU" is not in "Million EUR".
func mentions(text, name string) bool {
	for name != "" {
		before, after, found := strings.Cut(text, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if !isWordRune(last) && !isWordRune(first) {
			return true
		}
		text = after
	}
	return false
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// weight makes names in colour stand out among grey ones.
func (c *lineChart) weight(t *track) scene.Weight {
	if t.lead {
		return scene.Bold
	}
	return scene.Regular
}

// latestValue is the value that is written at the end of a line, with its
// period if others go on for longer; empty if it is not to be highlighted.
func (c *lineChart) latestValue(t *track) string {
	if !c.spec.HighlightLatest || !t.lead {
		return ""
	}
	s := t.last()
	text := c.numbers.Write(t.series.Values[s.at])
	for _, other := range c.tracks {
		if other.last().at > s.at {
			return text + " (" + c.spec.Periods[s.at].String() + ")"
		}
	}
	return text
}

// add measures a name and takes it in, unless it is empty.
func (n *endNames) add(c *lineChart, e *endName, widest float64) {
	for _, line := range e.lines {
		e.w = max(e.w, font.Width(line, c.label, c.weight(e.track)))
	}
	rows := len(e.lines)
	if e.value != "" {
		value := font.Width(e.value, c.label, scene.Bold)
		beside := value
		if rows > 0 {
			beside += font.Width(e.lines[rows-1], c.label, c.weight(e.track)) + c.label*besideGap
		}
		e.beside = rows > 0 && beside <= widest
		if e.beside {
			e.w = max(e.w, beside)
		} else {
			rows++
			e.w = max(e.w, value)
		}
	}
	if rows == 0 {
		return
	}
	e.h = float64(rows)*c.label*nameLine + 1
	n.w = max(n.w, e.w)
	n.all = append(n.all, e)
}

func (n *endNames) height() float64 {
	h := 0.0
	for _, e := range n.all {
		h += e.h
	}
	return h
}

// nameRoom is the height that names may take: a little more than the plot's.
func (c *lineChart) nameRoom() float64 {
	low, high := c.nameBounds()
	return high - low
}

func (c *lineChart) nameBounds() (top, bottom float64) {
	return c.plot.Y, c.bottom + c.label*.3
}

// legendItems returns the entries of a legend, and gives each line its own dashes.
func (c *lineChart) legendItems(tracks []*track) []legendItem {
	var items []legendItem
	for i, t := range tracks {
		t.dash = dashes[i%len(dashes)]
		if c.nameOf(t) != "" {
			items = append(items, legendItem{name: t.name, label: t.name, stroke: scene.Pen{Colour: t.colour, Width: t.width, Dash: t.dash}})
		}
	}
	return items
}

// solve finds the places of the names, and with them how wide the plot is.
// Names of lines that end early are tried there; those that find no place there
// go into the column, which may make it wider and the plot narrower, so that the
// others are tried once more. A value that is wider than a column may be has a
// place in the plot or none; its point is marked all the same.
func (n *endNames) solve(c *lineChart) {
	var early []*endName
	for _, e := range n.all {
		s := e.track.last()
		e.wanted = c.y(e.track.series.Values[s.at])
		gap := float64(c.lastDay - c.spec.Periods[s.at].StartDay())
		if gap > earlyPart*float64(c.lastDay-c.firstDay) || e.w > widestName*c.plot.W {
			early = append(early, e)
		} else {
			n.column = append(n.column, e)
		}
	}
	for {
		top, bottom := c.nameBounds()
		spread(n.column, top, bottom)
		c.right = c.plot.X + c.plot.W - n.room()
		c.place()
		var failed, kept []*endName
		c.free()
		for _, e := range early {
			switch {
			case n.placeAtEnd(c, e):
				kept = append(kept, e)
			case e.w > widestName*c.plot.W: // a value in a picture that has no room for it
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

// room is the width that the column of names takes from the plot.
func (n *endNames) room() float64 {
	widest := 0.0
	for _, e := range n.column {
		widest = max(widest, e.w)
	}
	if widest == 0 {
		return 0
	}
	return widest + n.gap()
}

func (n *endNames) gap() float64 {
	if slices.ContainsFunc(n.column, (*endName).moved) {
		return leaderGap
	}
	return endGap
}

// moved reports whether a name stands so far from the end of its line that it
// has to be tied to it.
func (e *endName) moved() bool { return math.Abs(e.y-e.wanted) > 7 }

// spread moves names apart so that none overlaps another and all stand between
// top and bottom, if there is room: neighbours that collide become one pile,
// which stands in the middle of where its parts want to be. Their order is that
// of the ends of the lines, so that no two leaders cross.
func spread(names []*endName, top, bottom float64) {
	slices.SortStableFunc(names, func(a, b *endName) int { return cmp.Compare(a.wanted, b.wanted) })
	type pile struct {
		first      int     // of its names
		start, h   float64 // from where, how high
		sum, count float64 // of the starts that its names want
	}
	var piles []pile
	for i, e := range names {
		p := pile{first: i, h: e.h, sum: e.wanted - e.h/2, count: 1}
		for {
			p.start = max(min(p.sum/p.count, bottom-p.h), top)
			n := len(piles) - 1
			if n < 0 || piles[n].start+piles[n].h <= p.start {
				break
			}
			before := piles[n]
			// What the later names want is seen from where the pile begins.
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

// draw writes the names; those in the column with leaders where they stand away
// from the ends of their lines.
func (n *endNames) draw(c *lineChart) {
	x := c.right + n.gap()
	if c.firstDay == c.lastDay && !c.inside {
		x = c.x(c.lastDay) + n.gap() // beside the only values
	}
	for _, e := range n.all {
		if !slices.Contains(n.column, e) {
			e.draw(c, e.x, 2)
			continue
		}
		if s := e.track.last(); e.moved() || x-s.X > leaderGap+1 {
			n.drawLeader(c, e, x)
		}
		e.draw(c, x, 0)
	}
}

func (n *endNames) drawLeader(c *lineChart, e *endName, x float64) {
	s := e.track.last()
	from := s.X + 4
	if c.spec.HighlightLatest {
		from += 2.5
	}
	o := &scene.Outline{}
	o.MoveTo(from, s.Y)
	o.LineTo(max(from, x-leaderGap+4), s.Y)
	o.LineTo(x-3, e.y)
	c.scene.Add(&scene.Path{Tag: scene.Tag{Role: scene.Leader, Name: e.track.name}, Outline: o, Pen: scene.Pen{Colour: colour.Quiet, Width: .8}})
}

// placeAtEnd finds a place beside the end of a line, within the plot, where
// nothing is in the way.
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
		at.X = max(min(at.X, c.right-e.w-2), c.left+2)

		if box := (scene.Box{X: at.X, Y: at.Y, W: e.w, H: e.h}); c.isFree(box) {
			e.x, e.y = at.X, at.Y+e.h/2
			c.taken = append(c.taken, box)
			return true
		}
	}
	return false
}

// isFree reports whether a box lies in the plot and covers no text and no line.
func (c *lineChart) isFree(b scene.Box) bool {
	b = pad(b, 2)
	if !b.Inside(scene.Box{X: c.left, Y: c.plot.Y, W: c.right - c.left, H: c.bottom - c.plot.Y}) || overlapsAny(b, c.taken) {
		return false
	}
	spots := 0
	for _, t := range c.tracks {
		spots += len(t.spots)
		if spots > mostSpots {
			return false
		}
		for i, s := range t.spots {
			line := &scene.Line{X1: s.X, Y1: s.Y, X2: s.X, Y2: s.Y}
			if i > 0 {
				line.X1, line.Y1 = t.spots[i-1].X, t.spots[i-1].Y
			}
			if meets(line, b) {
				return false
			}
		}
	}
	return true
}

// draw writes a name with its left end at x. Name and value are two texts,
// because a name may run from right to left.
func (e *endName) draw(c *lineChart, x, halo float64) {
	height := c.label * nameLine
	y := e.y - e.h/2 + .5 + height/2 + c.label*.36
	write := func(role, text string, w scene.Weight, x float64, ink colour.RGB) float64 {
		t := &scene.Text{Tag: scene.Tag{Role: role, Name: e.track.name}, X: x, Y: y, Text: text, Size: c.label, Weight: w, Colour: ink, Halo: halo, Rim: colour.White, W: font.Width(text, c.label, w)}
		c.scene.Add(t)
		c.taken = append(c.taken, t.Box())
		return t.W
	}
	end := x
	ink := colour.Readable(e.track.colour)
	if !e.track.lead {
		ink = colour.Muted
	}
	for _, line := range e.lines {
		end = x + write(scene.SeriesName, line, c.weight(e.track), x, ink)
		y += height
	}
	switch {
	case e.value == "":
	case e.beside:
		y -= height
		write(scene.Highlight, e.value, scene.Bold, end+c.label*besideGap, colour.Alert)
	default:
		write(scene.Highlight, e.value, scene.Bold, x, colour.Alert)
	}
}
