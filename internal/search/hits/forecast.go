package hits

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/defaults"
	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// forecastWords match the words with which questions ask for forecasts.
var forecastWords = lazyregexp.New(`(?i)^(forecast(s|ed)?|projections?|projected|predict(ed|ions?)|prognosen?|prognostiziert|vorausberechnung|pr[eé]visions?|pr[eé]vue?s?|pron[oó]sticos?|previsi[oó]n|previsiones|proyecci[oó]n(es)?|previsioni?|proiezion[ei])$`)

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

// addUnsaid says that the latest observed value of a series may be a projection, as charts do: the series has later values that are, without
// flags, and nothing says since when.
func (l *Latest) addUnsaid(ctx context.Context, v *store.Vintage, key []int32, area int32) error {
	hasHorizon := int(defaults.Horizon(v.Dataset, v.Periods, v.LastUpdate)) == len(v.Periods) || defaults.SaysHorizon(v.Dataset, v.LastUpdate)
	if l.IsForecast || hasHorizon {
		return nil
	}
	last, err := lastOf(ctx, v, key, area, stat.Query{Latest: stat.LatestLast, Flags: true})
	if err != nil || last == nil || !last.IsForecast || defaults.IsForecast(v.Dataset, stat.Flags(strings.Join(last.Flags, " "))) {
		return err
	}
	l.addReadAs(defaults.UnsaidText(l.Period))
	return nil
}
