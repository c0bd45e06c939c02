package bar

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/bartable"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// columnNames is the layout of the names below columns. Text is always horizontal.
// These forms are tried in order:
//
//  1. complete names in one to three lines within their slot, smaller if needed
//  2. complete names in one line each, in two alternating rows
//  3. the areas' codes, if all are areas, with a key below the columns if it fits
//  4. numbers, with a key of the complete names below the columns
//  5. names cut to their slot, if some letters fit
//  6. at once for ages and the like: every tenth name or so, including the first and the last if they fit
//
// Only names of an ordered dimension are cut or left out for lack of width. For other
// names, there are fewer columns instead: see fitColumns.
type columnNames struct {
	size     float64
	lines    [][]string // by group; nil: not written
	rows     int        // alternating rows
	maxLines int        // most lines in a row
	note     string
	parts    bool // names are cut or left out
	some     bool // names are left out
	ticks    bool // a stroke leads from each name to its column
	// key explains the numbers or codes that replace names. keyOf holds the groups of
	// its entries.
	key      []frame.LegendEntry
	keyOf    []int
	keySize  float64
	numbered bool
}

// lineHeight is the line spacing of a name, times the size.
const lineHeight = 1.18

// height returns the height of the names without the key.
func (n *columnNames) height() float64 {
	if n.maxLines == 0 {
		return 2
	}
	return namesGap + n.size*lineHeight*float64(n.maxLines*n.rows) + n.size*.1
}

// keyHeight returns the height of the key.
func (n *columnNames) keyHeight() float64 {
	if len(n.key) == 0 {
		return 0
	}
	return 4 + float64(n.key[len(n.key)-1].Row+1)*n.keySize*numberRow
}

// Measures of the key.
const (
	numberRow       = 1.3   // row spacing, times its size
	maxKeyShare     = .3    // of the plot's height, at most
	minHeightForKey = 160.0 // height of the plot from which codes have a key
	maxKeyCodes     = 40    // codes in it: a longer key is not useful
)

// names chooses how the names are written.
func (c *columns) names() columnNames {
	small := c.Smallest()
	sizes := []float64{c.label, frame.SmallSize, max(9.5, small), small}
	for _, size := range sizes {
		for maxLines := 1; maxLines <= 3; maxLines++ {
			if n, ok := c.wrapped(size, maxLines); ok {
				return n
			}
		}
	}
	for _, size := range sizes[:3] {
		if n, ok := c.alternatingRows(size, 2, c.wholeName); ok {
			return n
		}
	}
	if c.t.Ordered {
		return c.everyNth(c.label)
	}
	for rows := 1; rows <= 3; rows++ {
		for _, size := range sizes {
			if n, ok := c.alternatingRows(size, rows, c.code); ok {
				c.addCodeKey(&n)
				return n
			}
		}
	}
	if n, ok := c.numbered(); ok {
		return n
	}
	if n, ok := c.cutNames(small); ok {
		return n
	}
	return c.everyNth(max(9.5, small))
}

// fitsBelow reports whether the names leave enough height for the bars. Bars may be
// lower above names of one line, because bars without names are useless.
func (c *columns) fitsBelow(n *columnNames) bool {
	height := n.height() + n.keyHeight()
	if n.rows*n.maxLines == 1 && n.key == nil && c.Plot.H-height >= c.minBarHeight() {
		return true
	}
	return height <= c.Plot.H*.36
}

// wrapped breaks names into lines at spaces.
func (c *columns) wrapped(size float64, maxLines int) (columnNames, bool) {
	n := columnNames{size: size, rows: 1}
	width := c.slot - max(4, size*.45)
	for i := range c.t.Groups {
		g := &c.t.Groups[i]
		if g.LongestWord(size) > width {
			return n, false
		}
		lines, whole := font.Wrap(g.Name, size, g.Weight(), width, maxLines)
		if !whole {
			return n, false
		}
		n.lines = append(n.lines, lines)
		n.maxLines = max(n.maxLines, len(lines))
	}
	return n, c.fitsBelow(&n)
}

func (c *columns) wholeName(i int) string { return c.t.Groups[i].Name }

// code returns the short code of an area, such as DE, EU27 or WLD, or "" for anything
// else.
func (c *columns) code(i int) string {
	area := c.t.Groups[i].Area
	code, _, _ := strings.Cut(area[strings.LastIndexByte(area, ':')+1:], "_")
	if len(code) > 6 {
		return ""
	}
	return font.Clean(code)
}

// alternatingRows writes names in one line each, in alternating rows.
func (c *columns) alternatingRows(size float64, rows int, text func(int) string) (columnNames, bool) {
	n := columnNames{size: size, rows: rows, maxLines: 1}
	if !c.fitsBelow(&n) {
		return n, false
	}
	ends := make([]float64, rows)
	for i := range ends {
		ends[i] = math.Inf(-1)
	}
	for i := range c.t.Groups {
		g := &c.t.Groups[i]
		name := text(i)
		if name == "" && g.Name != "" {
			return n, false
		}
		width := font.Width(name, size, g.Weight())
		from := c.inside(c.centre[i], width) - width/2
		if from < ends[i%rows]+size*.6 || width > c.Plot.W {
			return n, false
		}
		ends[i%rows] = from + width
		n.lines = append(n.lines, []string{name})
	}
	return n, true
}

// inside returns the centre nearest to x at which a text of that width stays in the
// plot.
func (c *columns) inside(x, width float64) float64 {
	return max(min(x, c.Plot.X+c.Plot.W-width/2), c.Plot.X+width/2)
}

// numbered writes numbers below the columns, and a key below them.
func (c *columns) numbered() (columnNames, bool) {
	number := func(i int) string { return strconv.Itoa(i + 1) }
	n, ok := c.alternatingRows(max(9.5, c.Smallest()), 1, number)
	if !ok {
		return n, false
	}
	n.numbered = true
	order := make([]int, len(c.t.Groups))
	for i := range order {
		order[i] = i
	}
	return n, c.addKey(&n, order, number)
}

// addCodeKey adds a key of the codes in alphabetical order, unless it would be too large
// or all names are codes.
func (c *columns) addCodeKey(n *columnNames) {
	named := func(g bartable.Group) bool { return g.Name != "" && !strings.HasPrefix(g.Area, g.Name) }
	if c.Plot.H < minHeightForKey || len(c.t.Groups) > maxKeyCodes || !slices.ContainsFunc(c.t.Groups, named) {
		return
	}
	order := make([]int, len(c.t.Groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(c.code(i), c.code(j)) })
	c.addKey(n, order, c.code)
}

// addKey adds a key of the signs that replace names, in the given order. If it would take
// too much height, addKey adds none and returns false.
func (c *columns) addKey(n *columnNames, order []int, sign func(int) string) bool {
	n.keySize = n.size
	widest := 0.0
	all := make([]frame.LegendEntry, len(order))
	for k, i := range order {
		name := c.t.Groups[i].Name
		text := font.Cut(strings.TrimSpace(sign(i)+" "+name), n.keySize, scene.Regular, c.Plot.W*.48)
		width := font.Width(text, n.keySize, scene.Regular)
		all[k] = frame.LegendEntry{Text: text, W: width, TextWidth: width}
		n.keyOf = append(n.keyOf, i)
		widest = max(widest, width)
	}
	rows := int(c.Plot.H * maxKeyShare / (n.keySize * numberRow))
	even := slices.Clone(all)
	for i := range even {
		even[i].W = widest
	}
	if n.key = frame.Flow(even, c.Plot.W, rows); len(n.key) < len(all) {
		n.key = frame.Flow(all, c.Plot.W, rows)
	}
	if len(n.key) == len(all) {
		return true
	}
	n.key = nil
	return false
}

// cutNames breaks names within words and cuts off their ends.
func (c *columns) cutNames(size float64) (columnNames, bool) {
	width := c.slot - 5
	n := columnNames{size: size, rows: 1, parts: true}
	if width < size*4 {
		return n, false
	}
	most := min(4, max(1, int(c.Plot.H*.3/(size*lineHeight))))
	for i := range c.t.Groups {
		g := &c.t.Groups[i]
		lines, _ := font.Wrap(g.Name, size, g.Weight(), width, most)
		n.lines = append(n.lines, lines)
		n.maxLines = max(n.maxLines, len(lines))
	}
	return n, c.fitsBelow(&n)
}

// everyNth writes as many evenly spaced names as fit: for ages 0, 10, 20 …, otherwise
// every tenth or the like. See nth for the first and the last one.
func (c *columns) everyNth(size float64) columnNames {
	n := columnNames{size: size, rows: 1, maxLines: 1, parts: true, some: true}
	all := len(c.t.Groups)
	if !c.fitsBelow(&n) {
		return columnNames{parts: true, some: true, note: c.Spec.Words().Text("There is no room for the names of the "+c.t.Kind()+" (%s).", all)}
	}
	short := make([]string, all)
	for i := range c.t.Groups {
		if short[i] = c.code(i); short[i] == "" {
			short[i] = font.Cut(c.t.Groups[i].Name, size, c.t.Groups[i].Weight(), size*9)
		}
	}
	for power := 1; ; power *= 10 {
		for _, step := range []int{power, 2 * power, 5 * power} {
			if lines, ok := c.nth(step, size, short); ok {
				n.lines, n.ticks = lines, step > 1
				return n
			}
		}
	}
}

// nth chooses the names of a step. If names have numbers, these are the round ones, and
// the ends if they do not touch those. Otherwise these are the ends, and those between
// that do not touch the ends. ok is false if names of the step touch.
func (c *columns) nth(step int, size float64, names []string) (lines [][]string, ok bool) {
	lines = make([][]string, len(names))
	place := func(i int) (from, to float64) {
		width := font.Width(names[i], size, c.t.Groups[i].Weight()) + size*.8
		x := c.inside(c.centre[i], width-size*.8)
		return x - width/2, x + width/2
	}
	numbers, round := numbersOf(c.t)
	last := len(names) - 1
	lastFrom, _ := place(last)
	_, firstTo := place(0)
	begin, end := math.Inf(1), math.Inf(-1) // extent of what is placed
	for i := range names {
		from, to := place(i)
		atEnd := i == 0 || i == last
		if numbers[i]%step != 0 || !round && !atEnd && (from < firstTo || to > lastFrom) {
			continue
		}
		if from < end {
			if !round && atEnd {
				continue
			}
			return nil, false
		}
		lines[i], begin, end = names[i:i+1], min(begin, from), to
	}
	if firstTo <= begin {
		lines[0], end = names[:1], max(end, firstTo)
	}
	if lastFrom >= end {
		lines[last] = names[last:]
	}
	return lines, true
}

// numbersOf returns the numbers in the names of the groups. They are those of the names if
// these count up, as ages do, even if one is missing; else those of the positions, and ok is
// false.
func numbersOf(t *bartable.Table) (numbers []int, ok bool) {
	positions := make([]int, len(t.Groups))
	ok = true
	for i := range t.Groups {
		positions[i] = i
		n, has := numberIn(t.Groups[i].Name)
		ok = ok && has && (i == 0 || n > numbers[i-1])
		numbers = append(numbers, n)
	}
	if !ok {
		return positions, false
	}
	return numbers, true
}

// numberIn returns the first number in a name.
func numberIn(name string) (n int, ok bool) {
	from := strings.IndexAny(name, "0123456789")
	if from < 0 {
		return 0, false
	}
	digits := name[from:]
	if to := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); to >= 0 {
		digits = digits[:to]
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// drawKey writes the key of the numbers or codes.
func (c *columns) drawKey(n columnNames) {
	top := c.Plot.Y + c.Plot.H - n.keyHeight() + 4
	for i, e := range n.key {
		y := top + n.keySize*(numberRow*float64(e.Row)+1)
		c.Scene.Add(&scene.Text{Tag: scene.Tag{Role: scene.Category, Name: c.t.Groups[n.keyOf[i]].Name, Slot: c.t.Slot(n.keyOf[i])}, X: c.Plot.X + e.X, Y: y, Text: e.Text, Size: n.keySize, Colour: colour.Text, W: e.TextWidth})
	}
}

// drawNames writes the names, with lines from outer rows to their columns.
func (c *columns) drawNames(n columnNames) {
	away, edge := 1.0, c.floor // from the bars to the names
	if c.hanging {
		away, edge = -1, c.roof
	}
	near := func(group int) float64 {
		return edge + away*(namesGap+n.size*lineHeight*float64(group%n.rows))
	}
	for i, lines := range n.lines {
		if i%n.rows > 0 {
			c.nameTick(i, edge+away*2, near(i), colour.Rule)
		} else if n.ticks && lines != nil {
			c.nameTick(i, edge+away, edge+away*(namesGap-1), colour.Quiet)
		}
	}
	for i, lines := range n.lines {
		g := &c.t.Groups[i]
		top := near(i)
		if c.hanging {
			top -= n.size * lineHeight * float64(len(lines))
		}
		for k, line := range lines {
			if line == "" {
				continue
			}
			text := &scene.Text{Tag: scene.Tag{Role: scene.Category, Name: g.Name, Slot: c.t.Slot(i)}, X: c.centre[i], Y: top + n.size*(.85+lineHeight*float64(k)), Text: line, Size: n.size, Weight: g.Weight(), Anchor: scene.Middle, Colour: colour.Text}
			text.W = font.Width(line, n.size, text.Weight)
			text.X = c.inside(text.X, text.W)
			if n.rows > 1 { // lines to other rows pass close by
				text.Halo, text.Rim = 1.5, colour.White
			}
			c.Scene.Add(text)
		}
	}
}

// nameTick draws a stroke between a column and its name.
func (c *columns) nameTick(group int, from, to float64, shade colour.RGB) {
	x := c.centre[group]
	c.Scene.Add(&scene.Line{Tag: scene.Tag{Role: scene.Tick}, X1: x, Y1: from, X2: x, Y2: to, Pen: scene.Pen{Colour: shade, Width: 1}})
}
