package stat

import "strings"

// ListedCode returns the code that a source's list of contents has for a dataset whose
// files state code. It is code itself, except for Statistics Canada, whose SDMX files
// state DF_34100158 for the table that its list and its pages call 34100158.
func ListedCode(source, code string) string {
	const prefix, digits = "DF_", 8
	if listed, ok := strings.CutPrefix(code, prefix); ok && source == "statcan" && len(listed) == digits && strings.Trim(listed, "0123456789") == "" {
		return listed
	}
	return code
}
