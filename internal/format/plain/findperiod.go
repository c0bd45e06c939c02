package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// findPeriods finds periods in a column, in two that form one, or in the headings.
func (g *guess) findPeriods() {
	g.hasPeriods = true
	year := g.named(wordsYear, func(c *column) bool { return c.isPeriods() && c.years == c.filled })
	part := g.named(wordsPart, (*column).isParts)
	c := g.named(wordsPeriod, func(c *column) bool { return c.isPeriods() && !c.isParts() })
	packed := g.named(wordsPacked, func(c *column) bool { return c.isAll(packedPeriod) })
	switch {
	case packed != nil:
		g.takePeriod(packed)
	case year != nil && part != nil && !g.says(c, part):
		if day := g.named(wordsDay, (*column).isDays); day != nil {
			g.takePeriod(year, part, day)
			break
		}
		g.takePeriod(year, part)
	case c != nil:
		g.takePeriod(g.betterPeriod(c))
	case g.takeMeasures():
	case slices.ContainsFunc(g.headings, isPeriod):
		g.takeHeadings()
	default:
		g.findOtherPeriods()
	}
	g.ignoreSamePeriods()
}

// says reports whether the periods of a column have the part that another states: 2020-01
// beside Jan.
func (g *guess) says(c, part *column) bool {
	return c != nil && c.isPeriods() && c.years < c.filled && c.determines(part)
}

// wordsPacked are headings of years with their months or quarters as 202401 and 20241. The
// 13th month is the year, as the Energy Information Administration writes it.
var (
	wordsPacked  = []string{"yyyymm", "yearmonth", "yyyyq", "yearquarter", "year quarter"}
	packedPeriod = regexp.MustCompile(`^([12][0-9]{3})([1-4]|0[1-9]|1[0-3])$`)
)

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
	for _, other := range g.free() {
		if other != c && other.isPeriods() && other.years == other.filled && c.years < c.filled &&
			c.different > 1 && c.isOneToOne(other) && contains(other, c) && isPeriodWord(other) {
			return other
		}
	}
	return c
}

// takeHeadings takes the headings that are periods.
func (g *guess) takeHeadings() {
	g.isWide = true
	g.items = append(g.items, item{key: "period", columns: []string{"*"}})
	for i, h := range g.headings {
		if isPeriod(h) && !g.columns[i].isTaken {
			g.columns[i].isTaken = true
			g.checkTexts(g.columns[i])
		}
	}
	// Four digits have the shape of a year, but may be any number.
	if at := slices.IndexFunc(g.headings, func(h string) bool {
		return len(h) == 4 && strings.Trim(h, "0123456789") == "" && isPeriod(h) && !isYear(h)
	}); at >= 0 {
		g.doubt("the heading %q may be a year or another number", g.headings[at])
	}
}

// findOtherPeriods finds periods where no heading is one of the words: headings that
// contain such a word or a period, or a column of which every cell is a period.
func (g *guess) findOtherPeriods() {
	isDated := func(c *column) bool {
		return c.isPeriods() && !c.hasGaps() && (c.years == c.filled || c.numbers < c.filled)
	}
	for _, fits := range []func(*column) bool{
		func(c *column) bool { return isDated(c) && isPeriodWord(c) },
		func(c *column) bool { return isDated(c) && c.numbers == 0 && !c.isCalled(wordsAttribute) },
		func(c *column) bool { return isDated(c) && g.headings[c.at] == "" },
		func(c *column) bool { return isDated(c) && c.isSequence() },
	} {
		found := slices.DeleteFunc(g.free(), func(c *column) bool { return !fits(c) })
		if len(found) == 1 || len(found) > 1 && isPeriodWord(found[0]) {
			g.takePeriod(g.betterPeriod(found[0]))
			return
		}
		if len(found) > 1 {
			break
		}
	}
	if dated := slices.DeleteFunc(g.free(), func(c *column) bool { return !isDated(c) }); len(dated) == 1 && !dated[0].isCode() {
		g.doubt("the column %q may contain years or other numbers", dated[0].name)
		g.takePeriod(dated[0])
		return
	}
	g.hasPeriods = false
	if c := g.named(wordsYear, func(c *column) bool { return c.different > 1 && !c.isPeriods() }); c != nil {
		g.unread = c
		g.doubt("the column %q does not hold years (%s)", c.name, clipped(c.cells))
		g.take("dim", c)
		g.dims = append(g.dims, c)
	}
}

// isPeriodWord reports whether a heading contains a word for periods.
func isPeriodWord(c *column) bool {
	return c.isCalled(wordsPeriod) || strings.HasPrefix(c.words, "tlist(") || hasWord(c.words, wordsPeriod...)
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
// the year of a date.
func (g *guess) ignoreSamePeriods() {
	if len(g.times) == 0 {
		return
	}
	for _, c := range g.free() {
		isTime := isPeriodWord(c) && (c.isPeriods() || c.isParts())
		isFrequency := c.isConstant() && slices.Contains(wordsFrequency, strings.ToLower(c.cells[0]))
		switch {
		case isFrequency && !c.isCalled(wordsFreq) && (isPeriodWord(c) || hasWord(c.words, "period", "zeit", "time")):
			g.ignore(c)
		case len(g.times) == 2 && g.times[1].isOneToOne(c) && !c.isNumeric() && !c.hasGaps() && c.different > 1:
			g.ignore(c, g.times[1]) // the name of the month
		case len(g.times) == 2 && c.isPeriods() && samePeriods(g.times, c):
			g.ignore(c)
		case len(g.times) > 1 || c.filled != g.times[0].filled:
		case c.isPeriods() && isTime && (contains(c, g.times[0]) || contains(g.times[0], c) && g.times[0].isOneToOne(c)):
			g.ignore(c, g.times[0])
		case c.isParts() && isTime && g.times[0].determines(c) && partsAgree(g.times[0], c):
			g.ignore(c, g.times[0])
		}
	}
}

// isDays reports whether all cells are days of a month.
func (c *column) isDays() bool {
	return !c.hasGaps() && c.isAll(regexp.MustCompile(`^(0?[1-9]|[12][0-9]|3[01])$`))
}

// contains reports whether the periods of one column contain those of another in every
// row.
func contains(coarse, fine *column) bool {
	return fine.determines(coarse) && allPairs(coarse, fine, within)
}

func within(coarse, fine string) bool {
	c, err := table.ReadPeriod(coarse)
	f, err2 := table.ReadPeriod(fine)
	return err == nil && err2 == nil && f.Within(c)
}

// allPairs reports whether the cells of all rows fulfil a condition.
func allPairs(a, b *column, fulfil func(a, b string) bool) bool {
	seen := map[[2]int]bool{}
	for i, id := range a.ids {
		pair := [2]int{id, b.ids[i]}
		if seen[pair] {
			continue
		}
		seen[pair] = true
		if id == 0 && b.ids[i] == 0 {
			continue
		}
		if id == 0 || b.ids[i] == 0 || !fulfil(a.cells[id-1], b.cells[b.ids[i]-1]) {
			return false
		}
	}
	return true
}

// samePeriods reports whether a column has the periods that a year and a part form.
func samePeriods(times []*column, c *column) bool {
	read := partReader(times[1].words)
	for i, id := range c.ids {
		y, p := times[0].ids[i], times[1].ids[i]
		if id == 0 || y == 0 || p == 0 {
			return false
		}
		joined, err := read(times[0].cells[y-1] + " " + times[1].cells[p-1])
		single, err2 := table.ReadPeriod(c.cells[id-1])
		if err != nil || err2 != nil || joined.Start() != single.Start() {
			return false
		}
	}
	return true
}

// partsAgree reports whether the parts of years in a column are those of the periods.
func partsAgree(c, part *column) bool {
	read := partReader(part.words)
	return allPairs(c, part, func(period, part string) bool {
		p, err := table.ReadPeriod(period)
		if err != nil {
			return false
		}
		q, err := read(strconv.Itoa(p.Year()) + " " + part)
		return err == nil && p.Within(q)
	})
}

// isParts reports whether all cells are parts of a year, such as Q1, M13 or 7.
func (c *column) isParts() bool {
	if c.isEmpty() || c.hasGaps() {
		return false
	}
	return !slices.ContainsFunc(c.cells, func(cell string) bool {
		_, err := partReader(c.words)("2020 " + cell)
		return err != nil
	})
}

var genesisCode = regexp.MustCompile(`^(QUART|MONAT|HALBJ)([0-9]{1,2})$`)

var genesisParts = map[string]stat.Frequency{"QUART": stat.Quarter, "MONAT": stat.Month, "HALBJ": stat.HalfYear}
