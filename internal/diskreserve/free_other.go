//go:build !linux && !darwin

package diskreserve

import "math"

// freeBytes is not known here: the reserve is made if it has room.
func freeBytes(string) (int64, error) { return math.MaxInt64, nil }
