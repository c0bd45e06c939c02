package geo

import "regexp"

// codeKind matches the letters of codes such as KU091 and MK01, which tell municipalities from
// regions. One letter may be that of a country: E06000001 is in England.
var codeKind = regexp.MustCompile(`^(\pL{2,4})\d+$`)

// KindOfCode returns the letters before the number of an office's code, which say of which kind an area is; empty
// if there are none.
func KindOfCode(code string) string {
	if m := codeKind.FindStringSubmatch(code); m != nil {
		return m[1]
	}
	return ""
}
