package crosstab

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// columnDims returns the dimensions that the boxhead makes, and the codes of each column of
// values.
func (r *reader) columnDims() (dims []stat.Dimension, of [][]stat.Code) {
	l := r.Layout
	for range l.values {
		of = append(of, []stat.Code{})
	}
	add := func(dim stat.Dimension, codes []stat.Code) {
		for j, c := range codes {
			of[j] = append(of[j], c)
		}
		dims = append(dims, dim)
	}
	if ids := l.ofRole(roleID); len(ids) > 0 {
		var series []stat.Code
		for j, id := range ids[0].cells {
			series = append(series, stat.Code{ID: id, Label: cmp.Or(l.list[id], l.label(j)), Unit: l.unit(j)})
		}
		add(stat.Dimension{ID: "SERIES", Label: "Series", Role: stat.RoleOther}, series)
		if areas := r.seriesAreas(series); areas != nil && r.in.Geo == "" {
			add(Regions(), areas)
		} else if h := l.areasOfSeries(); h != nil {
			add(stat.Dimension{ID: h.name, Label: h.name, Role: stat.RoleGeo}, codesOf(h))
		}
		return dims, of
	}
	rows := mergeDependent(l.varyingHeads())
	switch {
	case len(rows) > 1 && l.isCrossed(rows), len(rows) == 1 && (l.isAreas(rows[0].row) || rows[0].areUnits):
		for i, h := range rows {
			dim := assemble.Indicators(nil)
			if h.areUnits {
				dim = unitsOf(h)
			} else if h.name != "" {
				dim = stat.Dimension{ID: h.name, Label: h.name, Role: stat.RoleOther}
				if l.isAreas(h.row) {
					dim.Role = stat.RoleGeo
				}
			} else if r.columnNames != nil {
				dim = r.namedDimension(i)
			} else if i > 0 {
				dim.ID, dim.Label = dim.ID+strconv.Itoa(i+1), dim.Label+" "+strconv.Itoa(i+1)
			}
			add(dim, codesOf(h))
		}
	case len(rows) > 0:
		dim := assemble.Indicators(nil)
		if len(r.columnNames) == 1 {
			dim = r.namedDimension(0)
		} else if len(rows) == 1 && l.namesRows(rows[0]) {
			dim = stat.Dimension{ID: rows[0].name, Label: rows[0].name, Role: stat.RoleOther}
		}
		add(dim, l.composedCodes(rows))
	case len(l.times) > 0 && len(l.values) == 1 && l.label(0) != "":
		add(assemble.Indicators(nil), l.composedCodes(l.labelHeads()))
	}
	return dims, of
}

// unitsOf returns the dimension that a row of units makes.
func unitsOf(h *head) stat.Dimension {
	return stat.Dimension{ID: cmp.Or(h.name, "UNIT"), Label: cmp.Or(h.name, "Unit"), Role: stat.RoleUnit}
}

// areasOfSeries returns the heading row with the area of each series; nil if there is none.
func (l *Layout) areasOfSeries() *head {
	for _, h := range l.heads {
		if l.isAreas(h.row) && !slices.Contains(h.cells, "") {
			return h
		}
	}
	return nil
}

func codesOf(h *head) (codes []stat.Code) {
	for _, c := range h.cells {
		codes = append(codes, stat.Code{ID: c, Label: h.words[c]})
	}
	return codes
}

// namedDimension returns a dimension of the boxhead that the title names.
func (r *reader) namedDimension(i int) stat.Dimension {
	dim := stat.Dimension{ID: r.columnNames[i], Label: r.columnNames[i], Role: stat.RoleOther}
	if isAreaWord(dim.ID) {
		dim.Role = stat.RoleGeo
	}
	return dim
}

// mergeDependent joins heading rows of which the lower one has one text for each text of
// the upper one, as a remark in brackets below a group.
func mergeDependent(rows []*head) (merged []*head) {
	for _, h := range rows {
		last := len(merged) - 1
		if last < 0 || !isFunction(merged[last].cells, h.cells) {
			merged = append(merged, h)
			continue
		}
		joined := *merged[last]
		joined.cells = slices.Clone(joined.cells)
		for j, c := range h.cells {
			joined.cells[j] = strings.TrimSpace(joined.cells[j] + " " + c)
		}
		merged[last] = &joined
	}
	return merged
}

// isFunction reports whether each text of a row has one text of the other row, and is
// itself repeated.
func isFunction(of, cells []string) bool {
	known := map[string]string{}
	for j, text := range of {
		if before, ok := known[text]; ok && before != cells[j] {
			return false
		}
		known[text] = cells[j]
	}
	return len(known) < len(of)
}

// composedCodes returns codes whose IDs are the headings of a column, joined. A last
// heading in brackets is the unit, unless it distinguishes the column from another one.
func (l *Layout) composedCodes(rows []*head) (codes []stat.Code) {
	var labels []*head
	for _, h := range rows {
		labels = append(labels, h.labels())
	}
	wholes := map[string]map[string]bool{} // by the text without the last brackets
	for j := range l.values {
		id := compose(rows, j)
		short, _ := withoutUnit(id)
		if wholes[short] == nil {
			wholes[short] = map[string]bool{}
		}
		wholes[short][id] = true
	}
	for j := range l.values {
		id, label, unit := compose(rows, j), compose(labels, j), l.unit(j)
		if short, inner := withoutUnit(id); unit == "" && len(wholes[short]) == 1 {
			id, unit = short, inner
			label, _ = withoutUnit(label)
		}
		code := stat.Code{ID: id, Label: l.list[id], Unit: unit}
		if label != id {
			code.Label = cmp.Or(code.Label, label)
		}
		codes = append(codes, code)
	}
	return codes
}

// labels returns a heading row with the labels of its cells.
func (h *head) labels() *head {
	labelled := head{row: h.row}
	for _, c := range h.cells {
		labelled.cells = append(labelled.cells, cmp.Or(h.words[c], c))
	}
	return &labelled
}

// withoutUnit splits composed headings of which the last is in brackets.
func withoutUnit(id string) (short, unit string) {
	if from := strings.LastIndex(id, ": ("); from > 0 && strings.HasSuffix(id, ")") {
		return id[:from], id[from+3 : len(id)-1]
	}
	return id, ""
}

// compose joins the headings of a column from the top down, without repetition.
func compose(rows []*head, j int) string {
	var parts []string
	for _, h := range rows {
		c := h.cells[j]
		if c == "" || slices.Contains(parts, c) {
			continue
		}
		if last := len(parts) - 1; last >= 0 && strings.HasSuffix(parts[last], ": "+c) {
			continue // "Data 1: Spot price" above "Spot price"
		}
		parts = append(parts, c)
	}
	return strings.Join(parts, ": ")
}

// labelHeads are the rows that name series: rows of titles of which the first, else all
// headings.
func (l *Layout) labelHeads() []*head {
	if titles := l.ofRole(roleTitle); len(titles) > 0 {
		return titles[:1]
	}
	return l.ofRole(roleHeading)
}

func (l *Layout) label(j int) string { return compose(l.labelHeads(), j) }

// unit returns the unit of a column with its multiplier.
func (l *Layout) unit(j int) (unit string) {
	for _, h := range l.heads {
		if h.areUnits && unit == "" {
			unit = h.cells[j]
		}
	}
	for _, h := range l.ofRole(roleRemark) { // the currency sign of the ONS
		if strings.EqualFold(h.name, "preunit") && h.cells[j] != "" {
			unit = strings.TrimSpace(h.cells[j] + " " + unit)
		}
	}
	for _, h := range l.ofRole(roleMultiplier) {
		unit = withMultiplier(unit, h.cells[j])
	}
	return unit
}

// frequency returns the frequency that the boxhead states for a column.
func (l *Layout) frequency(j int) stat.Frequency {
	for _, h := range l.ofRole(roleFrequency) {
		if f := frequencyOf(h.cells[j]); f != 0 {
			return f
		}
	}
	return 0
}

// varyingHeads are the heading rows that distinguish columns.
func (l *Layout) varyingHeads() (rows []*head) {
	for _, h := range l.heads {
		if (h.role == roleHeading || h.role == roleTitle) && (!isConstant(h.cells) || l.isAreas(h.row)) {
			rows = append(rows, h)
		}
	}
	return rows
}

// isCrossed reports whether each combination of the texts of the rows is a column.
func (l *Layout) isCrossed(rows []*head) bool {
	product := 1
	for _, h := range rows {
		distinct := map[string]bool{}
		for _, c := range h.cells {
			if c == "" {
				return false
			}
			distinct[c] = true
		}
		product *= len(distinct)
		if product > len(l.values) {
			return false
		}
	}
	tuples := map[string]bool{}
	for j := range l.values {
		key := ""
		for _, h := range rows {
			key += h.cells[j] + "\x00"
		}
		tuples[key] = true
	}
	return len(tuples) == product
}

func distinct(cells []string) (texts []string) {
	for _, c := range cells {
		if c != "" && !slices.Contains(texts, c) {
			texts = append(texts, c)
		}
	}
	return texts
}

// constants returns the headings that stand above all columns, which are titles.
func (l *Layout) constants() (lines []string) {
	if l.prefix != "" {
		lines = append(lines, l.prefix)
	}
	for _, h := range l.heads {
		if h.name == "" && h.role == roleHeading && !slices.Contains(l.varyingHeads(), h) && len(l.values) > 1 {
			texts := append(distinct(h.cells), l.outside(h)...)
			isDate := func(text string) bool { // of printing or of an update, which is no part of a title
				p, ok := readPeriod(text)
				return ok && p.Frequency() == stat.Day
			}
			dates := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return !isDate(text) })
			if texts = slices.DeleteFunc(texts, isDate); len(texts) > 0 {
				lines = append(lines, strings.Join(texts, "; "))
			}
			lines = append(lines, dates...)
		}
	}
	return lines
}

// remarks returns what the boxhead says of the series beside their names and units.
func (l *Layout) remarks() (lines []string) {
	for _, h := range l.heads {
		isDimension := slices.Contains(l.varyingHeads(), h)
		texts := l.outside(h)
		switch {
		case h.name == "" && h.role == roleHeading && !isDimension:
			continue // see constants
		case h.role == roleTitle && len(l.ofRole(roleID)) > 0 && !slices.Contains(l.labelHeads(), h), h.role == roleRemark, h.role == roleFrequency, h.role == roleUpdated, h.role == roleNextUpdate,
			h.role == roleHeading && !isDimension:
			texts = append(distinct(h.cells), texts...)
		}
		if len(texts) > 0 {
			lines = append(lines, strings.TrimLeft(strings.TrimRight(h.name, " :")+": ", ": ")+strings.Join(texts, "; "))
		}
	}
	return lines
}

// outside returns the cells of a heading row beside the table.
func (l *Layout) outside(h *head) (texts []string) {
	for column, cell := range l.rows[h.row] {
		if cell != "" && !l.isUsed(column) {
			texts = append(texts, clean(cell))
		}
	}
	return texts
}

// titles returns the lines above the boxhead.
func (l *Layout) titles() (lines []string) {
	for row := range l.first {
		if line := joinCells(l.rows[row]); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
