package crosstab

import (
	"cmp"
	"slices"

	"almanac/internal/stat"
)

// The name of areas in the first cell of a heading row may be that of the headings on its right or of the texts below:
//
//	Country,GDP,GDP          Country,Germany,Germany
//	Unit,EUR,EUR             Year,2018,2019
//	Year,2018,2019           Men,1.5,1.6
//	Germany,1.5,1.6

// placeAreas decides by the texts what such a name is of. If none of them are known areas, it may be either.
func (r *reader) placeAreas() error {
	for _, h := range r.heads {
		name := r.nameOf(h.row)
		if h.role != roleHeading || !isAreaWord(name) || !r.isContested(h.row, name) {
			continue
		}
		c := r.found.stub[0]
		ofHeadings, ofStub := r.hasArea(name, distinct(h.cells)), r.hasArea(name, c.names())
		switch {
		case ofStub == ofHeadings && (ofStub || !r.isAreas(h.row)): // those of the stub are the geography
		case ofStub:
			r.areaRows, c.name, h.name = map[int]bool{h.row: false}, name, ""
		case ofHeadings:
			r.areaRows, c.name, h.name = map[int]bool{h.row: true}, "", name
		default:
			return stat.BadFile(stat.Position{Line: h.row + 1}, "%q may be the name of the headings on its right or of the texts below it: write the name of the texts into the last of the heading rows", name)
		}
	}
	return nil
}

// placeOnlyArea makes the geography of a row above the periods or beside them that repeats one area above each column,
// if the stub has none:
//
//	,France,France
//	,Index,%
//	2021,106.5,2.1
func (r *reader) placeOnlyArea() {
	isArea := func(text string) bool { return r.in.Areas != nil && r.hasArea("country", []string{text}) }
	hasAreas := func(c *stubColumn) bool { return r.in.Areas != nil && r.hasArea("country", c.names()) }
	if len(r.values) < 2 || len(r.ofRole(roleID)) > 0 {
		return
	}
	for _, h := range r.heads {
		isOther := func(v value) bool { return r.headingOver(h.row, v.column) != h.cells[0] }
		if h.role != roleHeading || h.name != "" || r.isAreas(h.row) || slices.ContainsFunc(r.values, isOther) || !isArea(h.cells[0]) {
			continue
		}
		if slices.ContainsFunc(r.found.stub, hasAreas) {
			return
		}
		if r.areaRows == nil {
			r.areaRows = map[int]bool{}
		}
		r.areaRows[h.row], h.name = true, "Geography"
		return
	}
}

// isContested reports whether the only column of the stub has no other name than that of a row: the rows below it
// describe the columns, or are about time.
func (r *reader) isContested(row int, name string) bool {
	if r.in.Areas == nil || r.periodRow == noRow || len(r.found.stub) != 1 {
		return false
	}
	for row++; row < r.below; row++ {
		below := cmp.Or(r.nameOf(row), name)
		if _, isKnown := roleOf(below); below != name && !isKnown && !isTimeName(below) {
			return false
		}
	}
	return true
}
