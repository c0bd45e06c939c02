package workbook

import (
	"math"
	"slices"
	"strconv"
)

// NumberText returns the shortest decimal text of a number, without an exponent unless
// the number is very large or small: codes such as 1234567 keep their digits.
func NumberText(v float64) string {
	if size := math.Abs(v); size >= 1e21 || size < 1e-6 && size > 0 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// IsErrorText reports whether a text is how spreadsheet programs show an error.
func IsErrorText(text string) bool {
	return slices.Contains([]string{"#N/A", "#VALUE!", "#REF!", "#DIV/0!", "#NUM!", "#NAME?", "#NULL!"}, text)
}
