package table

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/stat"
)

// plan says where a table begins and which column holds what; -1 is no column.
type plan struct {
	headings          headings
	at                stat.Position // of the headings
	above             [][]string    // the rows before
	axes              []axisColumns
	periods           []int
	cells             []cell
	flags             []flagColumn
	notes             []int
	unit, code, name  int
	nameless          []int // unused columns without a heading, whose cells must be empty
	measure, estimate int   // positions of these dimensions among the axes; -1: there is none
	ofPeriod          int   // position of the dimension of the period's frequency; -1: there is none
	dimensions        []stat.Dimension
	measures          []stat.Code                     // the codes of the columns of values
	means             func(string) (stat.Flags, bool) // of flags beside the values of a wide table
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
	period            stat.Period // in a wide table; zero if the heading only looks like a period
	isBound           bool        // flags and notes apply to it only if it has a number
}

// planner finds the columns of a mapping.
type planner struct {
	*Mapping
	plan     plan
	isUsed   map[int]bool
	required []string // the columns that a file must have
	missing  []string // those of them that this one lacks
	err      error    // the first
}

// newPlanner finds the columns that the mapping names. start says where the
// table begins.
func newPlanner(m *Mapping, start plan) *planner {
	p := &planner{Mapping: m, plan: start, isUsed: map[int]bool{}}
	p.plan.measure, p.plan.estimate, p.plan.ofPeriod = -1, -1, -1
	p.plan.periods = p.columns(m.Period.Columns)
	p.plan.unit = p.column(m.Unit)
	p.plan.code, p.plan.name = p.column(m.Code), p.column(m.Name)
	for i := range m.Axes {
		p.addAxis(&m.Axes[i])
	}
	for _, v := range m.Values {
		p.addValue(v, p.column(v.Column))
	}
	p.findFlags()
	p.plan.notes = p.columns(m.Notes)
	return p
}

// finish accounts for the columns that the mapping does not name, and adds the
// dimensions of the columns of values.
func (p *planner) finish(periods *Periods) (plan, error) {
	p.useOthers(periods)
	p.addColumnDimensions()
	if p.err != nil {
		return plan{}, stat.BadFile(p.plan.at, "%v", p.err)
	}
	return p.plan, nil
}

// fail keeps the first error.
func (p *planner) fail(text string, args ...any) {
	p.err = cmp.Or(p.err, fmt.Errorf(text, args...))
}

func (p *planner) column(name string) int {
	at, err := p.plan.headings.find(name)
	p.err = cmp.Or(p.err, err)
	if at >= 0 {
		p.isUsed[at] = true
	}
	if name != "" && !strings.HasSuffix(name, "?") {
		p.required = append(p.required, name)
		if at < 0 && err == nil {
			p.missing = append(p.missing, name)
		}
	}
	return at
}

// columns finds those of the columns that the file has.
func (p *planner) columns(names []string) (found []int) {
	for _, name := range names {
		if at := p.column(name); at >= 0 {
			found = append(found, at)
		}
	}
	return found
}

func (p *planner) findFlags() {
	flags := p.Flags
	if len(flags) == 0 {
		flags = []Flag{{}}
	}
	for i, f := range flags {
		if f.Means == nil {
			f.Means = func(cell string) (stat.Flags, bool) { return office.Status(p.Dataset.Source.ID, "", cell) }
		}
		f.Means = remember(f.Means)
		if i == 0 {
			p.plan.means = f.Means
		}
		if at := p.column(f.Column); at >= 0 {
			p.plan.flags = append(p.plan.flags, flagColumn{at, f.Means})
		}
	}
}

// addAxis plans a dimension, unless the file lacks it.
func (p *planner) addAxis(a *Axis) {
	columns := axisColumns{a, p.column(a.Codes), p.column(a.Labels)}
	if columns.codes < 0 {
		columns.codes, columns.labels = columns.labels, -1
	}
	var codes, labels string // the headings
	if columns.codes >= 0 {
		codes = p.plan.headings[columns.codes]
	}
	if columns.labels >= 0 {
		labels = p.plan.headings[columns.labels]
	}
	switch {
	case a.OfPeriod:
		p.plan.ofPeriod = len(p.plan.axes)
	case columns.codes < 0:
		return
	}
	p.plan.axes = append(p.plan.axes, columns)
	p.plan.dimensions = append(p.plan.dimensions, stat.Dimension{
		ID:    cmp.Or(a.ID, codes, labels, p.plan.headings.name(max(columns.codes, 0))),
		Label: cmp.Or(a.Label, labels, codes), Role: a.Role,
	})
}

// addValue plans a column of values with its bounds.
func (p *planner) addValue(v Value, at int) {
	bounds := []int{p.column(v.Lower), p.column(v.Upper)}
	if at < 0 {
		return
	}
	c := cell{column: at, measure: int32(len(p.plan.measures)), flag: -1, note: -1}
	p.plan.cells = append(p.plan.cells, c)
	for i, bound := range bounds {
		if bound >= 0 {
			c.column, c.estimate, c.isBound = bound, int32(i+1), true
			p.plan.cells = append(p.plan.cells, c)
			p.plan.estimate = 0 // addColumnDimensions sets the position
		}
	}
	heading := p.plan.headings.name(at)
	if slices.ContainsFunc(p.plan.measures, func(c stat.Code) bool { return c.ID == heading }) {
		p.fail("two columns of values have the heading %q", heading)
	}
	p.plan.measures = append(p.plan.measures, stat.Code{ID: heading, Label: cmp.Or(v.Label, heading), Unit: v.Unit})
}

func (p *planner) ignores(at int) bool {
	return slices.ContainsFunc(p.Ignore, func(name string) bool {
		return strings.EqualFold(strings.TrimSpace(name), p.plan.headings[at]) || name == "#"+strconv.Itoa(at+1)
	})
}

// useOthers accounts for the columns that the mapping does not name: periods of
// a wide table, values, columns without a heading, or an error.
func (p *planner) useOthers(periods *Periods) {
	cells := map[string]int{} // of the columns of periods, by their headings
	var unknown []string
	for at, heading := range p.plan.headings {
		switch {
		case p.isUsed[at] || p.ignores(at):
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
		reason := ""
		if p.Period.Wide {
			reason = ", whose heading is not a period"
		}
		p.fail("the mapping neither uses nor ignores the column %s%s", quoted(unknown), reason)
	}
	if p.Period.Wide && len(p.plan.cells) == 0 {
		p.fail("no heading is a period; the headings are %s", quoted(p.plan.headings))
	}
}

// usePeriod plans a column whose heading is a period, or that belongs to one; it
// returns false for any other.
func (p *planner) usePeriod(at int, periods *Periods, cells map[string]int) bool {
	heading := p.plan.headings[at]
	if p.Period.Beside != nil {
		flagsOf, notesOf := p.Period.Beside(heading)
		if i, ok := cells[strings.ToLower(flagsOf)]; ok {
			p.plan.cells[i].flag = at
			return true
		}
		if i, ok := cells[strings.ToLower(notesOf)]; ok {
			p.plan.cells[i].note = at
			return true
		}
	}
	period, err := periods.Read(heading)
	if err != nil {
		if clash, isClash := err.(yearClash); isClash {
			p.fail("%v", clash)
		}
		return false
	}
	for _, other := range p.plan.cells {
		if !period.IsZero() && other.period == period {
			p.fail("columns %d and %d both have the period %s", other.column+1, at+1, period)
		}
	}
	cells[strings.ToLower(heading)] = len(p.plan.cells)
	p.plan.cells = append(p.plan.cells, cell{column: at, flag: -1, note: -1, period: period})
	return true
}

// addColumnDimensions appends the dimensions that distinguish columns of values.
func (p *planner) addColumnDimensions() {
	measures := p.plan.measures
	if !p.Period.Wide && len(measures) == 0 {
		p.fail("the table has no column of values; the headings are %s", quoted(p.plan.headings))
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
	for _, dim := range p.plan.dimensions {
		id := strings.ToLower(dim.ID)
		if seen[id] {
			p.fail("two dimensions have the ID %q; use its column for one of them only", dim.ID)
		}
		seen[id] = true
	}
}
