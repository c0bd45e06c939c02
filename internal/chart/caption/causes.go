package caption

import (
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
)

var (
	// causes matches the causes of death to which a query of CDC WONDER is limited.
	causes = lazyregexp.New(`(?m)^[MU]CD - ICD-10 [^:]*: (.+)$`)
	// causeNames matches their names after their codes: "T40.1 (Heroin)".
	causeNames = lazyregexp.New(`\(([^()]+)\)`)
	// causeCodes matches the codes.
	causeCodes = lazyregexp.New(`\b[A-Z]\d\d(?:\.\d)?\b`)
)

// causesID is the ID of the fact that names them.
const causesID = "causes"

// groupsOfCauses are what CDC calls lists of codes that are asked for together.
var groupsOfCauses = []struct{ codes, name string }{
	{"T40.0 T40.1 T40.2 T40.3 T40.4 T40.6", "opioid overdoses"},
	{"T40.0 T40.1 T40.2 T40.3 T40.4", "opioid overdoses"},
	{"X40 X41 X42 X43 X44 X60 X61 X62 X63 X64 X85 Y10 Y11 Y12 Y13 Y14", "drug overdoses"},
}

// causesOf returns the causes of death to which a dataset is limited; empty if it is not.
func causesOf(description string) string {
	m := causes.FindStringSubmatch(description)
	if m == nil {
		return ""
	}
	var names []string
	for _, name := range causeNames.FindAllStringSubmatch(m[1], -1) {
		names = append(names, name[1])
	}
	return strings.Join(names, ", ")
}

// withCauses adds to a title that the deaths are not all: the name of the causes, or that they are selected.
func withCauses(title, description string, facts []fact) (string, []fact) {
	i := slices.IndexFunc(facts, func(f fact) bool { return f.id == causesID })
	if i < 0 {
		return title, facts
	}
	if names := facts[i].label; !strings.Contains(names, ", ") {
		return title + ": " + lowerFirst(names), slices.Delete(slices.Clone(facts), i, i+1)
	}
	codes := strings.Join(causeCodes.FindAllString(causes.FindStringSubmatch(description)[1], -1), " ")
	for _, group := range groupsOfCauses {
		if group.codes == codes {
			return title + ": " + group.name, facts
		}
	}
	return title + ": selected causes", facts
}
