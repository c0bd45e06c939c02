package chart

import (
	"fmt"
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// legendItem is one entry of a legend: the look of a series, and its name.
type legendItem struct {
	name  string     // as in the tags of the series' marks
	label string     // unchanged input; this is written
	fill  scene.Fill // of the swatch
	edge  scene.Pen  // around the swatch
	// stroke, if it has a width, replaces the swatch and is drawn over the edge.
	stroke scene.Pen
}

// Measures of a legend, in units; those of the swatch are fractions of the text's size.
const (
	legendGap      = 16.0 // from entry to entry
	remarkGap      = 30.0 // from the last entry to a remark
	legendBelow    = 10.0 // from the legend to the plot
	maxLegendShare = .3   // largest fraction of the plot's height
	legendRow      = 1.45 // from row to row
	legendSwatch   = .85
	legendStroke   = 1.9
	legendText     = .45 // from swatch to text

	minLegendEntry = 70.0 // width of an entry that names are not cut below, if there is space
)

// legend places entries in rows at the top of the plot, in order. If there are too
// many, the text becomes smaller, then long names are cut, and finally entries are left
// out and counted.
func (f *frame) legend(items []legendItem) { f.legendWith(items, "") }

// legendWith also places a remark after the last entry. It returns false if the remark
// does not fit.
func (f *frame) legendWith(items []legendItem, remark string) bool {
	if !f.spec.ShowLegend {
		return remark == ""
	}
	small := f.smallest()
	narrow := max(f.plot.W*.3, min(f.plot.W, minLegendEntry))
	tries := []struct{ size, widest float64 }{
		{labelSize, f.plot.W}, {smallSize, f.plot.W}, {smallSize, f.plot.W * .45}, {small, narrow},
	}
	// Leave out swatches without a name.
	least := tries[len(tries)-1]
	items = slices.DeleteFunc(slices.Clone(items), func(it legendItem) bool {
		return f.legendEntries([]legendItem{it}, least.size, least.widest)[0].text == ""
	})
	var rows []legendEntry
	var size float64
	for _, try := range tries {
		size = try.size
		all := f.legendEntries(items, size, try.widest)
		most := f.legendRows(size)
		if size == labelSize {
			most = min(most, f.rowsNeeded(items)) // one row less is worth smaller text
		}
		rows = flow(all, f.plot.W, most)
		if len(rows) == len(all) {
			break
		}
	}
	if len(rows) < len(items) {
		rows = f.withCount(rows, items, size)
	}
	fits := f.drawRemark(rows, remark, size)
	f.drawLegend(rows, items, size)
	return fits
}

// drawRemark writes a remark after the last entry. It returns false if it does not fit.
func (f *frame) drawRemark(rows []legendEntry, remark string, size float64) bool {
	if remark == "" {
		return true
	}
	if len(rows) == 0 {
		return false
	}
	last := rows[len(rows)-1]
	text := &scene.Text{Tag: scene.Tag{Role: scene.LegendText}, X: f.plot.X + last.x + last.w + remarkGap, Y: f.plot.Y + float64(last.row)*size*legendRow + size, Text: remark, Size: size, Colour: colour.Muted}
	text.W = font.Width(remark, size, scene.Regular)
	if text.X+text.W > f.plot.X+f.plot.W {
		return false
	}
	f.scene.Add(text)
	return true
}

// legendEntry is an entry and its position: x from the left, and its row.
type legendEntry struct {
	text     string
	x, w, tw float64 // tw is the width of the text only
	row      int
}

func (f *frame) legendRows(size float64) int {
	return max(1, int(f.plot.H*maxLegendShare/(size*legendRow)))
}

// rowsNeeded returns the number of rows that the whole entries take in small text.
func (f *frame) rowsNeeded(items []legendItem) int {
	all := flow(f.legendEntries(items, smallSize, f.plot.W), f.plot.W, len(items))
	if len(all) == 0 {
		return 1
	}
	return all[len(all)-1].row + 1
}

// legendEntries measures the entries, none wider than widest.
func (f *frame) legendEntries(items []legendItem, size, widest float64) []legendEntry {
	all := make([]legendEntry, len(items))
	for i, it := range items {
		swatch := legendSwatch
		if it.stroke.Width > 0 {
			swatch = legendStroke
		}
		swatch = (swatch + legendText) * size
		text := font.Cut(font.Clean(it.label), size, scene.Regular, max(widest-swatch, 0))
		width := font.Width(text, size, scene.Regular)
		all[i] = legendEntry{text: text, tw: width, w: min(swatch+width, widest)}
	}
	return all
}

// flow arranges entries in at most rows rows of the given width, and returns those that
// fit.
func flow(all []legendEntry, width float64, rows int) []legendEntry {
	x, row := 0.0, 0
	for i := range all {
		if x > 0 && x+all[i].w > width {
			x, row = 0, row+1
		}
		if row == rows {
			return all[:i]
		}
		all[i].x, all[i].row = x, row
		x += all[i].w + legendGap
	}
	return all
}

// withCount replaces the last entries by the number of entries that are left out.
func (f *frame) withCount(rows []legendEntry, items []legendItem, size float64) []legendEntry {
	for n := len(rows); n >= 0; n-- {
		text := fmt.Sprintf("and %d more", len(items)-n)
		more := legendEntry{text: text, tw: font.Width(text, size, scene.Regular)}
		more.w = more.tw
		last := append(append([]legendEntry{}, rows[:n]...), more)
		if len(flow(last, f.plot.W, f.legendRows(size))) == n+1 && more.w <= f.plot.W {
			return last
		}
	}
	return nil
}

func (f *frame) drawLegend(rows []legendEntry, items []legendItem, size float64) {
	if len(rows) == 0 {
		return
	}
	for i, e := range rows {
		base := f.plot.Y + float64(e.row)*size*legendRow + size
		text := &scene.Text{Tag: scene.Tag{Role: scene.LegendText}, X: f.plot.X + e.x, Y: base, Text: e.text, Size: size, Colour: colour.Text, W: e.tw}
		// The count of omitted entries comes last and has no swatch.
		if i < len(items) && e.w > e.tw {
			text.Name = items[i].name
			text.X += e.w - e.tw
			f.drawSwatch(items[i], f.plot.X+e.x, base, size)
		}
		if text.Text != "" {
			f.scene.Add(text)
		}
	}
	f.take(float64(rows[len(rows)-1].row+1)*size*legendRow + min(legendBelow, f.plot.H*.07))
}

func (f *frame) drawSwatch(it legendItem, x, base, size float64) {
	tag := scene.Tag{Role: scene.Legend, Name: it.name}
	if it.stroke.Width > 0 {
		y := base - size*.34
		if it.edge.Width == 0 {
			f.scene.Add(&scene.Line{Tag: tag, X1: x, Y1: y, X2: x + legendStroke*size, Y2: y, Pen: it.stroke})
			return
		}
		// Use paths: lines are aligned to whole pixels one by one, and the edge would
		// stand out on one side only.
		o := &scene.Outline{}
		o.MoveTo(x, y)
		o.LineTo(x+legendStroke*size, y)
		f.scene.Add(&scene.Path{Tag: tag, Outline: o, Pen: it.edge}, &scene.Path{Tag: tag, Outline: o, Pen: it.stroke})
		return
	}
	side := legendSwatch * size
	f.scene.Add(&scene.Rect{Tag: tag, X: x, Y: base - size*.36 - side/2, W: side, H: side, Fill: it.fill, Pen: it.edge})
}
