package portal

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/chart/caption"
)

// Limits of the table in a page.
const (
	shownPeriods = 15     // no fewer than fit, unless the reader asks for all
	maxValues    = 10_000 // in a page; more are a file
	maxHidden    = 2_000  // values of hidden periods
)

// table is a table of the selection: areas, or series and areas, down; periods across.
type table struct {
	Caption string
	Unit    string // of all values; empty: rows have units of their own
	Columns []column
	Rows    []tableRow
	Flags   []flagName // of all periods
	Legend  []flagName // of the periods that are shown
	First   string     // the first period that is shown, if others are hidden
	Last    string
	Hidden  int    // periods that are not shown
	All     string // the address with all periods; empty: all are shown
	TooMany *tooMany
	Values  int // cells with a value
	Gaps    int // cells without one

	HasGaps       bool   // cells without a value are shown
	ProjectedFrom string // the first period of projections without a flag, if any are shown

	areas map[string]bool
}

// column is a period.
type column struct {
	Period   string
	Label    string // as of a point
	IsHidden bool   // of the table, but known to the chart
	Address  string
	Sorted   string // "ascending" or "descending"; empty: the table is not sorted by it

	order string // see periodOrder
}

// tableRow is one series.
type tableRow struct {
	Name  string
	Full  string // the office's label of the area, if another one is shown
	Code  string // of the area
	Unit  string // if rows differ in unit
	Cells []cell
}

// cell is a value as the office published it.
type cell struct {
	Period   string
	Label    string // as of a point
	Text     string // as the page writes it; empty: there is none
	Flags    flags
	Note     string
	IsHidden bool
	// IsProjected reports whether the value is a projection by the dataset's description, although no flag says so.
	IsProjected bool

	number json.Number
}

// block is a part of the response of /data: the values of one series for several areas.
type block struct {
	Key       map[string]string                `json:"series_key"`
	Countries []string                         `json:"countries"`
	Codes     map[string]struct{ Code string } `json:"country_codes"`
	Decimals  *int                             `json:"decimals"`
	Rows      []struct {
		Period string                 `json:"period"`
		Label  string                 `json:"period_label"`
		Unit   string                 `json:"unit"`
		Values map[string]json.Number `json:"values"`
		Flags  map[string][]string    `json:"flags"`
		Notes  map[string][]string    `json:"notes"`
	} `json:"rows"`
}

// readTable reads the values of the selection.
func (p *page) readTable(c *datasetPage) error {
	s := c.Selection
	t := &table{areas: map[string]bool{}}
	c.Table = t
	if s.Values > maxValues {
		var err error
		if c.Described.ValuesUnit+c.Described.Unit != "" {
			t.Unit = c.unit(p.lang, "")
		}
		t.TooMany, err = p.narrow(c)
		return err
	}
	query := s.query()
	for _, name := range []string{"flags", "codes", "decimals"} {
		query.Set(name, "true")
	}
	query.Set("lang", p.lang.Code)
	showsAll := p.r.URL.Query().Has("all")
	if s.Series == 1 && s.Values > shownPeriods+maxHidden && !showsAll {
		query.Set("last_n", strconv.Itoa(shownPeriods))
		t.Hidden = s.Values - shownPeriods
	}
	var data struct{ Data []block }
	if err := p.read(s.api+"/data", query, &data); err != nil {
		return err
	}
	s.offered.nameKeys(data.Data)
	if stated, isOne := t.fill(p.lang, data.Data, s.areas); isOne {
		t.Unit = c.unit(p.lang, stated)
	}
	for i := range t.Rows {
		row := &t.Rows[i]
		if row.Unit = caption.UnitName(s.Meta.Source, row.Unit); strings.Contains(row.Name, row.Unit) {
			row.Unit = "" // the name says it
		}
	}
	t.Caption = cmp.Or(c.Described.caption(t.Unit), c.Meta.Title())
	s.markShown(t)
	t.sort(s.Sort)
	t.findFlags(p.lang)
	t.markProjections(c.projectedFrom)
	t.hide(p, c)
	t.findLegend(p.lang, c.projectedFrom)
	t.addressColumns(s)
	return nil
}

// tooMany is why a page does not show a table, and narrower selections.
type tooMany struct {
	Widest string // the dimensions with most values chosen
	Ways   []way
}

// narrow finds narrower selections than one that has too many values for a page.
func (p *page) narrow(c *datasetPage) (*tooMany, error) {
	s, t := c.Selection, &tooMany{}
	type width struct {
		name string
		n    int
	}
	widths := []width{{p.lang.text("fact.areas"), max(len(s.places), s.Areas.Have)}}
	if len(s.places) > 0 {
		widths[0].n = len(s.places)
	}
	for _, one := range s.Pick {
		n := len(one.Chosen)
		if n == 0 {
			n = len(one.Options)
		}
		widths = append(widths, width{one.Label, n})
	}
	slices.SortStableFunc(widths, func(a, b width) int { return b.n - a.n })
	var names []string
	for _, w := range widths[:min(len(widths), 2)] {
		if w.n > 1 {
			names = append(names, w.name+" ("+p.lang.integer(w.n)+")")
		}
	}
	t.Widest = strings.Join(names, ", ")
	period := cmp.Or(c.DrawnPeriod(), s.To, s.Meta.Latest)
	for _, narrower := range []struct {
		text, address string
		query         url.Values
	}{
		{p.lang.text("narrow.period", "period", p.lang.period(period)), s.changed(url.Values{"period": {period}, "period_from": nil, "period_to": nil}), url.Values{"period": {period}}},
		{p.lang.text("narrow.usual"), s.page, s.usual},
	} {
		query := s.countQuery(p)
		for name, values := range narrower.query {
			query[name] = values
		}
		var left available
		if err := p.read(s.api+"/availability", query, &left); err != nil {
			return nil, err
		}
		if n := left.Selection.Observations; n > 0 && n < s.Values {
			t.Ways = append(t.Ways, way{narrower.text, narrower.address, n})
		}
	}
	return t, nil
}

// fill arranges the values of blocks in rows, and returns the unit that the office states for them. isOne is false if rows differ
// in unit, which they name then.
func (t *table) fill(l *language, blocks []block, areas map[string]*leftValue) (stated string, isOne bool) {
	at := t.findPeriods(blocks)
	names := varyingNames(blocks)
	units := map[string]bool{}
	for i := range blocks {
		b := &blocks[i]
		first := len(t.Rows)
		for _, area := range b.Countries {
			row := tableRow{Code: b.Codes[area].Code, Cells: make([]cell, len(t.Columns))}
			if a := areas[row.Code]; a != nil && a.Name != "" {
				area, row.Full = a.Name, area
			}
			t.areas[row.Code] = true
			row.Name = strings.Join(append(slices.Clone(names[i]), area), ", ")
			for k := range t.Columns {
				row.Cells[k].Period, row.Cells[k].Label = t.Columns[k].Period, t.Columns[k].Label
			}
			t.Rows = append(t.Rows, row)
		}
		rows := t.Rows[first:]
		unit := ""
		for _, from := range b.Rows {
			unit = cmp.Or(unit, from.Unit)
			for j, area := range b.Countries {
				one := &rows[j].Cells[at[from.Period]]
				one.Flags = newFlags(from.Flags[area])
				one.Note = strings.Join(from.Notes[area], "; ")
				if value, ok := from.Values[area]; ok {
					one.number, one.Text = value, l.number(withDecimals(value.String(), b.Decimals))
				}
			}
		}
		units[unit], stated = true, unit
		for j := range rows {
			rows[j].Unit = unit
		}
	}
	if len(units) > 1 {
		return "", false
	}
	for i := range t.Rows {
		t.Rows[i].Unit = ""
	}
	return stated, true
}

// findPeriods sets the columns, in the order of time, and returns the place of each period.
func (t *table) findPeriods(blocks []block) map[string]int {
	at := map[string]int{}
	for _, b := range blocks {
		for _, row := range b.Rows {
			if _, ok := at[row.Period]; !ok {
				at[row.Period] = 0
				t.Columns = append(t.Columns, column{Period: row.Period, Label: row.Label, order: periodOrder(row.Period)})
			}
		}
	}
	slices.SortStableFunc(t.Columns, func(a, b column) int { return cmp.Compare(a.order, b.order) })
	for i, c := range t.Columns {
		at[c.Period] = i
	}
	return at
}

// maxFixedDecimals is the largest number of decimals with which offices write all values of a series. Values with more are as they
// were computed, and one with fewer of them than others of its series has no zeros behind them: 71.3687 beside 68.89193.
const maxFixedDecimals = 4

// withDecimals writes a number with as many decimals as its series has, if the office writes all its values with them: 10.0.
func withDecimals(number string, decimals *int) string {
	if decimals == nil || *decimals > maxFixedDecimals || strings.ContainsAny(number, "eE") {
		return number
	}
	whole, fraction, _ := strings.Cut(number, ".")
	if *decimals <= len(fraction) {
		return number
	}
	return whole + "." + fraction + strings.Repeat("0", *decimals-len(fraction))
}

// varyingNames returns the labels in which blocks differ, for each block.
func varyingNames(blocks []block) [][]string {
	names := make([][]string, len(blocks))
	for _, dim := range filters[:8] {
		key := dim + "_value"
		differs := slices.ContainsFunc(blocks, func(b block) bool { return b.Key[key] != blocks[0].Key[key] })
		for i := range blocks {
			if differs {
				names[i] = append(names[i], blocks[i].Key[key])
			}
		}
	}
	return names
}

// sort orders the rows by the values of a period, downwards if it begins with a minus, or by name.
func (t *table) sort(by string) {
	period, isDown := strings.CutPrefix(by, "-")
	at := slices.IndexFunc(t.Columns, func(c column) bool { return c.Period == period })
	switch {
	case at >= 0:
		slices.SortStableFunc(t.Rows, func(a, b tableRow) int {
			x, y := a.Cells[at], b.Cells[at]
			if x.Text == "" || y.Text == "" { // rows without a value are last
				return cmp.Compare(len(y.Text), len(x.Text))
			}
			v, _ := x.number.Float64()
			w, _ := y.number.Float64()
			if isDown {
				v, w = w, v
			}
			return cmp.Compare(v, w)
		})
	case period == "name":
		slices.SortStableFunc(t.Rows, func(a, b tableRow) int { return cmp.Compare(a.Name, b.Name) })
	}
}

// shownCells are the cells that the table does not hide.
func (t *table) shownCells(yield func(cell) bool) {
	for _, row := range t.Rows {
		for _, one := range row.Cells {
			if !one.IsHidden && !yield(one) {
				return
			}
		}
	}
}

// Hang is the width for the flags beside numbers.
func (t *table) Hang() int { return hang(t.shownCells) }

// addressColumns sets where the table is sorted by a column: from the highest value to the lowest
// first, or the other way round if it is sorted so.
func (t *table) addressColumns(s *selection) {
	for i := range t.Columns {
		c := &t.Columns[i]
		by := "-" + c.Period
		switch s.Sort {
		case by:
			c.Sorted, by = "descending", c.Period
		case c.Period:
			c.Sorted = "ascending"
		}
		if !c.IsHidden {
			c.Address = s.with("sort", by) + "#table"
		}
	}
}

// SortByName is the address of the page with the table sorted by names.
func (s *selection) SortByName() string { return s.with("sort", "name") + "#table" }

// findFlags lists the flags of the table, which the page explains below it, and counts values and gaps.
func (t *table) findFlags(l *language) {
	for _, row := range t.Rows {
		for _, one := range row.Cells {
			if one.Text == "" {
				t.Gaps++
			} else {
				t.Values++
			}
			t.Flags = l.addFlags(t.Flags, one.Flags)
		}
	}
	slices.SortFunc(t.Flags, func(a, b flagName) int { return cmp.Compare(a.Flag, b.Flag) })
}

// markProjections marks the values from a period on as projections, as the chart does. If the office flags forecasts, its flags say which.
func (t *table) markProjections(from string) {
	if from == "" || slices.ContainsFunc(t.Flags, func(one flagName) bool { return one.Flag == forecastFlag }) {
		return
	}
	for i := range t.Rows {
		for k := range t.Rows[i].Cells {
			one := &t.Rows[i].Cells[k]
			one.IsProjected = one.Text != "" && comparePeriods(one.Period, from) >= 0
		}
	}
}

// findLegend finds which marks the shown cells have.
func (t *table) findLegend(l *language, projectedFrom string) {
	for one := range t.shownCells {
		t.Legend = l.addFlags(t.Legend, one.Flags)
		t.HasGaps = t.HasGaps || one.Text == ""
		if one.IsProjected {
			t.ProjectedFrom = projectedFrom
		}
	}
	slices.SortFunc(t.Legend, func(a, b flagName) int { return cmp.Compare(a.Flag, b.Flag) })
}

// periodOrder returns a text by which periods are in the order of time: the year comes first.
func periodOrder(period string) string {
	parts := strings.Split(period, "/")
	slices.Reverse(parts)
	return strings.Join(parts, "/")
}
