package hits

import (
	"context"
	"fmt"
	"regexp"

	"almanac/internal/search"
	"almanac/internal/stat"
	"almanac/internal/store"
)

var (
	yearWord = regexp.MustCompile(`\b(1[6-9]|20)\d\d\b`)
	// spanWords match words of questions for a span of years, of which the latest value is one.
	spanWords = regexp.MustCompile(`(?i)\b(since|from|until|till|between|before|after|seit|ab|von|bis|zwischen|vor|nach|depuis|entre|avant|après|desde|hasta|antes|después|dal|dalla|fino|tra|prima|dopo)\b`)
)

// yearFor returns the year, quarter or month for which a question asks, the zero Period if it names none, several, a span, or one of
// the title or the series: "World Population Prospects 2019".
func (q *question) yearFor(s *series) stat.Period {
	years := yearWord.FindAllString(q.text, -1)
	if len(years) != 1 || spanWords.MatchString(q.text) || search.WordsOf(append(s.titles[:len(s.titles):len(s.titles)], s.name, s.text(), s.dataset.Code)...).Has(years[0]) {
		return stat.Period{}
	}
	if p, _, ok := monthOrQuarter(q.text); ok {
		return p
	}
	year, err := stat.ParsePeriod(years[0])
	if err != nil {
		return stat.Period{}
	}
	return year
}

// addYear adds to the latest value of an area that of the year for which the question asks. why says that there is none.
func (q *question) addYear(ctx context.Context, v *store.Vintage, s *series, area int32, latest *Latest) (why string, err error) {
	year := q.yearFor(s)
	if year == (stat.Period{}) {
		return "", nil
	}
	latest.ofYear, err = latestIn(ctx, v, s.key, area, year)
	if err == nil && latest.ofYear == nil {
		why = fmt.Sprintf("the series%s has no observed value of %s there; its latest one is of %s", s.inBrackets(), year, latest.Period)
	}
	return why, err
}
