package plain

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// findPeriods finds periods in a column, in two that form one, or in the headings.
func (g *guess) findPeriods() {
	g.hasPeriods = true
	isYears := func(c *column) bool { return c.isPeriods() && c.years == c.filled }
	year := cmp.Or(g.named("year", isYears), g.named("period", isYears))
	part := g.partBesideYears()
	if c := g.named("part of year", func(c *column) bool { return !c.hasGaps() && len(c.notParts())*2 < c.different }); c != nil && part == nil && year != nil {
		g.doubt("%s in the column %q is not a part of a year", clipped(c.notParts()), c.name)
		g.isVain, part = true, c
	}
	c := g.named("period", func(c *column) bool { return c.isPeriods() && !c.isParts() })
	packed := g.named("packed period", func(c *column) bool { return c.isAll(packedPeriod) })
	switch {
	case packed != nil:
		g.takePeriod(packed)
	case year != nil && part != nil && g.hasSundayWeeks(part):
		g.isVain = true
		g.doubt("the weeks in the column %q begin on Sunday, as those of the CDC do, and are not the weeks of ISO 8601: add a column with the last day of each week", part.name)
		g.takePeriod(year, part)
	case year != nil && part != nil && !g.statesPart(c, part):
		if day := g.named("day of month", (*column).isDays); day != nil {
			g.takePeriod(year, part, day)
			break
		}
		g.takePeriod(year, part)
	case c != nil:
		g.takePeriod(g.betterPeriod(c))
	case part != nil && g.year != "" && text.HeadingFrequency(part.words) != stat.Week:
		g.takePeriod(part)
	case g.takeDates():
	case g.takeMeasures():
	case slices.ContainsFunc(g.headings, isPeriod):
		g.takeHeadings()
	default:
		g.findOtherPeriods()
	}
	g.ignoreSamePeriods()
	if other := otherPart(g.headings); g.isWide && other != "" {
		g.doubt("the heading %q has the form of the others, but is no part of a year; Q1 to Q5 may be groups and not quarters", other)
		g.isVain = true
	}
}

// hasSundayWeeks reports whether a column has the weeks of the CDC, in a table of FluView.
func (g *guess) hasSundayWeeks(part *column) bool {
	isFluView := func(c *column) bool { return c.words == "region type" }
	return part.words == "week" && slices.ContainsFunc(g.columns, isFluView)
}

// statesPart reports whether the periods of a column have the part that another states: 2020-01
// beside Jan.
func (g *guess) statesPart(c, part *column) bool {
	return c != nil && c.isPeriods() && c.years < c.filled && c.determines(part)
}

// packedPeriod matches years with their months or quarters as 202401 and 20241. The 13th
// month is the year, as the Energy Information Administration writes it.
var packedPeriod = regexp.MustCompile(`^([12][0-9]{3})([1-4]|0[1-9]|1[0-3])$`)

// monthDigits matches years of our time with their months.
var monthDigits = regexp.MustCompile(`^(?:1[89]|20)[0-9]{2}(?:0[1-9]|1[0-2])$`)

func readPacked(cell string) (stat.Period, error) {
	switch found := packedPeriod.FindStringSubmatch(cell); {
	case found == nil:
	case len(found[2]) == 1:
		cell = found[1] + "-Q" + found[2]
	case found[2] == "13":
		cell = found[1]
	}
	return table.ReadPeriod(cell)
}

func (g *guess) takePeriod(columns ...*column) {
	if c := g.finerDate(columns); c != nil {
		columns = []*column{c}
	}
	g.take("period", columns...)
	g.times = columns
	last := &g.items[len(g.items)-1]
	if len(columns) > 1 {
		last.between = '+'
	}
}

// betterPeriod returns the column that states the frequency: the years beside dates, if
// each year has one date.
func (g *guess) betterPeriod(c *column) *column {
	g.times = []*column{c}
	if c.years == c.filled || c.different < 2 {
		return c
	}
	return cmp.Or(g.first(func(other *column) bool {
		return other != c && other.isPeriods() && other.years == other.filled && isPeriodWord(other) && c.isOneToOne(other) && g.repeatsPeriods(other)
	}), c)
}

// takeHeadings takes the headings that are periods.
func (g *guess) takeHeadings() {
	g.isWide = true
	g.items = append(g.items, item{key: "period", columns: []string{"*"}})
	for i, h := range g.headings {
		if isPeriod(h) && !g.columns[i].isTaken {
			g.takeDated(g.columns[i])
		}
	}
	// Four digits have the shape of a year, but may be any number.
	if at := slices.IndexFunc(g.headings, func(h string) bool {
		return len(h) == 4 && strings.Trim(h, "0123456789") == "" && isPeriod(h) && !text.IsYear(h)
	}); at >= 0 {
		g.doubt("the heading %q may be a year or another number", g.headings[at])
	}
}

// takeDated takes a column of values whose heading is a period, or contains one.
func (g *guess) takeDated(c *column) {
	c.isTaken = true
	g.dated = append(g.dated, c)
	g.checkTexts(c)
}

// takeDates takes the only column of dates that is no attribute of others, although headings hold
// years: one year is part of the names of measures, as in ipc_2016, and several are if each date is
// that of several rows.
func (g *guess) takeDates() bool {
	dates := slices.DeleteFunc(g.free(), func(c *column) bool {
		isOfOther := func(o *column) bool {
			return o != c && (isText(o) || o.isCode()) && !o.isPeriods() && o.different > 1 && o.determines(c)
		}
		return !c.isPeriods() || c.numbers > 0 || c.hasGaps() || c.different < 2 || c.isCalled("attribute", "updated") || slices.ContainsFunc(g.columns, isOfOther)
	})
	years := map[string]bool{}
	for _, h := range g.headings {
		if m, ok := splitHeading(h); ok {
			years[m.year] = true
		}
	}
	if len(dates) != 1 || len(years) == 0 || len(years) > 1 && dates[0].different == len(g.body) || slices.ContainsFunc(g.headings, isPeriod) {
		return false
	}
	g.takePeriod(dates[0])
	return true
}

// findOtherPeriods finds periods where no heading is one of the words: headings that
// contain such a word or a period, or a column of which every cell is a period.
func (g *guess) findOtherPeriods() {
	isDated := func(c *column) bool {
		return c.isPeriods() && !c.hasGaps() && (c.years == c.filled || c.numbers < c.filled)
	}
	dates := slices.DeleteFunc(g.free(), func(c *column) bool { return !isDated(c) || c.numbers > 0 })
	if len(dates) == 2 && g.areBounds(dates[0], dates[1]) {
		g.takePeriod(dates...)
		return
	}
	for _, fits := range []func(*column) bool{
		func(c *column) bool { return isDated(c) && isPeriodWord(c) },
		func(c *column) bool {
			return isDated(c) && c.numbers == 0 && !c.isCalled("attribute", "updated")
		},
		func(c *column) bool {
			return (isDated(c) || c.at == 0 && c.isAll(monthDigits)) && g.headings[c.at] == ""
		},
		func(c *column) bool { return isDated(c) && c.isSequence() },
	} {
		found := slices.DeleteFunc(g.free(), func(c *column) bool { return !fits(c) })
		if len(found) == 1 || len(found) > 1 && isPeriodWord(found[0]) {
			finest := slices.MaxFunc(found, func(a, b *column) int { return a.different - b.different })
			if month := g.monthBeside(finest); month != nil {
				g.takePeriod(finest, month)
				return
			}
			g.takePeriod(g.betterPeriod(finest))
			return
		}
		if len(found) > 1 {
			break
		}
	}
	if len(dates) == 2 {
		g.doubt("the columns %q and %q hold dates, of which one is the period", dates[0].name, dates[1].name)
		g.takePeriod(dates[0])
		g.take("ignore", dates[1])
		return
	}
	if dated := slices.DeleteFunc(g.free(), func(c *column) bool { return !isDated(c) }); len(dated) == 1 && !dated[0].isCode() {
		g.doubt("the column %q may contain years or other numbers", dated[0].name)
		g.takePeriod(dated[0])
		return
	}
	g.hasPeriods = false
	if c := g.named("year", func(c *column) bool { return c.different > 1 && !c.isPeriods() }); c != nil {
		g.falseYear = c
		g.doubt("the column %q does not hold years (%s)", c.name, clipped(c.cells))
		g.take("dim", c)
		g.dims = append(g.dims, c)
	}
}

// areBounds reports whether two columns have the first and the last days of periods.
func (g *guess) areBounds(first, last *column) bool {
	for i := range g.body {
		if between(first.cells[first.ids[i]-1], last.cells[last.ids[i]-1]).IsZero() {
			return false
		}
	}
	return true
}

// monthBeside returns the column of all months beside one of years, both without a heading; nil
// if there is none.
func (g *guess) monthBeside(year *column) *column {
	if g.headings[year.at] != "" || year.at+1 == len(g.columns) {
		return nil
	}
	c := g.columns[year.at+1]
	if g.headings[c.at] != "" || c.different != 12 || c.numbers != c.filled || !c.isParts() {
		return nil
	}
	return c
}

// isPeriodWord reports whether a heading contains a word for periods.
func isPeriodWord(c *column) bool {
	return c.isCalled("period") || strings.HasPrefix(c.words, "tlist(") || c.hasWord(assemble.Words("period")...)
}

// isSequence reports whether the whole numbers of a column follow one another, as the
// years of a table do.
func (c *column) isSequence() bool {
	low, high := 0, 0
	for i, cell := range c.cells {
		n, err := strconv.Atoi(cell)
		if err != nil {
			return false
		}
		if i == 0 {
			low, high = n, n
		}
		low, high = min(low, n), max(high, n)
	}
	return c.different >= 2 && high-low+1 <= 2*c.different
}

// ignoreSamePeriods leaves out the columns that say the same as the periods, or less:
// the year of a date, the name of the month.
func (g *guess) ignoreSamePeriods() {
	if len(g.times) == 0 {
		return
	}
	for _, c := range g.free() {
		isFrequency := c.isConstant() && assemble.Means("frequency cell", strings.ToLower(c.cells[0])) && !c.isCalled("frequency")
		isName := len(g.times) == 2 && g.times[1].isOneToOne(c) && !c.isNumeric() && !c.hasGaps() && c.different > 1
		switch {
		case isFrequency && (isPeriodWord(c) || c.hasWord("period", "zeit", "time")):
			g.ignore(c)
		case isName:
			g.ignore(c, g.times[1])
		case (isPeriodWord(c) || len(g.times) > 1) && g.repeatsPeriods(c), c.isPeriods() && c.isCopyOf(g.times[0]), g.isEra(c), g.isPartOfDate(c), g.isCodeOfPeriods(c), g.namesTimes(c):
			g.ignore(c, g.times...)
		}
	}
}

// isCodeOfPeriods reports whether a column has the codes of the periods, by its heading: 202204 of
// the fourth quarter.
func (g *guess) isCodeOfPeriods(c *column) bool {
	return len(g.times) == 1 && c.kind() == 0 && c.subject() == g.times[0].subject() && c.isOneToOne(g.times[0])
}

// isEra reports whether a column has the eras of the years, or parts of years that each date
// decides: years of Heisei, weeks.
func (g *guess) isEra(c *column) bool {
	isPart := isPeriodWord(c) && c.isParts() && len(g.body) >= 2*g.times[0].different
	return (isPart || c.hasWord("era", "元号", "年号", "和暦", "年次")) && !c.isPeriods() && !c.hasGaps() && len(g.times) == 1 && g.times[0].determines(c)
}

// repeatsPeriods reports whether a column has periods, or parts of years, that in every row
// contain that of the row, or that lie in it and are one to one with it.
func (g *guess) repeatsPeriods(c *column) bool {
	isPeriods, key := c.isPeriods(), newGroups(len(g.body))
	for _, t := range g.times {
		key = key.with(t)
	}
	if !isPeriods && (c.isEmpty() || len(c.notParts()) > 0) || key.with(c).n != key.n {
		return false
	}
	if isOfDates := g.times[0].years == 0 && len(g.times) == 1; isOfDates && c.hasWord("mmwr", "epi") {
		return true // years and weeks of another calendar, whose dates are known
	}
	isSame := newGroups(len(g.body)).with(c).n == key.n
	parts, seen := c.parts(), map[int]bool{}
	for i, id := range c.ids {
		if seen[key.ids[i]] {
			continue
		}
		seen[key.ids[i]] = true
		p, err := g.periodOf(i)
		if id == 0 && (err != nil || g.times[len(g.times)-1].ids[i] == 0) {
			continue // neither has a period
		}
		if id == 0 || err != nil {
			return false
		}
		q, err := table.ReadPeriod(c.cells[id-1])
		if !isPeriods {
			q, err = parts.Read(p.Year(), c.cells[id-1])
		}
		if err != nil || !p.Within(q) && !(isSame && q.Within(p)) {
			return false
		}
	}
	return true
}

// periodOf returns the period of a row.
func (g *guess) periodOf(row int) (stat.Period, error) {
	var cells []string
	for _, t := range g.times {
		if t.ids[row] > 0 {
			cells = append(cells, t.cells[t.ids[row]-1])
		}
	}
	if len(g.times) > 1 {
		return g.partReader(g.times[1].name, len(g.times) > 2)(strings.Join(cells, " "))
	}
	return table.ReadPeriod(strings.Join(cells, " "))
}

// isCalledPart reports whether a heading is one of parts of years: MMWR Week.
func (c *column) isCalledPart() bool {
	words := strings.Fields(c.words)
	return len(words) > 0 && len(words) <= 2 && assemble.Means("part of year", words[len(words)-1])
}

// isDays reports whether all cells are days of a month.
func (c *column) isDays() bool {
	return !c.hasGaps() && c.isAll(regexp.MustCompile(`^(0?[1-9]|[12][0-9]|3[01])$`))
}

// isParts reports whether all cells are parts of a year, such as Q1, M13 or 7.
func (c *column) isParts() bool {
	return !c.isEmpty() && !c.hasGaps() && len(c.notParts()) == 0
}

// notParts returns the cells that are no parts of a year: all, if they are only whole years, as
// the flag Y is.
func (c *column) notParts() (cells []string) {
	parts, areWhole := c.parts(), true
	for _, cell := range c.cells {
		p, err := parts.Read(2020, cell)
		if err != nil {
			cells = append(cells, strconv.Quote(cell))
		}
		areWhole = areWhole && p.Frequency() == stat.Annual
	}
	if areWhole {
		return c.cells
	}
	return cells
}
