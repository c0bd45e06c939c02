package source

import (
	"slices"

	"almanac/internal/source/fetch"
)

// offices are the built-in offices. A new office of a known kind is a row in the file of
// its kind; docs/add-a-source.md explains how to find its values.
var offices = slices.Concat(eurostatOffices, sdmxOffices, worldbankOffices, ghoOffices, pxwebOffices, jsonstatOffices, dbnomicsOffices, plainOffices, statbankOffices, indexOffices, genesisOffices, odata4Offices)

// kinds are the constructors of the kinds of servers.
var kinds = map[string]func(Office, *fetch.Client) Server{
	"dbnomics":  newDbnomics,
	"eurostat":  newEurostat,
	"genesis":   newGenesis,
	"gho":       newGho,
	"index":     newIndex,
	"jsonstat":  newJsonstat,
	"odata4":    newOdata4,
	"files":     newPlain,
	"pxweb":     newPxweb,
	"sdmx":      newSdmx,
	"statbank":  newStatbank,
	"worldbank": newWorldbank,
}
