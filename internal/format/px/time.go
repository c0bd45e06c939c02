package px

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// period is what a value of the time stands for.
type period struct {
	stat.Period
	undated string // the text, where it is no period
}

// scales are the letters of TLIST. K is what some offices write for quarters.
var scales = map[string]stat.Frequency{
	"A": stat.Annual, "Y": stat.Annual, "H": stat.HalfYear, "Q": stat.Quarter, "K": stat.Quarter,
	"M": stat.Month, "W": stat.Week, "U": stat.Week, "D": stat.Day,
}

// settleTime finds the variable that is the time and reads its periods.
func (t *table) settleTime(stated string) error {
	v, err := t.timeVariable()
	if err != nil {
		return err
	}
	if v == nil {
		if stated == "" {
			return stat.BadFile(stat.Position{}, "no variable of the table is a time: state the period of its numbers with --period")
		}
		p, err := stat.ParsePeriod(stated)
		if err != nil {
			return stat.BadFile(stat.Position{}, "the period of the whole file: %v", err)
		}
		t.period = p
		return nil
	}
	if stated != "" {
		t.report.Add(stat.NotePeriodNotUsed, 1, stated)
	}
	texts, freq, err := t.timeTexts(v)
	if err != nil {
		return err
	}
	t.time, t.timeAt, t.frequency = v, slices.Index(t.vars, v), freq
	return t.readPeriods(v, texts)
}

// timeVariable is the variable with TIMEVAL; else the one that VARIABLE-TYPE
// calls the time; else the only one whose values all look like periods, or of
// several the one that is called so. It is nil where there is none.
func (t *table) timeVariable() (*variable, error) {
	var stated, typed, shaped, named []*variable
	for _, v := range t.vars {
		if _, ok := t.timeval(v); ok {
			stated = append(stated, v)
		}
		if kind := strings.ToUpper(t.about("VARIABLE-TYPE", v)); kind == "T" || kind == "TIME" {
			typed = append(typed, v)
		}
		if !looksLikeTime(v.values) {
			continue
		}
		shaped = append(shaped, v)
		if isTimeName(v) {
			named = append(named, v)
		}
	}
	for _, found := range [][]*variable{stated, typed, named, shaped} {
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return nil, stat.BadFile(found[1].at, "both %s and %s may be the time of the table, and TIMEVAL names neither or both", shorten(found[0].name), shorten(found[1].name))
		}
	}
	return nil, nil
}

// timeval is what TIMEVAL says of a variable.
func (t *table) timeval(v *variable) (said, bool) {
	if text, ok := t.header.find(slot{keyword: "TIMEVAL", a: v.name}); ok {
		return text, true
	}
	return t.header.find(slot{keyword: "TIMEVAL", language: t.shown, a: v.shown})
}

// isTimeName reports whether a variable is called after the time.
func isTimeName(v *variable) bool {
	names := []string{"tid", "year", "år", "ar", "quarter", "month", "week", "periodo", "año", "jahr", "année", "anno", "vuosi", "tími"}
	for _, name := range []string{v.id, v.name, v.shown} {
		name = strings.ToLower(strings.TrimSpace(name))
		if assemble.IsTime(name) || slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// looksLikeTime reports whether all texts are periods. Four digits are a year
// only in the centuries of which there are statistics: they may be codes.
func looksLikeTime(texts []string) bool {
	for _, text := range texts {
		p, err := stat.ParsePeriod(text)
		if err != nil || p.Year() < 1700 || p.Year() > 2199 {
			return false
		}
	}
	return len(texts) > 0
}

// timeTexts are the texts to read the periods of a variable from, and the
// frequency that TIMEVAL states, if any.
func (t *table) timeTexts(v *variable) ([]string, stat.Frequency, error) {
	text, ok := t.timeval(v)
	if !ok {
		return v.values, 0, nil
	}
	scale, span, ok := tlist(text.values[0])
	freq, known := scales[strings.TrimSuffix(scale, "1")]
	switch {
	case !ok:
		return nil, 0, stat.BadFile(text.at, "TIMEVAL begins with TLIST and the time scale, as TLIST(A1); found %s", shorten(text.values[0]))
	case !known:
		return nil, 0, stat.BadFile(text.at, "the time scale %s of TIMEVAL is none that is read: those are A1, H1, Q1, M1, W1 and D1", shorten(scale))
	}
	texts := text.values[1:]
	if span != "" {
		if texts = expand(span, freq); texts == nil {
			return nil, 0, stat.BadFile(text.at, "TIMEVAL has no span of periods in %s", shorten(span))
		}
	}
	switch {
	case len(texts) == len(v.values):
		return texts, freq, nil
	case len(texts) == 0 && looksLikeTime(v.values):
		return v.values, freq, nil
	}
	return nil, 0, stat.BadFile(text.at, "TIMEVAL has %d periods, and %s has %d values in line %d", len(texts), shorten(v.name), len(v.values), v.at.Line)
}

// tlist splits TLIST(A1) and TLIST(A1,"1994"-"1996") into scale and span.
func tlist(text string) (scale, span string, ok bool) {
	rest, ok := strings.CutPrefix(strings.ToUpper(text), "TLIST(")
	if !ok {
		return "", "", false
	}
	scale, span, _ = strings.Cut(rest, ",")
	return strings.TrimSpace(scale), strings.ReplaceAll(strings.Join(strings.Fields(span), ""), `"`, ""), true
}

// expand writes all periods of a span 1994-1996; nil if it is none.
func expand(span string, freq stat.Frequency) []string {
	first, last, ok := strings.Cut(span, "-")
	from, ok1 := readPeriod(first, freq)
	to, ok2 := readPeriod(last, freq)
	if !ok || !ok1 || !ok2 || from.Frequency() != freq || to.Frequency() != freq {
		return nil
	}
	var texts []string
	const most = 100_000 // days of 270 years
	for p := from; !p.IsZero() && p.Compare(to) <= 0 && len(texts) < most; {
		texts = append(texts, p.String())
		p = following(p)
	}
	return texts
}

// following is the period after p of the same frequency.
func following(p stat.Period) stat.Period {
	day := p.End().AddDate(0, 0, 1)
	switch p.Frequency() {
	case stat.Day:
		return stat.NewDay(day.Year(), int(day.Month()), day.Day())
	case stat.Week:
		year, week := day.ISOWeek()
		return stat.NewPeriod(stat.Week, year, week)
	}
	length := map[stat.Frequency]int{stat.Annual: 12, stat.HalfYear: 6, stat.Quarter: 3, stat.Month: 1}[p.Frequency()]
	return stat.NewPeriod(p.Frequency(), day.Year(), (int(day.Month())-1)/length+1)
}

// readPeriod reads a text of TIMEVAL: digits only, as 20041 for the first
// quarter under TLIST(Q1), or any spelling that says itself what it is.
func readPeriod(text string, freq stat.Frequency) (stat.Period, bool) {
	text = strings.TrimSpace(text)
	digits := strings.Trim(text, "0123456789") == ""
	width := map[stat.Frequency]int{stat.HalfYear: 5, stat.Quarter: 5, stat.Month: 6, stat.Week: 6, stat.Day: 8}[freq]
	if digits && width > 0 && len(text) == width {
		year, _ := strconv.Atoi(text[:4])
		number, _ := strconv.Atoi(text[4:])
		if freq == stat.Day {
			p := stat.NewDay(year, number/100, number%100)
			return p, !p.IsZero()
		}
		p := stat.NewPeriod(freq, year, number)
		return p, !p.IsZero()
	}
	p, err := stat.ParsePeriod(text)
	return p, err == nil
}

// readPeriods reads the periods of the time, one for each value.
func (t *table) readPeriods(v *variable, texts []string) error {
	d := t.dataset
	v.periods = make([]period, len(texts))
	for i, text := range texts {
		p, ok := readPeriod(text, t.frequency)
		if strings.TrimSpace(text) == "" {
			return stat.BadFile(v.at, "period %d of %s is empty", i+1, shorten(v.name))
		}
		if !ok {
			v.periods[i] = period{undated: strings.TrimSpace(text)}
			d.Undated = append(d.Undated, strings.TrimSpace(text))
			continue
		}
		// Dates under a coarser scale are for the store to turn into periods.
		if f := p.Frequency(); t.frequency != 0 && f != t.frequency && f != stat.Day {
			return stat.BadFile(v.at, "%s is %s, and TIMEVAL says that the periods are %s", shorten(text), f, t.frequency)
		}
		v.periods[i] = period{Period: p}
		said := strings.TrimSpace(v.values[i])
		again, err := stat.ParsePeriod(said)
		switch {
		case err == nil && again.Frequency() == p.Frequency() && again != p:
			return stat.BadFile(v.at, "value %d of %s is %s, and TIMEVAL says %s", i+1, shorten(v.name), again, p)
		case err != nil && said != strings.TrimSpace(text) && p.Frequency() == stat.Annual && strings.ContainsAny(said, "-/–"):
			if d.PeriodLabels == nil {
				d.PeriodLabels = map[stat.Period]string{}
			}
			d.PeriodLabels[p] = said
		}
	}
	if len(d.Undated) == len(texts) {
		return stat.BadFile(v.at, "no value of %s, which is the time, is a period; the first is %s", shorten(v.name), shorten(texts[0]))
	}
	return nil
}
