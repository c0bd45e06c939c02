package maps

import (
	"strings"

	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// keyColumn is a legend at the lower left of the map, or in a corner on it: a column of
// classes, the highest on top, with a number at each edge.
type keyColumn struct {
	*choropleth
	inside bool     // on the map
	panel  bool     // on land: the legend has a ground of its own
	title  []string // the unit
	own    float64  // width of everything except group names
	marks  float64  // space for the names of groups, to the left of the classes
	width  float64
	cell   float64
}

const (
	maxCell               = 19.0
	minCell               = 13.0
	minCellWithoutNumbers = 5.0 // if only the ends have numbers
)

// least returns the smallest height of a class.
func (k *keyColumn) least() float64 {
	if k.reduction >= fewEdges {
		return minCellWithoutNumbers
	}
	return minCell
}

func newKeyColumn(c *choropleth) *keyColumn {
	k := &keyColumn{choropleth: c}
	k.marks = k.marksWidth(c.eligible)
	// The classes are those of the countries that will be visible; the classes of all
	// countries are about as wide.
	var all []float64
	for _, it := range c.labels {
		all = append(all, it.value)
	}
	edges := 0.0
	if len(all) > 0 {
		for _, label := range scale.ClassesFor(all, 7, c.Spec.NumberUnit()).Labels {
			edges = max(edges, keyWidth(label))
		}
	}
	noData := k.noData()
	k.own = max(keySwatch+keyGap+edges+4, noData.width())
	if k.reduction < fewEdges {
		k.title = wrapKeyTitle(c.keyTitle(), max(k.own, .12*c.Plot.W), .16*c.Plot.W)
	}
	for _, line := range k.title {
		k.own = max(k.own, keyWidth(line))
	}
	k.width = k.marks + k.own
	return k
}

// narrow removes the space of names that the legend does not show, and reports whether
// the map can be wider now.
func (k *keyColumn) narrow() bool {
	before := k.side
	k.marks = k.marksWidth(k.marked)
	k.width = k.marks + k.own
	k.side = max(k.text, k.width+mapGap)
	return k.side < before
}

// wrapKeyTitle breaks a title into at most three lines, no wider than the legend below
// if possible.
func wrapKeyTitle(title string, least, most float64) (lines []string) {
	widest := 0.0
	for word := range strings.FieldsSeq(title) {
		widest = max(widest, keyWidth(word))
	}
	for width := max(least, min(widest, most)); ; width += 8 {
		var whole bool
		lines, whole = font.Wrap(title, keySize, scene.Regular, width, 3)
		if whole || width >= most {
			return lines
		}
	}
}

// marksWidth returns the width of the group names to the left of the classes.
func (k *keyColumn) marksWidth(groups []labelled) float64 {
	widest := 0.0
	for _, g := range groups {
		widest = max(widest, keyWidth(k.markText(g))+markGap+markLength(groups))
	}
	return widest
}

// fixed returns the height of everything except the classes.
func (k *keyColumn) fixed() float64 {
	return float64(len(k.title))*keyLine + keySwatch/2 + keyLine/2 + keyBar + keyLine
}

// fitsHeight reports whether a few classes fit below the text on the left.
func (k *keyColumn) fitsHeight() bool {
	height := k.Plot.H*(1-maxNotesShare) - frame.SmallSize
	if k.reduction >= noNotes {
		height = k.Plot.H
	}
	return k.width <= .32*k.Plot.W && height-k.asideHeight() >= k.fixed()+5*k.least()
}

func (k *keyColumn) height() float64 { return 0 }

func (k *keyColumn) place() scene.Box {
	if k.inside {
		return scene.Box{X: k.box.X + insideMargin, Y: k.box.Y + insideMargin, W: k.width, H: k.box.H - 2*insideMargin}
	}
	taken := k.asideHeight()
	if taken > 0 {
		taken += k.box.Y - k.Plot.Y
	}
	box := scene.Box{X: k.left, Y: k.Plot.Y + taken, W: k.side - mapGap, H: k.room - taken}
	if beside := k.box.Y + k.box.H - box.Y; beside >= k.fixed()+7*k.least() {
		box.H = beside // ends where the map ends
	}
	return box
}

func (k *keyColumn) fits() bool {
	n := float64(len(k.classes.Edges) - 1)
	k.cell = min(maxCell, (k.keyBox.H-k.fixed())/max(n, 1))
	return k.cell >= k.least()
}

func (k *keyColumn) nameFits(g labelled) bool {
	return k.marksWidth([]labelled{g}) <= k.marks
}

func (k *keyColumn) draw() {
	if k.panel {
		k.drawPanel()
	}
	x, y := k.keyBox.X+k.marksWidth(k.marked), k.keyBox.Y+k.keyBox.H-keyLine/2
	if k.missing {
		y -= keyBar
		k.drawSwatch(k.noData(), x, y, keyBar)
		y -= keyLine
	}
	if k.fills == nil {
		return
	}
	if !k.inside {
		k.fits() // sets the cell height for the chosen classes
	}
	k.cell = max(k.cell, 2)
	top := y - k.cell*float64(len(k.fills))
	var taken []scene.Box
	for i, fill := range k.fills {
		k.Scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Legend, Name: k.className(i)}, X: x, Y: y - float64(i+1)*k.cell, W: keySwatch, H: k.cell, Fill: scene.Solid(fill), Pen: keyRim})
	}
	for _, t := range k.numbers(x+keySwatch+keyGap, y) {
		if b := t.Box(); !frame.OverlapsAny(b, taken) {
			k.Scene.Add(t)
			taken = append(taken, b)
		}
	}
	k.drawMarks(x, y)
	for i, line := range k.title {
		k.Scene.Add(k.keyText(x, top-keySwatch/2-keyLine*(float64(len(k.title)-i)-.5), line, scene.Start))
	}
}

// numbers returns the numbers beside the classes, from the lowest on, which may overlap. If the first
// overlaps the last, there is one text with both.
func (k *keyColumn) numbers(x, y float64) []*scene.Text {
	labels := k.classes.Labels
	if last := len(labels) - 1; last > 0 && (k.labelAt(last)-k.labelAt(0))*k.cell < keyLine*.8 {
		return []*scene.Text{k.keyText(x, y-(k.labelAt(0)+k.labelAt(last))/2*k.cell, labels[0]+"–"+labels[last], scene.Start)}
	}
	var texts []*scene.Text
	for i, label := range labels {
		if k.hasLabel(i) {
			texts = append(texts, k.keyText(x, y-k.labelAt(i)*k.cell, label, scene.Start))
		}
	}
	return texts
}

// Measures of the marks on the column.
const (
	shortMark = 4.0  // from the base to the tip
	longMark  = 13.0 // the same if a name may be higher or lower than its value
	markGap   = 4.5  // from the name to the base, and from the tip to the classes
)

// markLength returns the length of the marks of groups.
func markLength(groups []labelled) float64 {
	if len(groups) > 1 {
		return longMark
	}
	return shortMark
}

// drawMarks draws the marks of groups, to the left of the classes.
func (k *keyColumn) drawMarks(x, y float64) {
	var tips []float64
	for _, g := range k.marked {
		at, _ := k.position(g.value)
		tips = append(tips, y-at*k.cell)
	}
	names, _ := spreadMarks(tips, []float64{keyLine, keyLine})
	long := markLength(k.marked)
	for i, g := range k.marked {
		base, at := x-.5-long, names[i]
		k.Scene.Add(k.keyText(base-markGap+.5, at, k.markText(g), scene.End))
		k.addMark(g.area, scene.Point{X: base - 1, Y: at}, scene.Point{X: x - .5, Y: tips[i]}, scene.Point{X: 1})
	}
}
