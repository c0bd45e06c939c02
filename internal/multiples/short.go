package multiples

import (
	"regexp"
	"strings"

	"golang.org/x/text/currency"
)

// Short multiples are single letters and syllables that are multiples only beside a currency: the m
// of "€m", the k of "k€".

var (
	// shortPowers are the words in full of short multiples after a currency. A "t" may be
	// thousands or trillions.
	shortPowers = map[string]string{
		"k": "thousand", "th": "thousand", "m": "million", "mn": "million", "b": "billion", "tn": "trillion", "trn": "trillion", "cr": "crore",
		"mds": "milliard", "md": "milliard",
	}
	// apostrophes matches thousands such as '000.
	apostrophes = regexp.MustCompile(`['’‘](000s?)\b`)
	// afterCurrency matches a currency with a short multiple or a word for one after it.
	afterCurrency = regexp.MustCompile(`([\p{Sc}]|\b[A-Z]{3}|\bRs\.?) ?(k|K|th|m|M|mn|b|tn|trn|cr|bn|mln|mio|Mio|mld|mrd|million|billion|thousand|000s?)($|[\s.,;:)\]/])`)
	// beforeCurrency matches a currency with a short multiple before it. A capital M before the
	// sign of a dollar may be thousands.
	beforeCurrency = regexp.MustCompile(`(^|[\s(\[,;])(k|K|M|Md|Mds)( ?€|EUR|USD|CHF|GBP|SEK|NOK|DKK)($|[\s.,;:)\]/])`)
)

// spellMultiples writes the short multiples of a text as words: "€ million" for "€m".
func spellMultiples(text string) string {
	text = apostrophes.ReplaceAllString(text, " $1")
	text = replaceSubmatches(afterCurrency, text, func(m []string) string {
		if len(m[1]) == 3 && m[1][2] < 0x80 && m[1] != "Rs." {
			if _, err := currency.ParseISO(m[1]); err != nil {
				return m[0]
			}
		}
		return m[1] + " " + spell(m[2]) + m[3]
	})
	return replaceSubmatches(beforeCurrency, text, func(m []string) string {
		return m[1] + spell(m[2]) + " " + strings.TrimSpace(m[3]) + m[4]
	})
}

func spell(short string) string {
	if word := shortPowers[strings.ToLower(short)]; word != "" {
		return word
	}
	return short
}

// replaceSubmatches replaces the matches of a pattern by what a function makes of their groups.
func replaceSubmatches(pattern *regexp.Regexp, text string, replace func(groups []string) string) string {
	return pattern.ReplaceAllStringFunc(text, func(match string) string { return replace(pattern.FindStringSubmatch(match)) })
}
