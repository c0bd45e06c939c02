package docs

import (
	"regexp"
	"strings"
	"testing"
)

// TestSecurityRequirements checks that the tests that the table names exist, and that each requirement
// has a test or a reason.
func TestSecurityRequirements(t *testing.T) {
	named := regexp.MustCompile("`([^` ]+_test\\.go):([A-Za-z0-9]+)`")
	numbers := regexp.MustCompile(`^\d+\.\d+`)
	seen, tests := map[string]int{}, 0
	for line := range strings.SplitSeq(readPage(t, "docs/security.md"), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		number := strings.TrimSpace(cells[0])
		if !strings.HasPrefix(line, "|") || !numbers.MatchString(number) {
			continue
		}
		seen[number]++
		isOpen := strings.Contains(line, "**Not met**")
		if len(cells) < 3 || !isOpen && strings.TrimSpace(cells[len(cells)-1]) == "" {
			t.Errorf("%s has neither a test nor a reason", number)
		}
		if isOpen && seen[number] < 2 {
			t.Errorf("%s is not in the list of what is not met", number)
		}
		for _, one := range named.FindAllStringSubmatch(line, -1) {
			tests++
			if !strings.Contains(readPage(t, one[1]), "\nfunc "+one[2]+"(") {
				t.Errorf("%s names %s, which %s does not have", number, one[2], one[1])
			}
		}
	}
	if len(seen) < 150 || tests < 150 {
		t.Errorf("%d requirements with %d tests; has the form of the table changed?", len(seen), tests)
	}
}
