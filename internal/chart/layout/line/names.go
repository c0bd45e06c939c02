package line

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// Measures of the names at the ends of lines, in units; heights are fractions of the
// text's size.
const (
	nameLine         = 1.18 // line spacing
	endGap           = 8.0  // from the end of the lines to the names
	leaderGap        = 20.0 // the same if names had to move
	valueAfterName   = .45  // from a name to the value after it
	minEarlyShare    = .04  // fraction of the time that a line must end before the others to be named there
	maxSpots         = 20_000
	nameShare        = .3  // largest fraction of the plot's width for names
	maxValueShare    = .42 // the same for a value in a very small picture
	maxNameLineCount = 3   // most lines of a name
)

// endName is the text at the end of one line: its name, the value of the latest period,
// or both.
type endName struct {
	track     *track
	lines     []string // of the name
	value     string   // of the latest period; may be empty
	beside    bool     // the value follows the last line of the name, else it is below
	w, h      float64
	target    float64 // vertical centre at the line's end
	y         float64 // vertical centre after placement
	x         float64 // left end, if the name is in the plot
	hasLeader bool    // a leader connects it to its line, because it or a name that touches it was moved
}

// endNames are the names of a line chart, in a column to the right of the plot. Names
// that would overlap move apart, no farther than necessary, and are connected to their
// lines. A line that ends early has its name there if nothing is in the way.
type endNames struct {
	all    []*endName
	column []*endName // names outside the plot
	w      float64    // of the widest name
}

// chooseNames decides which lines are named, and where. All names are at the ends of the
// lines if they fit and few lines are grey. Otherwise the grey lines have no names, and a
// note says which lines are in colour, unless the names need its space. If the names do
// not fit either, they are in a legend, and lines have different dashes; the legend is
// above the plot or, in a low picture, next to the title. A small picture has no space for
// a legend: only as many lines as can be named are in colour. Without a legend, names are
// cut and the last ones left out.
func (c *lineChart) chooseNames() *endNames {
	leads := slices.DeleteFunc(slices.Clone(c.tracks), func(t *track) bool { return !t.lead })
	c.divideHeight()
	n, ok := c.namesAtEnds(leads)
	c.divideHeight()
	if ok {
		return n
	}
	if len(leads) > 1 && c.Scene.Height <= frame.SmallPicture {
		if c.Spec.ShowLegend && c.legendInHeader(leads) {
			c.hasLegend = true
			return &endNames{}
		}
		leads = c.demote(leads)
	} else {
		c.chooseLegend(leads)
	}
	n, cut := c.cutNames(leads)
	if !c.hasLegend && c.Spec.ShowLegend && (cut || n.height() > c.namesHeight()) && c.legendInHeader(leads) {
		c.hasLegend = true
		return &endNames{}
	}
	for len(n.all) > 0 && n.height() > c.namesHeight() {
		n.all = n.all[:len(n.all)-1]
	}
	return n
}

// namesAtEnds returns the names of all lines or, if there are many or they do not fit, of
// the coloured ones, with a note on the others. ok is false if not even these fit.
func (c *lineChart) namesAtEnds(leads []*track) (n *endNames, ok bool) {
	context := len(c.tracks) - len(leads)
	if context <= maxNamedGrey && !c.greyUnnamed {
		if n, ok := c.namesFor(c.tracks, 0); ok {
			return n, true
		}
	}
	note, reserve := c.colourNote(leads), 0.0
	if context > 0 {
		reserve = frame.SmallSize * frame.Leading
		if font.Width(note, frame.SmallSize, scene.Regular) > c.Plot.W {
			reserve *= 2
		}
	}
	n, ok = c.namesFor(leads, reserve)
	if !ok && reserve > 0 { // names are more useful than the note
		if n, ok := c.namesFor(leads, 0); ok {
			return n, true
		}
	}
	if context > 0 && c.Plot.H-reserve >= frame.MinHeightForExtraNotes && c.Scene.Height > frame.SmallPicture {
		c.AddNote(note, c.Spec.Words().Text("%s series in grey.", context))
	}
	return n, ok
}

// demote makes lines grey that have no space for a name, and returns the others.
func (c *lineChart) demote(leads []*track) []*track {
	named := int(c.namesHeight() / (c.label*nameLine + 1))
	if named < 1 || named >= len(leads) {
		return leads
	}
	for _, t := range leads[named:] {
		t.lead, t.role, t.colour, t.width, t.dash = false, scene.Context, colour.Pale, 1, nil
	}
	return leads[:named]
}

// cutNames returns the names of lines in one line each, or only the latest values if there
// is a legend. cut says whether a name is not whole.
func (c *lineChart) cutNames(leads []*track) (n *endNames, cut bool) {
	n = &endNames{}
	for _, t := range leads {
		e := &endName{track: t, value: c.latestValue(t)}
		if !c.hasLegend {
			var whole bool
			e.lines, whole = font.Wrap(c.nameOf(t), c.label, c.weight(t), c.Plot.W*nameShare, 1)
			cut = cut || !whole
		}
		n.add(c, e, c.Plot.W*nameShare)
	}
	return n, cut
}

// colourNote says how many lines are grey, and if nobody chose those in colour, which they are.
func (c *lineChart) colourNote(leads []*track) string {
	isChosen := slices.ContainsFunc(leads, func(t *track) bool {
		_, hasColour := colour.Parse(t.series.Colour)
		return t.series.Focus || hasColour
	})
	if !isChosen {
		return c.Spec.Words().Text("In colour: the first %s of %s series.", len(leads), len(c.tracks))
	}
	return c.Spec.Words().Text("Grey: %s others.", len(c.tracks)-len(leads))
}

// namesFor wraps the names of tracks into the narrowest column that fits. ok is false
// if they need more height than there is without the reserve, or a name needs more
// width.
func (c *lineChart) namesFor(tracks []*track, reserve float64) (n *endNames, ok bool) {
	if float64(len(tracks))*c.label*nameLine > c.namesHeight()-reserve {
		return nil, false
	}
	for lines := 2; lines <= maxNameLineCount; lines++ {
		for _, share := range []float64{.18, .22, .26, nameShare} {
			n, ok = c.wrapNames(tracks, c.Plot.W*share, lines)
			if ok && n.height() <= c.namesHeight()-reserve {
				return n, true
			}
		}
	}
	return nil, false
}

// wrapNames breaks names into lines; ok is false if a name is cut or a word broken.
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
		const parts = 24 // lines of similar length are easier to read
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

// isUnspaced reports whether a word belongs to a script without spaces, so that it may
// be broken anywhere.
func isUnspaced(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// nameOf returns the name at the end of a line. A single line has none if title or
// subtitle already state it.
func (c *lineChart) nameOf(t *track) string {
	if len(c.tracks) == 1 && mentions(strings.ToLower(font.Clean(c.Spec.Title+" · "+c.Spec.Subtitle)), strings.ToLower(t.name)) {
		return ""
	}
	return t.name
}

// mentions reports whether a text contains a name that is not part of a longer word:
// "EU" is not in "Million EUR".
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

// weight returns bold for the names of coloured lines.
func (c *lineChart) weight(t *track) scene.Weight {
	if t.lead {
		return scene.Bold
	}
	return scene.Regular
}

// latestValue returns the value at the end of a line, with its period if other lines end
// later. It is empty unless it is highlighted or the only value.
func (c *lineChart) latestValue(t *track) string {
	if !t.lead || !c.Spec.HighlightLatest && !c.isSinglePeriod() {
		return ""
	}
	s := t.last()
	text := c.numbers.Write(t.series.Values[s.at])
	for _, other := range c.tracks {
		if other.last().at > s.at {
			return text + " (" + c.Spec.Words().Period(c.Spec.Periods[s.at]) + ")"
		}
	}
	return text
}

// add measures a name and adds it, unless it is empty.
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
			beside += font.Width(e.lines[rows-1], c.label, c.weight(e.track)) + c.label*valueAfterName
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

// namesHeight returns the height available for names: a little more than the plot's.
func (c *lineChart) namesHeight() float64 {
	low, high := c.nameBounds()
	return high - low
}

func (c *lineChart) nameBounds() (top, bottom float64) {
	return c.Plot.Y, c.bottom + c.label*.3
}

// draw writes a name with its left end at x. Name and value are separate texts, because
// a name may run from right to left.
func (e *endName) draw(c *lineChart, x, halo float64) {
	height := c.label * nameLine
	y := e.y - e.h/2 + .5 + height/2 + c.label*.36
	write := func(role, text string, w scene.Weight, x float64, textColour colour.RGB) float64 {
		t := &scene.Text{Tag: scene.Tag{Role: role, Name: e.track.name, Values: e.track.values}, X: x, Y: y, Text: text, Size: c.label, Weight: w, Colour: textColour, Halo: halo, Rim: colour.White, W: font.Width(text, c.label, w)}
		c.Scene.Add(t)
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
	if c.Spec.HighlightLatest {
		role = scene.Highlight
	}
	weight, red := c.lookOfLatest()
	switch {
	case e.value == "":
	case e.beside:
		y -= height
		write(role, e.value, weight, end+c.label*valueAfterName, red)
	default:
		write(role, e.value, weight, x, red)
	}
}

// lookOfLatest returns the look of the values next to names.
func (c *lineChart) lookOfLatest() (scene.Weight, colour.RGB) {
	if c.Spec.HighlightLatest {
		return scene.Bold, colour.Alert
	}
	return scene.Regular, colour.Dark
}
