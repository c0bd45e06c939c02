package geo

// SystemOf returns the code system that a source uses for areas. For an unlisted
// source, it is [Own].
func SystemOf(source string) *System { return officeOf(canonicalSource(source)).System }
