package strength

import (
	"math"
	"time"
	"unicode"
)

// keyboards are the rows of keys of English, German and French keyboards, without and with the key Shift,
// and of a block of digits.
var keyboards = [][]string{
	{"`1234567890-=", " qwertyuiop[]\\", " asdfghjkl;'", " zxcvbnm,./"},
	{"~!@#$%^&*()_+", " QWERTYUIOP{}|", " ASDFGHJKL:\"", " ZXCVBNM<>?"},
	{"^1234567890ß´", " qwertzuiopü+", " asdfghjklöä#", " yxcvbnm,.-"},
	{"°!\"§$%&/()=?`", " QWERTZUIOPÜ*", " ASDFGHJKLÖÄ'", " YXCVBNM;:_"},
	{"²&é\"'(-è_çà)=", " azertyuiop^$", " qsdfghjklmù*", " wxcvbn,;:!"},
	{" 1234567890°+", " AZERTYUIOP¨£", " QSDFGHJKLM%µ", " WXCVBN?./§"},
	{"789", "456", "123", "0"},
}

// key is a place on a keyboard.
type key struct{ row, column int }

// placesOfKeys has the place of each character on each keyboard.
var placesOfKeys = func() []map[rune]key {
	var all []map[rune]key
	for _, rows := range keyboards {
		places := map[rune]key{}
		for row, keys := range rows {
			for column, r := range []rune(keys) {
				if r != ' ' {
					places[r] = key{row, column}
				}
			}
		}
		all = append(all, places)
	}
	return all
}()

// keyboardBits returns the bits of keys in a row: those of the first key, and for each straight part
// those of its direction and its length.
func keyboardBits(piece []rune) float64 {
	const directions = 8
	fewest := math.Inf(1)
	if len(piece) < 3 {
		return fewest
	}
	for _, places := range placesOfKeys {
		if parts := straightParts(piece, places); parts > 0 {
			perPart := math.Log2(directions) + math.Log2(float64(len(piece)))
			fewest = min(fewest, math.Log2(float64(len(places)))+float64(parts)*perPart)
		}
	}
	return fewest
}

// straightParts returns the number of straight lines along neighbours on a keyboard that make a piece,
// or 0 if none do.
func straightParts(piece []rune, places map[rune]key) int {
	parts := 0
	var direction key
	for i := 1; i < len(piece); i++ {
		from, isKey := places[piece[i-1]]
		to, isNextKey := places[piece[i]]
		step := key{to.row - from.row, to.column - from.column}
		isNeighbour := max(step.row, -step.row) <= 1 && max(step.column, -step.column) <= 1
		if !isKey || !isNextKey || !isNeighbour {
			return 0
		}
		if i == 1 || step != direction {
			parts++
		}
		direction = step
	}
	return parts
}

// layoutsOfDates are the forms of dates that people put into passwords.
var layoutsOfDates = []string{
	"2006", "012006", "200601", "02012006", "01022006", "20060102", "020106", "010206", "060102",
	"2.1.2006", "2/1/2006", "1/2/2006", "2-1-2006", "2006-1-2", "2006/1/2", "2006.1.2", "2_1_2006", "2006_1_2",
	"2.1.06", "2/1/06", "1/2/06", "2-1-06", "06-1-2",
}

// dateBits returns the bits of a date within two centuries. A year alone has fewer.
func dateBits(piece string) float64 {
	const shortest, longest, years, days = 4, 10, 200, 365
	fewest := math.Inf(1)
	if len(piece) < shortest || len(piece) > longest || !unicode.IsDigit(rune(piece[0])) {
		return fewest
	}
	for _, layout := range layoutsOfDates {
		date, err := time.Parse(layout, piece)
		if err != nil || date.Year() < 1900 || date.Year() >= 1900+years {
			continue
		}
		bits := math.Log2(years)
		if layout != "2006" {
			bits = math.Log2(years * days)
		}
		fewest = min(fewest, bits)
	}
	return fewest
}
