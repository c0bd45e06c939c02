package text

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"almanac/internal/stat"
)

// decide returns the reading of a class that its texts prove together, 0 if they prove
// none.
func (f *PeriodFinder) decide(class formClass, texts []*foundPeriod, possible reading) reading {
	if r := f.byHeading(class) & possible; r != 0 {
		return r
	}
	switch class {
	case formDate:
		return decideOrder(texts)
	case formYearEnd:
		if len(f.of(formPart)) > 0 { // 2009-9 beside 2009-10
			return readMonthNumber
		}
		return decideYearEnd(texts)
	case formPart:
		return f.decidePart(texts, possible)
	case formKW:
		if f.isCBS || reachesFour(texts) {
			return readQuarters
		}
	case formMonths:
		return readQuarters // none of the texts is another span
	case formMonthEnd:
		return decideMonthEnd(texts)
	}
	return 0
}

// headingFrequencies are words in headings that tell what the periods are.
var headingFrequencies = []struct {
	frequency stat.Frequency
	words     string
}{
	{stat.Month, "mes ay kuu 月 월"},
	{stat.Quarter, "qtr 季"},
	{stat.HalfYear, "halfyear"},
	{stat.Week, "uke uge 周 週"},
	{stat.Annual, "year jahr annee fiscal season"},
}

// HeadingFrequency returns the frequency of the periods, or parts of years, below a heading by
// its words, which are those of periods or a few shorter ones; 0 if they do not tell.
func HeadingFrequency(heading string) stat.Frequency {
	words := strings.FieldsFunc(foldText(heading), func(r rune) bool { return strings.ContainsRune(" _-./()", r) })
	for _, w := range words {
		if means := foldedWords()[w]; means.kind == itemPart && means.number == 0 && len(w) >= 4 && w != "half" {
			return means.frequency
		}
	}
	for _, h := range headingFrequencies {
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(strings.Fields(h.words), w) }) {
			return h.frequency
		}
	}
	return 0
}

// byHeading returns the reading that the stated frequency or the heading decides.
func (f *PeriodFinder) byHeading(class formClass) reading {
	frequency := cmp.Or(f.Frequency, HeadingFrequency(f.Heading))
	switch class {
	case formYearEnd:
		return map[stat.Frequency]reading{stat.Month: readMonthNumber, stat.Annual: readSpan}[frequency]
	case formPart, formKW:
		return map[stat.Frequency]reading{stat.Quarter: readQuarters, stat.Month: readMonthly, stat.HalfYear: readHalfYears, stat.Week: readWeeks}[frequency]
	case formMonthEnd:
		if frequency == stat.Month {
			return readShortEnd
		}
	}
	return 0
}

// decideOrder decides between 3 April and March 4. Where no day is above 12, dates of two
// years that all have the same number in one place, and thirteen or more that differ in
// the other, are the first days of months: the same days of one month would not be
// published for every year.
func decideOrder(texts []*foundPeriod) reading {
	first, second, years := map[int]bool{}, map[int]bool{}, map[int]bool{}
	isSame := true
	for _, t := range texts {
		first[t.first], second[t.second], years[t.year] = true, true, true
		isSame = isSame && t.first == t.second
	}
	switch {
	case isSame:
		return readDayFirst // both are the same day
	case len(texts) < 13 || len(years) < 2:
		return 0
	case first[1] && len(first) == 1:
		return readDayFirst
	case second[1] && len(second) == 1:
		return readMonthFirst
	}
	return 0
}

// decideYearEnd decides between November 2010 and the years 2010 to 2011: months of the
// same year cannot be spans, and several months, each a number after its year, are not
// months. Nor are three or more that follow one another as spans of years do: 2001-05,
// 2006-10, 2011-12.
func decideYearEnd(texts []*foundPeriod) reading {
	ends := map[int]int{}
	isNext := true
	for _, t := range texts {
		end, isKnown := ends[t.year]
		if isKnown && end != t.first {
			return readMonthNumber
		}
		ends[t.year] = t.first
		isNext = isNext && spanEnd(t.year, t.first) == t.year+1
	}
	if len(ends) > 1 && isNext || len(ends) > 2 && (areChained(ends, 0) || areChained(ends, 1)) {
		return readSpan
	}
	return 0
}

// areChained reports whether each span of years begins a number of years after the end of
// the span before it. ends has the last two digits of the end by the first year.
func areChained(ends map[int]int, after int) bool {
	years := slices.Sorted(maps.Keys(ends))
	for i, year := range years[1:] {
		if spanEnd(years[i], ends[years[i]])+after != year {
			return false
		}
	}
	return true
}

// decidePart decides what 2010:1 is. Numbers up to four in three years or more are
// quarters, since months would go on; beside 2010:10 they are months.
func (f *PeriodFinder) decidePart(texts []*foundPeriod, possible reading) reading {
	for i := range f.found {
		if f.found[i].isExact || f.found[i].class == formYearEnd {
			return readMonthly
		}
	}
	if possible&readQuarters != 0 && reachesFour(texts) {
		return readQuarters
	}
	return 0
}

// reachesFour reports whether the highest number is four in three years, of which one may
// be at its beginning. In two years they may be the first months of each.
func reachesFour(texts []*foundPeriod) bool {
	years, reached := map[int]bool{}, map[int]bool{}
	for _, t := range texts {
		years[t.year] = true
		if t.first == 4 {
			reached[t.year] = true
		}
		if t.first > 4 {
			return false
		}
	}
	return len(years) > 2 && len(reached) > 1
}

// decideMonthEnd decides between March 2015 and the 15th of March: months stand in order
// of time, or most follow one another directly. Days are in the order of the calendar,
// which falls through the months only by chance.
func decideMonthEnd(texts []*foundPeriod) reading {
	var months, days []stat.Period
	for i, t := range texts {
		if i > 0 && t.name == texts[i-1].name {
			return 0
		}
		month := int(t.name.months[0])
		months = append(months, stat.NewPeriod(stat.Month, 2000+t.year, month))
		days = append(days, stat.NewDay(2000, month, max(1, t.year)))
	}
	up, down := orderOf(months)
	areDays, _ := orderOf(days)
	slices.SortFunc(months, stat.Period.Compare)
	if len(texts) > 1 && (up || !areDays && (down || isRegular(months, stat.Month) || isRegular(months, stat.Quarter))) {
		return readShortEnd
	}
	return 0
}

// findCoarse finds what dates stand for: if all are the first or all the last day of a
// longer period, no two of the same one, and most follow their predecessor directly, they
// are these periods. Fewer than three dates prove it only if they are one year apart.
func (f *PeriodFinder) findCoarse(s *PeriodStyle) {
	if f.overflow || slices.Contains(f.Choices, keepDays) || len(f.found) == 0 {
		return
	}
	var days []stat.Period
	for i := range f.found {
		p, _, err := s.read(f.found[i].text, f.found[i].periodForm)
		if err != nil || p.Frequency() != stat.Day && p.Frequency() != stat.Month {
			return
		}
		days = append(days, p)
	}
	slices.SortFunc(days, stat.Period.Compare)
	days = slices.Compact(days)
	if f.Frequency != 0 {
		if f.Frequency < days[0].Frequency() && standsFor(days, f.Frequency) {
			s.coarse = f.Frequency
		}
		return
	}
	if slices.ContainsFunc(days, func(d stat.Period) bool { return d.Frequency() == stat.Month }) {
		if f.areQuarterEnds(days) && len(days) >= 8 && isRegular(days, stat.Quarter) {
			s.coarse, s.isOfMonths = stat.Quarter, true
		}
		return
	}
	for _, frequency := range []stat.Frequency{stat.Annual, stat.HalfYear, stat.Quarter, stat.Month} {
		if !standsFor(days, frequency) {
			continue
		}
		if isRegular(days, frequency) {
			s.coarse = frequency
		}
		return
	}
}

// standsFor reports whether all days are the first, or all the last, of periods of the
// frequency, and no two of the same one.
func standsFor(days []stat.Period, f stat.Frequency) bool {
	first, last := true, true
	for i, d := range days {
		p := d.In(f)
		if i > 0 && p == days[i-1].In(f) {
			return false
		}
		first, last = first && d.Start().Equal(p.Start()), last && d.End().Equal(p.End())
	}
	return first || last
}

// isRegular reports whether most days are in the period after that of the day before.
func isRegular(days []stat.Period, f stat.Frequency) bool {
	direct := 0
	for i := 1; i < len(days); i++ {
		if days[i-1].In(f).End().AddDate(0, 0, 1).Equal(days[i].In(f).Start()) {
			direct++
		}
	}
	if f == stat.Annual && len(days) > 2 {
		return true // whole years lie between them
	}
	return (len(days) > 2 || f == stat.Annual) && 2*direct >= len(days)-1 && direct > 0
}
