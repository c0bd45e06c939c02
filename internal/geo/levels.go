package geo

import (
	"regexp"
	"strings"
)

// levelMark matches a level of areas in a heading with the mark before the names of that level:
// "Kanton (-) / Bezirk (>>) / Gemeinde (......)".
var levelMark = regexp.MustCompile(`(\pL[\pL ]*) \((-|>>|\.{2,})\)`)

// CutLevel returns the name of an area without the mark of its level, and the number of a
// municipality after it: "Zürich" of "- Zürich", "Aeugst am Albis" of "......0001 Aeugst am Albis".
func CutLevel(heading, name string) string {
	for _, m := range levelMark.FindAllStringSubmatch(heading, -1) {
		if rest, ok := strings.CutPrefix(name, m[2]); ok {
			return strings.TrimLeft(rest, " 0123456789")
		}
	}
	return name
}

// resolveUpper resolves a column with areas of several levels, of which the names of each begin
// with the mark that the heading lists: the areas of the first level, and the whole above them,
// which has no mark. The others stand for themselves. ok is false for other columns.
func resolveUpper(source, heading string, codes []Labelled) (r Resolution, ok bool) {
	levels := levelMark.FindAllStringSubmatch(heading, -1)
	if len(levels) < 2 {
		return r, false
	}
	var upper []Labelled
	var at []int
	for i, l := range codes {
		name := l.Label
		if name == "" {
			name = l.Code
		}
		_, isUpper := strings.CutPrefix(name, levels[0][2]+" ")
		if cut := CutLevel(heading, name); isUpper || cut == name {
			upper, at = append(upper, Labelled{Code: CutLevel(heading, l.Code), Label: cut}), append(at, i)
		}
	}
	found := ResolveAll(source, levels[0][1], upper)
	r = Resolution{Areas: make([]Area, len(codes)), Known: make([]bool, len(codes)), System: found.System, InSystem: make([]bool, len(codes)), column: newColumn(source, levels[0][1], codes)}
	for i, l := range codes {
		r.Areas[i] = Area{ID: r.column.unknownID(l.Code), Name: l.Code}
	}
	for i, of := range at {
		if found.Known[i] {
			r.Areas[of], r.Known[of], r.InSystem[of] = found.Areas[i], true, found.InSystem[i]
		}
	}
	return r, true
}
