package table

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// plan says where a table begins and in which column of a row each thing stands;
// -1 where it has none.
type plan struct {
	headings          headings
	at                stat.Position // of the headings
	above             [][]string    // the rows before
	axes              []axisColumns
	period            int
	parts             []int
	cells             []cell
	flags             []flagColumn
	notes             []int
	unit, code, name  int
	nameless          []int // columns without heading and use, whose cells must be empty
	measure, estimate int   // places of these dimensions among the axes; -1: there is none
	ofPeriod          int   // the place of the dimension whose code is the period's frequency; -1: there is none
	dimensions        []stat.Dimension
	measures          []stat.Code                     // the codes of the columns of values
	means             func(string) (stat.Flags, bool) // of flags that stand beside values
}

type axisColumns struct {
	*Axis
	codes, labels int
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
	period            stat.Period // in a wide table; the zero one where the heading only looks like one
	isBound           bool        // without a number there is nothing to say
}

// planner finds the columns of a mapping.
type planner struct {
	*Mapping
	plan     plan
	isUsed   map[int]bool
	required []string // the names of columns that a file may not lack
	missing  []string // those of them that this one lacks
	err      error    // the first
}

// newPlanner finds the columns that the mapping names. start is a plan that says
// where the table begins, and no more.
func newPlanner(m *Mapping, start plan) *planner {
	p := &planner{Mapping: m, plan: start, isUsed: map[int]bool{}}
	p.plan.measure, p.plan.estimate, p.plan.ofPeriod = -1, -1, -1
	p.plan.period = p.column(m.Period.Column)
	p.plan.unit = p.column(m.Unit)
	p.plan.code, p.plan.name = p.column(m.Code), p.column(m.Name)
	p.plan.parts = p.columns(m.Period.Parts)
	p.findAxes()
	p.findValues()
	p.findFlags()
	p.plan.notes = p.columns(m.Notes)
	return p
}

// finish accounts for the columns that the mapping does not name, and makes the
// dimensions of columns of values.
func (p *planner) finish(periods *Periods) (plan, error) {
	p.ignore()
	p.useOthers(periods)
	p.addColumnDimensions()
	if p.err != nil {
		return plan{}, stat.BadFile(p.plan.at, "%v", p.err)
	}
	return p.plan, nil
}

// fail keeps the first error of planning.
func (p *planner) fail(text string, args ...any) {
	p.err = cmp.Or(p.err, fmt.Errorf(text, args...))
}

// column finds a column that the mapping names.
func (p *planner) column(name string) int {
	at, isMissing, err := p.plan.headings.find(name)
	p.err = cmp.Or(p.err, err)
	if name != "" && !strings.HasSuffix(name, "?") {
		p.required = append(p.required, name)
	}
	if isMissing {
		p.missing = append(p.missing, name)
	}
	if at >= 0 {
		p.isUsed[at] = true
	}
	return at
}

// columns finds those of several columns that are there.
func (p *planner) columns(names []string) (found []int) {
	for _, name := range names {
		if at := p.column(name); at >= 0 {
			found = append(found, at)
		}
	}
	return found
}

// findFlags finds the columns of flags, and what those beside values mean.
func (p *planner) findFlags() {
	meaning := func(f Flag) func(string) (stat.Flags, bool) {
		if f.Means != nil {
			return f.Means
		}
		return func(cell string) (stat.Flags, bool) { return office.Status(p.Dataset.Source.ID, "", cell) }
	}
	p.plan.means = meaning(Flag{})
	if len(p.Flags) > 0 {
		p.plan.means = meaning(p.Flags[0])
	}
	for _, f := range p.Flags {
		if at := p.column(f.Column); at >= 0 {
			p.plan.flags = append(p.plan.flags, flagColumn{at, meaning(f)})
		}
	}
}

// findAxes finds the columns of the dimensions.
func (p *planner) findAxes() {
	for i := range p.Axes {
		a := &p.Axes[i]
		columns := axisColumns{a, p.column(a.Codes), p.column(a.Labels)}
		if columns.codes < 0 {
			columns.codes, columns.labels = columns.labels, -1
		}
		if columns.codes < 0 && !a.OfPeriod {
			continue // a dimension that this file lacks
		}
		if a.OfPeriod {
			p.plan.ofPeriod = len(p.plan.axes)
		}
		var codes, labels string // the headings
		if columns.codes >= 0 {
			codes = p.plan.headings[columns.codes]
		}
		if columns.labels >= 0 {
			labels = p.plan.headings[columns.labels]
		}
		p.plan.axes = append(p.plan.axes, columns)
		p.plan.dimensions = append(p.plan.dimensions, stat.Dimension{
			ID:    cmp.Or(a.ID, codes, labels, p.plan.headings.name(max(columns.codes, 0))),
			Label: cmp.Or(a.Label, labels, codes), Role: a.Role,
		})
	}
}

// findValues finds the columns of values that the mapping lists.
func (p *planner) findValues() {
	for _, v := range p.Values {
		p.addValue(v, p.column(v.Column))
	}
}

// addValue plans one column of values with its bounds.
func (p *planner) addValue(v Value, at int) {
	bounds := []int{p.column(v.Lower), p.column(v.Upper)}
	c := cell{column: at, measure: int32(len(p.plan.measures)), flag: p.column(v.Flag), note: -1}
	if at < 0 {
		return
	}
	p.plan.cells = append(p.plan.cells, c)
	for i, bound := range bounds {
		if bound >= 0 {
			c.column, c.estimate, c.isBound = bound, int32(i+1), true
			p.plan.cells = append(p.plan.cells, c)
			p.plan.estimate = 0 // there is one; its place comes later
		}
	}
	heading := p.plan.headings.name(at)
	p.plan.measures = append(p.plan.measures, stat.Code{ID: cmp.Or(v.Code, heading), Label: cmp.Or(v.Label, heading), Unit: v.Unit})
}

// ignore marks the columns that are not to be used.
func (p *planner) ignore() {
	for _, name := range p.Ignore {
		if name == "*" {
			continue
		}
		at, _, err := p.plan.headings.find(name)
		if at >= 0 {
			p.isUsed[at] = true
		}
		if err != nil { // several of that name: all are meant
			for i, heading := range p.plan.headings {
				p.isUsed[i] = p.isUsed[i] || strings.EqualFold(heading, strings.TrimSpace(name))
			}
		}
	}
}

// useOthers accounts for the columns that the mapping does not name: periods of
// a wide table, values, columns without a heading, or an error.
func (p *planner) useOthers(periods *Periods) {
	cells := map[string]int{} // of the columns of periods, by their headings
	var unknown []string
	for at, heading := range p.plan.headings {
		switch {
		case p.isUsed[at]:
			continue
		case heading == "":
			p.plan.nameless = append(p.plan.nameless, at)
			continue
		case p.Period.Wide && p.usePeriod(at, periods, cells):
			continue
		}
		if p.Other != nil {
			if v, ok := p.Other(heading); ok {
				p.addValue(v, at)
				continue
			}
		}
		unknown = append(unknown, heading)
	}
	if len(unknown) > 0 && !slices.Contains(p.Ignore, "*") {
		p.fail("nothing says what the column %s is for: it is neither used nor ignored", quoted(unknown))
	}
	if p.Period.Wide && len(p.plan.cells) == 0 {
		p.fail("no heading is a period; they are %s", quoted(p.plan.headings))
	}
}

// usePeriod plans a column whose heading is a period, or belongs to one; false if
// it is neither.
func (p *planner) usePeriod(at int, periods *Periods, cells map[string]int) bool {
	heading := p.plan.headings[at]
	if p.Period.Beside != nil {
		of, what := p.Period.Beside(heading)
		if i, ok := cells[strings.ToLower(of)]; ok && what != Nothing {
			if what == BesideFlag {
				p.plan.cells[i].flag = at
			} else {
				p.plan.cells[i].note = at
			}
			return true
		}
	}
	period, err := periods.Read(heading)
	if err != nil {
		var clash *YearClash
		if errors.As(err, &clash) {
			p.fail("%v", err)
		}
		return false
	}
	for _, other := range p.plan.cells {
		if !period.IsZero() && other.period == period {
			p.fail("columns %d and %d are both of the period %s", other.column+1, at+1, period)
		}
	}
	cells[strings.ToLower(heading)] = len(p.plan.cells)
	p.plan.cells = append(p.plan.cells, cell{column: at, flag: -1, note: -1, period: period})
	return true
}

// addColumnDimensions appends the dimensions that tell columns of values apart.
func (p *planner) addColumnDimensions() {
	measures := p.plan.measures
	if !p.Period.Wide && len(measures) == 0 {
		p.fail("there is no column of values; the headings are %s", quoted(p.plan.headings))
	}
	if len(measures) > 1 {
		dim := p.Measures
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
	seen := map[string]bool{}
	for _, c := range measures {
		if seen[c.ID] {
			p.fail("two columns of values are called %q", c.ID)
		}
		seen[c.ID] = true
	}
	clear(seen)
	for _, dim := range p.plan.dimensions {
		id := strings.ToLower(dim.ID)
		if seen[id] {
			p.fail("two dimensions are called %q; the column of one is to be mapped to it only", dim.ID)
		}
		seen[id] = true
	}
}
