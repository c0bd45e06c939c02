package chart

import (
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
	value  string   // may be empty
	beside bool     // the value follows the last line of the name, else stands below
	w, h   float64
	wanted float64 // height of the middle, where the line ends
	y      float64 // height of the middle, where it stands
	x      float64 // of the left end, where it stands in the plot
	tied   bool    // a leader leads to it; so do those to its neighbours without room between
}

// endNames are the names of a line chart, in a column right of the plot. Those
// that would overlap are moved apart, no farther than needed, and tied to their
// lines. A line that ends early has its name there where nothing is in the way.
type endNames struct {
	all    []*endName
	column []*endName // those that do not stand in the plot
	w      float64    // of the widest
}

// chooseNames decides which lines are named where. All of them at their ends, if
// there is room and the grey ones are few; else the grey ones have no name, and a
// note says which are in colour, unless the names need its room; else names stand
// in a legend, where lines are broken in different ways: above the plot, or where
// that is low beside the title. Without one, names are cut and the last ones left
// out.
func (c *lineChart) chooseNames() *endNames {
	leads := slices.DeleteFunc(slices.Clone(c.tracks), func(t *track) bool { return !t.lead })
	context := len(c.tracks) - len(leads)
	c.upright()
	if context <= fewContext {
		if n, ok := c.namesFor(c.tracks, 0); ok {
			return n
		}
	}
	note, reserve := c.whyInColour(leads), 0.0
	if context > 0 {
		reserve = smallSize * leading
		if font.Width(note, smallSize, scene.Regular) > c.plot.W {
			reserve *= 2
		}
	}
	n, ok := c.namesFor(leads, reserve)
	if !ok && reserve > 0 { // names say more than the note
		if n, ok := c.namesFor(leads, 0); ok {
			return n
		}
	}
	if context > 0 && c.plot.H-reserve >= roomForMore {
		c.say(note, fmt.Sprintf("%d series in grey.", context))
	}
	c.upright()
	if ok {
		return n
	}
	c.keyed = c.spec.ShowLegend && c.plot.H > lowestPlot+c.label*legendRow+legendBelow
	if c.keyed && !c.nameWithSpan() {
		c.legend(c.legendItems(leads))
	}
	c.upright()
	n, cut := &endNames{}, false
	for _, t := range leads {
		e := &endName{track: t, value: c.latestValue(t)}
		if !c.keyed {
			var whole bool
			e.lines, whole = font.Wrap(c.nameOf(t), c.label, c.weight(t), c.plot.W*nameShare, 1)
			cut = cut || !whole
		}
		n.add(c, e, c.plot.W*nameShare)
	}
	if !c.keyed && c.spec.ShowLegend && (cut || n.height() > c.nameRoom()) && c.legendInHeader(leads) {
		c.keyed = true
		return &endNames{}
	}
	for len(n.all) > 0 && n.height() > c.nameRoom() {
		n.all = n.all[:len(n.all)-1]
	}
	return n
}

// nameWithSpan writes the name of the only line above a plot too low for a time
// axis, with the time that it is about; false where a legend will do, or where
// there is no room. The line needs no swatch.
func (c *lineChart) nameWithSpan() bool {
	size := c.smallest()
	row := labelSize*legendRow + min(legendBelow, c.plot.H*.07)
	if len(c.tracks) > 1 || c.plot.H-row-c.label*.75-c.timeRoom() >= lowestPlot {
		return false
	}
	name, span := c.nameOf(c.tracks[0]), c.spec.span()
	lines := []string{name + " " + span}
	if font.Width(lines[0], size, scene.Regular) > c.plot.W {
		lines = []string{name, span}
	}
	whole := !slices.ContainsFunc(lines, func(line string) bool { return font.Width(line, size, scene.Regular) > c.plot.W })
	high := float64(len(lines)) * size * leading
	if name == "" || !whole || c.plot.H-high < lowestPlot || mentions(font.Clean(c.spec.Title+" · "+c.spec.Subtitle), span) {
		return false
	}
	for _, line := range lines {
		c.take(size * leading)
		c.scene.Add(&scene.Text{
			Tag: scene.Tag{Role: scene.SeriesName, Name: c.tracks[0].name}, X: c.plot.X, Y: c.plot.Y - size*(leading-scene.Ascent),
			Text: line, Size: size, Colour: colour.Readable(c.tracks[0].colour), W: font.Width(line, size, scene.Regular),
		})
	}
	return true
}

// whyInColour says which lines are in colour, where most are not.
func (c *lineChart) whyInColour(leads []*track) string {
	chosen, own, groups, others, group := false, false, 0, 0, ""
	at := c.spec.commonEnd()
	high, low := math.Inf(-1), math.Inf(1) // there, of countries in grey
	for _, t := range c.tracks {
		if end := t.series.Values[at]; !t.lead && !t.series.Group && !math.IsNaN(end) {
			high, low = max(high, end), min(low, end)
		}
	}
	for _, t := range leads {
		chosen = chosen || t.series.Focus
		end := t.series.Values[at]
		switch _, given := colour.Parse(t.series.Colour); {
		case given:
			own = true
		case t.series.Group:
			groups++
			group = t.name
		case !(end <= low || end >= high): // or none there
			others++
		}
	}
	grey, when := len(c.tracks)-len(leads), c.spec.Periods[at].String()
	switch {
	case !chosen && !own:
		return fmt.Sprintf("In colour: the first %d of %d series.", len(leads), len(c.tracks))
	case others > 0 || own:
		return fmt.Sprintf("In colour: %d of %d series; the others are grey.", len(leads), len(c.tracks))
	case groups == 1:
		return fmt.Sprintf("In colour: highest and lowest in %s, and %s; %d others are grey.", when, group, grey)
	case groups > 1:
		return fmt.Sprintf("In colour: highest and lowest in %s, and groups of countries; %d others are grey.", when, grey)
	}
	return fmt.Sprintf("In colour: highest and lowest in %s; %d others are grey.", when, grey)
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
		longest := 0.0 // of the words
		for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -–/", r) }) {
			if !isUnspaced(word) {
				longest = max(longest, font.Width(word+"-", c.label, weight))
			}
		}
		var whole bool
		if e.lines, whole = font.Wrap(name, c.label, weight, widest, lines); name != "" && !whole || longest > widest {
			return nil, false
		}
		const parts = 24 // lines of about the same length are easier to read
		for i := parts - 1; len(e.lines) > 1 && widest*float64(i)/parts >= longest; i-- {
			narrower, whole := font.Wrap(name, c.label, weight, widest*float64(i)/parts, len(e.lines))
			if !whole {
				break
			}
			e.lines = narrower
		}
		n.add(c, e, widest)
	}
	return n, n.w <= widest
}

// isUnspaced reports whether a word is of a script that writes no spaces, and
// may be broken anywhere.
func isUnspaced(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
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
// period if others go on for longer; empty if it is not to be highlighted, and
// not the only one.
func (c *lineChart) latestValue(t *track) string {
	if !t.lead || !c.spec.HighlightLatest && !c.single() {
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
		weight, _ := c.lookOfLatest()
		value := font.Width(e.value, c.label, weight)
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
		stroke := scene.Pen{Colour: t.colour, Width: t.width, Dash: t.dash}
		if c.nameOf(t) != "" {
			items = append(items, legendItem{name: t.name, label: t.name, stroke: stroke, edge: edgeOf(stroke)})
		}
	}
	return items
}

// legendInHeader puts a legend right of title and subtitle, where a picture is too
// low for one above the lines and for names at their ends; false where it has no
// room there. What would stand beside the names stands there, too.
func (c *lineChart) legendInHeader(tracks []*track) bool {
	var own [][]float64
	for _, t := range tracks {
		own = append(own, t.dash)
	}
	items := c.legendItems(tracks)
	for i := range items {
		for _, t := range tracks {
			if value := c.latestValue(t); t.name == items[i].name && value != "" {
				items[i].label = t.name + " " + value
			}
		}
	}
	room := scene.Box{X: c.plot.X, Y: min(marginTop, c.scene.Height/14)}
	for _, m := range c.scene.Marks {
		if text, ok := m.(*scene.Text); ok && (text.Role == scene.Title || text.Role == scene.Subtitle) {
			room.X = max(room.X, text.X+text.W+2*legendGap)
		}
	}
	room.W, room.H = c.plot.X+c.plot.W-room.X, c.plot.Y-room.Y
	all := c.legendEntries(items, c.label, c.plot.W)
	wide := slices.ContainsFunc(all, func(e legendEntry) bool { return e.w > room.W })
	if wide || len(flow(all, room.W, int(room.H/(c.label*legendRow)))) < len(all) {
		for i, t := range tracks {
			t.dash = own[i]
		}
		return false
	}
	plot := c.plot
	c.plot = room
	c.drawLegend(all, items, c.label)
	c.plot = plot
	return true
}

// draw writes a name with its left end at x. Name and value are two texts,
// because a name may run from right to left.
func (e *endName) draw(c *lineChart, x, halo float64) {
	height := c.label * nameLine
	y := e.y - e.h/2 + .5 + height/2 + c.label*.36
	write := func(role, text string, w scene.Weight, x float64, textColour colour.RGB) float64 {
		t := &scene.Text{Tag: scene.Tag{Role: role, Name: e.track.name}, X: x, Y: y, Text: text, Size: c.label, Weight: w, Colour: textColour, Halo: halo, Rim: colour.White, W: font.Width(text, c.label, w)}
		c.scene.Add(t)
		c.taken = append(c.taken, t.Box())
		return t.W
	}
	end := x
	textColour := colour.Readable(e.track.colour)
	if !e.track.lead {
		textColour = colour.Muted
	}
	for _, line := range e.lines {
		end = x + write(scene.SeriesName, line, c.weight(e.track), x, textColour)
		y += height
	}
	role := scene.Value
	if c.spec.HighlightLatest {
		role = scene.Highlight
	}
	weight, red := c.lookOfLatest()
	switch {
	case e.value == "":
	case e.beside:
		y -= height
		write(role, e.value, weight, end+c.label*besideGap, red)
	default:
		write(role, e.value, weight, x, red)
	}
}

// lookOfLatest is how the values beside names are written.
func (c *lineChart) lookOfLatest() (scene.Weight, colour.RGB) {
	if c.spec.HighlightLatest {
		return scene.Bold, colour.Alert
	}
	return scene.Regular, colour.Dark
}
