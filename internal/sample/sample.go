// Package sample holds two real datasets that are free to redistribute, so
// that the service can be tried without any file of one's own: indicators of
// countries by Gapminder (CC BY 4.0) and employment in the United States by
// industry of the Bureau of Labor Statistics (public domain).
//
// They are files of the tidy format, made by the program in gen from the
// package vega-datasets of npm. LICENCES.md beside them says what they were
// taken from, what was changed, and how the sources want to be named.
package sample

import (
	"embed"
	"io/fs"
)

//go:embed *.tidy.csv
var files embed.FS

// Files returns the sample datasets, one file of the tidy format each, at its
// top level. It changes neither during the life of a program nor between two
// builds of the same version.
func Files() fs.FS { return files }
