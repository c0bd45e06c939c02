package defaults

// AllSeries returns all rows of the table of well-known datasets.
func AllSeries() []Series { return wellKnown().series }
