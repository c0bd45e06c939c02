//go:build !linux

package importprocess

// Bound does nothing here: the memory of the process is bounded by GOMEMLIMIT, which the server
// sets, and that is no hard bound.
func Bound(int64) error { return nil }
