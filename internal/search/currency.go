package search

import (
	"slices"

	"almanac/internal/search/terms"
)

// exchangeRates is the ID of the term of the field for the rates between currencies.
const exchangeRates = "exchange_rates"

// Currencies returns the currencies that a text names, each by its codes of ISO 4217, see [terms.Currencies].
func Currencies(text string) [][]string { return terms.Currencies(text) }

// IsCurrency reports whether a currency alone is asked for.
func (a *Asked) IsCurrency() bool { return terms.IsCurrency(a.Text) }

// IsExchangeRate reports whether exchange rates are asked for, also by the name of a currency.
func (a *Asked) IsExchangeRate() bool { return slices.Contains(a.concepts, exchangeRates) }

// SaysExchangeRate reports whether a title or label says that values are exchange rates.
func SaysExchangeRate(text string) bool {
	return slices.ContainsFunc(terms.Load().Find(text, ""), func(m terms.Match) bool { return m.Concept.ID == exchangeRates && !m.Everyday })
}

// IsCurrencyName reports whether a text is the name or the code of a currency, and nothing else.
func IsCurrencyName(text string) bool { return terms.IsCurrency(text) }
