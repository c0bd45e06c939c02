package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// finerDate returns a column of periods that lie in those of other columns and tell more rows
// apart: dates beside the year of each; nil if there is none.
func (g *guess) finerDate(of []*column) *column {
	key := newGroups(len(g.body))
	for _, c := range of {
		key = key.with(c)
	}
	before := g.times
	defer func() { g.times = before }()
	for _, c := range g.free() {
		isDate := c.isPeriods() && c.numbers == 0 && !c.hasGaps() && isPeriodWord(c) && !c.isCalled("attribute", "updated")
		g.times = []*column{c}
		isWithin := func(o *column) bool { return o != c && g.repeatsPeriods(o) }
		if isDate && c.different > key.n && !slices.ContainsFunc(of, func(o *column) bool { return !isWithin(o) }) {
			return c
		}
	}
	return nil
}

// isPartOfDate reports whether each number of a column is the year, quarter, month, week or day of
// the date in its row, by its heading. Those of fiscal years may differ from the date's.
func (g *guess) isPartOfDate(c *column) bool {
	f := headingPart(c)
	if f == 0 || len(g.times) != 1 || g.times[0] == c || g.times[0].numbers > 0 || c.hasGaps() || c.numbers < c.filled {
		return false
	}
	isFiscal := c.hasWord(assemble.Words("fiscal")...)
	for i, id := range c.ids {
		p, err := g.periodOf(i)
		n, wrong := strconv.Atoi(c.cells[id-1])
		if err != nil || wrong != nil || p.Frequency() != stat.Day || !isPartOf(p, f, n, isFiscal) {
			return false
		}
	}
	return true
}

// namesTimes reports whether a column of texts has another name for each period, such as the time
// of day beside year and month: each period has one, which no other has, in several rows.
func (g *guess) namesTimes(c *column) bool {
	if c.isEmpty() || c.hasGaps() || !isText(c) {
		return false
	}
	key := newGroups(len(g.body))
	for _, t := range g.times {
		key = key.with(t)
	}
	return c.different == key.n && key.with(c).n == key.n && key.n >= minGroups && len(g.body) >= 2*key.n
}

// headingPart returns which part of a date a heading names; 0: none.
func headingPart(c *column) stat.Frequency {
	if f := text.HeadingFrequency(c.words); f != 0 {
		return f
	}
	if c.hasWord(assemble.Words("day of month")...) {
		return stat.Day
	}
	return 0
}

// isPartOf reports whether a number is that of the part of a day. A fiscal year begins in the
// calendar year before or after.
func isPartOf(day stat.Period, part stat.Frequency, n int, isFiscal bool) bool {
	date := day.Start()
	_, week := date.ISOWeek()
	switch part {
	case stat.Annual:
		return n == day.Year() || isFiscal && n >= day.Year()-1 && n <= day.Year()+1
	case stat.Quarter:
		return n == (int(date.Month())+2)/3 || isFiscal && n >= 1 && n <= 4
	case stat.Month:
		return n == int(date.Month()) || isFiscal && n >= 1 && n <= 12
	case stat.Week:
		return n == week || isFiscal && n >= 1 && n <= 53
	case stat.Day:
		return n == date.Day() || n == date.YearDay()
	}
	return false
}

// yearAndMonth matches 202607.
var yearAndMonth = regexp.MustCompile(`^([0-9]{4})([0-9]{2})$`)

// hiddenTimes returns a column whose cells are periods behind the same letters, as VPIZR-2025 and
// VPIZR-202607 are; nil if there is none. A year alone may be a part of any code.
func (g *guess) hiddenTimes() *column {
	for _, c := range g.columns {
		if c.isEmpty() || c.isPeriods() || c.textual == 0 {
			continue
		}
		at := strings.IndexAny(c.cells[0], "0123456789")
		isTime, isFiner := at > 0, c.different > 1
		for _, cell := range c.cells {
			isTime = isTime && len(cell) >= at+4 && cell[:at] == c.cells[0][:at] && text.IsYear(cell[at:at+4]) && isPeriod(yearAndMonth.ReplaceAllString(cell[at:], "$1-$2"))
			isFiner = isFiner || isTime && len(cell) > at+4
		}
		if isTime && isFiner {
			return c
		}
	}
	return nil
}

// swallowed returns the error of a table without periods that has times in another form.
func (g *guess) swallowed(times *column) error {
	return stat.BadFile(stat.Position{Line: g.line}, "the table has no column of periods with a known heading, but the cells of the column %q look like times (%s): write them as periods, such as 2025 and 2026-07, or state in a mapping what the column means",
		times.name, clipped(times.cells[:min(len(times.cells), fewTexts)]))
}
