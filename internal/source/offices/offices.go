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
	"almanac/internal/source/eurostat"
	"almanac/internal/source/fetch"
	"almanac/internal/source/gho"
	"almanac/internal/source/worldbank"
)

// builtIn are the built-in offices. A new office of a known kind is a row in the package
// of its kind; docs/add-a-source.md explains how to find its values.
var builtIn = slices.Concat(eurostat.Offices, source.SdmxOffices, worldbank.Offices, gho.Offices, source.PxwebOffices, source.JsonstatOffices, source.DbnomicsOffices, source.PlainOffices, source.StatbankOffices, source.IndexOffices, source.GenesisOffices, source.Odata4Offices)

// kinds are the constructors of the kinds of servers.
var kinds = map[string]func(source.Office, *fetch.Client) source.Server{
	"dbnomics":  source.NewDbnomics,
	"eurostat":  eurostat.New,
	"genesis":   source.NewGenesis,
	"gho":       gho.New,
	"index":     source.NewIndex,
	"jsonstat":  source.NewJsonstat,
	"odata4":    source.NewOdata4,
	"files":     source.NewPlain,
	"pxweb":     source.NewPxweb,
	"sdmx":      source.NewSdmx,
	"statbank":  source.NewStatbank,
	"worldbank": worldbank.New,
}
