package defaults

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/geo"
	"almanac/internal/stat"
)

// currencyCodes are the ISO 4217 codes that exchange rates are quoted in most often.
var currencyCodes = []string{
	"AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CYP", "CZK", "DKK", "EEK", "EUR", "GBP", "HKD", "HRK", "HUF", "IDR", "ILS", "INR", "ISK",
	"JPY", "KRW", "LTL", "LVL", "MTL", "MXN", "MYR", "NOK", "NZD", "PEN", "PHP", "PLN", "ROL", "RON", "RUB", "SAR", "SEK", "SGD", "SIT", "SKK", "THB", "TRL", "TRY", "TWD",
	"USD", "VND", "ZAR", "XDR", "TO1",
}

// IsCurrency reports whether the codes of a dimension are currencies: by its name, or
// because most of its codes or labels have the code of one, and not all that of the same.
func IsCurrency(d *stat.Dimension) bool {
	if strings.Contains(strings.ToLower(d.ID+" "+d.Label), "currenc") {
		return true
	}
	n, uses := 0, map[string]int{}
	for i, code := range d.Codes {
		if 3*(i-n) > len(d.Codes) { // too many others already
			return false
		}
		words := slices.DeleteFunc(currencyWords(code), func(w string) bool { return !isCurrencyCode(w) })
		if slices.Sort(words); len(words) > 0 {
			n++
		}
		for _, w := range slices.Compact(words) {
			uses[w]++
		}
	}
	return len(d.Codes) > 2 && 3*n >= 2*len(d.Codes) && 2*len(uses) > n
}

// isLeg reports whether a dimension has the two sides of contracts between currencies, in which the
// values are not counted: DER_CURR_LEG1.
func isLeg(d *stat.Dimension) bool { return legWord.MatchString(d.ID + " " + d.Label) }

var legWord = regexp.MustCompile(`(?i)(\b|_)leg(\b|_|\d)`)

func isCurrencyCode(word string) bool {
	return len(word) >= 3 && slices.Contains(currencyCodes, word[:3]) && strings.Trim(word[3:], "0123456789") == ""
}

// currencyWords returns the words of a code and its label in capitals.
func currencyWords(code stat.Code) []string {
	return strings.FieldsFunc(strings.ToUpper(code.ID+" "+labelOf(code)), func(r rune) bool { return strings.ContainsRune(" _-(),;:/=.'", r) })
}

// preferCurrency prefers one currency for all areas. Among exchange rates of a country
// outside of Europe, the dollar comes before the euro.
func preferCurrency(c *chooser) []int32 {
	wanted := [][]string{{"EUR"}, {"USD"}}
	if codes := c.dataset.Geography.Codes; len(codes) == 1 && !geo.WholeOf("150").Has("un", codes[0].Area) {
		slices.Reverse(wanted)
	}
	for _, names := range append(wanted, currencies[2:]...) {
		found := c.filter(func(code stat.Code) bool {
			return slices.ContainsFunc(currencyWords(code), func(w string) bool {
				return slices.ContainsFunc(names, func(name string) bool { return w == name || isQuoted(w, name) })
			})
		})
		if len(found) > 0 && len(found) < len(c.codes) { // all rates of the euro have it
			return found
		}
	}
	return nil
}
