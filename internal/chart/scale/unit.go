package scale

import (
	"slices"
	"strings"
	"unicode"

	"almanac/internal/chart/words"
)

// Unit is what the numbers of a chart count, and the language in which they are written.
type Unit struct {
	Text     string          // "%", "Million euro"; empty if not stated
	Language *words.Language // nil: English
	// Power is the power of ten by which values are multiplied when they are written: 3 if
	// the source counts in thousands and Text is what it counts.
	Power int
}

// decimalOf returns a value as it is written.
func (u Unit) decimalOf(v float64) decimal {
	d := decimalOf(v)
	if !d.isZero() {
		d.point += u.Power
	}
	return d
}

func (u Unit) language() *words.Language {
	if u.Language == nil {
		return words.In("")
	}
	return u.Language
}

// firstPower returns the power of ten from which numbers are written with a word: 6 for a
// million. Up to 99,999, numbers have none in any language.
func (u Unit) firstPower() int {
	powers := u.language().Powers()
	return max(powers[len(powers)-1].Exponent, 5)
}

// HasSign reports whether numbers have a sign that states the unit: "%" or that of a currency.
func (u Unit) HasSign() bool { return signOf(u.Text) != sign{} }

// signs returns the sign of the unit where the language writes it.
func (u Unit) signs() (prefix, suffix string) {
	s, l := signOf(u.Text), u.language()
	switch {
	case s.suffix != "":
		return "", l.Percent()
	case s.prefix != "" && l.CurrencyLast():
		return "", "\u00a0" + s.prefix
	}
	return s.prefix, ""
}

// sign is written next to a number to state its unit.
type sign struct{ prefix, suffix string }

// percents lists the beginnings of units that mean per cent, in lower case and in the
// languages of the offices.
var percents = []string{
	"%", "percentage", "percentages", "percentual share", "percent", "percents", "per cent", "pct", "pct.",
	"pourcentage", "pourcent", "pour cent", "prozent", "porcentaje", "percento", "percentuale", "procent", "prosent",
}

// percentEnds lists the ends of units that mean per cent in Chinese, Japanese and Korean.
var percentEnds = []string{"（%）", "％", "（％）", "百分比", "パーセント", "퍼센트"}

// currencies lists the beginnings of units that mean one unit of a currency.
var currencies = []struct {
	sign  string
	names []string
}{
	{"€", []string{"€", "euro", "euros", "eur"}},
	{"$", []string{"$", "us$", "us $", "current us$", "constant us$", "usd", "us dollar", "us dollars", "u.s. dollar", "u.s. dollars", "united states dollar", "united states dollars", "dollar", "dollars"}},
	{"£", []string{"£", "pound sterling", "pounds sterling", "sterling", "gbp"}},
}

// multiples lists the beginnings of words that make a unit a multiple. Such a unit has
// no sign, which would state a wrong amount.
var multiples = []string{
	"hundred", "thousand", "million", "milliard", "billion", "trillion", "crore", "lakh",
	"tausend", "millon", "milion", "miljo", "millier", "mio", "mrd", "mln", "bln", "mld", "bn", "mn",
	"χιλιάδ", "εκατομ", "δισεκατομμύρι", "δισ", "тыс", "млн", "млрд", "миллион", "миллиард", "ألف", "آلاف", "مليون", "ملايين", "مليار",
	"千", "万", "萬", "百万", "十亿", "億", "亿", "兆", "천", "만", "백만", "억",
}

// notMoney lists words by which a unit that begins like a currency is something else: an
// exchange rate, an index, a change.
var notMoney = []string{"percent", "per cent", "%", "index", "exchange", "dollar", "national currency", "change", "growth", "="}

// signOf returns the sign of a unit: "%" for a percentage, a currency's sign for one
// unit of that currency ("Euro", "Euro per inhabitant", not "Million euro"), else none.
// Percentage points have no sign: 2 points are not 2 %.
func signOf(unit string) sign {
	text := strings.ToLower(strings.Join(strings.Fields(unit), " "))
	if text == "pc" || text == "pt" { // the codes of Eurostat and of SDMX
		return sign{suffix: "%"}
	}
	if hasAnySuffix(text, percentEnds) {
		return sign{suffix: "%"}
	}
	for _, name := range percents {
		if rest, ok := begins(text, name); ok {
			if containsAny(rest, []string{"point", "punkt", "punt"}) {
				return sign{}
			}
			return sign{suffix: "%"}
		}
	}
	if s := currencySign(text); s != "" {
		return sign{prefix: s}
	}
	_, last, _ := strings.Cut(text, ", ") // "Current prices, euro per inhabitant"
	if words := strings.Fields(last); len(words) == 1 || len(words) > 1 && words[1] == "per" {
		return sign{prefix: currencySign(last)}
	}
	return sign{}
}

// currencySign returns the sign of the currency that a text in lower case begins with, or "".
func currencySign(text string) string {
	for _, currency := range currencies {
		for _, name := range currency.names {
			rest, ok := begins(text, name)
			if ok && !beginsMultiple(rest) && !isMultiple(rest) && !containsAny(rest, notMoney) {
				return currency.sign
			}
		}
	}
	return ""
}

// abbreviated lists abbreviations of multiples that count only after a currency: "€m", "EUR k".
var abbreviated = []string{
	"m", "mm", "k", "b", "t", "th", "tn", "trn", "cr", "mil", "mill", "mia", "miles", "milhar", "milhares", "milhões", "bilhões", "tis", "tys", "thsd", "tsd", "ezer",
	"tusen", "tusind", "tuhatta", "milj", "duizend", "тис", "mds", "md",
}

// beginsMultiple reports whether what follows a currency makes it a multiple, or is joined to the
// sign so that it may: "€m", but not "€/m", "€ per month".
func beginsMultiple(rest string) bool {
	isJoined := rest != "" && (unicode.IsLetter([]rune(rest)[0]) || strings.ContainsRune("'’‘", []rune(rest)[0]))
	word := strings.TrimLeft(rest, " (")
	if end := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		word = word[:end]
	}
	return isJoined || slices.Contains(abbreviated, word)
}

// begins reports whether the text begins with the given words, and returns the rest.
func begins(text, words string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, words)
	last := words[len(words)-1]
	letter := last >= 'a' && last <= 'z'
	if ok && letter && rest != "" && !strings.ContainsRune(" ,;:/()[]-.", rune(rest[0])) {
		return "", false
	}
	return rest, ok
}

// isMultiple reports whether a unit is a multiple, like "Million euro", so that its
// numbers must not be written in millions. Units known only by a code, such as
// "CP_MEUR", may be multiples too.
func isMultiple(unit string) bool {
	if isCode(unit) {
		return true
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(unit), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if word == "000" || word == "000s" || word == "1000" {
			return true
		}
		for _, beginning := range multiples {
			if strings.HasPrefix(word, beginning) {
				return true
			}
		}
	}
	return false
}

// isCode reports whether a unit is an office's code rather than words or a sign:
// capitals and figures joined by underscores.
func isCode(unit string) bool {
	return strings.Contains(unit, "_") && !strings.ContainsFunc(unit, func(r rune) bool {
		return r != '_' && !unicode.IsUpper(r) && !unicode.IsDigit(r)
	})
}

func hasAnySuffix(text string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(text, end) })
}

func containsAny(text string, words []string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}
