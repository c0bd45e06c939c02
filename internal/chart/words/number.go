package words

import (
	"slices"
	"strconv"
	"sync"
)

// numerals holds how a language writes numbers. All are facts of CLDR.
type numerals struct {
	group, point string
	minGrouped   int    // digits from which a number is grouped
	percent      string // after a number, with the space before it
	signLast     bool   // the sign of a currency comes after the number
	powers       []Power
}

// Power is a power of ten with a word: 6, " million".
type Power struct {
	Exponent int
	Name     string // with the space before it
	Plural   string // in a sentence: "millions"
}

// Powers returns the powers of ten that have a word in the language, the largest first.
func (l *Language) Powers() []Power { return l.numbers.powers }

// Percent returns the sign for per cent after a number, with the space before it.
func (l *Language) Percent() string { return l.numbers.percent }

// CurrencyLast reports whether the sign of a currency comes after the number.
func (l *Language) CurrencyLast() bool { return l.numbers.signLast }

// Separators returns what stands between thousands and before decimals, and the number of digits
// from which a number has thousands.
func (l *Language) Separators() (thousands, point string, least int) {
	return l.numbers.group, l.numbers.point, l.numbers.minGrouped
}

// ForPages returns the language as the pages of Almanac write it: a narrow space that does not break between thousands (1 250), and
// days with the name of the month (29 Feb 2024).
func (l *Language) ForPages() *Language {
	if i := slices.Index(languages(), l); i >= 0 {
		return forPages()[i]
	}
	return l
}

// forPages are all languages as pages write them, in the order of Codes.
var forPages = sync.OnceValue(func() (all []*Language) {
	for _, l := range languages() {
		own := *l
		own.numbers.group, own.numbers.minGrouped, own.hasISODays = "\u202f", 4, false
		all = append(all, &own)
	}
	return all
})

// Int writes a whole number: "1,250".
func (l *Language) Int(n int) string {
	if n < 0 {
		return "−" + l.Decimal(strconv.Itoa(-n), "")
	}
	return l.Decimal(strconv.Itoa(n), "")
}

// Decimal writes a number without its sign from the digits before and after the point:
// "1,250.0".
func (l *Language) Decimal(whole, fraction string) string {
	text := whole
	if n := len(whole); n >= l.numbers.minGrouped {
		text = whole[:(n-1)%3+1]
		for i := len(text); i < n; i += 3 {
			text += l.numbers.group + whole[i:i+3]
		}
	}
	if fraction != "" {
		text += l.numbers.point + fraction
	}
	return text
}
