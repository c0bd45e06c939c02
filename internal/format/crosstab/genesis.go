package crosstab

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// isGENESIS reports whether a table is of GENESIS, the database of the German federal and
// regional offices: its first line says so. Years in its first column have the areas on
// their right, in columns without a heading.
func (s *sample) isGENESIS() bool {
	return len(s.rows) > 0 && strings.HasPrefix(at(s.rows[0], 0), "GENESIS-Tabelle: ")
}

// areasBeside returns the texts on the right of a year in a table of GENESIS, unless they
// are its months.
func (s *sample) areasBeside(row, column int) string {
	if _, isPart := partIn(anyYear, at(s.rows[row], column+1)); isPart || !s.isGENESIS() {
		return ""
	}
	return "\x00" + joinCells(s.rows[row])
}

// genesisTimes are the names of the dimension of time in GENESIS.
var genesisTimes = []string{"Deutschland", "Stichtag", "Jahre", "Jahr", "Quartale", "Monate", "Semester", "Halbjahre", "Schuljahr"}

// genesisDepth matches what the titles of regional tables say of their areas.
var genesisDepth = regexp.MustCompile(`regionale\s+Tiefe:\s*([^\n]+)`)

// nameStub names the columns of the stub of a table of GENESIS: the areas of a regional
// table, or the dimensions that the second line lists, as in "Bevölkerung: Bundesländer,
// Stichtag". The stub has the first ones, unless these are areas and its texts are none.
func (r *reader) nameStub(titles []string) {
	if len(titles) < 2 {
		return
	}
	_, list, _ := strings.Cut(titles[1], ": ")
	names := slices.DeleteFunc(strings.Split(list, ", "), func(name string) bool { return slices.Contains(genesisTimes, name) })
	unnamed := r.ofStub
	if m := genesisDepth.FindStringSubmatch(strings.Join(titles, "\n")); m != nil {
		names, unnamed = m[1:], unnamed[:min(1, len(unnamed))]
	}
	if len(names) == 0 || len(unnamed) == 0 || isAreaWord(names[0]) && !r.areAreas(unnamed[0], names[0]) {
		return
	}
	for i, a := range unnamed {
		if c := r.found.stub[max(a.codes, a.labels)]; c.name == "" && len(unnamed) <= len(names) {
			r.found.stub[a.codes].name, c.name = names[i], names[i]
		}
	}
}

// areAreas reports whether one of the texts of an axis is an area.
func (r *reader) areAreas(a axis, name string) bool {
	var texts []string
	for _, i := range []int{a.codes, a.labels} {
		if i >= 0 {
			texts = slices.AppendSeq(texts, maps.Keys(r.found.stub[i].cells))
		}
	}
	isArea := func(text string) bool { return r.in.CountAreas(r.dataset.Source.ID, name, []string{text}) > 0 }
	return r.in.Areas == nil || slices.ContainsFunc(texts, isArea)
}
