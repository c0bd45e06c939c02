package px

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

func (r *reader) setTime(stated string) (err error) {
	if r.time, err = r.timeVariable(); err != nil {
		return err
	}
	noTime := stat.BadFile(stat.Position{}, "the table has no time variable: state the period of its numbers with --period")
	if r.obs.Period, err = r.FilePeriod(r.time >= 0, stated, noTime); err != nil || r.time < 0 {
		return err
	}
	v := r.vars[r.time]
	if err := r.readTimeval(v); err != nil {
		return err
	}
	return r.readPeriods(v)
}

// timeVariable returns the position of the variable with TIMEVAL; else of the one with
// the VARIABLE-TYPE time; else of the only one whose values all look like periods, or of
// several the one with the name of a time. It is -1 if there is none.
func (r *reader) timeVariable() (int, error) {
	var stated, typed, shaped, named []int
	for i, v := range r.vars {
		if _, ok := r.find("TIMEVAL", v); ok {
			stated = append(stated, i)
		}
		if kind := strings.ToUpper(r.textOf("VARIABLE-TYPE", v)); kind == "T" || kind == "TIME" {
			typed = append(typed, i)
		}
		if !looksLikeTime(spellQuarters(v.values)) {
			continue
		}
		shaped = append(shaped, i)
		if v.hasName(assemble.IsTimeWord) {
			named = append(named, i)
		}
	}
	for _, found := range [][]int{stated, typed, named, shaped} {
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			a, b := r.vars[found[0]], r.vars[found[1]]
			return -1, stat.BadFile(b.at, "%s and %s may both be the time of the table; TIMEVAL must name one of them", shorten(a.name), shorten(b.name))
		}
	}
	return -1, nil
}

// looksLikeTime reports whether all texts are periods. Four digits may be codes: they
// are years only in centuries with statistics.
func looksLikeTime(texts []string) bool {
	for _, text := range texts {
		p, err := stat.ParsePeriod(text)
		if err != nil || p.Year() < 1700 || p.Year() > 2199 {
			return false
		}
	}
	return len(texts) > 0
}

// readTimeval sets the texts of the periods of a variable, and the frequency if TIMEVAL
// states it.
func (r *reader) readTimeval(v *variable) error {
	r.timeTexts = spellQuarters(v.values)
	timeval, ok := r.find("TIMEVAL", v)
	if !ok {
		return nil
	}
	list, ok := strings.CutPrefix(strings.ToUpper(timeval.values[0]), "TLIST(")
	if !ok {
		return stat.BadFile(timeval.at, "TIMEVAL must begin with TLIST and the time scale, such as TLIST(A1); found %s", shorten(timeval.values[0]))
	}
	scale, span, _ := strings.Cut(list, ",") // TLIST(A1,"1994"-"1996")
	if r.obs.Frequency = assemble.TimeScale(scale); r.obs.Frequency == 0 {
		return stat.BadFile(timeval.at, "unknown time scale %s in TIMEVAL; known are A1, H1, Q1, M1, W1 and D1", shorten(strings.TrimSpace(scale)))
	}
	texts := timeval.values[1:]
	if span = strings.ReplaceAll(strings.Join(strings.Fields(span), ""), `"`, ""); span != "" {
		if texts = expand(span, r.obs.Frequency); texts == nil {
			return stat.BadFile(timeval.at, "TIMEVAL must have a span of periods after the comma, such as 1994-1996; found %s", shorten(span))
		}
	}
	switch texts = spellQuarters(texts); {
	case len(texts) > 0 && r.haveAll(r.timeTexts, texts):
		// The values are periods themselves, perhaps in another order or more of them.
	case len(texts) == len(v.values):
		r.timeTexts = texts
	case len(texts) > 0 || !looksLikeTime(r.timeTexts):
		return stat.BadFile(timeval.at, "TIMEVAL has %s, and %s has %d values in line %d", count(len(texts), "period"), shorten(v.name), len(v.values), v.at.Line)
	}
	return nil
}

// haveAll reports whether all of the texts are different periods of the table's
// frequency, and all other texts are among these periods.
func (r *reader) haveAll(texts, others []string) bool {
	have := map[stat.Period]bool{}
	for _, text := range texts {
		p := assemble.ParsePeriodOf(r.obs.Frequency, text)
		if p.Frequency() != r.obs.Frequency || p.IsZero() || have[p] {
			return false
		}
		have[p] = true
	}
	return !slices.ContainsFunc(others, func(text string) bool { return !have[assemble.ParsePeriodOf(r.obs.Frequency, text)] })
}

// count returns a number with a noun: "1 period", "2 periods".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// trimester matches the quarters of offices whose word for them begins with T.
var trimester = regexp.MustCompile(`^\s*([0-9]{4})T(I{1,3}|IV|[1-4])\s*$`)

// spellQuarters returns texts with Q for T, as in 2013T4 and 2005TI, if all are such
// quarters. A fourth one must be among them: three could be thirds of a year.
func spellQuarters(texts []string) []string {
	spelled, hasFourth := make([]string, len(texts)), false
	for i, text := range texts {
		m := trimester.FindStringSubmatch(text)
		if m == nil {
			return texts
		}
		quarter := map[string]string{"I": "1", "II": "2", "III": "3", "IV": "4"}[m[2]]
		spelled[i] = m[1] + "Q" + cmp.Or(quarter, m[2])
		hasFourth = hasFourth || strings.HasSuffix(spelled[i], "4")
	}
	if !hasFourth {
		return texts
	}
	return spelled
}

// expand returns all periods of a span 1994-1996; nil for any other text.
func expand(span string, freq stat.Frequency) []string {
	first, last, _ := strings.Cut(span, "-")
	from, to := assemble.ParsePeriodOf(freq, first), assemble.ParsePeriodOf(freq, last)
	if from.Frequency() != freq || to.Frequency() != freq {
		return nil
	}
	var texts []string
	const most = 100_000 // days of 270 years
	for p := from; !p.IsZero() && p.Compare(to) <= 0 && len(texts) < most; {
		texts = append(texts, p.String())
		day := p.End().AddDate(0, 0, 1)
		p = stat.NewDay(day.Year(), int(day.Month()), day.Day()).In(freq)
	}
	return texts
}

func (r *reader) readPeriods(v *variable) error {
	r.periods = make([]stat.Period, len(r.timeTexts))
	isDated := false
	for i, text := range r.timeTexts {
		trimmed := strings.TrimSpace(text)
		if trimmed == "" {
			return stat.BadFile(v.at, "period %d of %s is empty", i+1, shorten(v.name))
		}
		p := assemble.ParsePeriodOf(r.obs.Frequency, text)
		if p.IsZero() {
			r.Undated(trimmed)
			continue
		}
		// The store turns dates into periods of a coarser scale.
		if f := p.Frequency(); r.obs.Frequency != 0 && f != r.obs.Frequency && f != stat.Day {
			return stat.BadFile(v.at, "%s is %s, but TIMEVAL states that the periods are %s", shorten(text), f, r.obs.Frequency)
		}
		r.periods[i], isDated = p, true
		value := strings.TrimSpace(v.values[i])
		again, err := stat.ParsePeriod(value)
		switch {
		case err == nil && again.Frequency() == p.Frequency() && again != p:
			return stat.BadFile(v.at, "value %d of %s is %s, but TIMEVAL states %s", i+1, shorten(v.name), again, p)
		case err != nil && value != trimmed && p.Frequency() == stat.Annual && strings.ContainsAny(value, "-/–"):
			r.LabelPeriod(p, value)
		}
	}
	if !isDated {
		return stat.BadFile(v.at, "%s is the time, but none of its values is a period; the first is %s", shorten(v.name), shorten(r.timeTexts[0]))
	}
	return nil
}
