package terms

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed currencies.txt
var currencyText string

// currencyNames has the names of currencies: the words of a name, joined by blanks, to the codes of ISO 4217.
type currencyNames struct {
	byName  map[string][]string
	codes   map[string]bool
	longest int // words of the longest name
}

// noCurrency stands before names in the file that are none: "euro area".
const noCurrency = "no currency"

var loadCurrencies = sync.OnceValues(func() (*currencyNames, error) { return readCurrencies(currencyText) })

// readCurrencies reads lines of the form "CHF: swiss franc" and "NOK DKK: krone".
func readCurrencies(text string) (*currencyNames, error) {
	c := &currencyNames{map[string][]string{}, map[string]bool{}, 1}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, list, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("currencies.txt: line %q has no \": \" after the code", line)
		}
		var codes []string // none: no currency
		if head != noCurrency {
			codes = strings.Fields(head)
		}
		for _, code := range codes {
			c.codes[code] = true
		}
		for name := range strings.SplitSeq(list, ",") {
			words := Words(name)
			key := strings.Join(words, " ")
			if other, has := c.byName[key]; has && !slices.Equal(other, codes) {
				return nil, fmt.Errorf("currencies.txt, %s: %q is also a name of %v", head, name, other)
			}
			c.byName[key], c.longest = codes, max(c.longest, len(words))
		}
	}
	return c, nil
}

// IsCurrency reports whether a text is the name or the code of a currency, and nothing else.
func IsCurrency(text string) bool {
	names, err := loadCurrencies()
	if err != nil {
		panic(err)
	}
	return names.byName[strings.Join(Words(text), " ")] != nil || names.codes[strings.ToUpper(text)]
}

// isCurrencyName reports whether folded words are listed as the name of a currency, also of one without a code in the table.
func isCurrencyName(words string) bool {
	names, err := loadCurrencies()
	if err != nil {
		panic(err)
	}
	_, ok := names.byName[words]
	return ok
}

// Currencies returns the currencies that a text names, each by its codes of ISO 4217: several if the name alone does not
// say which. Codes count in capitals only: CHF, EUR/USD, MEUR, USD2010.
func Currencies(text string) (found [][]string) {
	names, err := loadCurrencies()
	if err != nil {
		panic(err)
	}
	add := func(codes []string) {
		if codes != nil && !slices.ContainsFunc(found, func(have []string) bool { return slices.Equal(have, codes) }) {
			found = append(found, codes)
		}
	}
	words := Words(strings.ReplaceAll(text, "US$", "US dollar"))
	for i := 0; i < len(words); {
		n := min(names.longest, len(words)-i)
		for ; n > 0; n-- {
			if codes, ok := names.byName[strings.Join(words[i:i+n], " ")]; ok {
				add(codes)
				break
			}
		}
		i += max(n, 1)
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) == 4 {
			word = strings.TrimPrefix(word, "M") // millions
		}
		if names.codes[word] {
			add([]string{word})
		}
	}
	return found
}
