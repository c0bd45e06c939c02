package plain

import (
	"regexp"
	"strings"
)

var yearInText = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:$|[^0-9])`)

// statedPeriod returns the period that a table without periods may be of: the only year
// that its title lines or, failing these, the file's name have. Empty: it is not known.
func statedPeriod(l layout, name string) string {
	var title []string
	for _, row := range l.above {
		title = append(title, strings.Join(row, " "))
	}
	for _, text := range []string{strings.Join(title, " "), name} {
		years := map[string]bool{}
		last := ""
		for rest := text; ; {
			m := yearInText.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			last = rest[m[2]:m[3]]
			years[last] = true
			rest = rest[m[3]:]
		}
		if len(years) == 1 {
			return last
		}
	}
	return ""
}
