package plain

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format"
	"almanac/internal/format/assemble"
	"almanac/internal/format/extract"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// noteMapping notes the mapping that was detected.
const noteMapping = "mapping"

// mapping returns the stated mapping, or the one detected from the first rows.
func (s statement) mapping(in format.Input, first sample) (m table.Mapping, err error) {
	if s.isExtract(first) {
		return s.ofExtract(in, first)
	}
	source, signed := publisher(in, first)
	m = table.Mapping{Dataset: stat.Dataset{Source: source}, Marks: map[string]table.Mark{}, Header: s.header, HasMultiples: true}
	if known, err := parseItems(signed.Mapping); err == nil && len(s.columns()) == 0 {
		s.items = append(s.items, allDimensions(known, first)...)
		if at := slices.IndexFunc(known, func(it item) bool { return it.key == "decimal" }); at >= 0 {
			m.Decimal = known[at].columns[0]
		}
	}
	var rules *rowRules
	if slices.ContainsFunc(s.items, func(it item) bool { return slices.Contains(columnKeys, it.key) }) {
		rules = statedRules(first, s, signed.Period)
	} else {
		g, err := findMapping(first, s, in, signed.Period)
		if err != nil {
			return m, err
		}
		s.items = append(slices.Clone(g.items), s.items...)
		m.Header = g.line
		rules = &rowRules{guess: g}
		m.Preamble = func(_ [][]string, t *stat.Table) error {
			noteGuess(g, t)
			return nil
		}
	}
	if err := s.apply(&m); err != nil {
		return m, err
	}
	if slices.ContainsFunc(s.items, item.hasParts) {
		if err := applyParts(&m, rules.layout.headings); err != nil {
			return m, err
		}
	}
	if columns := m.Period.Columns; len(columns) > 1 {
		m.Period.Read = rules.partReader(columns[1], len(columns) > 2)
	}
	rules.year = yearOf(rules.layout, in.Period, signed.Period)
	if err := rules.applyYear(&m); err != nil {
		return m, err
	}
	if err := rules.checkStated(&m, cmp.Or(in.Period, rules.filePeriod)); err != nil {
		return m, err
	}
	if err := rules.applyUnitRow(&m); err != nil {
		return m, err
	}
	nameCorner(&m, rules.layout)
	rules.apply(&m)
	setArea(m.Axes, signed.Area)
	noteNamed(&m, signed)
	rules.describe(&m, office.Page{Name: in.Name, Rows: first.rows, IsWhole: first.isAll})
	return m, nil
}

// nameCorner names the dimension of a wide table whose first heading is that of the periods on its right: TIME above
// countries is not their name.
func nameCorner(m *table.Mapping, l layout) {
	for i := range m.Axes {
		a := &m.Axes[i]
		if !m.Period.Wide || a.Role != stat.RoleOther || a.ID != "" || a.Labels != "" || !assemble.IsTimeWord(assemble.Fold(a.Codes)) {
			continue
		}
		a.ID, a.Label = "CATEGORY", "Category"
		if at := l.indexOf(a.Codes); at >= 0 && l.countAreas != nil && l.countAreas(m.Dataset.Source.ID, "geo", newColumn(l.headings, l.body, at).cells) > 0 {
			a.ID, a.Label, a.Role = "GEO", "Geography", stat.RoleGeo
		}
	}
}

// describe sets the name and the description of the dataset, and the units and the time of the last
// update that the lines around the table state.
func (r *rowRules) describe(m *table.Mapping, page office.Page) {
	only := ""
	if len(m.Values) == 1 && !assemble.Means("value", assemble.Fold(m.Values[0].Column)) && !strings.HasPrefix(m.Values[0].Column, "#") {
		only = cmp.Or(m.Values[0].Label, m.Values[0].Column)
	}
	name, description := r.layout.titles()
	if only != "" && isDate(name) {
		name = only
	}
	r.query = page.Query()
	for i, v := range m.Values {
		m.Values[i].Unit = cmp.Or(v.Unit, r.query.Unit(v.Column))
	}
	m.Dataset.Name, m.Dataset.Description = cmp.Or(name, only, r.query.Database, r.measureAbove()), cmp.Or(description, r.query.Parameters)
	if only != "" {
		nameMeasure(&m.Dataset, only)
	} else if len(m.Values) == 0 {
		nameMeasure(&m.Dataset, r.measure)
	}
	r.findUnitAbove(m)
	m.Dataset.Updated = r.layout.updatedAbove(office.Zone(m.Dataset.Source.ID))
}

// isDate reports whether a title says nothing but a date and a number: 02 Jan 2024 #1.
func isDate(title string) bool {
	date, rest, _ := strings.Cut(title, "#")
	return isPeriod(strings.TrimSpace(date)) && !strings.ContainsFunc(rest, unicode.IsLetter)
}

// isExtract reports whether a table is a file of Almanac itself, and nothing is stated of its columns.
func (s statement) isExtract(first sample) bool {
	return len(s.columns()) == 0 && len(first.rows) > 0 && extract.Recognise(first.rows[0])
}

// ofExtract returns the mapping of such a table.
func (s statement) ofExtract(in format.Input, first sample) (m table.Mapping, err error) {
	if len(first.rows) == 1 {
		return m, stat.BadFile(stat.Position{Line: first.lines[0]}, "the table has no rows below its headings")
	}
	m, err = extract.Mapping(first.rows[0], first.rows[1], s.separator)
	m.Header = first.lines[0]
	if in.Source != "" {
		m.Dataset.Source = office.Find(in.Source)
	}
	return m, err
}

// allDimensions returns the mapping of an office's answer with a dimension for each column
// that it does not name, in place of dim=*.
func allDimensions(known []item, first sample) (items []item) {
	isNamed := func(name string) bool {
		return slices.ContainsFunc(known, func(it item) bool { return slices.Contains(it.columns, name) || slices.Contains(it.columns, name+"?") })
	}
	for _, it := range known {
		if it.key != "dim" || it.columns[0] != "*" {
			items = append(items, it)
			continue
		}
		for _, name := range first.rows[0] {
			if !isNamed(name) {
				items = append(items, item{key: "dim", columns: []string{name}})
			}
		}
	}
	return items
}

// noteGuess notes the mapping that was detected, and the columns that it leaves out.
func noteGuess(g *guess, t *stat.Table) {
	t.Report.Add(noteMapping, 1, mappingText(g.items))
	var left []string
	for _, it := range g.items {
		if it.key == "ignore" {
			left = append(left, it.columns[0])
		}
	}
	if len(left) > 0 {
		t.Report.Add(assemble.NoteAttributeNotKept, len(left), strings.Join(left, ", "))
	}
}

func (s statement) apply(m *table.Mapping) error {
	for _, it := range s.items {
		s.isMeasures = s.isMeasures || it.key == "period" && it.columns[0] == "*"
		if it.key == "empty" {
			s.empty = it.columns[0]
		}
	}
	isWide := slices.ContainsFunc(s.items, func(it item) bool { return it.key == "period" && slices.Contains(it.columns, "*") })
	for _, it := range s.items {
		if isWide && it.isRemarkOfColumn() {
			m.Remarks = append(m.Remarks, table.Remark{Column: it.columns[0], Of: it.columns[1], IsNote: it.key == "note"})
			continue
		}
		if err := apply(m, it); err != nil {
			return err
		}
	}
	if m.Other != nil && s.isMeasures {
		m.Other, m.Period.Wide = measureValue, false
	}
	if s.empty == "" {
		return nil
	}
	for i := range m.Axes {
		m.Axes[i].Split = func(cell string) (string, string) {
			if cell == "" {
				return s.empty, emptyLabels[s.empty]
			}
			return cell, ""
		}
	}
	return nil
}

// emptyLabels are the labels of SDMX's codes for empty cells.
var emptyLabels = map[string]string{"_Z": "Not applicable", "_T": "Total", "_X": "Not specified"}

func apply(m *table.Mapping, it item) error {
	first := it.columns[0]
	isPair := it.between == ':' && (roles[it.key] != "" || it.key == "flags" || it.key == "note")
	canJoin := isPair || it.between == '+' && (it.key == "period" || it.key == "geo")
	second := ""
	if len(it.columns) > 2 && it.key != "period" || len(it.columns) == 2 && !canJoin {
		return mappingError("%s is more than %s= can contain", it, it.key)
	} else if len(it.columns) == 2 {
		second = it.columns[1]
	}
	switch it.key {
	case "geo", "dim", "unit", "freq":
		axis := table.Axis{Codes: first, Labels: second, Role: roles[it.key]}
		if it.between == '+' {
			axis.Labels, axis.Else = "", it.columns[1:]
		}
		m.Axes = append(m.Axes, axis)
	case "period":
		return applyPeriod(m, it)
	case "value":
		if first == "*" {
			m.Other = func(string) (table.Value, bool) { return table.Value{}, true }
			break
		}
		m.Values = append(m.Values, table.Value{Column: first})
	case "lower", "upper":
		if len(m.Values) == 0 {
			return mappingError("%s is the bound of a value, which must precede it", it)
		}
		if last := &m.Values[len(m.Values)-1]; it.key == "lower" {
			last.Lower = first
		} else {
			last.Upper = first
		}
	case "units":
		m.Unit = first
	case "attribute":
		m.Attributes = append(m.Attributes, first)
	case "flags", "note":
		return applyRemark(m, it)
	case "conf":
		m.Flags = append(m.Flags, table.Flag{Column: first, Means: table.Confidentiality})
	case "ignore":
		m.Ignore = append(m.Ignore, first)
	case "missing":
		m.Marks[first] = table.Mark{Flags: office.OwnFlag(m.Dataset.Source.ID, first)}
	case "dates":
		if !text.IsPeriodChoice(first) {
			return mappingError("dates must be day-first, month-first, days, weeks, months, quarters, half-years or years, not %q", first)
		}
		m.Period.Choices = append(m.Period.Choices, first)
	case "zero":
		m.Marks[first] = table.Mark{Zero: true, Flags: office.OwnFlag(m.Dataset.Source.ID, first)}
	}
	return nil
}

// applyRemark applies a column of flags or notes, which may belong to one column of
// values: "flags=Deaths Status:Deaths".
func applyRemark(m *table.Mapping, it item) error {
	if len(it.columns) == 1 && it.key == "note" {
		m.Notes = append(m.Notes, it.columns[0])
		return nil
	}
	if len(it.columns) == 1 {
		m.Flags = append(m.Flags, table.Flag{Column: it.columns[0], Means: meaning(m.Dataset.Source.ID, it.columns[0])})
		return nil
	}
	at := slices.IndexFunc(m.Values, func(v table.Value) bool { return strings.EqualFold(v.Column, it.columns[1]) })
	switch {
	case at < 0:
		return mappingError("%s belongs to a column of values, which must precede it", it)
	case it.key == "note":
		m.Values[at].Note = it.columns[0]
	default:
		m.Values[at].Flag = it.columns[0]
	}
	return nil
}

// meaning returns what the flags of a column mean: in a column OBS_STATUS by the list
// of SDMX, else by the list of the office. Other letters are kept.
func meaning(source, heading string) func(string) (stat.Flags, bool) {
	list := assemble.Fold(strings.TrimSuffix(heading, "?")) // of a column that may be missing
	switch {
	case list == "obs status":
		list = "obs_status"
	case source == "eurostat":
		list = "obs_flag"
	}
	return func(cell string) (stat.Flags, bool) { return office.Status(source, list, cell) }
}

// roles are the roles of dimensions, by their keys.
var roles = map[string]stat.Role{
	"geo": stat.RoleGeo, "dim": stat.RoleOther, "unit": stat.RoleUnit, "freq": stat.RoleFrequency,
}

func applyPeriod(m *table.Mapping, it item) error {
	if m.Period.Wide || len(m.Period.Columns) > 0 {
		return mappingError("period= is repeated; columns that form one period are joined, as in period=Year+Month")
	}
	if it.columns[0] == "*" && len(it.columns) == 1 {
		m.Period.Wide = true
		return nil
	}
	m.Period.Columns = it.columns
	if it.hasParts() {
		m.Period.Columns = it.columns[:1]
		return nil
	}
	if assemble.Means("packed period", assemble.Fold(it.columns[0])) {
		m.Period.Read = readPacked
	}
	return nil
}

// hasParts reports whether the headings hold the parts of the year in a column: Year+*.
func (it item) hasParts() bool {
	return it.key == "period" && len(it.columns) == 2 && it.columns[1] == "*"
}
