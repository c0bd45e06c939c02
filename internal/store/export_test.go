package store

// KeepError is the error of KeepChart for an error of writing.
var KeepError = keepError

// Loaded reports whether the observations are in memory.
func (v *Vintage) Loaded() bool { return v.columns.Load() != nil }

// Rows returns the number of observations, with or without a value.
func (d *Draft) Rows() int { return d.observations.rows }
