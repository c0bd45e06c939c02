package table

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// percentages counts the numbers of a workbook whose cells show percentages, a hundred times the number. Values are
// never rescaled, so the dataset has to say what they are.
type percentages struct {
	all     shownNumbers
	of      [][]shownNumbers // those of each code of each axis
	example float64          // the first
}

// shownNumbers are how many numbers there are, and how many of their cells show percentages.
type shownNumbers struct{ all, percent int }

func (n *shownNumbers) add(isPercent bool) {
	if n.all++; isPercent {
		n.percent++
	}
}

// unitOfShares is the unit of numbers whose cells show percentages.
const unitOfShares = "1 = 100%"

// inPercent matches units of percentages.
var inPercent = regexp.MustCompile(`(?i)^(in )?(%|per ?cent|prozent|pour ?cent|por ?cien|por ?cen|procent)`)

// asShares returns what a unit of percentages is for numbers that are shares of one: "% (1 = 100%)".
func asShares(unit string) string {
	if !inPercent.MatchString(unit) {
		return unit
	}
	return unit + " (" + unitOfShares + ")"
}

// count counts a number of a column of values.
func (p *percentages) count(r *reader, c *cell, o *stat.Observation, v float64) {
	if !IsStored(r.rows, c.column) {
		return // no workbook
	}
	rows, ok := r.rows.(ShownRows)
	isPercent := ok && rows.ShownAs(c.column) == stat.NotePercent
	if isPercent && p.example == 0 {
		p.example = v
	}
	p.all.add(isPercent)
	if isPercent && o.Unit != "" {
		o.Unit = r.units.Keep(asShares(o.Unit))
	}
	for len(p.of) < len(r.axes) {
		p.of = append(p.of, nil)
	}
	for i, axis := range r.axes {
		code := int(r.Key[axis.At])
		for len(p.of[i]) <= code {
			p.of[i] = append(p.of[i], shownNumbers{})
		}
		p.of[i][code].add(isPercent)
	}
}

// describePercentages says in the description of the dataset what such numbers are, and in the units of those that have
// none.
func (r *reader) describePercentages() {
	p := &r.percentages
	if p.all.percent == 0 {
		return
	}
	line := "The cells of the file show percentages, a hundred times the numbers that they store"
	if p.example != 0 {
		line += ": " + short(p.example) + " is shown as " + short(100*p.example) + "%"
	}
	isAll, hasUnits := p.all.percent == p.all.all, hasUnits(r.Dataset)
	r.correctUnits(isAll)
	var names []string
	if axis := r.axisOfPercentages(); axis >= 0 {
		for at, n := range p.of[axis] {
			code := &r.axes[axis].Dim.Codes[at]
			if n.percent > 0 {
				names = append(names, cmp.Or(code.Label, code.ID))
			}
			if !isAll && !hasUnits && n.percent > 0 && n.percent == n.all {
				code.Unit = unitOfShares
			}
		}
	}
	switch {
	case isAll && !hasUnits:
		r.Dataset.Unit = unitOfShares
	case !isAll && len(names) > 0:
		line += "; these are in " + strings.Join(names, "; ")
	case !isAll:
		line += "; others show the number itself"
	}
	AddLine(&r.Dataset.Description, line+".")
}

// correctUnits says of the stated units of percentages that the numbers are shares.
func (r *reader) correctUnits(isAll bool) {
	if isAll {
		r.Dataset.Unit = asShares(r.Dataset.Unit)
	}
	for i, axis := range r.axes {
		for at, n := range r.percentages.of[i] {
			if n.percent == 0 || n.percent < n.all {
				continue
			}
			code := &axis.Dim.Codes[at]
			if code.Unit = asShares(code.Unit); axis.Dim.Role == stat.RoleUnit {
				code.Label = asShares(cmp.Or(code.Label, code.ID))
			}
		}
	}
}

// axisOfPercentages returns the axis whose codes tell which numbers are percentages: of those that the columns make or,
// if some of these have both, of all but the areas; else the first that the columns make, -1 if there is none.
func (r *reader) axisOfPercentages() int {
	columns := r.plan.measure
	if columns < 0 && len(r.plan.Columns) > 0 {
		columns = r.plan.columnsAt
	}
	isMixed := func(n shownNumbers) bool { return n.percent > 0 && n.percent < n.all }
	tells := func(axis int) bool {
		return !slices.ContainsFunc(r.percentages.of[axis], isMixed)
	}
	if columns >= 0 && tells(columns) {
		return columns
	}
	for i, axis := range r.axes {
		if axis.Dim.Role == stat.RoleOther && tells(i) {
			return i
		}
	}
	return columns
}

// short writes a number without the digits that a multiplication by 100 may add.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// hasUnits reports whether a dataset says the unit of any number.
func hasUnits(d *stat.Dataset) bool {
	isUnit := func(c stat.Code) bool { return c.Unit != "" }
	return d.Unit != "" || slices.ContainsFunc(d.Axes(), func(a *stat.Dimension) bool {
		return a.Role == stat.RoleUnit || slices.ContainsFunc(a.Codes, isUnit)
	})
}
