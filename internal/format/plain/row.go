package plain

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// rowRules are applied to the rows of a table while it is read: which are notes, and
// whether all fulfil what was detected from the first rows.
type rowRules struct {
	*guess
	isStated bool // the mapping is stated: nothing was detected

	query    office.Query // that the first notes below the table quote
	remarks  bool         // the notes are behind it
	footer   *footer
	sawNote  bool
	hasNoise bool                // some values have flags of the Census Bureau
	periods  []int               // the columns whose headings are periods
	beside   []map[string]string // for each check
	err      error
}

// statedRules returns the rules for a stated mapping.
func statedRules(first sample, stated statement, period string) *rowRules {
	l, err := findLayout(first, stated)
	r := &rowRules{isStated: true, guess: newGuess(l)}
	if err != nil {
		return r // the engine looks for the headings that the mapping names
	}
	at := slices.IndexFunc(stated.items, func(it item) bool { return it.key == "period" })
	if at < 0 {
		r.filePeriod = cmp.Or(period, periodInFile(l))
		return r
	}
	for _, name := range stated.items[at].columns {
		if c := r.column(name); c != nil {
			r.times = append(r.times, c)
		}
	}
	r.findTotals()
	return r
}

// apply adds the rules to a mapping.
func (r *rowRules) apply(m *table.Mapping) {
	for at, heading := range r.layout.headings {
		if isPeriod(heading) {
			r.periods = append(r.periods, at)
		}
	}
	r.layout.nameRepeated(m.Values)
	for i, v := range m.Values {
		if at := r.layout.indexOf(v.Column); at >= 0 && at < len(r.layout.labels) {
			m.Values[i].Label = cmp.Or(v.Label, r.layout.labels[at])
		}
	}
	if r.totals {
		m.Period.Read = readTotals(m.Period.Read)
	}
	r.setNoise(m)
	for _, number := range r.layout.missingNumbers() {
		if _, isStated := m.Marks[number]; !isStated {
			m.Marks[number] = table.Mark{Flags: office.OwnFlag(m.Dataset.Source.ID, number)}
		}
	}
	m.Stated, m.Row, m.Observe = r.filePeriod, r.row, r.observe
	r.layout.marks.apply(m, r.layout)
}

func (r *rowRules) row(row *table.Row) table.Action {
	line := row.At().Line
	if r.footer == nil {
		r.footer = newFooter(r.layout)
		if r.layout.line == 0 {
			r.footer.width, r.footer.last = len(row.Cells), line-1
		}
		if len(r.layout.labels) > 0 && len(row.Cells) == len(r.layout.labels) && assemble.OneLine(row.Cells[0]) == r.layout.labels[0] {
			r.footer.last = line
			return table.Skip
		}
	}
	if r.layout.isUnits(row.Cells) {
		r.footer.last = line
		return table.Kept
	}
	if isRepeated(row.Cells, r.layout.headings) {
		r.footer.last = line
		if r.sawNote {
			r.refuseSecond(row)
		}
		return table.Skip
	}
	isApart := r.sawNote || line > r.footer.last+1
	if r.footer.has(row.Cells, line) {
		r.sawNote = true
		return r.keepNote(row)
	}
	if r.isSecondHeading(row.Cells, isApart) {
		r.refuseSecond(row)
	}
	if r.sawNote && r.err == nil && !r.isStated {
		r.err = stat.BadFile(row.At(), "a row of the table follows lines that look like notes below it; if they are headings of sections, add a column that holds them")
	}
	r.check(row)
	if r.totals && r.layout.isTotal(row.Cells) {
		for _, t := range r.times {
			if t.at < len(row.Cells) && row.Cells[t.at] == "" {
				row.Cells[t.at] = undatedTotal
			}
		}
	}
	return table.Use
}

// keepNote adds a line below the table to the description, with the time of the last update if it
// states one. Lines of a query are there already.
func (r *rowRules) keepNote(row *table.Row) table.Action {
	d, note := row.Table.Dataset, table.JoinCells(row.Cells)
	if d.Updated.IsZero() {
		d.Updated = table.UpdatedIn(note, office.Zone(d.Source.ID))
	}
	r.remarks = r.remarks || !r.query.Quotes(note)
	if isRule(note) || r.remarks && table.AddLine(&d.Description, note) {
		return table.Kept
	}
	return table.Skip
}

// check checks the columns that are left out because others decide their cells.
func (r *rowRules) check(row *table.Row) {
	for i, c := range r.checks {
		if len(r.beside) <= i {
			r.beside = append(r.beside, map[string]string{})
		}
		if r.err != nil || c.at >= len(row.Cells) || len(c.by) > 0 && slices.Max(c.by) >= len(row.Cells) {
			continue
		}
		by, cell := "", row.Cells[c.at]
		for _, at := range c.by {
			by += row.Cells[at] + " "
		}
		before, ok := r.beside[i][by]
		if !ok {
			r.beside[i][by] = strings.Clone(cell)
		} else if before != cell {
			r.err = stat.Suggest(stat.BadFile(row.At(), "the column %q is %q here and %q before for the same %q; in the first rows it only described others: state what it means",
				r.layout.headings[c.at], cell, before, strings.TrimSpace(by)), stat.Suggestion{Option: "mapping", Value: r.mappingWith(c.at)})
		}
	}
}

// mappingWith returns the detected mapping with a column that it leaves out as a
// dimension, or one of equal numbers as values.
func (r *rowRules) mappingWith(at int) string {
	var items []item
	for _, it := range r.items {
		switch isOf := it.columns[0] == r.columns[at].name; {
		case isOf && it.key == "ignore":
			it.key = "dim"
		case isOf && it.key == "dim":
			it.key = "value"
		}
		items = append(items, it)
	}
	return mappingText(items)
}

// observe refuses the table once a row contradicts what was detected. A zero whose flag says
// that the number is not published is missing.
func (r *rowRules) observe(_ *table.Row, o *stat.Observation) error {
	if o.Value == 0 && o.Flags != "" && r.isWithheld(o.Flags) {
		o.Value = math.NaN()
	}
	return r.err
}

// refuseSecond refuses a row that holds headings: another table begins there.
func (r *rowRules) refuseSecond(row *table.Row) {
	if r.err == nil {
		r.err = stat.BadFile(row.At(), "another table seems to begin here, with the headings %s: a file can have only one; put the tables into files of their own",
			clipped(row.Cells))
	}
}

// isSecondHeading reports whether a row has periods below the headings that are periods,
// and repeats another heading, or these follow one another. Two periods follow one another by
// chance, unless the row stands apart. Texts in the place of numbers are errors anyway.
func (r *rowRules) isSecondHeading(row []string, isApart bool) bool {
	periods, last, isRun := 0, "", true
	for _, at := range r.periods {
		if at >= len(row) || row[at] == "" {
			continue
		}
		if !isPeriod(row[at]) {
			return false
		}
		isRun = isRun && (last == "" || follows(last, row[at]))
		periods, last = periods+1, row[at]
	}
	return periods > 0 && r.repeatsHeading(row) || isRun && (periods > 2 || periods == 2 && isApart)
}

func (r *rowRules) repeatsHeading(row []string) bool {
	for at, heading := range r.layout.headings[:min(len(row), len(r.layout.headings))] {
		if heading != "" && strings.EqualFold(row[at], heading) && !slices.Contains(r.periods, at) {
			return true
		}
	}
	return false
}

// follows reports whether a period is the next or the previous one of another.
func follows(before, after string) bool {
	b, err := table.ReadPeriod(before)
	a, err2 := table.ReadPeriod(after)
	if err != nil || err2 != nil || a.Frequency() != b.Frequency() {
		return false
	}
	first, second := b, a
	if a.Compare(b) < 0 {
		first, second = a, b
	}
	return first != second && !second.Start().After(first.End().AddDate(0, 0, 1))
}
