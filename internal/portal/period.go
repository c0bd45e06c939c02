package portal

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"almanac/internal/chart/words"
	"almanac/internal/stat"
)

// period writes a period of the interface as charts do: T1 2015 in French for Q1/2015, 31.01.2024 in German for 31/01/2024. Years and months stay as
// they are.
func (l *language) period(text string) string {
	p, err := stat.ParsePeriod(text)
	if err != nil {
		return text
	}
	switch p.Frequency() {
	case stat.HalfYear, stat.Quarter, stat.Week:
		return words.In(l.Code).Period(p)
	case stat.Day:
		if l.Code == "de" {
			return strings.ReplaceAll(p.String(), "/", ".")
		}
	}
	return text
}

// officePeriod writes a period as its office does if the office's text says more: 2005–2010 for 2010.
func (l *language) officePeriod(text, label string) string {
	if label != "" {
		return strings.ReplaceAll(label, "-", "–")
	}
	return l.period(text)
}

// span writes the first and the last of some periods, which may be the same one.
func (l *language) span(first, last string) string {
	if first == last || first == "" {
		return l.period(last)
	}
	return l.period(first) + "–" + l.period(last)
}

// periodParameters are the parameters of a page that are periods.
var periodParameters = []string{"period", "period_from", "period_to"}

// readPeriods replaces periods that are written as pages of the language write them by those of the interface.
func (l *language) readPeriods(query url.Values) {
	for _, name := range periodParameters {
		for i, value := range query[name] {
			query[name][i] = l.periodOf(value)
		}
	}
}

var (
	yearInPeriod   = regexp.MustCompile(`\b[0-9]{4}\b`)
	numberInPeriod = regexp.MustCompile(`(?:^|[^0-9])([0-9]{1,2})(?:[^0-9]|$)`)
)

// periodOf returns the period of the interface for one in the writing of the language, in any order and with any separators:
// Q1/2015 for T1 2015, T1/2015 and 2015-T1 in French. Other texts stay, so that the interface says what is wrong.
func (l *language) periodOf(text string) string {
	day := strings.ReplaceAll(text, ".", "/")
	if p, err := stat.ParsePeriod(day); err == nil && p.Frequency() == stat.Day {
		return day
	}
	year, _ := strconv.Atoi(yearInPeriod.FindString(text))
	number := numberInPeriod.FindStringSubmatch(text)
	if _, err := stat.ParsePeriod(text); err == nil || number == nil {
		return text
	}
	n, _ := strconv.Atoi(number[1])
	for _, frequency := range []stat.Frequency{stat.HalfYear, stat.Quarter, stat.Week} {
		p := stat.NewPeriod(frequency, year, n)
		if p.IsZero() {
			continue
		}
		for _, written := range []string{words.In(l.Code).Period(p), p.String()} {
			if partsOfPeriod(text) == partsOfPeriod(written) {
				return p.String()
			}
		}
	}
	return text
}

// partsOfPeriod returns a period without separators, in capitals and with its year last.
func partsOfPeriod(text string) string {
	parts := strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return strings.ContainsRune(" \u00a0\u202f/-.", r) })
	if len(parts) > 1 && yearInPeriod.MatchString(parts[0]) {
		parts = append(parts[1:], parts[0])
	}
	return strings.Join(parts, " ")
}
