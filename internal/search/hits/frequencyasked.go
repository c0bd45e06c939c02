package hits

import (
	"fmt"
	"slices"

	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// askedFrequency is a length of time with its words in questions, titles and units: "monthly", "per month".
type askedFrequency struct {
	frequency stat.Frequency
	words     *lazyregexp.Regexp
	name      string
}

var askedFrequencies = []askedFrequency{
	{stat.Annual, lazyregexp.New(`(?i)\b(annual|annually|yearly|(per|a) (year|annum)|jährlich(e[nrs]?)?|jahreswerte?|pro jahr|annuel(le)?s?|par an|anual(es)?|(al|por) año|annual[ei]|all['’]anno)\b`), "a year"},
	{stat.HalfYear, lazyregexp.New(`(?i)\b(half-?yearly|semi-?annual|bi-?annual|halbjährlich(e[nrs]?)?|semestriel(le)?s?|semestral(es)?|semestrale)\b`), "half a year"},
	{stat.Quarter, lazyregexp.New(`(?i)\b(quarterly|per quarter|vierteljährlich(e[nrs]?)?|quartalswerte?|pro quartal|trimestriel(le)?s?|par trimestre|trimestral(es)?|trimestrale)\b`), "a quarter"},
	{stat.Month, lazyregexp.New(`(?i)\b(monthly|(per|a) month|monatlich(e[nrs]?)?|monatswerte?|pro monat|mensuel(le)?s?|par mois|mensual(es)?|(al|por) mes|mensil[ei]|al mese)\b`), "a month"},
	{stat.Week, lazyregexp.New(`(?i)\b(weekly|(per|a) week|wöchentlich(e[nrs]?)?|pro woche|hebdomadaires?|par semaine|semanal(es)?|(a la|por) semana|settimanal[ei]|alla settimana)\b`), "a week"},
	{stat.Day, lazyregexp.New(`(?i)\b(daily|(per|a) day|täglich(e[nrs]?)?|pro tag|journali[eè](r|re)s?|quotidien(ne)?s?|par jour|diari[oa]s?|(al|por) día|giornalier[oaie]|al giorno)\b|/\s?day\b`), "a day"},
}

// namesOfData match what titles say of the frequency of their values, and not of what these are: "Monthly minimum wages - bi-annual data".
var namesOfData = lazyregexp.New(`(?i)\b\pL+[- ]?\pL* (data|figures|series)\b`)

// frequenciesIn returns the lengths of time of which a text has words. Half a year has words of a year: "bi-annual".
func frequenciesIn(text string) (list []askedFrequency) {
	text = halves.ReplaceAllString(text, "half-yearly")
	for _, f := range askedFrequencies {
		if f.words.MatchString(text) {
			list = append(list, f)
		}
	}
	return list
}

var halves = lazyregexp.New(`(?i)\b(semi|bi)-?annual\b`)

// whyOtherFrequency says why a value is no answer: the question is for a value of another length of time, such as annual deaths, or an amount of
// another one, such as an annual wage. It is empty if it is one. What the title, the labels and the unit say counts before the period.
func (q *question) whyOtherFrequency(s *series, l *Latest) string {
	asked := frequenciesIn(q.text)
	if asked == nil {
		return ""
	}
	var said []stat.Frequency
	for _, text := range append(append(s.texts(), s.labels()...), l.Unit) {
		for _, f := range frequenciesIn(namesOfData.ReplaceAllString(text, "")) {
			said = append(said, f.frequency)
		}
	}
	if said == nil {
		said = []stat.Frequency{l.period.Frequency()}
	}
	for _, f := range asked {
		if !slices.Contains(said, f.frequency) {
			return fmt.Sprintf("the question is for values of %s, and those of the usual series%s are of %s; choose a series or a period by the dimensions of the dataset", f.name, s.inBrackets(), nameOfFrequency(said[0]))
		}
	}
	return ""
}

// nameOfFrequency returns how long a period of a frequency is.
func nameOfFrequency(frequency stat.Frequency) string {
	at := slices.IndexFunc(askedFrequencies, func(f askedFrequency) bool { return f.frequency == frequency })
	if at < 0 {
		return "another length of time"
	}
	return askedFrequencies[at].name
}

// addUp matches titles and labels, besides those of events, of what adds up over time: production of a month is a part of that of its year.
var addUp = lazyregexp.New(`(?i)\b(arrivals|nights spent|immigra\pL+|emigra\pL+|asylum|registrations|bankruptcies|passengers|offences|accidents|exports?|imports?|production|gdp|gross domestic product)\b`)

// isFlow reports whether values of parts of a period add up to that of the period, so that none of them is an answer for it.
func (s *series) isFlow(l *Latest) bool {
	texts := append(s.texts(), l.Unit)
	isRelative := func(text string) bool {
		return isRate(text) || indexWords.MatchString(text) || changes.MatchString(text)
	}
	isEvent := func(text string) bool { return eventWords.MatchString(text) || addUp.MatchString(text) }
	return slices.ContainsFunc(texts, isEvent) && !slices.ContainsFunc(texts, isRelative)
}
