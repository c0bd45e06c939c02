package hits

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/search"
)

// forecastWords match the words with which questions ask for forecasts.
var forecastWords = regexp.MustCompile(`(?i)^(forecast(s|ed)?|projections?|projected|predict(ed|ions?)|prognosen?|prognostiziert|vorausberechnung|pr[eé]visions?|pr[eé]vue?s?|pron[oó]sticos?|previsi[oó]n|previsiones|proyecci[oó]n(es)?|previsioni?|proiezion[ei])$`)

// asksForecast reports whether a question asks for a forecast.
func asksForecast(question string) bool {
	return slices.ContainsFunc(search.Words(question), forecastWords.MatchString)
}

// dropForecast removes the words for forecasts from what a question asks for, as [question.whyObserved] answers them.
func dropForecast(asked []search.Asked) []search.Asked {
	return slices.DeleteFunc(slices.Clone(asked), func(a search.Asked) bool { return forecastWords.MatchString(strings.TrimSpace(a.Text)) })
}

// whyObserved says why a value is no answer: the question is for a forecast, and the value is none. It is empty if it is one, or if a title has the
// word.
func (q *question) whyObserved(s *series, l *Latest) string {
	if l.IsForecast || !asksForecast(q.text) || slices.ContainsFunc(s.texts(), asksForecast) {
		return ""
	}
	return fmt.Sprintf("the question is for a forecast, and the value of %s is observed; name the period that is meant", l.Period)
}
