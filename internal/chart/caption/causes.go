package caption

import (
	"regexp"
	"strings"
)

var (
	// causes matches the causes of death to which a query of CDC WONDER is limited.
	causes = regexp.MustCompile(`(?m)^[MU]CD - ICD-10 [^:]*: (.+)$`)
	// causeNames matches their names after their codes: "T40.1 (Heroin)".
	causeNames = regexp.MustCompile(`\(([^()]+)\)`)
)

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
