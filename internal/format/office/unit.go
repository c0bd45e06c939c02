package office

import (
	"math"
	"strconv"
)

// Exponent returns a code of an office's list of unit multipliers as the power of ten
// that SDMX's own list has. The Federal Reserve's codes are factors: 1000000 for 6.
func Exponent(source, code string) string {
	if source != "frb" {
		return code
	}
	factor, err := strconv.ParseFloat(code, 64)
	power := math.Log10(factor)
	if err != nil || power != math.Trunc(power) {
		return code
	}
	return strconv.Itoa(int(power))
}
