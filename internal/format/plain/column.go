package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
)

// column describes a column by the rows of the sample. A wrong guess would not be
// visible in the data, so of two possible meanings neither is chosen.
type column struct {
	at      int
	name    string   // as a mapping names it: the heading, or "#2"
	words   string   // the heading, folded
	isTaken bool     // its meaning is known
	unfit   []string // kinds of headings that its own is, and that its cells do not fit

	ids   []int // by row: the cell as its number in cells, from 1; 0 for an empty cell
	cells []string
	count []int // rows of each cell

	filled    int // cells that are not empty
	different int // distinct cells
	marks     int // marks for missing values
	periods   int

	numbers   int             // cells that look like numbers
	years     int             // numbers of four digits that are years of our time
	early     int             // numbers of one to three digits, which are years before 1000 among many years
	amounts   int             // numbers that are not codes: with decimals or a sign
	coded     string          // the first number with a leading zero, as codes have
	yearParts *text.YearParts // how they are read as parts of years; nil: not asked yet

	counts int // rows whose whole number is one more than that above

	textual int      // cells that are neither numbers nor marks for missing values
	texts   []string // the first distinct ones
	signed  int      // those that are numbers with other signs: 12.5%, $5, <3, 7*
	sign    string   // the first text with digits that may be a number
}

const (
	maxTexts = 20 // texts among numbers that a proposal states
	fewTexts = 4
)

var (
	// signedNumber matches numbers with signs that are not part of a number.
	signedNumber = regexp.MustCompile(`^[^\pL\d.,]{0,3}[-+]?\d[\d .,'’\x{a0}\x{202f}\x{2009}]*[^\d\pL]{0,3}\pL{0,2}[^\d\pL]{0,2}$`)
	// dottedDate matches 17.09.2026, which no number looks like: three digits follow each point.
	dottedDate = regexp.MustCompile(`^\d{1,2}\.\d{1,2}\.\d{4}$`)
	// lostZero matches October as a number: 2018.10.
	lostZero    = regexp.MustCompile(`^[12][0-9]{3}\.1$`)
	codedNumber = regexp.MustCompile(`^0\d+$`)
)

func newColumn(headings []string, rows [][]string, at int) *column {
	c := &column{at: at, name: headings[at], words: wordsOf(headings[at]), ids: make([]int, len(rows))}
	isSame := func(h string) bool { return strings.EqualFold(h, c.name) }
	if c.name == "" || slices.IndexFunc(headings, isSame) < at || slices.ContainsFunc(headings[at+1:], isSame) {
		c.name = "#" + strconv.Itoa(at+1)
	}
	ids := map[string]int{}
	for i, row := range rows {
		if at >= len(row) || row[at] == "" {
			continue
		}
		id := ids[row[at]]
		if id == 0 {
			c.cells, c.count = append(c.cells, row[at]), append(c.count, 0)
			id = len(c.cells)
			ids[row[at]] = id
		}
		c.ids[i] = id
		c.count[id-1]++
	}
	c.different = len(c.cells)
	for i, cell := range c.cells {
		c.addCell(cell, c.count[i])
	}
	c.countRows()
	return c
}

// wordsOf returns a folded heading without the marks of footnotes; of one in two languages
// (年/Year) the part in English.
func wordsOf(heading string) string {
	words := strings.TrimRight(assemble.Fold(heading), " *†‡")
	other, english, ok := strings.Cut(words, "/")
	if ok && isASCII(english) && !isASCII(other) && english != "" {
		return strings.TrimSpace(english)
	}
	return words
}

// addCell counts n equal cells.
func (c *column) addCell(cell string, n int) {
	c.filled += n
	isMark := isMissing(cell)
	switch {
	case isMark:
		c.marks += n
	case c.periods+c.early == c.filled-n && (isPeriod(cell) || c.isTimeStamp(cell) || c.isCalled("period") && lostZero.MatchString(cell)): // else the column is none of periods
		c.periods += n
		if _, err := text.ReadYear(cell); err == nil && !text.IsNumber(cell) { // 2015年
			c.years += n
		}
	}
	switch {
	case text.IsNumber(cell) && !dottedDate.MatchString(cell):
		c.addNumber(cell, n)
	case !isMark:
		c.textual += n
		if len(c.texts) < maxTexts {
			c.texts = append(c.texts, cell)
		}
		if signedNumber.MatchString(cell) {
			c.signed += n
		}
		if c.sign == "" && mayBeNumber(cell) {
			c.sign = cell
		}
	}
}

// mayBeNumber reports whether a text with digits, such as USD 500, has few letters or begins with a digit. In <5 and
// 250,000+ the number is not known.
func mayBeNumber(cell string) bool {
	letters := 0
	for _, r := range cell {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	isShort := letters <= 8 || beginsWith(cell, digit) // 62.1 (Unreliable)
	return strings.ContainsAny(cell, "0123456789") && isShort && !strings.ContainsAny(cell[:1], "<>") && !strings.ContainsAny(cell[len(cell)-1:], "+-")
}

func (c *column) addNumber(cell string, n int) {
	c.numbers += n
	whole, err := strconv.Atoi(cell)
	switch {
	case codedNumber.MatchString(cell):
		if c.coded == "" {
			c.coded = cell
		}
	case err != nil || whole < 0 || cell[0] == '+':
		c.amounts += n
	case text.IsYear(cell), whole >= 1000 && whole < 1700 && (c.isCalled("year") || c.words == "" && c.at == 0):
		c.years += n
	case whole > 0 && whole < 1000:
		c.early += n
	}
}

// countRows counts the rows whose whole number follows that above.
func (c *column) countRows() {
	whole := make([]int, len(c.cells)+1)
	for i, cell := range c.cells {
		n, err := strconv.Atoi(cell)
		if err != nil {
			return
		}
		whole[i+1] = n
	}
	last := 0
	for _, id := range c.ids {
		if id == 0 {
			continue
		}
		if last != 0 && whole[id] == whole[last]+1 {
			c.counts++
		}
		last = id
	}
}

// isMissing reports whether a cell is a mark or words for a missing value.
func isMissing(cell string) bool {
	return text.IsMissing(cell) || assemble.Means("missing cell", strings.ToLower(cell)) || markOnly.MatchString(cell)
}

// markOnly matches marks that no number and no code looks like: (X), (D), ***, and those of the
// statistics of education in the United States.
var markOnly = regexp.MustCompile(`^(\((X|D|S|NA|Z|B|L|H|N)\)|\*{2,}|†|‡)$`)

// isMarks reports whether a column has only marks and signs without letters or digits,
// as a column of values may have in the sample.
func (c *column) isMarks() bool {
	return !c.isEmpty() && !slices.ContainsFunc(c.cells, func(cell string) bool {
		return !isMissing(cell) && strings.ContainsFunc(cell, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
}

func isPeriod(cell string) bool { return text.IsPeriod(cell) }

// isTimeStamp reports whether a cell has a date and a time of day. A single one may be the time of
// a download.
func (c *column) isTimeStamp(cell string) bool {
	return text.TimeOfDay(cell) != "" && !c.isCalled("attribute", "updated") && (c.different > 1 || isPeriodWord(c))
}

func (c *column) isEmpty() bool   { return c.filled == 0 }
func (c *column) isNumeric() bool { return c.numbers > 0 && c.numbers+c.marks == c.filled }
func (c *column) isPeriods() bool {
	return c.periods > 0 && (c.periods == c.filled || c.periods+c.early == c.filled && c.years > 0 && c.isCalled("year") && c.words != "time" && c.words != "zeit")
}

// hasGaps reports whether the column has empty cells beside others.
func (c *column) hasGaps() bool { return c.filled < len(c.ids) }

// isConstant reports whether all rows have the same cell.
func (c *column) isConstant() bool { return c.different == 1 && !c.hasGaps() }

// isMixed reports whether a column with numbers and other texts may be one of values:
// half of its cells are numbers, some numbers are not codes, or there are few distinct
// texts among many numbers.
func (c *column) isMixed() bool {
	if c.textual == 0 || c.numbers+c.signed == 0 || c.isPeriods() {
		return false
	}
	hasFewTexts := len(c.texts) < fewTexts && c.different > 2*len(c.texts)
	return 2*(c.numbers+c.signed) >= c.filled-c.marks || c.amounts > 0 || hasFewTexts
}

// isMostlyNumbers reports whether a column cannot be one of names.
func (c *column) isMostlyNumbers() bool { return c.isNumeric() || c.isMixed() }

// isCount reports whether a column numbers the rows, of which some may be left out under the
// headings of such numbers in maps.
func (c *column) isCount() bool {
	isOfMap := slices.Contains([]string{"object id", "objectid", "fid", "oid"}, c.words) && c.isIncreasing()
	return c.filled >= 3 && c.numbers == c.filled && (c.counts == c.filled-1 || isOfMap)
}

// isIncreasing reports whether each cell is a whole number above the one before.
func (c *column) isIncreasing() bool {
	last := -1
	for i, cell := range c.cells {
		n, err := strconv.Atoi(cell)
		if err != nil || n <= last || c.count[i] > 1 {
			return false
		}
		last = n
	}
	return true
}

// coordinates matches the point or outline of an area, in the text form of maps.
var coordinates = regexp.MustCompile(`^(MULTI)?(POINT|POLYGON|LINESTRING) ?\(`)

// isDated reports whether the cells are periods, and not any numbers of four digits.
func (c *column) isDated() bool {
	return c.isPeriods() && (c.numbers == 0 || c.years == c.filled)
}

// looksCoded reports whether all texts of a column are short and have no spaces, and are
// in capital letters or have digits.
func (c *column) looksCoded() bool {
	return c.isAll(codeText) && !slices.ContainsFunc(c.cells, func(s string) bool { return len(s) > 12 })
}

var codeText = regexp.MustCompile(`^[A-Z0-9._:/-]+$|^[A-Za-z._:/-]*[0-9][A-Za-z0-9._:/-]*$`)

// isAll reports whether all cells match, of which there are some.
func (c *column) isAll(pattern *regexp.Regexp) bool {
	return !c.isEmpty() && !slices.ContainsFunc(c.cells, func(cell string) bool { return !pattern.MatchString(cell) })
}

// isCopyOf reports whether two columns have the same cells in all rows.
func (c *column) isCopyOf(other *column) bool {
	return c != other && slices.Equal(c.ids, other.ids) && slices.Equal(c.cells, other.cells)
}

// isCalled reports whether the heading is a word of one of the kinds.
func (c *column) isCalled(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return assemble.Means(kind, c.words) && c.mayMean(kind) })
}

// mayMean reports whether the cells fit a kind of heading.
func (c *column) mayMean(kind string) bool { return !slices.Contains(c.unfit, kind) }

// hasWord reports whether one of the words of the heading, or its whole in languages
// without spaces, begins with one of the texts.
func (c *column) hasWord(texts ...string) bool {
	for _, word := range strings.FieldsFunc(c.words, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, t := range texts {
			if word == t || word == t+"s" || len(t) >= 3 && !isASCII(t) && strings.Contains(word, t) {
				return true
			}
		}
	}
	return false
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// kind returns what a heading says of a column: 0 for codes, 2 for labels, else 1.
func (c *column) kind() int {
	plain, inner := c.headingParts()
	isWord := func(w string) bool {
		return inner == w || plain == w || strings.HasSuffix(plain, " "+w) || isAttached(w) && strings.HasSuffix(plain, w)
	}
	switch {
	case slices.ContainsFunc(assemble.Words("code ending"), isWord):
		return 0
	case slices.ContainsFunc(assemble.Words("name ending"), isWord):
		return 2
	}
	first, rest, _ := strings.Cut(plain, " ")
	switch {
	case rest == "":
	case assemble.Means("code beginning", first):
		return 0
	case assemble.Means("name beginning", first):
		return 2
	}
	return 1
}

// isAttached reports whether an ending of headings needs no space: countrycode, statefips,
// Länderschlüssel.
func isAttached(ending string) bool {
	return !isASCII(ending) || slices.Contains([]string{"code", "name", "uid", "fips", "cat"}, ending)
}

// headingParts returns the folded heading and what follows it in brackets.
func (c *column) headingParts() (plain, inner string) {
	plain, inner, _ = strings.Cut(c.words, " (")
	return plain, strings.TrimSuffix(inner, ")")
}

// isCode reports whether a column holds codes, by its heading.
func (c *column) isCode() bool { return c.kind() == 0 || c.numbers > 0 && c.isAreaCode() }

// subject returns what a column is about: "item" for "Item Code" and "Item".
func (c *column) subject() string {
	plain, _ := c.headingParts()
	for _, ending := range slices.Concat(assemble.Words("code ending"), assemble.Words("name ending")) {
		if rest, ok := strings.CutSuffix(plain, ending); ok && (rest == "" || rest[len(rest)-1] == ' ' || isAttached(ending)) {
			return strings.TrimSpace(rest)
		}
	}
	if first, rest, _ := strings.Cut(plain, " "); rest != "" && (assemble.Means("code beginning", first) || assemble.Means("name beginning", first)) {
		return rest
	}
	return plain
}
