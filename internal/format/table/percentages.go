package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/stat"
)

// percentages counts the numbers of a workbook whose cells show percentages, a hundred times the number. Values are
// never rescaled, so the dataset has to say what they are.
type percentages struct {
	all     shownNumbers
	of      map[measure]*shownNumbers // those of each measure, if there are several
	order   []measure
	example float64 // the first
}

// measure is a code of the dimension that tells the columns of values apart.
type measure struct {
	axis int // among those of the table
	code int32
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

// count counts a number of a column of values.
func (p *percentages) count(r *reader, c *cell, v float64) {
	if !IsStored(r.rows, c.column) {
		return // no workbook
	}
	rows, ok := r.rows.(ShownRows)
	isPercent := ok && rows.ShownAs(c.column) == stat.NotePercent
	if isPercent && p.example == 0 {
		p.example = v
	}
	p.all.add(isPercent)
	m := measure{r.plan.measure, c.measure}
	if len(c.positions) == 1 {
		m = measure{r.plan.columnsAt, c.positions[0]}
	} else if m.axis < 0 {
		return
	}
	if p.of[m] == nil {
		if p.of == nil {
			p.of = map[measure]*shownNumbers{}
		}
		p.of[m], p.order = &shownNumbers{}, append(p.order, m)
	}
	p.of[m].add(isPercent)
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
	var names []string
	for _, m := range p.order {
		code, n := &r.axes[m.axis].Dim.Codes[m.code], p.of[m]
		if n.percent > 0 {
			names = append(names, cmp.Or(code.Label, code.ID))
		}
		if !isAll && !hasUnits && n.percent == n.all {
			code.Unit = unitOfShares
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

// short writes a number without the digits that a multiplication by 100 may add.
func short(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

// hasUnits reports whether a dataset says the unit of any number.
func hasUnits(d *stat.Dataset) bool {
	isUnit := func(c stat.Code) bool { return c.Unit != "" }
	return d.Unit != "" || slices.ContainsFunc(d.Axes(), func(a *stat.Dimension) bool {
		return a.Role == stat.RoleUnit || slices.ContainsFunc(a.Codes, isUnit)
	})
}
