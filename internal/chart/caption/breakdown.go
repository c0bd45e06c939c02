package caption

import (
	"strings"

	"almanac/internal/stat"
)

// Breakdown returns the name of a dimension along which bars run, for "by age". It is empty if
// the dimension has a code for a name or one that says nothing, and for what is measured.
func Breakdown(d *stat.Dimension) string {
	name := tidy(d.Label)
	switch {
	case d.Role == stat.RoleUnit || isMeasureID(strings.ToLower(d.ID)):
		return ""
	case RoleOf(d) != "":
		return strings.ToLower(RoleOf(d))
	case strings.EqualFold(d.ID, "age") && IsCode(name):
		return "age"
	case IsCode(name) || IsFiller(name):
		return ""
	}
	return lowerFirst(name)
}
