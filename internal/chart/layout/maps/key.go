package maps

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/chart"
	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/layout/frame"
	"almanac/internal/chart/scale"
	"almanac/internal/chart/scene"
)

// mapKey is a legend of classes: a row under the map or a column on its left.
type mapKey interface {
	height() float64          // height below the map
	place() scene.Box         // position, given that of the map
	fits() bool               // whether the classes fit
	nameFits(g labelled) bool // whether the name of a group fits next to the classes
	draw()
}

// Measures of both forms, in units.
const (
	keySize   = frame.SmallSize
	keyBar    = 9.0  // thickness of the row of classes
	keySwatch = 16.0 // width of the column of classes, and of the box for "no data"
	keyGap    = 5.0  // from a swatch to its text
)

var keyRim = scene.Pen{Colour: colour.White, Width: .6}

func keyWidth(text string) float64 { return font.Width(text, keySize, scene.Regular) }

// keyText returns a text of the legend, centred vertically at y.
func (c *choropleth) keyText(x, y float64, text string, anchor scene.Anchor) *scene.Text {
	return &scene.Text{
		Tag: scene.Tag{Role: scene.LegendText}, X: x, Y: y + keySize*.36, Text: text,
		Size: keySize, Anchor: anchor, Colour: colour.Text, W: keyWidth(text),
	}
}

// swatch is a box of the legend that is no class, and its text.
type swatch struct {
	name, text string
	fill       scene.Fill
}

func (w *swatch) width() float64 { return keySwatch + keyGap + keyWidth(w.text) }

// noData is the box for countries without a value.
func (c *choropleth) noData() swatch {
	return swatch{"no-data", c.Spec.Words().Text("No data"), noDataFill}
}

// otherLand is the box for countries that the dataset has no values of at all.
func (c *choropleth) otherLand() swatch {
	return swatch{"land", c.Spec.Words().Text("Not in the dataset"), scene.Solid(colour.Land)}
}

// drawSwatch draws a box with its upper left corner at x, y.
func (c *choropleth) drawSwatch(w swatch, x, y, height float64) {
	c.Scene.Add(
		&scene.Rect{Tag: scene.Tag{Role: scene.Legend, Name: w.name}, X: x, Y: y, W: keySwatch, H: height, Fill: w.fill, Pen: scene.Pen{Colour: colour.Hatch, Width: .6}},
		c.keyText(x+keySwatch+keyGap, y+height/2, w.text, scene.Start),
	)
}

// widestEdge returns the width of the widest label of a class edge.
func (c *choropleth) widestEdge() float64 {
	widest := 0.0
	for _, label := range c.classes.Labels {
		widest = max(widest, keyWidth(label))
	}
	return widest
}

const (
	maxMarks = 2
	// If an office publishes more groups than this, the legend shows only known ones,
	// such as the world and the European Union, because the others are no benchmark for
	// countries.
	maxUnknownGroups = 3
)

// withinCountries returns the groups whose values are in the range of the countries'
// values. Others have no position on the legend.
func (c *choropleth) withinCountries(groups []labelled) []labelled {
	low, high := math.Inf(1), math.Inf(-1)
	for _, it := range c.labels {
		low, high = min(low, it.value), max(high, it.value)
	}
	return slices.DeleteFunc(groups, func(g labelled) bool { return g.value < low || g.value > high })
}

// eligible returns the groups whose values the legend may show, first the known ones in
// their order.
func eligible(groups []labelled) []labelled {
	type candidate struct {
		labelled
		chart.GroupInfo
	}
	var list []candidate
	for _, g := range groups {
		k, ok := chart.KnownGroup(g.area, cmp.Or(g.own, g.short))
		if !ok {
			k.Family = g.short
		}
		if g.short != "" && (len(groups) <= maxUnknownGroups || ok) {
			list = append(list, candidate{g, k})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.Position, b.Position) })
	list = slices.CompactFunc(list, func(a, b candidate) bool { return a.Family == b.Family })
	var best []labelled
	for _, it := range list {
		best = append(best, it.labelled)
	}
	return best
}

// markable returns the groups that the legend does show. It leaves out those beyond its
// ends, those whose names do not fit, and on a row those too near to another.
func (c *choropleth) markable() []labelled {
	var marked []labelled
	row, _ := c.key.(*keyRow)
	for _, g := range c.eligible {
		at, ok := c.position(g.value)
		isNear := func(other labelled) bool {
			there, _ := c.position(other.value)
			return row != nil && math.Abs(at-there)*row.cell < minBetweenMarks
		}
		if ok && len(marked) < maxMarks && c.key.nameFits(g) && !slices.ContainsFunc(marked, isNear) {
			marked = append(marked, g)
		}
	}
	return marked
}

// minBetweenMarks is the distance on a row from which names on both sides are told apart.
const minBetweenMarks = 2 * keySize

// spreadMarks returns the centres of one or two names whose marks point at tips: the tips
// or, if these are too close for the names, positions on both sides of the point between
// the tips.
func spreadMarks(tips, sizes []float64) (names []float64, moved bool) {
	names = slices.Clone(tips)
	if len(tips) != maxMarks {
		return names, false
	}
	low, high := 0, 1
	if tips[1] < tips[0] {
		low, high = 1, 0
	}
	if tips[high]-tips[low] >= (sizes[low]+sizes[high])/2 {
		return names, false
	}
	between := (tips[low] + tips[high]) / 2
	names[low], names[high] = between-sizes[low]/2, between+sizes[high]/2
	return names, true
}

// position returns the position of a value on the legend, in classes from its start; ok
// is false beyond its ends.
func (c *choropleth) position(v float64) (at float64, ok bool) {
	edges, middle := c.classes.Edges, 0.0
	if c.classes.Values != nil { // the numbers are at the centres of the classes
		edges, middle = c.classes.Values, .5
		if len(edges) == 1 {
			return middle, v == edges[0]
		}
	}
	if len(edges) < 2 || v < edges[0] || v > edges[len(edges)-1] {
		return 0, false
	}
	i := 0
	for i < len(edges)-2 && v >= edges[i+1] {
		i++
	}
	width := edges[i+1] - edges[i]
	if !(width > 0) || math.IsInf(width, 0) {
		return float64(i) + .5, true
	}
	return float64(i) + (v-edges[i])/width + middle, true
}

// markText returns the text next to a mark.
func (c *choropleth) markText(g labelled) string {
	return c.Spec.Words().Text(g.short) + " " + c.format.Write(g.value)
}

// unitOnEdges reports whether the unit is just a sign, which the numbers include.
func (c *choropleth) unitOnEdges() bool { return len([]rune(font.Clean(c.Spec.UnitText()))) <= 1 }

// keyTitle returns the unit for the legend, or "" if the numbers include its sign and the
// subtitle states the rest.
func (c *choropleth) keyTitle() string {
	title := font.Clean(c.Spec.UnitText())
	signed := scale.NumbersFor([]float64{1}, c.Spec.NumberUnit())
	if c.unitOnEdges() || signed.Prefix+signed.Suffix != "" && strings.Contains(font.Clean(c.Spec.Subtitle), title) {
		return ""
	}
	return title
}

// labelAt returns the position of the number of an edge or class, in classes from the
// start of the legend.
func (c *choropleth) labelAt(i int) float64 {
	if c.classes.Values != nil {
		return float64(i) + .5
	}
	return float64(i)
}

// className names a class by its edges or its value.
func (c *choropleth) className(i int) string {
	if c.classes.Values != nil {
		return c.classes.Labels[i]
	}
	return c.classes.Labels[i] + "–" + c.classes.Labels[i+1]
}

// hasLabel reports whether a number is written on the legend: all numbers or, in a small
// picture, the ends and the zero between two hues.
func (c *choropleth) hasLabel(i int) bool {
	if c.reduction < fewEdges || i == 0 || i == len(c.classes.Labels)-1 {
		return true
	}
	return c.classes.Values == nil && c.classes.Edges[i] == 0
}
