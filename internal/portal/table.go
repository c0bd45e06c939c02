package portal

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// Limits of the table in a page.
const (
	shownPeriods = 15     // unless the reader asks for all
	maxValues    = 10_000 // in a page; more are a file
)

// table is a table of the selection: areas, or series and areas, down; periods across.
type table struct {
	Caption string
	Periods []string
	Rows    []tableRow
	Flags   []flagName // that occur in the table
	Hidden  int        // earlier periods that are not shown
	All     string     // the address with all periods; empty: all are shown
	TooMany bool       // the selection has more values than a page shows
	HasGaps bool
}

// tableRow is one series.
type tableRow struct {
	Name  string
	Code  string // of the area
	Unit  string // if rows differ in unit
	Cells []cell
}

// cell is a value as the office published it.
type cell struct {
	Period string
	Text   string // as the page writes it; empty: there is none
	Flags  string

	number json.Number
}

// block is a part of the response of /data: the values of one series for several areas.
type block struct {
	Key       map[string]string `json:"series_key"`
	Countries []string
	Codes     map[string]struct{ Code string } `json:"country_codes"`
	Rows      []struct {
		Period string
		Unit   string
		Values map[string]json.Number
		Flags  map[string][]string
	}
}

// readTable reads the values of the selection.
func (p *page) readTable(c *datasetPage) (*table, error) {
	s := c.Selection
	t := &table{Caption: c.Described.Subtitle}
	query := s.query()
	var left available
	if err := p.read(s.api+"/availability", query, &left); err != nil {
		return nil, err
	}
	s.Values = left.Selection.Observations
	if s.Values > maxValues {
		t.TooMany = true
		return t, nil
	}
	query.Set("flags", "true")
	query.Set("codes", "true")
	query.Set("lang", p.lang.Code)
	var data struct{ Data []block }
	if err := p.read(s.api+"/data", query, &data); err != nil {
		return nil, err
	}
	t.fill(p.lang, data.Data)
	t.sort(s.Sort)
	if !s.asked.Has("all") && len(t.Periods) > shownPeriods {
		t.Hidden = len(t.Periods) - shownPeriods
		t.cut(t.Hidden)
		t.All = s.with("all", "true") + "#table"
	}
	t.findFlags(p.lang)
	return t, nil
}

// fill arranges the values of blocks in rows.
func (t *table) fill(l *language, blocks []block) {
	at := map[string]int{}
	for _, b := range blocks { // the periods of all, in their order
		for _, row := range b.Rows {
			if _, ok := at[row.Period]; !ok {
				at[row.Period] = 0
				t.Periods = append(t.Periods, row.Period)
			}
		}
	}
	slices.SortStableFunc(t.Periods, func(a, b string) int { return cmp.Compare(periodOrder(a), periodOrder(b)) })
	for i, period := range t.Periods {
		at[period] = i
	}
	names := varyingNames(blocks)
	units := map[string]bool{}
	for i, b := range blocks {
		first := len(t.Rows)
		for _, area := range b.Countries {
			row := tableRow{Name: strings.Join(append(slices.Clone(names[i]), area), ", "), Code: b.Codes[area].Code, Cells: make([]cell, len(t.Periods))}
			for k, period := range t.Periods {
				row.Cells[k].Period = period
			}
			t.Rows = append(t.Rows, row)
		}
		for _, row := range b.Rows {
			for j, area := range b.Countries {
				one := &t.Rows[first+j].Cells[at[row.Period]]
				one.Flags = strings.ToLower(strings.Join(row.Flags[area], " "))
				if value, ok := row.Values[area]; ok {
					one.number, one.Text = value, l.number(value.String())
				}
			}
			if len(b.Countries) > 0 {
				t.Rows[first].Unit = cmp.Or(t.Rows[first].Unit, row.Unit)
				units[row.Unit] = true
			}
		}
		for j := range b.Countries {
			t.Rows[first+j].Unit = t.Rows[first].Unit
		}
	}
	if len(units) < 2 {
		for i := range t.Rows {
			t.Rows[i].Unit = ""
		}
	}
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
	at := slices.Index(t.Periods, period)
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

// cut leaves out the first n periods.
func (t *table) cut(n int) {
	t.Periods = t.Periods[n:]
	for i := range t.Rows {
		t.Rows[i].Cells = t.Rows[i].Cells[n:]
	}
}

// flagName is a flag and what it means.
type flagName struct{ Flag, Name string }

// findFlags lists the flags and gaps of the table, which the page explains below it.
func (t *table) findFlags(l *language) {
	seen := map[string]bool{}
	for _, row := range t.Rows {
		for _, one := range row.Cells {
			t.HasGaps = t.HasGaps || one.Text == ""
			for flag := range strings.FieldsSeq(one.Flags) {
				if !seen[flag] {
					seen[flag] = true
					t.Flags = append(t.Flags, flagName{flag, l.flag(flag)})
				}
			}
		}
	}
	slices.SortFunc(t.Flags, func(a, b flagName) int { return cmp.Compare(a.Flag, b.Flag) })
}

// flag returns what a flag means, or the flag itself if it is one of the source only.
func (l *language) flag(flag string) string {
	if _, ok := l.texts["flag."+flag]; ok {
		return l.text("flag." + flag)
	}
	return flag
}

// periodOrder returns a text by which periods are in the order of time: the year comes first.
func periodOrder(period string) string {
	parts := strings.Split(period, "/")
	slices.Reverse(parts)
	return strings.Join(parts, "/")
}

// sortAddress is the address of the page with the table sorted by a column, or the other way
// round if it is sorted by it.
func (s *selection) sortAddress(by string) string {
	if s.Sort == "-"+by {
		return s.with("sort", by) + "#table"
	}
	return s.with("sort", "-"+by) + "#table"
}

// SortBy is sortAddress, for templates.
func (s *selection) SortBy(by string) string { return s.sortAddress(by) }

// parameters writes parameters as an address has them, in the order of filters.
func parameters(query url.Values) string {
	var parts []string
	for _, name := range append(slices.Clone(filters), "type", "labels", "layout") {
		for _, value := range query[name] {
			parts = append(parts, name+"="+url.QueryEscape(value))
		}
	}
	return strings.Join(parts, "&")
}
