package crosstab

import (
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/lazyregexp"
)

// areasBeside returns the texts on the right of a year in a table that has its areas there, unless
// they are the months of the year.
func (s *sample) areasBeside(row, column int) string {
	if _, isPart := partIn(anyYear, at(s.rows[row], column+1)); isPart || !s.hasAreasBeside {
		return ""
	}
	return "\x00" + joinCells(s.rows[row])
}

// nameStub names the columns of the stub by what the title lists. The stub has the first ones,
// unless these are areas and its texts are none. Most titles list all dimensions with that of
// time: "Population by region, sex and time".
func (r *reader) nameStub(around office.Around, titles []string) {
	names, unnamed := around.Stub, r.ofStub
	if around.IsOfFirst {
		unnamed = unnamed[:min(1, len(unnamed))]
	}
	if !r.hasAreasBeside {
		if names = r.listedIn(titles); len(names) > len(unnamed) {
			r.columnNames = names[len(unnamed):]
		}
	}
	if len(names) == 0 || len(unnamed) == 0 || r.areElsewhere(names, unnamed) {
		return
	}
	for i, a := range unnamed {
		if c := r.found.stub[max(a.codes, a.labels)]; c.name == "" && len(unnamed) <= len(names) {
			r.found.stub[a.codes].name, c.name = names[i], names[i]
		}
	}
}

// areElsewhere reports whether a name of areas stands for texts that are none, while others
// are, or may be above the columns if years have areas beside them.
func (r *reader) areElsewhere(names []string, axes []axis) bool {
	for i, a := range axes[:min(len(axes), len(names))] {
		if !isAreaWord(names[i]) || r.areAreas(a, names[i]) {
			continue
		}
		if r.hasAreasBeside || slices.ContainsFunc(axes, func(other axis) bool { return r.areAreas(other, names[i]) }) {
			return true
		}
	}
	return false
}

// byList matches a title that lists the dimensions of its table, and listEnd the last sign of
// such a list.
var (
	byList  = lazyregexp.New(`(?i)^.+ (?:by|nach|efter|etter|fordelt på) (.+)$`)
	listEnd = lazyregexp.New(`(?i) (?:and|und|og|och|ja) (\S+( \S+)?)$`)
)

// listedIn returns the dimensions but that of time which the first line of a title lists, or the
// first two; nil if they are not as many as the table has.
func (r *reader) listedIn(titles []string) []string {
	columns := len(mergeDependent(r.varyingHeads()))
	for n := range min(len(titles), 2) {
		m := byList.FindStringSubmatch(strings.Join(titles[:n+1], " "))
		if m == nil {
			continue
		}
		names := strings.Split(listEnd.ReplaceAllString(m[1], ", $1"), ", ")
		dims := slices.DeleteFunc(slices.Clone(names), isTimeName)
		if len(dims) == len(names)-1 && len(dims) == len(r.ofStub)+columns {
			return dims
		}
	}
	return nil
}

// areAreas reports whether one of the texts of an axis is an area.
func (r *reader) areAreas(a axis, name string) bool {
	has := func(i int) bool { return i >= 0 && r.hasArea(name, r.found.stub[i].names()) }
	return r.in.Areas == nil || has(a.codes) || has(a.labels)
}

// hasArea reports whether one of some texts under a heading is an area.
func (r *reader) hasArea(heading string, texts []string) bool {
	isArea := func(text string) bool { return r.in.CountAreas(r.dataset.Source.ID, heading, []string{text}) > 0 }
	return r.in.CountAreas(r.dataset.Source.ID, heading, texts) > 0 || slices.ContainsFunc(texts, isArea)
}
