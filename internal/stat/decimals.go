package stat

import "math"

// Decimals bounds the decimals of values: one more than their number. A value multiplied by ten
// to the power of this number and rounded is an integer of at most 15 digits; divided by that
// power it is the value again. So its text need not be searched. The zero Decimals are not known.
type Decimals uint8

// MaxDecimals is the largest number of decimals that is known.
const MaxDecimals = 9

// ExactDigits bounds the integers: decimals of at most 15 digits differ as float64, so one that
// reads back as the value is the shortest, without its trailing zeros.
const ExactDigits = 1e15

// DecimalsOf returns the decimals of values, of which NaN have none. They are not known of values
// that are infinite, have more than 9 decimals or more than 15 digits.
func DecimalsOf(values []float64) Decimals {
	n, power, most := 0, 1.0, 0.0
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		most = max(most, math.Abs(v))
		for most*power >= ExactDigits || math.Round(v*power)/power != v {
			if n++; n > MaxDecimals {
				return 0
			}
			power *= 10
		}
	}
	return Decimals(n + 1)
}

// Count returns the number of decimals, -1 if they are not known.
func (d Decimals) Count() int { return int(d) - 1 }
