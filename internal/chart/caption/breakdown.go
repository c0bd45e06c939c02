package caption

import (
	"strings"

	"almanac/internal/stat"
)

// Breakdown returns the name of a dimension along which bars run, for "by age". It is empty if
// the dimension has a code for a name or one that says nothing, and for what is measured.
func Breakdown(dataset *stat.Dataset, axis int) string {
	d := &dataset.Dimensions[axis]
	name, role := tidy(d.Label), RoleOf(dataset, axis)
	switch {
	case d.Role == stat.RoleUnit || isMeasureID(strings.ToLower(d.ID)):
		return ""
	case role != "":
		return strings.ToLower(role)
	case strings.EqualFold(d.ID, "age") && IsCode(name):
		return "age"
	case IsCode(name) || IsFiller(name):
		return ""
	}
	return lowerFirst(name)
}
