package geo

// SystemOf returns the code system that a source uses for areas. For an unlisted
// source, it is [Own].
func SystemOf(source string) *System { return officeOf(canonicalSource(source)).System }

// LoadMembers returns the countries of groups, by the ID of the group.
func LoadMembers() map[string][]string { return loadMembers() }
