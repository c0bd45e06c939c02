package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
)

// column is what the first rows of a table show of one of its columns. A wrong
// guess would not be seen in the data: where two readings are possible, none is
// taken.
type column struct {
	at      int
	name    string // as a mapping names it: the heading, or "#2"
	words   string // the heading, folded
	isTaken bool   // has found its use

	filled    int // cells that hold something
	different int // cells that differ from all above
	marks     int // cells that hold a mark for a missing value
	periods   int // cells that are periods
	business  int // cells like 2010-11, which may be a month or a year from 2010 to 2011

	numbers int    // cells that look like numbers
	years   int    // numbers of four digits that are years of our time
	amounts int    // numbers that no code looks like: with decimals or a sign
	coded   string // the first number that begins with a zero, as codes do
	last    int    // the whole number in the row above
	counts  int    // rows whose whole number is one more than that above

	textual int      // cells that are neither numbers nor marks for missing ones
	texts   []string // the first few different ones
	signed  int      // those that are numbers with other signs about them: 12.5%, $5, <3, 7*
	sign    string   // the first of them
}

// maxTexts is how many of the texts among numbers a proposal explains.
const maxTexts = 4

var (
	// looksNumeric is what numbers look like in any style; the style is settled
	// when they are read.
	looksNumeric = regexp.MustCompile(`^[-+]?([0-9][0-9 .,'’\x{a0}\x{202f}\x{2009}]*|[.,][0-9]+)([eE][-+]?[0-9]+)?$`)
	// signedNumber is a number with signs about it that no number has.
	signedNumber = regexp.MustCompile(`^[^\pL\d.,]{0,3}[-+]?\d[\d .,'’\x{a0}\x{202f}\x{2009}]*[^\d]{0,5}$`)
	codedNumber  = regexp.MustCompile(`^0\d+$`)
)

// look counts what the cells of a column are.
func look(headings []string, rows [][]string, at int) *column {
	c := &column{at: at, name: headings[at], words: folded(headings[at])}
	isSame := func(h string) bool { return strings.EqualFold(h, c.name) }
	if c.name == "" || slices.IndexFunc(headings, isSame) < at || slices.ContainsFunc(headings[at+1:], isSame) {
		c.name = "#" + strconv.Itoa(at+1)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if at >= len(row) || row[at] == "" {
			continue
		}
		c.see(row[at], !seen[row[at]])
		seen[row[at]] = true
	}
	return c
}

// see takes a cell in that is not empty.
func (c *column) see(cell string, isNew bool) {
	c.filled++
	if isNew {
		c.different++
	}
	isMark := text.IsMissing(cell)
	switch {
	case isMark:
		c.marks++
	case isPeriod(cell):
		c.periods++
	}
	if isBusinessYear(cell) {
		c.business++
	}
	switch {
	case looksNumeric.MatchString(cell):
		c.seeNumber(cell)
	case !isMark:
		c.textual++
		if len(c.texts) < maxTexts && !slices.Contains(c.texts, cell) {
			c.texts = append(c.texts, cell)
		}
		if signedNumber.MatchString(cell) {
			c.signed++
			if c.sign == "" {
				c.sign = cell
			}
		}
	}
}

func (c *column) seeNumber(cell string) {
	c.numbers++
	n, err := strconv.Atoi(cell)
	switch {
	case codedNumber.MatchString(cell):
		if c.coded == "" {
			c.coded = cell
		}
	case err != nil || n < 0 || cell[0] == '+':
		c.amounts++
	case isYear(cell):
		c.years++
	}
	if err == nil {
		if c.numbers > 1 && n == c.last+1 {
			c.counts++
		}
		c.last = n
	}
}

// isPeriod reports whether a text is a period or a span of years.
func isPeriod(text string) bool {
	_, isSpan := table.ReadSpan(text)
	_, err := table.ReadPeriod(text)
	return isSpan || err == nil
}

// isYear reports whether a text is a year that statistics are likely to be of.
func isYear(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && len(text) == 4 && n >= 1800 && n <= 2100
}

// isBusinessYear reports whether a text is like 2010-11.
func isBusinessYear(text string) bool {
	year, next, found := strings.Cut(text, "-")
	from, err1 := strconv.Atoi(year)
	to, err2 := strconv.Atoi(next)
	return found && len(year) == 4 && len(next) == 2 && err1 == nil && err2 == nil && to == (from+1)%100
}

func (c *column) isNumeric() bool { return c.numbers > 0 && c.numbers+c.marks == c.filled }
func (c *column) isPeriods() bool { return c.periods > 0 && c.periods == c.filled }

// isMixed reports whether a column holds numbers and other texts and may be
// one of values: where half of its cells are numbers, where some are no codes,
// or where the same few texts stand among many numbers.
func (c *column) isMixed() bool {
	if c.textual == 0 || c.numbers+c.signed == 0 || c.isPeriods() {
		return false
	}
	hasFewTexts := len(c.texts) < maxTexts && c.different > 2*len(c.texts)
	return 2*(c.numbers+c.signed) >= c.filled-c.marks || c.amounts > 0 || hasFewTexts
}

// isMostlyNumbers reports whether a column holds numbers, perhaps with other
// texts among them: it names nothing.
func (c *column) isMostlyNumbers() bool { return c.isNumeric() || c.isMixed() }

// isCount reports whether the cells count the rows.
func (c *column) isCount() bool {
	return c.filled >= 3 && c.numbers == c.filled && c.counts == c.filled-1
}

// isDated reports whether the cells are years or other periods, and not any
// number of four digits.
func (c *column) isDated() bool {
	return c.isPeriods() && (c.numbers == 0 || c.years == c.filled)
}

// isCalled reports whether the heading is one of the words.
func (c *column) isCalled(words []string) bool { return slices.Contains(words, c.words) }

// isCode reports whether the heading says that a column holds codes.
func (c *column) isCode() bool {
	plain, _, _ := strings.Cut(c.words, " (")
	return strings.HasSuffix(plain, "code") || strings.HasSuffix(plain, "id")
}

// subject is what a column is about: that of "Item Code" and "Item" is the same.
func (c *column) subject() string {
	plain, _, _ := strings.Cut(c.words, " (")
	for _, ending := range []string{"code", "id", "name", "label"} {
		plain = strings.TrimSpace(strings.TrimSuffix(plain, ending))
	}
	return plain
}
