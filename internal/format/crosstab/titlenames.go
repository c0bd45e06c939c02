package crosstab

import (
	"regexp"
	"slices"
	"strings"
)

// byNames matches the end of a title that lists the dimensions of a table, as PxWeb and offices
// with its tables write them: "Population by area, sex and year".
var byNames = regexp.MustCompile(`(?i) (?:by|efter|etter|eftir|nach|par|por|según|pagal|pēc) ([^()]+)$`)

// lastName matches the word before the last one.
var lastName = regexp.MustCompile(`(?i),? (?:and|og|och|und|et|y|e|ir|un) `)

// nameByTitle names the columns of the stub by the title, if it lists the time and as
// many dimensions as the table has, in their order: no texts but those of a column that is called so are areas.
func (r *reader) nameByTitle(titles []string) {
	if len(titles) == 0 || slices.ContainsFunc(r.ofStub, func(a axis) bool { return r.found.stub[a.codes].name != "" }) {
		return
	}
	found := byNames.FindStringSubmatch(titles[0])
	if found == nil {
		return
	}
	all := strings.Split(lastName.ReplaceAllString(found[1], ", "), ", ")
	names := slices.DeleteFunc(slices.Clone(all), isTimeName)
	if len(names) == len(all) || len(names) != len(r.ofStub)+len(r.varyingHeads()) {
		return
	}
	for i, a := range r.ofStub {
		if !isAreaWord(names[i]) && r.in.Areas != nil && r.areAreas(a, names[i]) {
			return
		}
	}
	for i, a := range r.ofStub {
		r.found.stub[a.codes].name = names[i]
		if a.labels >= 0 {
			r.found.stub[a.labels].name = names[i]
		}
	}
}
