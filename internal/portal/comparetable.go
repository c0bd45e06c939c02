package portal

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// compareRow is a period with the values of all series.
type compareRow struct {
	Period string
	Parts  []comparePart
}

// comparePart is the values of a period in one unit, and how far they are apart.
type comparePart struct {
	Cells      []cell
	HasNoApart bool
	Apart      string
	IsLarge    bool
}

// fill puts the values of all series in rows, one for each period that any of them has.
func (c *comparePage) fill(l *language) {
	at := map[string]int{}
	parts := c.Parts()
	for i := range parts {
		for k, one := range parts[i].Columns {
			for j := range one.Series.Points {
				v := &one.Series.Points[j]
				row, ok := at[v.Period]
				if !ok {
					row = len(c.Rows)
					at[v.Period] = row
					c.Rows = append(c.Rows, newRow(v.Period, parts))
				}
				flags := newFlags(v.Flags)
				c.Rows[row].Parts[i].Cells[k] = cell{Period: v.Period, Label: v.Label, Text: l.number(v.Value.String()), Flags: flags, number: v.Value,
					IsProjected: one.projectedFrom != "" && comparePeriods(v.Period, one.projectedFrom) >= 0}
				one.Flags = l.addFlags(one.Flags, flags)
			}
		}
	}
	slices.SortFunc(c.Rows, func(a, b compareRow) int { return comparePeriods(a.Period, b.Period) })
	c.cutRows()
	for i := range c.Rows {
		for k := range c.Rows[i].Parts {
			part := &c.Rows[i].Parts[k]
			for _, one := range part.Cells {
				c.Flags = l.addFlags(c.Flags, one.Flags)
				c.HasGaps, c.HasProjections = c.HasGaps || one.Text == "", c.HasProjections || one.IsProjected
			}
			if apart, text := part.apart(parts[k].Columns); text != "" {
				part.Apart, part.IsLarge = l.number(text), apart > largeShare*parts[k].valuesRange()
			}
		}
	}
}

// cutRows leaves the latest rows if there are too many: of those in which several series have values, if there are any.
func (c *comparePage) cutRows() {
	if len(c.Rows) <= maxComparedRow {
		return
	}
	var some []compareRow
	for _, row := range c.Rows {
		if row.values() > 1 {
			some = append(some, row)
		}
	}
	if some == nil {
		some = c.Rows
	}
	some = some[max(0, len(some)-maxComparedRow):]
	c.Hidden, c.Rows = len(c.Rows)-len(some), some
}

// values returns the number of values in a row.
func (r *compareRow) values() (n int) {
	for i := range r.Parts {
		for _, one := range r.Parts[i].Cells {
			if one.Text != "" {
				n++
			}
		}
	}
	return n
}

// Parts returns the columns of each panel, and at the end those without values.
func (c *comparePage) Parts() []*panel {
	parts, n := slices.Clone(c.Panels), 0
	for _, one := range parts {
		n += len(one.Columns)
	}
	for _, one := range c.Columns[n:] {
		parts = append(parts, &panel{Columns: []*compared{one}})
	}
	return parts
}

// HasMultiples reports whether a chart has series in several multiples of a unit.
func (c *comparePage) HasMultiples() bool {
	return slices.ContainsFunc(c.Panels, (*panel).HasMultiples)
}

// LeftOfApart are the series whose values have no difference, although others have one.
func (c *comparePage) LeftOfApart() (left []*compared) {
	for _, one := range c.Panels {
		if c.HasApart() && !one.HasApart() {
			left = append(left, one.Columns...)
		}
	}
	return left
}

// Finest returns the first series whose unit is the smallest multiple. In its unit the table says how far values are apart.
func (c *panel) Finest() *compared {
	return c.Columns[slices.IndexFunc(c.Columns, func(o *compared) bool { return o.Power == 0 })]
}

// newRow returns a row without values.
func newRow(period string, parts []*panel) compareRow {
	row := compareRow{Period: period, Parts: make([]comparePart, len(parts))}
	for i, one := range parts {
		part := comparePart{Cells: make([]cell, len(one.Columns)), HasNoApart: !one.HasApart()}
		for k := range part.Cells {
			part.Cells[k].Period = period
		}
		row.Parts[i] = part
	}
	return row
}

// largeShare is the share of the range of all values in a unit from which on a difference is marked.
const largeShare = .1

// valuesRange returns how far the highest and the lowest value of the panel are apart, in the unit of the finest series.
func (c *panel) valuesRange() float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, one := range c.Columns {
		for i := range one.Series.Points {
			v := one.Series.Points[i].amount * math.Pow10(one.Power)
			low, high = min(low, v), max(high, v)
		}
	}
	return high - low
}

// apart returns how far the values of the part are from one another, and the same with as many decimals as they have, in the unit of the
// finest series; the text is empty for fewer than two, and for values of different times: of a year, and of the five years that end with it.
func (r *comparePart) apart(columns []*compared) (difference float64, text string) {
	var low, high float64
	count, decimals, label := 0, 0, ""
	for i, one := range r.Cells {
		if one.Text == "" {
			continue
		}
		if count > 0 && one.Label != label {
			return 0, ""
		}
		label = one.Label
		v, _ := one.number.Float64()
		decimals = max(decimals, decimalsOf(v, one.number.String())-columns[i].Power)
		v *= math.Pow10(columns[i].Power)
		if count == 0 {
			low, high = v, v
		}
		low, high = min(low, v), max(high, v)
		count++
	}
	if count < 2 {
		return 0, ""
	}
	return high - low, strconv.FormatFloat(high-low, 'f', min(decimals, 12), 64)
}

// decimalsOf returns the number of decimals of a number, without those beyond its fifteenth digit: 82.11422400000001 is 82.114224, as binary
// numbers write it.
func decimalsOf(v float64, text string) int {
	if short := strconv.FormatFloat(v, 'g', 15, 64); !strings.Contains(short, "e") {
		text = short
	}
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}
