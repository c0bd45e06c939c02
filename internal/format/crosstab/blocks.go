package crosstab

import (
	"slices"
	"strings"
)

// Some tables repeat the heading row above each section, with the name of the section in place
// of the name of the stub:
//
//	Región GBA,2017-01,2017-02
//	Nivel general,101.6,103.7
//	Región Pampeana,2017-01,2017-02
//	Nivel general,101.2,103.1

// blockOf returns the name of the section that a row begins; empty if it begins none.
func (l *Layout) blockOf(row []string) string {
	if len(l.times) > 0 || len(l.stub) == 0 {
		return ""
	}
	name, filled := clean(at(row, l.stub[0])), 0
	for _, v := range l.values {
		switch at(row, v.column) {
		case v.text:
			filled++
		case "":
		default:
			return ""
		}
	}
	stub := strings.ToLower(l.stubName(l.stub[0]))
	rest, isAgain := strings.CutPrefix(strings.ToLower(name), stub)
	if filled < 2 || isAgain && (rest == "" || strings.HasPrefix(rest, " (")) { // "Region (continued)"
		return ""
	}
	return name
}

// firstBlock returns the name of the first section of a table that has such sections.
func (l *Layout) firstBlock() string {
	if !slices.ContainsFunc(l.rows[l.top:], func(row []string) bool { return l.blockOf(row) != "" }) {
		return ""
	}
	return l.stubName(l.stub[0])
}
