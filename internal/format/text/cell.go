package text

import (
	"regexp"
	"strconv"
	"strings"
)

// numeric matches numbers in any style.
var numeric = regexp.MustCompile(`^[-+−]?([0-9][0-9 .,'’\x{a0}\x{202f}\x{2009}]*|[.,][0-9]+)([eE][-+]?[0-9]+)?$`)

// IsNumber reports whether a cell has the form of a number in any style.
func IsNumber(cell string) bool { return numeric.MatchString(cell) }

// IsDigits reports whether a text has digits only.
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsYear reports whether a text is a year that statistics may be about.
func IsYear(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && len(s) == 4 && n >= 1700 && n <= 2150
}
