package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/text"
)

// column describes a column by the first rows of a table. A wrong guess would not be
// visible in the data, so of two possible meanings neither is chosen.
type column struct {
	at      int
	name    string // as a mapping names it: the heading, or "#2"
	words   string // the heading, folded
	isTaken bool   // its meaning is known

	filled    int // cells that are not empty
	different int // distinct cells
	marks     int // marks for missing values
	periods   int

	numbers int    // cells that look like numbers
	years   int    // numbers of four digits that are years of our time
	amounts int    // numbers that are not codes: with decimals or a sign
	coded   string // the first number with a leading zero, as codes have
	last    int    // the whole number in the row above
	counts  int    // rows whose whole number is one more than that above

	textual int      // cells that are neither numbers nor marks for missing values
	texts   []string // the first distinct ones
	signed  int      // those that are numbers with other signs: 12.5%, $5, <3, 7*
	sign    string   // the first of them
}

const maxTexts = 4 // texts among numbers that a proposal explains

var (
	// looksNumeric matches numbers in any style.
	looksNumeric = regexp.MustCompile(`^[-+]?([0-9][0-9 .,'’\x{a0}\x{202f}\x{2009}]*|[.,][0-9]+)([eE][-+]?[0-9]+)?$`)
	// signedNumber matches numbers with signs that are not part of a number.
	signedNumber = regexp.MustCompile(`^[^\pL\d.,]{0,3}[-+]?\d[\d .,'’\x{a0}\x{202f}\x{2009}]*[^\d]{0,5}$`)
	codedNumber  = regexp.MustCompile(`^0\d+$`)
)

func newColumn(headings []string, rows [][]string, at int) *column {
	c := &column{at: at, name: headings[at], words: fold(headings[at])}
	isSame := func(h string) bool { return strings.EqualFold(h, c.name) }
	if c.name == "" || slices.IndexFunc(headings, isSame) < at || slices.ContainsFunc(headings[at+1:], isSame) {
		c.name = "#" + strconv.Itoa(at+1)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if at < len(row) && row[at] != "" {
			c.addCell(row[at])
			seen[row[at]] = true
		}
	}
	c.different = len(seen)
	return c
}

func (c *column) addCell(cell string) {
	c.filled++
	isMark := text.IsMissing(cell)
	switch {
	case isMark:
		c.marks++
	case isPeriod(cell):
		c.periods++
	}
	switch {
	case looksNumeric.MatchString(cell):
		c.addNumber(cell)
	case !isMark:
		c.textual++
		if len(c.texts) < maxTexts && !slices.Contains(c.texts, cell) {
			c.texts = append(c.texts, cell)
		}
		if signedNumber.MatchString(cell) {
			if c.signed++; c.signed == 1 {
				c.sign = cell
			}
		}
	}
}

func (c *column) addNumber(cell string) {
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

func isPeriod(cell string) bool {
	return text.IsPeriod(cell)
}

// isYear reports whether a text is a year that statistics may be about.
func isYear(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && len(text) == 4 && n >= 1800 && n <= 2100
}

func (c *column) isNumeric() bool { return c.numbers > 0 && c.numbers+c.marks == c.filled }
func (c *column) isPeriods() bool { return c.periods > 0 && c.periods == c.filled }

// isMixed reports whether a column with numbers and other texts may be one of values:
// half of its cells are numbers, some numbers are not codes, or there are few distinct
// texts among many numbers.
func (c *column) isMixed() bool {
	if c.textual == 0 || c.numbers+c.signed == 0 || c.isPeriods() {
		return false
	}
	hasFewTexts := len(c.texts) < maxTexts && c.different > 2*len(c.texts)
	return 2*(c.numbers+c.signed) >= c.filled-c.marks || c.amounts > 0 || hasFewTexts
}

// isMostlyNumbers reports whether a column cannot be one of names.
func (c *column) isMostlyNumbers() bool { return c.isNumeric() || c.isMixed() }

// isCount reports whether a column numbers the rows.
func (c *column) isCount() bool {
	return c.filled >= 3 && c.numbers == c.filled && c.counts == c.filled-1
}

// isDated reports whether the cells are periods, and not any numbers of four digits.
func (c *column) isDated() bool {
	return c.isPeriods() && (c.numbers == 0 || c.years == c.filled)
}

func (c *column) isCalled(words []string) bool { return slices.Contains(words, c.words) }

// isCode reports whether a column holds codes, by its heading.
func (c *column) isCode() bool {
	plain, _, _ := strings.Cut(c.words, " (")
	return strings.HasSuffix(plain, "code") || strings.HasSuffix(plain, "id")
}

// subject returns what a column is about: "item" for "Item Code" and "Item".
func (c *column) subject() string {
	plain, _, _ := strings.Cut(c.words, " (")
	for _, ending := range []string{"code", "id", "name", "label"} {
		plain = strings.TrimSpace(strings.TrimSuffix(plain, ending))
	}
	return plain
}
