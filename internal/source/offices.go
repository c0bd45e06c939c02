package source

import "slices"

// offices are the built-in offices. A new office of a known kind is a row in the file of
// its kind; docs/add-a-source.md explains how to find its values.
var offices = slices.Concat(eurostatOffices, sdmxOffices, worldbankOffices, ghoOffices, pxwebOffices, jsonstatOffices, dbnomicsOffices, plainOffices, statbankOffices, indexOffices, genesisOffices, odata4Offices)
