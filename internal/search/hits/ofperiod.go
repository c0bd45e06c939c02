package hits

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/lazyregexp"
	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

var (
	// years matches the words that [search.Asked] takes for years.
	years = lazyregexp.New(`\b[12]\d{3}\b`)
	// notYears matches such numbers that are none: per 1000 inhabitants.
	notYears = lazyregexp.New(`(?i)\b(per|pro|je|pour|por|cada|ogni|over|under|than) [12]\d{3}\b`)
)

// span is a time for which a question asks, of which the latest value is an answer if it lies in it.
type span struct {
	from, to stat.Period // zero: open
	text     string      // as the question has it
}

// spanRest matches what may stand between a word such as since and a period.
const spanRest = ` (?:(?:the|year|years|beginning|start|end|of|dem|jahr|anfang|ende|l|la|le|el|annee|ano|anno|debut|fin|principios|inizio|fine|about|around) )*$`

// Words directly before a period with which a question asks for all values since then, or until then.
var (
	sinceWords = lazyregexp.New(`\b(?:since|from|after|seit|ab|nach|depuis|apres|desde|despues de|dal|dalla|dopo(?: il)?)` + spanRest)
	untilWords = lazyregexp.New(`\b(?:until|till|to|up to|before|bis|vor|jusqu a|jusque|avant|hasta|antes de|fino al?|prima del?)` + spanRest)
)

// spanFor returns the span of time for which a question asks: by two or more years, or one period behind a word such as since.
// ok is false if it asks for none.
func (q *question) spanFor(s *series) (found span, ok bool) {
	list := q.yearsFor(s)
	if len(list) == 0 {
		return found, false
	}
	if first, last := slices.Min(list), slices.Max(list); len(list) > 1 {
		return span{yearOf(first), yearOf(last), strings.Join(list, " and ")}, true
	}
	p, phrase, ok := periodIn(q.text)
	if !ok {
		p, phrase = yearOf(list[0]), list[0]
	}
	before, _, _ := strings.Cut(foldMarks(q.text), phrase)
	if since := sinceWords.FindString(before); since != "" {
		return span{from: p, text: since + phrase}, true
	}
	until := untilWords.FindString(before)
	return span{to: p, text: until + phrase}, until != ""
}

// yearsFor returns the years of the question besides those of the title and the series.
func (q *question) yearsFor(s *series) []string {
	return slices.DeleteFunc(years.FindAllString(notYears.ReplaceAllString(q.text, ""), -1), func(year string) bool { return q.isOfTitle(year, s) })
}

func yearOf(text string) stat.Period {
	p, _ := stat.ParsePeriod(text) // four digits
	return p
}

// has reports whether a period lies in the span.
func (s span) has(p stat.Period) bool {
	return (s.from.IsZero() || p.EndDay() >= s.from.StartDay()) && (s.to.IsZero() || p.StartDay() <= s.to.EndDay())
}

// periodFor returns the period for which a question asks, and how it names it; empty if it names none, or only a year of the title.
func (q *question) periodFor(s *series) (p stat.Period, phrase string) {
	if p, phrase, ok := periodIn(q.text); ok {
		return p, phrase
	}
	list := q.yearsFor(s)
	if len(list) == 0 {
		return p, ""
	}
	return yearOf(list[0]), list[0]
}

// isOfTitle reports whether a year of the question is a part of a name that the title or the series has: "World Population
// Prospects 2019", "constant prices of 2015". The year of "2015=100", or of a span in the title, is none.
func (q *question) isOfTitle(year string, s *series) bool {
	before, after := besideWord(search.Words(q.text), year)
	for _, title := range append(s.titles[:len(s.titles):len(s.titles)], s.name, s.text(), s.dataset.Code) {
		words := search.Words(title)
		if !slices.Contains(words, year) {
			continue
		}
		first, last := besideWord(words, year)
		switch {
		case last == "100":
			if after == last {
				return true
			}
		case years.MatchString(first), years.MatchString(last):
		case first != "" && first == before, last != "" && last == after:
			return true
		}
	}
	return false
}

// besideWord returns the words before and after one of some words, empty if there is none.
func besideWord(words []string, word string) (before, after string) {
	i := slices.Index(words, word)
	if i > 0 {
		before = words[i-1]
	}
	if i >= 0 && i+1 < len(words) {
		after = words[i+1]
	}
	return before, after
}

// spanOfYears matches a span of years: "2015-2020".
var spanOfYears = lazyregexp.New(`\b([12]\d{3}) ?[-–/] ?([12]\d{3})\b`)

// spanAmong returns the period whose text of the office is the span of years in the question. isLong is false if the
// question has no span, or the values of the dataset are not of several years each. p is zero if no value is of the span.
func (q *question) spanAmong(d *stat.Dataset, latest *Latest) (p stat.Period, phrase string, isLong bool) {
	asked := spanOfYears.FindStringSubmatch(q.text)
	if _, _, ok := yearsOf(latest.Label); asked == nil || !ok {
		return p, "", false
	}
	for p, label := range d.PeriodLabels {
		if m := spanOfYears.FindStringSubmatch(label); m != nil && m[1] == asked[1] && m[2] == asked[2] {
			return p, asked[0], true
		}
	}
	return p, asked[0], true
}

// annualAverages match what asks for the average of a year.
var annualAverages = lazyregexp.New(`(?i)\b((annual|yearly) (average|mean)|average of the year|jahresdurchschnitt|jahresmittel|moyenne annuelle|media anual|promedio anual|media annua(le)?)\b`)

// addPeriod adds to the latest value of an area that of the period for which the question asks. why says that there is none.
func (q *question) addPeriod(ctx context.Context, v *store.Vintage, s *series, area int32, latest *Latest) (why string, err error) {
	p, phrase, isLong := q.spanAmong(v.Dataset, latest)
	if span, ok := q.spanFor(s); ok && !isLong {
		if !span.has(latest.period) {
			why = fmt.Sprintf("the latest observed value of the series%s is of %s, and the question is for %s; read the values of the dataset", s.inBrackets(), latest.Period, q.typed(span.text))
		}
		span.readSpan(latest)
		return why, nil
	}
	switch {
	case !isLong:
		p, phrase = q.periodFor(s)
	case p.IsZero():
		return fmt.Sprintf("its values are of spans of years such as %s, and none is of %s", latest.Label, phrase), nil
	}
	if phrase == "" {
		return "", nil
	}
	if p.IsZero() {
		return fmt.Sprintf("the calendar has no %s", q.typed(phrase)), nil
	}
	found, err := latestIn(ctx, v, s.key, area, p)
	if err == nil && (found == nil || found.period != p) {
		var other *Latest
		if other, err = s.valueOf(ctx, v, area, p); other != nil {
			found = other
		}
	}
	isShort := p.Frequency() == stat.Day || p.Frequency() == stat.Week
	switch {
	case err != nil:
		return "", err
	case found != nil && found.period.Frequency() != stat.Annual && annualAverages.MatchString(q.text):
		return fmt.Sprintf("the question is for an average of a year, and the series%s has only values of shorter periods", s.inBrackets()), nil
	case found == nil || isShort && found.period != p:
		return fmt.Sprintf("the series%s has no observed value of %s there; its latest one is of %s", s.inBrackets(), p, latest.Period), nil
	}
	readAs, why := q.readPart(phrase, p, found)
	switch {
	case why != "":
		return why, nil
	case readAs != "":
		found.ReadAs = readAs
	case found.period != p && s.isFlow(found):
		return fmt.Sprintf("the series%s has no value of %s itself, and that of %s is only a part of it", s.inBrackets(), p, cmp.Or(found.Label, found.Period)), nil
	case found.period != p:
		found.ReadAs = fmt.Sprintf("%q is read as the last period in it with a value, %s", q.typed(phrase), cmp.Or(found.Label, found.Period))
	case isDoubtfulDay(phrase, p):
		found.ReadAs = readAsDay(phrase, p)
	}
	latest.ofPeriod = found
	return "", nil
}
