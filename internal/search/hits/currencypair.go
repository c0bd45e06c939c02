package hits

import (
	"fmt"
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
)

// pairForms match two codes of currencies: "EUR/GBP", "eur-gbp", "EUR GBP", "EURGBP".
var pairForms = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)\b([a-z]{3}) ?[/-] ?([a-z]{3})\b`), lazyregexp.New(`\b([A-Z]{3}) ([A-Z]{3})\b`), lazyregexp.New(`(?i)\b([a-z]{3})([a-z]{3})\b`),
}

// readPair returns a question for two currencies as one for their exchange rate, if it has no other word that says something than periods and
// sources. notices say so.
func readPair(question string) (text string, notices []Notice) {
	for _, form := range pairForms {
		m := form.FindStringSubmatch(question)
		if m == nil || m[1] == m[2] || !search.IsCurrencyName(m[1]) || !search.IsCurrencyName(m[2]) {
			continue
		}
		pair := strings.ToUpper(m[1] + " " + m[2])
		rest := strings.Replace(question, m[0], " ", 1)
		if !search.SaysExchangeRate(rest) {
			if saysMore(rest) {
				return question, nil
			}
			pair += " exchange rate"
			rest = strings.Join(slices.DeleteFunc(strings.Fields(rest), isRateWord), " ")
		}
		message := fmt.Sprintf("%q is read as the exchange rate of these currencies; the unit of a value says in which of them it is", m[0])
		return strings.TrimSpace(pair + " " + strings.TrimSpace(rest)), []Notice{{"q", m[0], message, []string{}}}
	}
	return question, nil
}

// saysMore reports whether what a question has besides two currencies says what is measured.
func saysMore(rest string) bool {
	_, phrase, _ := periodIn(rest)
	ofPeriod := search.WordsOf(phrase)
	return slices.ContainsFunc(search.WithoutSources(rest), func(word string) bool {
		return !ofPeriod.Has(word) && !years.MatchString(word) && !isRateWord(word) && len(search.Telling(word)) > 0
	})
}

// isRateWord reports whether a word asks for the rate of a currency beside its name.
func isRateWord(word string) bool { return rateOfCurrency.MatchString(strings.ToLower(word)) }

// withoutDay returns a question without the day that it names, of which the numbers are no words of titles. One that names only a day stays as it is.
func withoutDay(question string) string {
	p, phrase, ok := periodIn(question)
	fields := strings.Fields(question)
	for i := range fields {
		for k := i + 1; ok && p.Frequency() == stat.Day && k <= len(fields); k++ {
			if foldMarks(strings.Join(fields[i:k], " ")) == phrase && len(fields) > k-i {
				return strings.Join(slices.Delete(fields, i, k), " ")
			}
		}
	}
	return question
}
