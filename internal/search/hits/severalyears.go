package hits

import (
	"cmp"
	"fmt"
	"strings"
)

// yearsOf returns the first and the last year of a value that is of several years, by the office's text of its period: "2015-2020".
// ok is false if it is of none: "2015/2016" may be a fiscal year.
func yearsOf(label string) (first, last string, ok bool) {
	m := spanOfYears.FindStringSubmatch(label)
	if m == nil || yearOf(m[2]).Year()-yearOf(m[1]).Year() < 2 {
		return "", "", false
	}
	return m[1], m[2], true
}

// readYears says of a value of several years that it is none of one year. why says that it is no answer: a number of births in five years is not that
// of the year for which the question asks, but a rate may stand for each of them.
func (q *question) readYears(l *Latest, isOfPeriod bool) (why string) {
	first, last, ok := yearsOf(l.Label)
	if asked := spanOfYears.FindStringSubmatch(q.text); !ok || asked != nil && asked[1] == first && asked[2] == last {
		return ""
	}
	if isOfPeriod && counted.MatchString(l.Unit) {
		return fmt.Sprintf("its values are of several years each: the one of %s is of %s; ask for these years", l.Period, l.Label)
	}
	if !strings.Contains(l.ReadAs, l.Label) {
		l.addReadAs(fmt.Sprintf("the value is of the years %s", l.Label))
	}
	return ""
}

// readSpan says that a value is of one period of those for which the question asks.
func (s span) readSpan(l *Latest) {
	if s.from.IsZero() || s.to.IsZero() || l.period.StartDay() <= s.from.StartDay() && s.to.EndDay() <= l.period.EndDay() {
		return
	}
	l.addReadAs(fmt.Sprintf("the question is for %s, and the value is of %s alone", s.text, cmp.Or(l.Label, l.Period)))
}

func (l *Latest) addReadAs(text string) {
	if l.ReadAs != "" {
		text = l.ReadAs + "; " + text
	}
	l.ReadAs = text
}
