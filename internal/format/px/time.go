package px

import (
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
	noTime := r.withoutTime()
	if r.obs.Period, err = r.FilePeriod(r.time >= 0, stated, noTime); err != nil || r.time < 0 {
		return err
	}
	v := r.vars[r.time]
	if err := r.readTimeval(v); err != nil {
		return err
	}
	return r.readPeriods(v)
}

// withoutTime returns the error for a table without a time variable. If its texts have one
// year, it is the period to state; when the file was created only helps to find it.
func (r *reader) withoutTime() error {
	created := ""
	if date := r.header.best("CREATION-DATE", r.language); date != "" {
		created = "; the file was created on " + shorten(date)
	}
	err := stat.BadFile(stat.Position{}, "the table has no time variable: state the period of its numbers%s", created)
	var years []string
	for _, keyword := range []string{"TITLE", "CONTENTS", "DESCRIPTION", "REFPERIOD"} {
		years = append(years, year.FindAllString(r.header.best(keyword, r.language), -1)...)
	}
	slices.Sort(years)
	if years = slices.Compact(years); len(years) == 1 {
		return stat.Suggest(err, stat.Suggestion{Option: "period", Value: years[0]})
	}
	return err
}

var year = regexp.MustCompile(`\b(?:1[89]|20)[0-9]{2}\b`)

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
		if first, err := assemble.ReadTimeline(v.name, 0, v.values[:1]); err == nil && first.Len() == 0 {
			continue
		}
		isNamed := v.hasName(assemble.IsTimeWord)
		line, err := assemble.ReadTimeline(v.name, 0, v.values)
		if err != nil && isNamed {
			return -1, stat.BadFile(v.at, "%v", err)
		}
		if err != nil || !line.LooksLikeTime(isNamed) {
			continue
		}
		shaped = append(shaped, i)
		if isNamed {
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

// readTimeval sets the texts of the periods of a variable, and the frequency if TIMEVAL
// states it.
func (r *reader) readTimeval(v *variable) error {
	r.timeTexts = v.values
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
	own, err := assemble.ReadTimeline(v.name, r.obs.Frequency, v.values)
	isTime := err == nil && own.LooksLikeTime(true)
	switch {
	case len(texts) > 0 && isTime && r.haveAll(own.Periods, texts):
		// The values are periods themselves, perhaps in another order or more of them.
	case len(texts) == len(v.values):
		r.timeTexts = texts
	case len(texts) > 0 || !isTime:
		return stat.BadFile(timeval.at, "TIMEVAL has %s, and %s has %d values in line %d", count(len(texts), "period"), shorten(v.name), len(v.values), v.at.Line)
	}
	return nil
}

// haveAll reports whether different periods of the table's frequency have all those of
// the texts among them.
func (r *reader) haveAll(periods []stat.Period, texts []string) bool {
	have := map[stat.Period]bool{}
	for _, p := range periods {
		if p.Frequency() != r.obs.Frequency || have[p] {
			return false
		}
		have[p] = true
	}
	line, err := assemble.ReadTimeline("", r.obs.Frequency, texts)
	return err == nil && !slices.ContainsFunc(line.Periods, func(p stat.Period) bool { return !have[p] })
}

// count returns a number with a noun: "1 period", "2 periods".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// expand returns all periods of a span 1994-1996; nil for any other text.
func expand(span string, freq stat.Frequency) []string {
	first, last, _ := strings.Cut(span, "-")
	line, err := assemble.ReadTimeline("", freq, []string{first, last})
	if err != nil || line.Periods[0].Frequency() != freq || line.Periods[1].Frequency() != freq {
		return nil
	}
	from, to := line.Periods[0], line.Periods[1]
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
	line, err := assemble.ReadTimeline(v.name, r.obs.Frequency, r.timeTexts)
	if err != nil {
		return stat.BadFile(v.at, "%v", err)
	}
	r.periods = line.Periods
	for i, p := range r.periods {
		text, value := strings.TrimSpace(r.timeTexts[i]), strings.TrimSpace(v.values[i])
		if text == "" {
			return stat.BadFile(v.at, "period %d of %s is empty", i+1, shorten(v.name))
		}
		if p.IsZero() {
			continue
		}
		// The store turns dates into periods of a coarser scale.
		if f := p.Frequency(); r.obs.Frequency != 0 && f != r.obs.Frequency && f != stat.Day {
			return stat.BadFile(v.at, "%s is %s, but TIMEVAL states that the periods are %s", shorten(text), f, r.obs.Frequency)
		}
		if again, err := stat.ParsePeriod(value); err == nil && again.Frequency() == p.Frequency() && again != p {
			return stat.BadFile(v.at, "value %d of %s is %s, but TIMEVAL states %s", i+1, shorten(v.name), again, p)
		}
	}
	if line.Len() == 0 {
		return stat.BadFile(v.at, "%s is the time, but none of its values is a period; the first is %s", shorten(v.name), shorten(r.timeTexts[0]))
	}
	line.AddLabels(v.name, r.obs.Frequency, v.values)
	if err := r.LabelPeriods(line, r.timeTexts); err != nil {
		return stat.BadFile(v.at, "%v", err)
	}
	return nil
}
