package extract

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// addColumns adds the dimensions, the periods and the values. The dimensions stand after the
// dataset, the geography as the last of them; those with a single code stand before the version.
func (f *file) addColumns(m *table.Mapping) {
	end := len(f.headings) - len(last)
	switch geography, unit := f.at(colISO3), f.at(colUnit); {
	case geography < 0:
		m.Axes = f.axes(1, f.at(colPeriod))
		m.Period = periods(colPeriod)
		end = f.addAreas(m, unit+1, end)
	case f.at(colPeriod) < 0:
		m.Axes = f.axes(1, geography)
		m.Axes[len(m.Axes)-1].Role = stat.RoleGeo
		m.Period = periods()
		end = f.findPeriods(unit+1, end)
	default:
		m.Axes = f.axes(1, geography)
		m.Axes[len(m.Axes)-1].Role = stat.RoleGeo
		m.Period = periods(colPeriod)
		m.Values = []table.Value{{Column: colValue}}
		f.values = []int{f.at(colValue)}
		end = 1 + max(f.at(colNote), f.at(colPeriodLabel), f.at(colPeriodISO))
	}
	m.Axes = append(m.Axes, f.axes(end, len(f.headings)-len(last))...)
	for i := range m.Axes {
		a := &m.Axes[i]
		if a.Role == "" {
			a.Role = assemble.RoleOf(a.ID)
		}
		if a.Role != stat.RoleUnit {
			continue
		}
		if at := columnOf(*a); at < len(f.first) && f.first[at] == f.cell(colUnit) {
			f.unitAt = at
		} else {
			a.Role = stat.RoleOther // it has other things than the unit
		}
	}
}

// periods returns where the periods are: in a column, or in the headings.
func periods(columns ...string) table.Period {
	return table.Period{
		Columns: columns, Wide: len(columns) == 0,
		Read: func(text string) (stat.Period, error) {
			period, label, _ := strings.Cut(text, ": ")
			if p, isSpan := table.ReadSpan(label); isSpan {
				return p, nil
			}
			return stat.ParsePeriod(period)
		},
		Beside: func(heading string) (flagsOf, notesOf string) {
			if flagsOf, ok := strings.CutSuffix(heading, "_"+colStatus); ok {
				return flagsOf, ""
			}
			notesOf, _ = strings.CutSuffix(heading, "_"+colNote)
			return "", notesOf
		},
	}
}

// findPeriods finds the columns of periods from first on, and returns the end of them.
func (f *file) findPeriods(first, end int) int {
	read := periods().Read
	for at := first; at < end; at++ {
		name := beside.ReplaceAllString(f.headings[at], "$1")
		if _, err := read(name); err != nil {
			if _, isSpan := table.ReadSpan(name); !isSpan {
				return at
			}
		}
		if name == f.headings[at] {
			f.values = append(f.values, at)
		}
	}
	return end
}

// addAreas adds the columns of areas from first on, and returns the end of them: dimensions with
// a single code have a text below them.
func (f *file) addAreas(m *table.Mapping, first, end int) int {
	m.Columns = []stat.Dimension{{ID: "geo", Label: "geo", Role: stat.RoleGeo}}
	areas := map[string]table.Value{}
	hasLabels := slices.ContainsFunc(f.headings[first:end], func(name string) bool { return strings.Contains(name, ": ") })
	for at := first; at < end; at++ {
		name := f.headings[at]
		if of := beside.ReplaceAllString(name, "$1"); of != name && areas[of].Codes != nil {
			continue
		}
		if isPair := at+1 < end && isLabelOf(f.headings[at+1], name); isPair || at < len(f.first) && f.first[at] != "" && !text.IsNumber(f.first[at]) {
			end = at
			break
		}
		code, label, isPair := strings.Cut(name, ": ")
		if hasLabels && !isPair {
			label = code // that is not written twice
		}
		areas[name] = table.Value{Codes: []stat.Code{{ID: code, Label: label}}, Flag: name + "_" + colStatus + "?", Note: name + "_" + colNote + "?"}
		f.values = append(f.values, at)
	}
	m.Other = func(heading string) (table.Value, bool) {
		v, ok := areas[heading]
		return v, ok
	}
	return end
}

// axes returns the dimensions in the columns from first to end. Each has a column of codes, of
// labels, or both.
func (f *file) axes(first, end int) (list []table.Axis) {
	for at := first; at < end; at++ {
		name := f.headings[at]
		switch {
		case at+1 < end && isLabelOf(f.headings[at+1], name):
			list = append(list, table.Axis{Codes: position(at), Labels: position(at + 1), ID: idOf(name)})
			at++
		case labelName.MatchString(name):
			list = append(list, table.Axis{Labels: position(at), ID: labelName.ReplaceAllString(name, "$1")})
		default:
			list = append(list, table.Axis{Codes: position(at), ID: idOf(name)})
		}
		a := &list[len(list)-1]
		if a.Label = a.ID; assemble.RoleOf(a.ID) == stat.RoleGeo {
			a.Role = stat.RoleOther // the geography is known by its place
		}
	}
	return list
}

// position names a column by its position, because a heading may end with a question mark.
func position(at int) string { return "#" + strconv.Itoa(at+1) }

// columnOf returns the position of the labels of a dimension, or of its codes.
func columnOf(a table.Axis) int {
	name := a.Labels
	if name == "" {
		name = a.Codes
	}
	n, _ := strconv.Atoi(name[1:])
	return n - 1
}

// Names of the columns of labels, and of codes whose dimension has the name of another column.
var (
	labelName = regexp.MustCompile(`^(.+)_label(?:_[0-9]+)?$`)
	codeName  = regexp.MustCompile(`^(.+)_code(?:_[0-9]+)?$`)
)

// isLabelOf reports whether a column has the labels of the codes in another one.
func isLabelOf(heading, codes string) bool {
	m := labelName.FindStringSubmatch(heading)
	return m != nil && (m[1] == codes || m[1] == idOf(codes))
}

// idOf returns the ID of a dimension by the name of the column of its codes.
func idOf(codes string) string {
	if m := codeName.FindStringSubmatch(codes); m != nil && slices.Contains(taken, strings.ToLower(m[1])) {
		return m[1]
	}
	return codes
}
