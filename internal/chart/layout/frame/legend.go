package frame

import (
	"slices"

	"almanac/internal/chart/colour"
	"almanac/internal/chart/font"
	"almanac/internal/chart/scene"
)

// LegendItem is one entry of a legend: the look of a series, and its name.
type LegendItem struct {
	Name  string     // as in the tags of the series' marks
	Label string     // unchanged input; this is written
	Fill  scene.Fill // of the swatch
	Edge  scene.Pen  // around the swatch
	// stroke, if it has a width, replaces the swatch and is drawn over the edge.
	Stroke scene.Pen
}

// Measures of a legend, in units; those of the swatch are fractions of the text's size.
const (
	LegendGap      = 16.0 // from entry to entry
	remarkGap      = 30.0 // from the last entry to a remark
	LegendBelow    = 10.0 // from the legend to the plot
	maxLegendShare = .3   // largest fraction of the plot's height
	LegendRow      = 1.45 // from row to row
	legendSwatch   = .85
	legendStroke   = 1.9
	legendText     = .45 // from swatch to text

	minLegendEntry = 70.0 // width of an entry that names are not cut below, if there is space
)

// Legend places entries in rows at the top of the plot, in order. If there are too
// many, the text becomes smaller, then long names are cut, and finally entries are left
// out and counted.
func (f *Frame) Legend(items []LegendItem) { f.LegendWith(items, "") }

// LegendWith also places a remark after the last entry. It returns false if the remark
// does not fit.
func (f *Frame) LegendWith(items []LegendItem, remark string) bool {
	if !f.Spec.ShowLegend {
		return remark == ""
	}
	small := f.Smallest()
	narrow := max(f.Plot.W*.3, min(f.Plot.W, minLegendEntry))
	tries := []struct{ size, widest float64 }{
		{LabelSize, f.Plot.W}, {SmallSize, f.Plot.W}, {SmallSize, f.Plot.W * .45}, {small, narrow},
	}
	// Leave out swatches without a name.
	least := tries[len(tries)-1]
	items = slices.DeleteFunc(slices.Clone(items), func(it LegendItem) bool {
		return f.LegendEntries([]LegendItem{it}, least.size, least.widest)[0].Text == ""
	})
	var rows []LegendEntry
	var size float64
	for _, try := range tries {
		size = try.size
		all := f.LegendEntries(items, size, try.widest)
		most := f.legendRows(size)
		if size == LabelSize {
			most = min(most, f.rowsNeeded(items)) // one row less is worth smaller text
		}
		rows = Flow(all, f.Plot.W, most)
		if len(rows) == len(all) {
			break
		}
	}
	if len(rows) < len(items) {
		rows = f.withCount(rows, items, size)
	}
	fits := f.drawRemark(rows, remark, size)
	f.DrawLegend(rows, items, size)
	return fits
}

// drawRemark writes a remark after the last entry. It returns false if it does not fit.
func (f *Frame) drawRemark(rows []LegendEntry, remark string, size float64) bool {
	if remark == "" {
		return true
	}
	if len(rows) == 0 {
		return false
	}
	last := rows[len(rows)-1]
	text := &scene.Text{Tag: scene.Tag{Role: scene.LegendText}, X: f.Plot.X + last.X + last.W + remarkGap, Y: f.Plot.Y + float64(last.Row)*size*LegendRow + size, Text: remark, Size: size, Colour: colour.Muted}
	text.W = font.Width(remark, size, scene.Regular)
	if text.X+text.W > f.Plot.X+f.Plot.W {
		return false
	}
	f.Scene.Add(text)
	return true
}

// LegendEntry is an entry and its position: x from the left, and its row.
type LegendEntry struct {
	Text            string
	X, W, TextWidth float64 // tw is the width of the text only
	Row             int
}

func (f *Frame) legendRows(size float64) int {
	return max(1, int(f.Plot.H*maxLegendShare/(size*LegendRow)))
}

// rowsNeeded returns the number of rows that the whole entries take in small text.
func (f *Frame) rowsNeeded(items []LegendItem) int {
	all := Flow(f.LegendEntries(items, SmallSize, f.Plot.W), f.Plot.W, len(items))
	if len(all) == 0 {
		return 1
	}
	return all[len(all)-1].Row + 1
}

// LegendEntries measures the entries, none wider than widest.
func (f *Frame) LegendEntries(items []LegendItem, size, widest float64) []LegendEntry {
	all := make([]LegendEntry, len(items))
	for i, it := range items {
		swatch := legendSwatch
		if it.Stroke.Width > 0 {
			swatch = legendStroke
		}
		swatch = (swatch + legendText) * size
		text := font.Cut(font.Clean(it.Label), size, scene.Regular, max(widest-swatch, 0))
		width := font.Width(text, size, scene.Regular)
		all[i] = LegendEntry{Text: text, TextWidth: width, W: min(swatch+width, widest)}
	}
	return all
}

// Flow arranges entries in at most rows rows of the given width, and returns those that
// fit.
func Flow(all []LegendEntry, width float64, rows int) []LegendEntry {
	x, row := 0.0, 0
	for i := range all {
		if x > 0 && x+all[i].W > width {
			x, row = 0, row+1
		}
		if row == rows {
			return all[:i]
		}
		all[i].X, all[i].Row = x, row
		x += all[i].W + LegendGap
	}
	return all
}

// withCount replaces the last entries by the number of entries that are left out.
func (f *Frame) withCount(rows []LegendEntry, items []LegendItem, size float64) []LegendEntry {
	for n := len(rows); n >= 0; n-- {
		text := f.Spec.Words().Text("and %s more", len(items)-n)
		more := LegendEntry{Text: text, TextWidth: font.Width(text, size, scene.Regular)}
		more.W = more.TextWidth
		last := append(append([]LegendEntry{}, rows[:n]...), more)
		if len(Flow(last, f.Plot.W, f.legendRows(size))) == n+1 && more.W <= f.Plot.W {
			return last
		}
	}
	return nil
}

// DrawLegend draws entries that LegendEntries measured and Flow arranged, and reduces the
// plot by their height.
func (f *Frame) DrawLegend(rows []LegendEntry, items []LegendItem, size float64) {
	if len(rows) == 0 {
		return
	}
	for i, e := range rows {
		base := f.Plot.Y + float64(e.Row)*size*LegendRow + size
		text := &scene.Text{Tag: scene.Tag{Role: scene.LegendText}, X: f.Plot.X + e.X, Y: base, Text: e.Text, Size: size, Colour: colour.Text, W: e.TextWidth}
		// The count of omitted entries comes last and has no swatch.
		if i < len(items) && e.W > e.TextWidth {
			text.Name = items[i].Name
			text.X += e.W - e.TextWidth
			f.drawSwatch(items[i], f.Plot.X+e.X, base, size)
		}
		if text.Text != "" {
			f.Scene.Add(text)
		}
	}
	f.Take(float64(rows[len(rows)-1].Row+1)*size*LegendRow + min(LegendBelow, f.Plot.H*.07))
}

func (f *Frame) drawSwatch(it LegendItem, x, base, size float64) {
	tag := scene.Tag{Role: scene.Legend, Name: it.Name}
	if it.Stroke.Width > 0 {
		y := base - size*.34
		if it.Edge.Width == 0 {
			f.Scene.Add(&scene.Line{Tag: tag, X1: x, Y1: y, X2: x + legendStroke*size, Y2: y, Pen: it.Stroke})
			return
		}
		// Use paths: lines are aligned to whole pixels one by one, and the edge would
		// stand out on one side only.
		o := &scene.Outline{}
		o.MoveTo(x, y)
		o.LineTo(x+legendStroke*size, y)
		f.Scene.Add(&scene.Path{Tag: tag, Outline: o, Pen: it.Edge}, &scene.Path{Tag: tag, Outline: o, Pen: it.Stroke})
		return
	}
	side := legendSwatch * size
	f.Scene.Add(&scene.Rect{Tag: tag, X: x, Y: base - size*.36 - side/2, W: side, H: side, Fill: it.Fill, Pen: it.Edge})
}
