// Package sample embeds two real datasets that are free to redistribute, for trying
// Almanac without files of your own: Gapminder's indicators of countries (CC BY 4.0) and
// employment in the United States by industry, from the Bureau of Labor Statistics
// (public domain).
//
// They are files of the tidy format. LICENCES.md documents their origin, the changes
// and the required attribution.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed *.tidy.csv
var files embed.FS

// Files returns the sample datasets, one tidy file each, at the top level. It is the
// same in all builds of a version.
func Files() fs.FS { return files }
