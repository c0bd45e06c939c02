package hits

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
)

// isOfCurrency reports whether a thing that is asked for is a currency or exchange rates, and the dataset may have it: of which
// currency the value is, [question.chooseCurrencies] says.
func (q *question) isOfCurrency(s *series, a *search.Asked) bool {
	asksRate := a.IsExchangeRate() || rateOfCurrency.MatchString(a.Text) && len(search.Currencies(q.text)) > 0 || q.isOfCurrencyName(a.Text)
	if asksRate && s.isOfRates() {
		return true
	}
	isOther := func(other search.Asked) bool { return !other.IsCurrency() && !other.IsExchangeRate() }
	return a.IsCurrency() && (s.isOfRates() || s.hasCurrencies() && slices.ContainsFunc(q.asked, isOther))
}

// isOfCurrencyName reports whether a word makes that of a currency beside it in the question the name of another one: Canadian, in "Canadian dollar".
func (q *question) isOfCurrencyName(text string) bool {
	words := search.Words(q.text)
	for i, word := range words {
		if word != text {
			continue
		}
		for _, beside := range []int{i - 1, i + 1} {
			if beside < 0 || beside >= len(words) {
				continue
			}
			pair := words[min(i, beside)] + " " + words[max(i, beside)]
			if found := search.Currencies(pair); len(found) == 1 && !slices.Equal(found[0], slices.Concat(search.Currencies(words[beside])...)) {
				return true
			}
		}
	}
	return false
}

// rateOfCurrency matches words that ask for the rate of a currency beside its name.
var rateOfCurrency = lazyregexp.New(`^(kurse?|cours|cambio|tipo|exchange|fx|forex)$`)

// chooseCurrencies chooses the values with the currencies that the question names, if the series is not of them already. why
// says that it is of others.
func (q *question) chooseCurrencies(s *series) (why string) {
	asked := search.Currencies(q.text)
	if len(asked) == 0 || !s.isOfRates() && !s.hasCurrencies() {
		return ""
	}
	for _, codes := range asked {
		if s.isIn(codes) {
			continue
		}
		if at, ok := s.withCurrency(codes); ok {
			s.key[at.axis], s.named[at.axis], s.concept = at.code, true, ""
		}
	}
	for _, codes := range asked {
		if !s.isIn(codes) {
			return fmt.Sprintf("the question names a currency (%s), and the series%s is of another one; choose a series by the dimensions of the dataset", strings.Join(codes, " or "), s.inBrackets())
		}
	}
	return ""
}

// isOfRates reports whether the titles or labels of a series say that it is an exchange rate.
func (s *series) isOfRates() bool {
	return slices.ContainsFunc(append(s.labels(), s.name, s.dataset.Name), search.SaysExchangeRate)
}

// hasCurrencies reports whether the series says in which currency it is.
func (s *series) hasCurrencies() bool { return len(s.currencies()) > 0 }

// isIn reports whether one of the currencies is that of a series, or one of several.
func (s *series) isIn(codes []string) bool {
	return slices.ContainsFunc(s.currencies(), func(own []string) bool { return slices.Contains(codes, own[0]) })
}

// currencies returns the currencies that the titles, values and unit of a series name, without those that only may be meant.
func (s *series) currencies() (list [][]string) {
	list = append(search.Currencies(s.name), search.Currencies(s.dataset.Name)...)
	for axis, code := range s.key {
		list = append(list, currenciesOf(&s.dataset.Dimensions[axis].Codes[code])...)
	}
	list = append(list, search.Currencies(s.dataset.UnitOf(s.key, ""))...)
	return slices.DeleteFunc(list, func(own []string) bool { return len(own) != 1 })
}

// currenciesOf returns the currencies that a value of a dimension names: by its code, else by its label.
func currenciesOf(c *stat.Code) [][]string {
	if found := search.Currencies(c.ID); found != nil {
		return found
	}
	return search.Currencies(cmp.Or(c.Label, c.SourceLabel))
}

// maxCurrencies is the number of values of a dimension up to which it may be one of currencies.
const maxCurrencies = 1000

// withCurrency returns the value with one of the currencies. ok is false if no dimension has just one.
func (s *series) withCurrency(codes []string) (at axisCode, ok bool) {
	for axis := range s.dataset.Dimensions {
		list := s.dataset.Dimensions[axis].Codes
		if len(list) > maxCurrencies {
			continue
		}
		n := 0
		for i := range list {
			if slices.ContainsFunc(currenciesOf(&list[i]), func(own []string) bool { return len(own) == 1 && slices.Contains(codes, own[0]) }) {
				at = axisCode{axis, int32(i)}
				n++
			}
		}
		if n == 1 {
			return at, true
		}
	}
	return at, false
}
