// Package strength estimates how many guesses it takes to find a password.
//
// Who guesses tries what people choose: common passwords, words and names, dates, keys in a row, and
// repetitions of these. [Bits] cuts a password into such pieces, so that their guesses, multiplied, are
// as few as possible. The method and the lists are those of zxcvbn (Wheeler: zxcvbn, low-budget
// password strength estimation, USENIX Security 2016).
package strength

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Bits returns the base-2 logarithm of the number of guesses. Own are words that somebody who guesses
// this password tries first, such as the name of its owner. The time grows with the third power of the
// length.
func Bits(password string, own []string) float64 {
	text := []rune(password)
	if len(text) == 0 {
		return 0
	}
	e := estimator{text: text, ranks: ranks(text, own), bits: make([][]float64, len(text))}
	perRune := math.Log2(alphabet(text))
	for i := range e.bits {
		e.bits[i] = make([]float64, len(text)+1)
		e.bits[i][i+1] = perRune
	}
	for length := 2; length <= len(text); length++ {
		for i := 0; i+length <= len(text); i++ {
			e.bits[i][i+length] = e.fewest(i, i+length)
		}
	}
	return max(e.bits[0][len(text)], 0)
}

// alphabet returns the number of characters that somebody tries who knows which kinds there are.
func alphabet(text []rune) float64 {
	size := 0
	for _, kind := range []struct {
		isIn func(rune) bool
		size int
	}{
		{unicode.IsLower, 26},
		{unicode.IsUpper, 26},
		{unicode.IsDigit, 10},
		{func(r rune) bool { return !unicode.IsLower(r) && !unicode.IsUpper(r) && !unicode.IsDigit(r) }, 33},
	} {
		if slices.ContainsFunc(text, kind.isIn) {
			size += kind.size
		}
	}
	return float64(size)
}

type estimator struct {
	text  []rune
	ranks map[string]int
	bits  [][]float64 // of text[i:j], for what is shorter than the piece in question
}

// fewest returns the bits of text[i:j]: of one piece, or of two parts.
func (e *estimator) fewest(i, j int) float64 {
	piece := e.text[i:j]
	fewest := min(wordBits(piece, e.ranks), sequenceBits(piece), keyboardBits(piece), dateBits(string(piece)), e.repeatBits(i, j))
	for k := i + 1; k < j; k++ {
		fewest = min(fewest, e.bits[i][k]+e.bits[k][j])
	}
	return fewest
}

// repeatBits returns the bits of text[i:j] as a repetition: those of what is repeated and of how often.
func (e *estimator) repeatBits(i, j int) float64 {
	fewest := math.Inf(1)
	for period := 1; period <= (j-i)/2; period++ {
		if (j-i)%period == 0 && slices.Equal(e.text[i:j-period], e.text[i+period:j]) {
			fewest = min(fewest, e.bits[i][i+period]+math.Log2(float64((j-i)/period)))
		}
	}
	return fewest
}

// Repeated returns how many characters of a password are repeated until its end, such as 5 of "blue blue"; all if it is no repetition.
func Repeated(password string) int {
	text := []rune(password)
	for period := 1; period <= (len(text)+1)/2; period++ { // the last one may lack a space
		if slices.Equal(text[:len(text)-period], text[period:]) {
			return period
		}
	}
	return len(text)
}

// alphabets are what people go through letter by letter.
var alphabets = []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"}

// sequenceBits returns the bits of characters that follow one another, such as cdef and 321: those of
// the first, of the direction and of the length.
func sequenceBits(piece []rune) float64 {
	if len(piece) < 3 {
		return math.Inf(1)
	}
	for _, all := range alphabets {
		backward := []rune(all)
		slices.Reverse(backward)
		if strings.Contains(all, string(piece)) || strings.Contains(string(backward), string(piece)) {
			return math.Log2(float64(len(all))) + 1 + math.Log2(float64(len(piece)))
		}
	}
	return math.Inf(1)
}
