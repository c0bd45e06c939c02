// Package almanac has the texts of the project that the program shows.
package almanac

import _ "embed"

// Changelog is the text of CHANGELOG.md.
//
//go:embed CHANGELOG.md
var Changelog string
