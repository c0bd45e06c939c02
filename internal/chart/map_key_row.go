package chart

import (
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// keyRow is a legend under the map: the classes side by side from low to high,
// each edge with its number, the box for "no data" to the right.
type keyRow struct {
	*choropleth
	title   string
	above   bool // the title has a line of its own
	stacked bool // "no data" has a line of its own
	cell    float64
}

const (
	keyLine   = 14.0 // from line to line
	keyTitle  = 16.0 // a title above
	usualCell = 62.0 // width of a class
	keyAbove  = 8.0  // between the map and the legend
)

func newKeyRow(c *choropleth) *keyRow {
	width := c.plot.W - c.side
	k := &keyRow{choropleth: c, stacked: width < 280}
	title := font.Clean(c.spec.Unit)
	switch own := keyWidth(title); {
	case title == "" || c.plot.H < 120 || c.unitOnEdges():
	case own <= .25*width:
		k.title = title
	default:
		k.title, k.above = font.Cut(title, keySize, scene.Regular, width), true
	}
	return k
}

func (k *keyRow) height() float64 {
	h := keyAbove + keyBar + keyLine
	if k.above {
		h += keyTitle
	}
	if k.stacked {
		h += keyLine
	}
	if len(k.worthy) > 0 {
		h += keyLine
	}
	return h
}

func (k *keyRow) place() scene.Box {
	return scene.Box{X: k.plot.X + k.side, Y: k.box.Y + k.box.H, W: k.plot.W - k.side, H: k.height()}
}

// titleWidth is what the title takes to the left of the classes.
func (k *keyRow) titleWidth() float64 {
	if k.title == "" || k.above {
		return 0
	}
	return keyWidth(k.title) + 2*keyGap
}

// noDataRoom is what the box for "no data" takes to the right of the classes.
func (k *keyRow) noDataRoom() float64 {
	if k.stacked || !k.missing {
		return 0
	}
	return noDataWidth() + 3*keyGap
}

func (k *keyRow) fits() bool {
	n := float64(len(k.classes.Edges) - 1)
	widest := k.widestEdge()
	k.cell = min(max(usualCell, widest+3*keyGap), (k.keyBox.W-k.titleWidth()-k.noDataRoom()-widest)/max(n, 1))
	return k.cell >= widest+1.6*keyGap
}

func (k *keyRow) step() float64 { return k.cell }

func (k *keyRow) markRoom(a, b labelled) float64 {
	return (keyWidth(k.markText(a))+keyWidth(k.markText(b)))/2 + 2*keyGap
}

func (k *keyRow) draw() {
	y := k.keyBox.Y + keyAbove
	middle := k.keyBox.X + k.keyBox.W/2
	if k.fills == nil {
		if k.missing {
			k.drawNoData(middle-noDataWidth()/2, y, keyBar)
		}
		return
	}
	labels := k.classes.Labels
	left, right := keyWidth(labels[0])/2, keyWidth(labels[len(labels)-1])/2
	if !k.fits() { // even two classes are too many for their numbers: as wide as can be
		left, right = 0, 0
		k.cell = max(2, (k.keyBox.W-k.titleWidth()-k.noDataRoom())/float64(len(k.fills)))
	}
	bar := k.cell * float64(len(k.fills))
	x := middle - (k.titleWidth()+left+bar+max(right, k.noDataRoom()))/2 + k.titleWidth() + left
	if k.above {
		k.scene.Add(k.keyText(middle, y+keyLine/2, k.title, scene.Middle))
		y += keyTitle
	}
	if len(k.worthy) > 0 {
		y += keyLine
	}
	if k.title != "" && !k.above {
		k.scene.Add(k.keyText(x-left-2*keyGap, y+keyBar/2, k.title, scene.End))
	}
	k.drawClasses(x, y)
	k.drawMarks(x, y)
	if k.missing && k.stacked {
		k.drawNoData(middle-noDataWidth()/2, y+keyBar+keyLine+2, keyBar)
	} else if k.missing {
		k.drawNoData(x+bar+max(right, 3*keyGap), y, keyBar)
	}
}

// drawClasses places the swatches and the numbers of their edges; where those
// have no room, the ends come first.
func (k *keyRow) drawClasses(x, y float64) {
	for i, fill := range k.fills {
		k.scene.Add(&scene.Rect{Tag: scene.Tag{Role: scene.Legend, Name: k.className(i)}, X: x + float64(i)*k.cell, Y: y, W: k.cell, H: keyBar, Fill: scene.Solid(fill), Pen: keyRim})
	}
	n := len(k.fills)
	order := []int{0, n}
	for i := 1; i < n; i++ {
		order = append(order, i)
	}
	var taken []scene.Box
	for _, i := range order {
		t := k.keyText(x+float64(i)*k.cell, y+keyBar+keyLine/2+1, k.classes.Labels[i], scene.Middle)
		t.X = min(max(t.X, k.keyBox.X+t.W/2), k.keyBox.X+k.keyBox.W-t.W/2)
		if b := t.Box(); !overlapsAny(b, taken) {
			k.scene.Add(t)
			taken = append(taken, b)
		}
	}
}

// drawMarks points from above at the values of groups.
func (k *keyRow) drawMarks(x, y float64) {
	const side = 3.0
	for _, g := range k.marked {
		at, _ := k.position(g.value)
		at = x + at*k.cell
		k.scene.Add(groupMark(g.area, scene.Point{X: at - side, Y: y - side - 1.5}, scene.Point{X: at + side, Y: y - side - 1.5}, scene.Point{X: at, Y: y - .5}))
		t := k.keyText(at, y-side-1.5-keyLine/2+1, k.markText(g), scene.Middle)
		t.X = min(max(t.X, k.keyBox.X+t.W/2), k.keyBox.X+k.keyBox.W-t.W/2)
		k.scene.Add(t)
	}
}

// groupMark is the mark of a group of countries on a legend.
func groupMark(area string, a, b, tip scene.Point) *scene.Path {
	var o scene.Outline
	o.MoveTo(a.X, a.Y)
	o.LineTo(b.X, b.Y)
	o.LineTo(tip.X, tip.Y)
	o.Close()
	return &scene.Path{Tag: scene.Tag{Role: scene.Legend, Name: area}, Outline: &o, Fill: scene.Solid(colour.Text)}
}

func overlapsAny(b scene.Box, taken []scene.Box) bool {
	for _, t := range taken {
		if b.Overlaps(t) {
			return true
		}
	}
	return false
}
