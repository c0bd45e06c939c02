package hits

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
)

// perForms match the numbers of people or the like for which rates are, in the languages of questions and offices and in codes of units:
// "per 10,000", "per hundred thousand", "P_HTHAB". A group of a form has the number in figures, or the form is of one number.
var perForms = []struct {
	words *lazyregexp.Regexp
	n     int // 0: the group has it
}{
	{lazyregexp.New(`(?i)(?:\b(?:per|pro|je|pour|par|por|por cada|ogni)\s|/\s?)(\d{1,3}(?:[.,'’\s]000)+|\d+)\b`), 0},
	{lazyregexp.New(`(?i)\b(?:(?:per|pro|je|por|por cada|pour) (?:one |a |un )?(?:million|millón|milione)|P_MHAB)\b`), 1_000_000},
	{lazyregexp.New(`(?i)\b(?:per (?:one |a )?hundred thousand|(?:pro|je) hunderttausend|pour cent mille|por (?:cada )?cien mil|per centomila|P_HTHAB|P_HTHB)\b`), 100_000},
	{lazyregexp.New(`(?i)\b(?:per ten thousand|(?:pro|je) zehntausend|pour dix mille|por (?:cada )?diez mil|per diecimila|P_TTHAB)\b`), 10_000},
	{lazyregexp.New(`(?i)(?:\b(?:per (?:one |a )?thousand|(?:pro|je) tausend|pour mille|por (?:cada )?mil|per mille|P_THAB)\b|‰)`), 1_000},
}

// peopleWords match what stands behind such a number and says no more than that it is of people.
var peopleWords = lazyregexp.New(`(?i)^ (people|persons|inhabitants|residents|population|einwohner(innen)?|personen|menschen|habitants|personnes|habitantes|personas|abitanti|persone)\b`)

// leastPer is the least number for which rates are, which are powers of ten: neither "per 2 adults" nor "W13/2020" has one.
const leastPer = 100

// perIn returns the number of people or the like for which a text says that a rate is, and the words that say it. It is zero if the text
// says none.
func perIn(text string) (n int, phrase string) {
	for _, form := range perForms {
		m := form.words.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if n = form.n; n == 0 {
			figures := strings.Map(func(r rune) rune {
				if r < '0' || r > '9' {
					return -1
				}
				return r
			}, m[1])
			n, _ = strconv.Atoi(figures)
		}
		if isPowerOfTen := strings.Trim(strconv.Itoa(n), "0") == "1"; isPowerOfTen && n >= leastPer {
			_, after, _ := strings.Cut(text, m[0])
			return n, m[0] + peopleWords.FindString(after)
		}
	}
	return 0, ""
}

// dropPer removes the words for the number of a rate from what a question asks for, as [question.whyOtherPer] answers them.
func dropPer(question string, asked []search.Asked) []search.Asked {
	_, phrase := perIn(question)
	if phrase == "" {
		return asked
	}
	words := search.Words(phrase)
	isOfPhrase := func(a search.Asked) bool {
		return !slices.ContainsFunc(search.Words(a.Text), func(word string) bool { return !slices.Contains(words, word) })
	}
	return slices.DeleteFunc(slices.Clone(asked), isOfPhrase)
}

// whyOtherPer says why a value is no answer: the question is for values per so many people, and neither the unit, the title nor the
// labels say that the value is of the same number. It is empty if it is one.
func (q *question) whyOtherPer(s *series, unit string) string {
	asked, _ := perIn(q.text)
	if asked == 0 {
		return ""
	}
	for _, text := range append(s.texts(), unit) {
		if n, _ := perIn(text); n == asked {
			return ""
		}
	}
	return fmt.Sprintf("the question is for values per %d, and neither the title nor the usual series%s says so; choose a series by the dimensions of the dataset", asked, s.inBrackets())
}
