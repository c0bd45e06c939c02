// Package offices is the table of the offices whose servers Almanac knows: the built-in
// rows of all kinds of servers and an installation's own.
//
// A [Table] finds the office of a reference such as eurostat:une_rt_m and returns its
// server. What all kinds of servers have in common around a list and a download is in
// server.go.
package offices

import (
	"slices"

	"almanac/internal/source"
	"almanac/internal/source/dbnomics"
	"almanac/internal/source/eurostat"
	"almanac/internal/source/fetch"
	"almanac/internal/source/genesis"
	"almanac/internal/source/gho"
	"almanac/internal/source/index"
	"almanac/internal/source/jsonstat"
	"almanac/internal/source/odata4"
	"almanac/internal/source/plain"
	"almanac/internal/source/pxweb"
	"almanac/internal/source/sdmx"
	"almanac/internal/source/worldbank"
)

// builtIn are the built-in offices. A new office of a known kind is a row in the package
// of its kind; docs/add-a-source.md explains how to find its values.
var builtIn = slices.Concat(eurostat.Offices, sdmx.Offices, worldbank.Offices, gho.Offices, pxweb.Offices, jsonstat.Offices, dbnomics.Offices, plain.Offices, pxweb.StatbankOffices, index.Offices, genesis.Offices, odata4.Offices)

// kinds are the constructors of the kinds of servers.
var kinds = map[string]func(source.Office, *fetch.Client) source.Server{
	"dbnomics":  dbnomics.New,
	"eurostat":  eurostat.New,
	"genesis":   genesis.New,
	"gho":       gho.New,
	"index":     index.New,
	"jsonstat":  jsonstat.New,
	"odata4":    odata4.New,
	"files":     plain.New,
	"pxweb":     pxweb.New,
	"sdmx":      sdmx.New,
	"statbank":  pxweb.NewStatbank,
	"worldbank": worldbank.New,
}
