package table

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// plan says in which column of a row each thing stands; -1 where it has none.
type plan struct {
	axes              []axisColumns
	period            int
	parts             []int
	cells             []cell
	flags             []flagColumn
	notes             []int
	unit, code, name  int
	nameless          []int  // columns without heading and use, whose cells must be empty
	measure, estimate int    // places of these dimensions among the axes; -1: there is none
	ofPeriod          int    // the place of the dimension whose code is the period's frequency; -1: there is none
	dataUnit          string // of the only column of values
	dimensions        []stat.Dimension
	means             func(string) (stat.Flags, bool) // of flags that stand beside values
}

type axisColumns struct {
	*Axis
	codes, labels, units int
}

type flagColumn struct {
	column int
	means  func(string) (stat.Flags, bool)
}

// cell is a column of values.
type cell struct {
	column            int
	measure, estimate int32
	flag, note        int
	// In a wide table: the period, or that the heading only looks like one.
	period  stat.Period
	undated bool
	bound   bool // a lower or upper bound: without a number there is nothing to say
}

// planner finds the columns of a mapping.
type planner struct {
	m    *Mapping
	h    headings
	used map[int]bool
	err  error
	plan plan
}

// newPlan finds the columns that the mapping names, and accounts for all others.
func newPlan(f found, c *caches) (plan, error) {
	p := planner{m: f.mapping, h: f.headings, used: map[int]bool{}}
	p.plan = plan{period: p.column(p.m.Period.Column), unit: p.column(p.m.Unit), code: p.column(p.m.Code), name: p.column(p.m.Name), measure: -1, estimate: -1, ofPeriod: -1}
	for _, name := range p.m.Period.Parts {
		if at := p.column(name); at >= 0 {
			p.plan.parts = append(p.plan.parts, at)
		}
	}
	for _, f := range p.m.Flags {
		if at := p.column(f.Column); at >= 0 {
			p.plan.flags = append(p.plan.flags, flagColumn{at, p.meaning(f)})
		}
	}
	p.plan.means = p.meaning(Flag{})
	if len(p.m.Flags) > 0 {
		p.plan.means = p.meaning(p.m.Flags[0])
	}
	for _, name := range p.m.Notes {
		if at := p.column(name); at >= 0 {
			p.plan.notes = append(p.plan.notes, at)
		}
	}
	p.axes()
	measures := p.values()
	p.ignore()
	measures = append(measures, p.others(c)...)
	p.derived(measures)
	if p.err != nil {
		return plan{}, stat.BadFile(f.at, "%v", p.err)
	}
	return p.plan, nil
}

// column finds a column that the mapping names.
func (p *planner) column(name string) int {
	at, _, err := p.h.find(name)
	if p.err == nil {
		p.err = err
	}
	if at >= 0 {
		p.used[at] = true
	}
	return at
}

func (p *planner) meaning(f Flag) func(string) (stat.Flags, bool) {
	if f.Means != nil {
		return f.Means
	}
	source := p.m.Dataset.Source.ID
	return func(cell string) (stat.Flags, bool) { return office.Status(source, "", cell) }
}

// axes finds the columns of the dimensions.
func (p *planner) axes() {
	for i := range p.m.Axes {
		a := &p.m.Axes[i]
		columns := axisColumns{a, p.column(a.Codes), p.column(a.Labels), p.column(a.Units)}
		if columns.codes < 0 {
			columns.codes, columns.labels = columns.labels, -1
		}
		if columns.codes < 0 && a.Constant == "" && !a.OfPeriod {
			continue // a dimension that this file lacks
		}
		if a.OfPeriod {
			p.plan.ofPeriod = len(p.plan.axes)
		}
		var codes, labels string // the headings
		if columns.codes >= 0 {
			codes = p.h[columns.codes]
		}
		if columns.labels >= 0 {
			labels = p.h[columns.labels]
		}
		dim := stat.Dimension{
			ID:    cmp.Or(a.ID, codes, labels, p.h.name(max(columns.codes, 0))),
			Label: cmp.Or(a.Label, labels, codes), Role: a.Role, Total: a.Total, Codes: slices.Clone(a.List),
		}
		if dim.Role == "" {
			dim.Role = assemble.RoleOf(dim.ID)
		}
		p.plan.axes = append(p.plan.axes, columns)
		p.plan.dimensions = append(p.plan.dimensions, dim)
	}
}

// values plans the columns of values that the mapping lists.
func (p *planner) values() []stat.Code {
	var measures []stat.Code
	for _, v := range p.m.Values {
		if at := p.column(v.Column); at >= 0 {
			measures = append(measures, p.value(v, at, int32(len(measures))))
		}
	}
	return measures
}

// value plans one column of values with its bounds.
func (p *planner) value(v Value, at int, measure int32) stat.Code {
	c := cell{column: at, measure: measure, flag: p.column(v.Flag), note: -1}
	p.used[at] = true
	p.plan.cells = append(p.plan.cells, c)
	for i, name := range []string{v.Lower, v.Upper} {
		if bound := p.column(name); bound >= 0 {
			c.column, c.estimate, c.bound = bound, int32(i+1), true
			p.plan.cells = append(p.plan.cells, c)
			p.plan.estimate = 0 // there is one; its place comes later
		}
	}
	heading := p.h.name(at)
	return stat.Code{ID: cmp.Or(v.Code, heading), Label: cmp.Or(v.Label, heading), Unit: v.Unit}
}

// ignore marks the columns that are not to be used.
func (p *planner) ignore() {
	for _, name := range p.m.Ignore {
		if name == "*" {
			continue
		}
		at, _, err := p.h.find(name)
		if err != nil { // several of that name: all are meant
			for i, heading := range p.h {
				p.used[i] = p.used[i] || strings.EqualFold(heading, strings.TrimSpace(name))
			}
		}
		if at >= 0 {
			p.used[at] = true
		}
	}
}

// others accounts for the columns that the mapping does not name: periods of
// a wide table, values, columns without a heading, or an error.
func (p *planner) others(c *caches) []stat.Code {
	var measures []stat.Code
	periods := map[string]int{} // heading of a period's column → its cell
	var unknown []string
	for at, heading := range p.h {
		if p.used[at] {
			continue
		}
		if heading == "" {
			p.plan.nameless = append(p.plan.nameless, at)
			continue
		}
		if p.m.Period.Wide && p.wide(c, at, periods) {
			continue
		}
		if p.m.Other != nil {
			if v, ok := p.m.Other(heading); ok {
				measures = append(measures, p.value(v, at, int32(len(p.m.Values)+len(measures))))
				continue
			}
		}
		if !slices.Contains(p.m.Ignore, "*") {
			unknown = append(unknown, heading)
		}
	}
	if len(unknown) > 0 {
		p.fail("nothing says what the column %s is for: it is neither used nor ignored", quoted(unknown))
	}
	if p.m.Period.Wide && len(p.plan.cells) == 0 {
		p.fail("no heading is a period; they are %s", quoted(p.h))
	}
	return measures
}

// wide plans a column whose heading is a period, or belongs to one; false if
// it is neither.
func (p *planner) wide(c *caches, at int, periods map[string]int) bool {
	heading := p.h[at]
	if p.m.Period.Beside != nil {
		of, what := p.m.Period.Beside(heading)
		if i, ok := periods[strings.ToLower(of)]; ok && what != Nothing {
			if what == BesideFlag {
				p.plan.cells[i].flag = at
			} else {
				p.plan.cells[i].note = at
			}
			return true
		}
	}
	period, undated, err := c.period(p.m, heading)
	if err != nil {
		var clash *periodClash
		if errors.As(err, &clash) {
			p.fail("%v", err)
		}
		return false
	}
	for _, other := range p.plan.cells {
		if !undated && !other.undated && other.period == period {
			p.fail("columns %d and %d are both of the period %s", other.column+1, at+1, period)
		}
	}
	periods[strings.ToLower(heading)] = len(p.plan.cells)
	p.plan.cells = append(p.plan.cells, cell{column: at, flag: -1, note: -1, period: period, undated: undated})
	return true
}

// derived appends the dimensions that stand for columns of values.
func (p *planner) derived(measures []stat.Code) {
	if !p.m.Period.Wide && len(measures) == 0 {
		p.fail("there is no column of values; the headings are %s", quoted(p.h))
	}
	for i, m := range measures {
		if slices.ContainsFunc(measures[:i], func(other stat.Code) bool { return other.ID == m.ID }) {
			p.fail("two columns of values are called %q", m.ID)
		}
	}
	if len(measures) == 1 {
		p.plan.dataUnit = measures[0].Unit
	}
	if len(measures) > 1 {
		dim := p.m.Measures
		if dim.ID == "" {
			dim = assemble.Indicators(nil)
		}
		dim.Codes = measures
		dim.Role = cmp.Or(dim.Role, stat.RoleOther)
		p.plan.measure = len(p.plan.dimensions)
		p.plan.dimensions = append(p.plan.dimensions, dim)
	}
	if p.plan.estimate >= 0 {
		p.plan.estimate = len(p.plan.dimensions)
		p.plan.dimensions = append(p.plan.dimensions, assemble.Estimates())
	}
	p.unique(measures)
}

// unique holds the mapping to one column for an indicator, and one dimension
// for an ID.
func (p *planner) unique(measures []stat.Code) {
	seen := map[string]bool{}
	for _, c := range measures {
		if seen[c.ID] {
			p.fail("two columns of values are called %q", c.ID)
		}
		seen[c.ID] = true
	}
	seen = map[string]bool{}
	for _, dim := range p.plan.dimensions {
		if seen[strings.ToLower(dim.ID)] {
			p.fail("two dimensions are called %q; the column of one is to be mapped to it only", dim.ID)
		}
		seen[strings.ToLower(dim.ID)] = true
	}
}
