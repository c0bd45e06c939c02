package tidy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
)

// evidence is what the cells of a column say for and against its being
// values. A wrong guess would not be seen in the data: where two readings are
// possible, none is taken.
type evidence struct {
	years   int      // numbers of four digits that are years of our time
	amounts int      // numbers that no code looks like: with decimals or a sign
	coded   string   // the first number that begins with a zero, as codes do
	signed  int      // numbers with other signs about them: 12.5%, $5, <3, 7*
	sign    string   // the first of them
	textual int      // cells that are neither numbers nor marks for missing ones
	texts   []string // the first few different ones
	last    int      // the whole number in the row above
	counts  int      // rows whose whole number is one more than that above
}

// maxTexts is how many of the texts among numbers a proposal explains.
const maxTexts = 4

var (
	// signedNumber is a number with signs about it that no number has.
	signedNumber = regexp.MustCompile(`^[^\pL\d.,]{0,3}[-+]?\d[\d .,'’\x{a0}\x{202f}\x{2009}]*[^\d]{0,5}$`)
	codedNumber  = regexp.MustCompile(`^0\d+$`)
)

// see takes a cell that is not empty in; isNew says that it differs from all
// above.
func (c *column) see(cell string, isNew bool) {
	c.filled++
	if isNew {
		c.different++
	}
	_, isSpan := table.ReadSpan(cell)
	switch {
	case text.IsMissing(cell):
		c.marks++
	case isSpan || isPeriod(cell):
		c.periods++
	}
	if isBusinessYear(cell) {
		c.business++
	}
	switch {
	case looksNumeric.MatchString(cell):
		c.numbers++
		c.number(cell)
	case text.IsMissing(cell):
	default:
		if signedNumber.MatchString(cell) {
			c.signed++
			if c.sign == "" {
				c.sign = cell
			}
		}
		c.textual++
		if len(c.texts) < maxTexts && !slices.Contains(c.texts, cell) {
			c.texts = append(c.texts, cell)
		}
	}
}

// number looks at a cell that may be a number.
func (c *column) number(cell string) {
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

// isYear reports whether a text is a year that statistics are likely to be of.
func isYear(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && len(text) == 4 && n >= 1800 && n <= 2100
}

// isMixed reports whether a column holds numbers and other texts and may be
// one of values: where half of its cells are numbers, where some are no codes,
// or where the same few texts stand among many numbers.
func (c *column) isMixed() bool {
	if c.textual == 0 || c.numbers+c.signed == 0 || c.isPeriods() {
		return false
	}
	few := len(c.texts) < maxTexts && c.different > 2*len(c.texts)
	return 2*(c.numbers+c.signed) >= c.filled-c.marks || c.amounts > 0 || few
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

// mixed says what is the matter with numbers that have texts among them, and
// proposes to take the texts for missing values. In a wide table the columns of
// periods hold the values.
func (g *guess) mixed(c *column, wide bool) {
	switch {
	case wide:
		g.doubt("the column %q holds numbers and other texts (%q), and may be a dimension or none", c.name, short(c.texts[0]))
		g.take("dim", c)
		return
	case c.signed > 0 && c.signed*2 >= c.textual:
		g.doubt("the column %q holds numbers with other signs (%q), which no number has; if these are values, take the signs out of the file", c.name, short(c.sign))
		g.take("value", c)
		return
	}
	var texts []string
	for _, t := range c.texts {
		texts = append(texts, strconv.Quote(short(t)))
	}
	g.doubt("the column %q holds numbers and other texts (%s), and may be values or a dimension; if it is values, say which texts mean that there is none (missing=) or zero (zero=)",
		c.name, strings.Join(texts, ", "))
	g.take("value", c)
	for _, t := range c.texts {
		if !slices.ContainsFunc(g.items, func(it item) bool { return it.key == "missing" && it.columns[0] == t }) && len(c.texts) < maxTexts {
			g.items = append(g.items, item{key: "missing", columns: []string{t}})
		}
	}
}

func short(text string) string {
	if len(text) > 30 {
		return strings.ToValidUTF8(text[:30], "") + "…"
	}
	return text
}

// doubtValue doubts that a column of numbers that nothing calls values is one.
// It returns what the column may be best; empty where there is no doubt.
func (g *guess) doubtValue(c *column, rows [][]string) (key string) {
	switch {
	case c.isDated():
		g.doubt("the column %q seems to hold periods too", c.name)
		return "ignore"
	case c.isCount():
		g.doubt("the column %q counts the rows", c.name)
		return "ignore"
	case c.coded != "":
		g.doubt("the column %q holds numbers that begin with a zero (%q), as codes do", c.name, c.coded)
		return "dim"
	case slices.Contains(wordsNumber, c.words):
		g.doubt("the column %q holds numbers that may be those of things and no values, by its heading", c.name)
		return "ignore"
	case c.amounts == 0 && g.numbersAreas(c, rows):
		g.doubt("the column %q holds the same number in all rows of an area and another for each, as a code does", c.name)
		return "ignore"
	}
	return ""
}

// numbersAreas reports whether a column has one number for each area, the same
// in all its rows.
func (g *guess) numbersAreas(c *column, rows [][]string) bool {
	at := slices.Index(g.columns, c)
	geo := slices.IndexFunc(g.columns, func(other *column) bool { return other.name == g.area })
	if geo < 0 {
		return false
	}
	numbers := map[string]string{}
	used := map[string]bool{}
	for _, row := range rows {
		if at >= len(row) || geo >= len(row) || row[at] == "" {
			continue
		}
		before, known := numbers[row[geo]]
		if known && before != row[at] || !known && used[row[at]] {
			return false
		}
		numbers[row[geo]], used[row[at]] = row[at], true
	}
	return len(numbers) > 1 && len(rows) > len(numbers)
}

// oneEach reports whether each name has one code at most, in the first rows.
func (g *guess) oneEach(name, code *column, rows [][]string) bool {
	n, c := slices.Index(g.columns, name), slices.Index(g.columns, code)
	codes := map[string]string{}
	for _, row := range rows {
		if n >= len(row) || c >= len(row) || row[c] == "" {
			continue
		}
		if before, known := codes[row[n]]; known && before != row[c] {
			return false
		}
		codes[row[n]] = row[c]
	}
	return true
}

// doubtHeadings doubts headings that are periods by their shape: numbers of
// four digits may be anything.
func (g *guess) doubtHeadings(headings []string) {
	for _, h := range headings {
		if len(h) == 4 && strings.Trim(h, "0123456789") == "" && isPeriod(h) && !isYear(h) {
			g.doubt("the heading %q may be a year or another number", h)
			return
		}
	}
}
