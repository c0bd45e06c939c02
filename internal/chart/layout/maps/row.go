package maps

import (
	"math"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scene"
)

// keyRow is a legend under the map: the classes side by side from low to high, with a
// number at each edge, and to the right the box for "no data" and, beside it, that for countries that
// are not in the dataset, which would be taken for it.
type keyRow struct {
	*choropleth
	title   string
	stacked bool    // "no data" has its own line
	cell    float64 // width of a class
	// How far the numbers at the ends extend beyond the classes.
	left, right float64
}

const (
	keyLine   = 14.0 // line spacing
	keyTitle  = 15.0 // a title above
	usualCell = 62.0 // width of a class
	keyAbove  = 6.0  // between the map and the legend
)

func newKeyRow(c *choropleth) *keyRow {
	width := c.Plot.W - c.side
	k := &keyRow{choropleth: c, stacked: width < 280 && c.reduction < fewEdges}
	if c.Plot.H >= 120 && c.reduction < fewEdges {
		k.title = font.Cut(c.keyTitle(), keySize, scene.Regular, width)
	}
	return k
}

func (k *keyRow) height() float64 {
	h := keyAbove + keyBar + keyLine
	if k.title != "" {
		h += keyTitle
	}
	if k.stacked {
		h += keyLine
	}
	if len(k.eligible) > 0 {
		h += keyLine
	}
	return h
}

func (k *keyRow) place() scene.Box {
	return scene.Box{X: k.Plot.X + k.side, Y: k.box.Y + k.box.H, W: k.Plot.W - k.side, H: k.height()}
}

// minForLand is the width of a legend from which it tells plain land from "no data".
const minForLand = 480.0

// swatches returns the boxes beside the classes.
func (k *keyRow) swatches() []swatch {
	switch {
	case !k.missing:
		return nil
	case k.hasOther && k.keyBox.W >= minForLand:
		return []swatch{k.noData(), k.otherLand()}
	}
	return []swatch{k.noData()}
}

// swatchesWidth returns the width of the boxes beside the classes.
func (k *keyRow) swatchesWidth() float64 {
	width := 0.0
	for i, w := range k.swatches() {
		if width += w.width(); i > 0 {
			width += 3 * keyGap
		}
	}
	return width
}

// drawSwatches draws the boxes from left to right.
func (k *keyRow) drawSwatches(x, y float64) {
	for _, w := range k.swatches() {
		k.drawSwatch(w, x, y, keyBar)
		x += w.width() + 3*keyGap
	}
}

// swatchesSpace returns the width of the boxes to the right of the classes.
func (k *keyRow) swatchesSpace() float64 {
	if k.stacked || !k.missing {
		return 0
	}
	return k.swatchesWidth() + 3*keyGap
}

func (k *keyRow) fits() bool {
	n := float64(len(k.classes.Edges) - 1)
	widest := k.widestEdge()
	room := k.keyBox.W - k.swatchesSpace()
	k.cell = min(max(usualCell, widest+3*keyGap), (room-widest)/n)
	if k.reduction >= fewEdges {
		k.cell, k.left, k.right = min(usualCell/2, room/n), 0, 0
		return true
	}
	if k.cell >= widest+1.6*keyGap {
		labels := k.classes.Labels
		if k.classes.Values != nil {
			k.left, k.right = 0, 0
			return true
		}
		k.left, k.right = keyWidth(labels[0])/2, keyWidth(labels[len(labels)-1])/2
		return true
	}
	// There are too many classes for their numbers. If no fewer are possible, make them
	// as wide as possible.
	k.cell, k.left, k.right = max(room/n, 2), 0, 0
	return false
}

func (k *keyRow) nameFits(g labelled) bool {
	most := k.keyBox.W
	if len(k.eligible) > 1 {
		most /= maxMarks // both may be shown
	}
	return keyWidth(k.markText(g))+2*keyGap <= most
}

// within returns the centre nearest to middle at which something of the given width is
// within the legend.
func (k *keyRow) within(middle, width float64) float64 {
	return min(max(middle, k.keyBox.X+width/2), k.keyBox.X+k.keyBox.W-width/2)
}

// start returns where the classes begin; the whole legend is centred.
func (k *keyRow) start() float64 {
	all := k.left + k.bar() + max(k.right, k.swatchesSpace())
	return k.keyBox.X + max(k.keyBox.W-all, 0)/2 + k.left
}

// bar returns the length of all classes.
func (k *keyRow) bar() float64 { return k.cell * float64(len(k.classes.Edges)-1) }

func (k *keyRow) draw() {
	y := k.keyBox.Y + keyAbove
	middle := k.keyBox.X + k.keyBox.W/2
	if k.fills == nil {
		k.drawSwatches(middle-k.swatchesWidth()/2, y)
		return
	}
	x := k.start()
	if k.title != "" {
		t := k.keyText(x, y+keyLine/2-1, k.title, scene.Start)
		t.X = min(t.X, k.keyBox.X+k.keyBox.W-t.W)
		k.Scene.Add(t)
		y += keyTitle
	}
	if len(k.eligible) > 0 {
		y += keyLine
	}
	k.drawClasses(x, y)
	k.drawMarks(x, y)
	if k.stacked {
		k.drawSwatches(middle-k.swatchesWidth()/2, y+keyBar+keyLine+2)
	} else {
		k.drawSwatches(x+k.bar()+max(k.right, 3*keyGap), y)
	}
}

// drawClasses draws the swatches and the numbers of their edges. If not all numbers fit,
// those at the ends have priority.
func (k *keyRow) drawClasses(x, y float64) {
	for i, fill := range k.fills {
		k.Scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Legend, Name: k.className(i)}, X: x + float64(i)*k.cell, Y: y, W: k.cell, H: keyBar, Fill: scene.Solid(fill), Pen: keyRim})
	}
	n := len(k.classes.Labels) - 1
	order := []int{0, n}
	for i := 1; i < n; i++ {
		if k.hasLabel(i) {
			order = append(order, i)
		}
	}
	middle := func(i int) float64 {
		return k.within(x+k.labelAt(i)*k.cell, keyWidth(k.classes.Labels[i]))
	}
	ends := keyWidth(k.classes.Labels[0])/2 + keyWidth(k.classes.Labels[n])/2
	near := middle(n)-middle(0) < ends+keyGap
	var taken []scene.Box
	for _, i := range order {
		t := k.keyText(middle(i), y+keyBar+keyLine/2+1, k.classes.Labels[i], scene.Middle)
		switch {
		case i == 0 && near && n > 0:
			t.X = k.keyBox.X + t.W/2
		case i == n && near && n > 0:
			t.X = k.keyBox.X + k.keyBox.W - t.W/2
		}
		if b := t.Box(); b.W <= k.keyBox.W && !frame.OverlapsAny(b, taken) {
			k.Scene.Add(t)
			taken = append(taken, b)
		}
	}
}

// drawMarks draws the marks of groups, above the classes.
func (k *keyRow) drawMarks(x, y float64) {
	const high = 4.5
	var tips, sizes, middles []float64
	for _, g := range k.marked {
		at, _ := k.position(g.value)
		w := keyWidth(k.markText(g)) + 2*keyGap
		tips, sizes = append(tips, x+at*k.cell), append(sizes, w)
		middles = append(middles, k.within(x+at*k.cell, w))
	}
	names, _ := spreadMarks(middles, sizes)
	// Move both if one would leave the legend.
	off := 0.0
	for i, name := range names {
		if in := k.within(name, sizes[i]); in != name {
			off = in - name
		}
	}
	for i, g := range k.marked {
		t := k.keyText(names[i]+off, y-high-keyLine/2+1, k.markText(g), scene.Middle)
		reach := max(t.W/2-3, 0) // the mark hangs below its name
		base := min(max(tips[i], t.X-reach), t.X+reach)
		k.Scene.Add(t)
		k.addMark(g.area, scene.Point{X: base, Y: y - high - 1}, scene.Point{X: tips[i], Y: y - .5}, scene.Point{Y: 1})
	}
}

// Measures of the mark of a group on a legend, a small triangle.
const (
	markHigh = 4.0
	markHalf = 2.8 // of its base
)

// addMark draws the mark of a group of countries: a triangle that points in the direction
// of way and ends at tip, and a thin line from its name if that is farther along the
// legend than the value.
func (c *choropleth) addMark(area string, from, tip, way scene.Point) {
	foot := scene.Point{X: tip.X - way.X*markHigh, Y: tip.Y - way.Y*markHigh}
	tag := scene.Tag{Role: scene.Legend, Name: area}
	var o scene.Outline
	o.MoveTo(foot.X-way.Y*markHalf, foot.Y-way.X*markHalf)
	o.LineTo(foot.X+way.Y*markHalf, foot.Y+way.X*markHalf)
	o.LineTo(tip.X, tip.Y)
	o.Close()
	if aside := math.Abs((from.X-tip.X)*way.Y) + math.Abs((from.Y-tip.Y)*way.X); aside > .5 {
		c.Scene.Add(&scene.Line{Tag: tag, X1: from.X, Y1: from.Y, X2: foot.X, Y2: foot.Y, Pen: scene.Pen{Colour: colour.Muted, Width: .8}})
	}
	c.Scene.Add(&scene.Path{Tag: tag, Outline: &o, Fill: scene.Solid(colour.Text)})
}
