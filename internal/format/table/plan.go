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
	*Mapping
	headings          headings
	at                stat.Position // of the headings
	above             [][]string    // the rows before
	axes              []axisColumns
	periods           []int
	cells             []cell
	flags             []flagColumn
	notes, attributes []int
	remarks           []int // the columns of [Mapping.Remarks]
	unit, code, name  int
	nameless          []int // unused columns without a heading, whose cells must be empty
	measure, estimate int   // positions of these dimensions among the axes; -1: there is none
	unitsDiffer       bool  // headings of values state multipliers of the units in a column
	ofPeriod          int   // position of the dimension of the period's frequency; -1: there is none
	columnsAt         int   // position of the first of [Mapping.Columns]
	dimensions        []stat.Dimension
	measures          []stat.Code                     // the codes of the columns of values
	means             func(string) (stat.Flags, bool) // of flags beside the values of a wide table

	isUsed   map[int]bool
	required []string // the columns that a file must have
	missing  []string // those of them that this one lacks
	err      error    // the first
}

type axisColumns struct {
	*Axis
	codes, labels int
	others        []int // columns of the code where codes is empty
}

type flagColumn struct {
	column int
	means  func(string) (stat.Flags, bool)
}

type cell struct {
	column            int
	measure, estimate int32
	flag, note        int
	period            stat.Period // in a wide table; zero if the heading only looks like a period
	part              string      // of the period, beside that in the row
	codes             []stat.Code // in [Mapping.Columns]
	positions         []int32     // of these codes
	frequency         stat.Frequency
	remark            string // on each value
	unit              string // of each value, unless a code has it
	multiplier        string // of its unit, that the heading states
	isBound           bool   // flags and notes apply to it only if it has a number
}

// newPlan finds the columns that the mapping names.
func newPlan(m *Mapping, h headings, at stat.Position, above [][]string) *plan {
	p := &plan{Mapping: m, headings: h, at: at, above: above, measure: -1, estimate: -1, ofPeriod: -1, isUsed: map[int]bool{}}
	p.periods = p.columns(m.Period.Columns)
	p.unit = p.column(m.Unit)
	p.code, p.name = p.column(m.Code), p.column(m.Name)
	for i := range m.Axes {
		p.addAxis(&m.Axes[i])
	}
	for _, v := range m.Values {
		p.addValue(v, p.column(v.Column), stat.Period{})
	}
	p.findFlags()
	p.notes, p.attributes = p.columns(m.Notes), p.columns(m.Attributes)
	for _, r := range m.Remarks {
		p.remarks = append(p.remarks, p.column(r.Column))
	}
	return p
}

// finish accounts for the other columns, and adds the dimensions of the columns of
// values. The headings are the last of the rows.
func (p *plan) finish(periods *Periods, rows Rows) error {
	p.useOthers(periods, rows)
	p.addRemarks()
	if p.Period.Wide && len(p.Values) > 0 {
		p.fail("the column %q has no period: in a table with periods as headings, all values are in their columns", p.Values[0].Column)
	}
	p.unitsDiffer = slices.ContainsFunc(p.cells, func(c cell) bool { return c.multiplier != "" })
	p.addColumnDimensions()
	return p.err
}

func (p *plan) fail(text string, args ...any) {
	p.err = cmp.Or(p.err, fmt.Errorf(text, args...))
}

func (p *plan) column(name string) int {
	at, err := p.headings.find(name)
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

func (p *plan) columns(names []string) (found []int) {
	for _, name := range names {
		if at := p.column(name); at >= 0 {
			found = append(found, at)
		}
	}
	return found
}

func (p *plan) findFlags() {
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
			p.means = f.Means
		}
		if at := p.column(f.Column); at >= 0 {
			p.flags = append(p.flags, flagColumn{at, f.Means})
		}
	}
}

func (p *plan) addAxis(a *Axis) {
	columns := axisColumns{a, p.column(a.Codes), p.column(a.Labels), p.columns(a.Else)}
	if columns.codes < 0 {
		columns.codes, columns.labels = columns.labels, -1
	}
	var codes, labels string // the headings
	if columns.codes >= 0 {
		codes = p.headings[columns.codes]
	}
	if columns.labels >= 0 {
		labels = p.headings[columns.labels]
	}
	switch {
	case a.OfPeriod:
		p.ofPeriod = len(p.axes)
	case columns.codes < 0:
		return
	}
	p.axes = append(p.axes, columns)
	p.dimensions = append(p.dimensions, stat.Dimension{
		ID:    cmp.Or(a.ID, codes, labels, p.headings.name(max(columns.codes, 0))),
		Label: cmp.Or(a.Label, labels, codes), Role: a.Role, Codes: slices.Clone(a.List),
	})
}

func (p *plan) addValue(v Value, at int, period stat.Period) {
	bounds := []int{p.column(v.Lower), p.column(v.Upper)}
	flag, note, unit := p.column(v.Flag), p.column(v.Note), ""
	if at < 0 {
		return
	}
	code, multiplier := cmp.Or(v.Code, p.headings.name(at)), p.multiplierIn(p.headings[at])
	measure := slices.IndexFunc(p.measures, func(c stat.Code) bool { return c.ID == code })
	switch {
	case v.Codes != nil:
		measure, unit = at, v.Unit // the codes of the column
	case measure < 0:
		measure = len(p.measures)
		p.measures = append(p.measures, stat.Code{ID: code, Label: cmp.Or(v.Label, code), Unit: multiplied(v.Unit, multiplier)})
	case period.IsZero() && v.Part == "":
		p.fail("two columns of values have the heading %q", code)
	}
	for _, other := range p.cells {
		if !period.IsZero() && other.measure == int32(measure) && other.period == period {
			p.fail("columns %d and %d both hold %q in %s", other.column+1, at+1, code, period)
		}
	}
	p.addCell(cell{column: at, measure: int32(measure), flag: flag, note: note, period: period, part: v.Part, codes: v.Codes, frequency: v.Frequency, remark: v.Remark, unit: unit, multiplier: multiplier}, bounds)
}

// addCell adds a column of values and the columns of its bounds.
func (p *plan) addCell(c cell, bounds []int) {
	p.cells = append(p.cells, c)
	for i, bound := range bounds {
		if bound >= 0 {
			c.column, c.estimate, c.isBound = bound, int32(i+1), true
			p.cells = append(p.cells, c)
			p.estimate = 0 // addColumnDimensions sets the position
		}
	}
}

// boundsOf returns the columns of the bounds of a column that the mapping does not name.
func (p *plan) boundsOf(heading string) []int {
	if p.Bounds == nil {
		return nil
	}
	lower, upper := p.Bounds(heading)
	return []int{p.column(lower), p.column(upper)}
}

// hasRowPeriod reports whether a cell has the period of its row alone.
func (p *plan) hasRowPeriod() bool {
	return !p.Period.Wide && slices.ContainsFunc(p.cells, func(c cell) bool { return c.part == "" && c.period.IsZero() })
}

// statesFrequencies reports whether the file states frequencies of columns.
func (p *plan) statesFrequencies() bool {
	return slices.ContainsFunc(p.cells, func(c cell) bool { return c.frequency != 0 })
}

func (p *plan) ignores(at int) bool {
	return slices.ContainsFunc(p.Ignore, func(name string) bool {
		return strings.EqualFold(strings.TrimSpace(name), p.headings[at]) || name == "#"+strconv.Itoa(at+1)
	})
}

// isComplete reports whether a row lacks no cell that has a heading.
func (p *plan) isComplete(row []string) bool {
	return len(row) >= len(p.headings) || !slices.ContainsFunc(p.headings[len(row):], isNamed)
}

func isNamed(heading string) bool { return heading != "" }

// useOthers uses the columns that the mapping does not name as periods of a wide
// table or as values. A column with a heading that is neither is an error.
func (p *plan) useOthers(periods *Periods, rows Rows) {
	cells := map[string]int{} // of the columns of periods, by their headings
	var unknown []string
	var first stat.Position // of the unknown columns
	for at, heading := range p.headings {
		switch {
		case p.isUsed[at] || p.ignores(at):
			continue
		case heading == "":
			p.nameless = append(p.nameless, at)
			continue
		case p.Period.Wide && p.usePeriod(at, periods, cells):
			continue
		}
		if p.Other != nil {
			if v, ok := p.Other(heading); ok {
				p.addOther(v, at, periods)
				continue
			}
		}
		unknown, first = append(unknown, heading), cmp.Or(first, rows.At(at))
	}
	if len(unknown) > 0 && !slices.Contains(p.Ignore, "*") {
		text := "unknown column %s: "
		if p.Period.Wide {
			text += "its heading is not a period, and "
		}
		p.err = cmp.Or(p.err, stat.BadFile(first, text+"what it means is neither known nor stated", quoted(unknown)))
	}
	if p.Period.Wide && len(p.cells) == 0 {
		p.fail("no heading is a period; the headings are %s", quoted(p.headings))
	}
}

// addOther adds a column of values that Other accepts.
func (p *plan) addOther(v Value, at int, periods *Periods) {
	if p.Bounds != nil {
		v.Lower, v.Upper = p.Bounds(p.headings[at])
	}
	var period stat.Period
	if v.Period != "" {
		var err error
		if period, err = periods.Read(v.Period); err != nil {
			p.fail("the heading %q: %v", p.headings[at], err)
		}
	}
	p.addValue(v, at, period)
}

// usePeriod plans a column of a wide table. It returns false for a column whose
// heading neither is a period nor belongs to one.
func (p *plan) usePeriod(at int, periods *Periods, cells map[string]int) bool {
	heading := p.headings[at]
	if p.Period.Beside != nil {
		flagsOf, notesOf := p.Period.Beside(heading)
		if i, ok := cells[strings.ToLower(flagsOf)]; ok {
			p.cells[i].flag = at
			return true
		}
		if i, ok := cells[strings.ToLower(notesOf)]; ok {
			p.cells[i].note = at
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
	for _, other := range p.cells {
		if !period.IsZero() && other.period == period {
			p.fail("columns %d and %d both have the period %s; put tables that stand side by side into files of their own", other.column+1, at+1, period)
		}
	}
	cells[strings.ToLower(heading)] = len(p.cells)
	p.addCell(cell{column: at, flag: -1, note: -1, period: period}, p.boundsOf(heading))
	return true
}

// addRemarks gives the columns of values their flags and notes of [Mapping.Remarks].
func (p *plan) addRemarks() {
	for i, r := range p.Remarks {
		of, err := p.headings.find(r.Of)
		p.err = cmp.Or(p.err, err)
		if !slices.ContainsFunc(p.cells, func(c cell) bool { return c.column == of }) {
			p.fail("the column %q holds remarks on the column %q, which has no values", r.Column, r.Of)
		}
		for j := range p.cells {
			switch c := &p.cells[j]; {
			case c.column != of:
			case r.IsNote:
				c.note = p.remarks[i]
			default:
				c.flag = p.remarks[i]
			}
		}
	}
}

func (p *plan) addColumnDimensions() {
	measures := p.measures
	if !p.Period.Wide && len(p.cells) == 0 {
		p.fail("the table has no column of values; the headings are %s", quoted(p.headings))
	}
	if len(measures) > 1 {
		dim := p.Measures
		if dim.ID == "" {
			dim = assemble.Indicators(nil)
		}
		if slices.ContainsFunc(p.dimensions, func(d stat.Dimension) bool { return strings.EqualFold(d.ID, dim.ID) }) {
			dim.ID, dim.Label = "MEASURE", "Measure"
		}
		dim.Codes = measures
		dim.Role = cmp.Or(dim.Role, stat.RoleOther)
		p.measure = len(p.dimensions)
		p.dimensions = append(p.dimensions, dim)
	}
	p.columnsAt = len(p.dimensions)
	p.dimensions = append(p.dimensions, p.Columns...)
	if p.estimate >= 0 {
		p.estimate = len(p.dimensions)
		p.dimensions = append(p.dimensions, assemble.Estimates())
	}
	seen := map[string]bool{}
	for _, dim := range p.dimensions {
		id := strings.ToLower(dim.ID)
		if seen[id] {
			p.fail("two dimensions have the ID %q; use its column for one of them only", dim.ID)
		}
		seen[id] = true
	}
}
