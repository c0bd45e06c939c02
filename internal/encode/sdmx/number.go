package sdmx

import (
	"math"
	"strconv"
)

// AppendNumber appends the shortest decimal that reads back as the same value, without exponent
// below 1e21. Negative zero is 0; a missing value is NaN, as SDMX writes it.
func AppendNumber(buf []byte, v float64) []byte {
	switch {
	case v == 0:
		return append(buf, '0')
	case math.Abs(v) >= 1e21:
		return strconv.AppendFloat(buf, v, 'e', -1, 64)
	}
	if i := int64(v); float64(i) == v && math.Abs(v) < 1e15 {
		return strconv.AppendInt(buf, i, 10)
	}
	return strconv.AppendFloat(buf, v, 'f', -1, 64)
}
