package portal

import (
	"slices"
	"strings"
	"unicode"
)

// tableWidth is the width of a table beside the pickers in a wide window, in pixels. Below a chart there is more, but the table has the same
// periods.
const tableWidth = 712

// fittingPeriods returns how many periods before a column fit beside the names in a table.
func (t *table) fittingPeriods(l *language, end int) int {
	const between, names, besideNames = 12, 110, 10
	longest := 0. // word of the names, between which they are wrapped
	for _, row := range t.Rows {
		for word := range strings.FieldsFuncSeq(row.Name+" "+row.Unit, func(r rune) bool { return r == ' ' || r == '-' }) {
			longest = max(longest, textWidth(word))
		}
	}
	left := tableWidth - max(names, min(longest, tableWidth/3)) - besideNames
	flags := 0. // beside each number, as the stylesheet has it
	if n := t.Hang(); n > 0 {
		flags = 3 + 6*float64(n)
	}
	n := 0
	for i := end - 1; i >= 0; i-- {
		widest := textWidth(l.officePeriod(t.Columns[i].Period, t.Columns[i].Label))
		for _, row := range t.Rows {
			widest = max(widest, textWidth(row.Cells[i].Text))
		}
		if left -= widest + between + flags; left < 0 {
			break
		}
		n++
	}
	return max(n, 1)
}

// textWidth returns about how wide a text of a table is, in pixels, and no less than it is if it is a number or a period.
func textWidth(text string) float64 {
	width := 0.
	for _, r := range text {
		switch {
		case unicode.IsDigit(r), r == '\u2212': // all figures have one width
			width += 8.7
		case unicode.IsUpper(r):
			width += 13
		case unicode.IsLetter(r):
			width += 7.5
		default:
			width += 5
		}
	}
	return width
}

// hide hides periods if there are many: all but the last ones, or if forecasts are at the end, all but those around the last observed
// period. They stay in the table for the chart, which shows them, unless they are very many.
func (t *table) hide(p *page, c *datasetPage) {
	s := c.Selection
	fit := func(end int) int { return min(end, t.fittingPeriods(p.lang, end)) }
	end := len(t.Columns)
	if at := slices.IndexFunc(t.Columns, func(one column) bool { return one.Period == c.lastObserved() }); at >= 0 {
		most := fit(end)
		end = min(end, max(at+1+most/3, most))
	}
	shown := fit(end)
	n := len(t.Columns) - shown
	if p.r.URL.Query().Has("all") || n+t.Hidden == 0 {
		return
	}
	first := end - shown
	t.First, t.Last = t.Columns[first].Period, t.Columns[end-1].Period
	t.Hidden, t.All = t.Hidden+n, s.with("all", "true")+"#table"
	if n*len(t.Rows) > maxHidden {
		t.Columns = t.Columns[first:end]
		for i := range t.Rows {
			t.Rows[i].Cells = t.Rows[i].Cells[first:end]
		}
		return
	}
	for k := range t.Columns {
		t.Columns[k].IsHidden = k < first || k >= end
		for i := range t.Rows {
			t.Rows[i].Cells[k].IsHidden = t.Columns[k].IsHidden
		}
	}
}
