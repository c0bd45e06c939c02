package source

import "slices"

// offices are those that are built in. A new office of a known kind is a row in
// the file of its kind; docs/add-a-source.md tells how it is found out what the
// row must say.
var offices = slices.Concat(eurostatOffices, sdmxOffices, worldbankOffices, ghoOffices, pxwebOffices, jsonstatOffices, dbnomicsOffices, plainOffices)
