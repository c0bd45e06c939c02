package tidy

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
)

// column is what the first rows of a table show of one of its columns.
type column struct {
	name      string // as a mapping names it: the heading, or "#2"
	words     string // the heading, folded
	filled    int    // cells that hold something
	marks     int    // cells that hold a mark for a missing value
	numbers   int    // cells that look like numbers
	periods   int    // cells that are periods
	different int    // cells that differ from all above
	business  int    // cells like 2010-11, which may be a month or a year from 2010 to 2011
	taken     bool   // has found its use
	evidence
}

// guess is a mapping that was found in a table's headings and first rows.
type guess struct {
	columns []*column
	rows    int
	items   []item
	doubts  []string // what is not plain; with any, the mapping is a proposal only
	periods bool     // there are periods
	area    string   // the column of areas
}

// detect finds out what the columns of a table mean.
func detect(headings []string, rows [][]string) *guess {
	g := &guess{rows: len(rows)}
	for i := range headings {
		g.columns = append(g.columns, look(headings, rows, i))
	}
	g.geography(rows)
	g.period(headings)
	wide := len(g.items) > 0 && g.items[len(g.items)-1].columns[0] == "*"
	for _, w := range []struct {
		key   string
		words []string
	}{{"flags", wordsFlag}, {"conf", wordsConf}, {"note", wordsNote}, {"unit", wordsUnit}, {"freq", wordsFreq}} {
		if c := g.named(w.words, func(c *column) bool { return w.key != "unit" && w.key != "freq" || !c.isMostlyNumbers() }); c != nil {
			g.take(w.key, c)
		}
	}
	explicit := wide || g.value()
	g.rest(rows, explicit, wide)
	if !wide && !slices.ContainsFunc(g.items, func(it item) bool { return it.key == "value" }) {
		g.doubt("no column holds numbers only")
	}
	slices.SortStableFunc(g.items, func(a, b item) int { return g.rank(a) - g.rank(b) })
	return g
}

// rank is where an item stands in a mapping: dimensions first, in the order of
// their columns, then the others by their words.
func (g *guess) rank(it item) int {
	if roles[it.key] == "" {
		return len(g.columns) + slices.Index(keys, it.key)
	}
	return slices.IndexFunc(g.columns, func(c *column) bool { return c.name == it.columns[0] })
}

// look counts what the cells of a column are.
func look(headings []string, rows [][]string, at int) *column {
	c := &column{name: headings[at], words: folded(headings[at])}
	same := 0
	for _, h := range headings {
		if strings.EqualFold(h, c.name) {
			same++
		}
	}
	if same > 1 || c.name == "" {
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

// looksNumeric is what numbers look like in any style; the style is settled
// when they are read.
var looksNumeric = regexp.MustCompile(`^[-+]?([0-9][0-9 .,'’\x{a0}\x{202f}\x{2009}]*|[.,][0-9]+)([eE][-+]?[0-9]+)?$`)

// isBusinessYear reports whether a text is like 2010-11.
func isBusinessYear(text string) bool {
	year, next, found := strings.Cut(text, "-")
	from, err1 := strconv.Atoi(year)
	to, err2 := strconv.Atoi(next)
	return found && len(year) == 4 && len(next) == 2 && err1 == nil && err2 == nil && to == (from+1)%100
}

func isPeriod(text string) bool {
	_, err := table.ReadPeriod(text)
	return err == nil
}

func (c *column) isNumeric() bool { return c.numbers > 0 && c.numbers+c.marks == c.filled }
func (c *column) isPeriods() bool { return c.periods > 0 && c.periods == c.filled }

// named is the first column that is free, known by one of the words, and fit.
func (g *guess) named(words []string, fit func(*column) bool) *column {
	for _, w := range words {
		for _, c := range g.columns {
			if !c.taken && c.words == w && fit(c) {
				return c
			}
		}
	}
	return nil
}

// take gives columns a use.
func (g *guess) take(key string, used ...*column) {
	it := item{key: key}
	if len(used) > 1 {
		it.between = ':'
	}
	for _, c := range used {
		c.taken = true
		it.columns = append(it.columns, c.name)
	}
	g.items = append(g.items, it)
}

func (g *guess) doubt(text string, args ...any) {
	g.doubts = append(g.doubts, fmt.Sprintf(text, args...))
}

// geography looks for areas: codes, names or both. "Code" alone counts beside names.
func (g *guess) geography(rows [][]string) {
	code := g.named(wordsGeoCode, func(*column) bool { return true })
	name := g.named(wordsGeoName, func(c *column) bool { return c != code && !c.isMostlyNumbers() })
	if code == nil && name != nil {
		code = g.named([]string{name.words + " code", "code", name.words + " id"}, func(c *column) bool { return c.words != "code" || g.oneEach(name, c, rows) })
	}
	if name != nil {
		g.area = name.name
	} else if code != nil {
		g.area = code.name
	}
	switch {
	case code != nil && name != nil:
		g.take("geo", code, name)
	case code != nil:
		g.take("geo", code)
	case name != nil:
		g.take("geo", name)
	}
}

// period looks for periods: in a column, in two that make one, or in the
// headings.
func (g *guess) period(headings []string) {
	year := g.named([]string{"year", "jahr", "année", "annee", "año", "ano", "anno"}, (*column).isPeriods)
	part := g.named(wordsPart, func(c *column) bool { return !c.isPeriods() && c.filled > 0 })
	switch c := g.named(wordsPeriod, (*column).isPeriods); {
	case year != nil && part != nil:
		g.take("period", year, part)
		g.items[len(g.items)-1].between = '+'
	case c != nil:
		g.take("period", c)
		if c.business == c.filled && c.different > 1 {
			g.doubt("the column %q may hold years that begin in one year and end in the next, or months", c.name)
		}
	default:
		wide := 0
		for i, h := range headings {
			_, isSpan := table.ReadSpan(h)
			if isSpan || isPeriod(h) {
				g.columns[i].taken = true
				wide++
			}
		}
		if wide == 0 {
			return
		}
		g.items = append(g.items, item{key: "period", columns: []string{"*"}})
		g.doubtHeadings(headings)
	}
	g.periods = true
}

// value looks for the one column of values, by its heading.
func (g *guess) value() bool {
	c := g.named(wordsValue, func(c *column) bool { return c.isNumeric() || c.filled == c.marks })
	if c == nil {
		return false
	}
	if c.isCount() && slices.Contains(wordsNumber, c.words) {
		g.doubt("the column %q counts the rows", c.name)
	}
	g.take("value", c)
	lower, upper := g.named(wordsLower, (*column).isNumeric), g.named(wordsUpper, (*column).isNumeric)
	if lower != nil && upper != nil {
		g.take("lower", lower)
		g.take("upper", upper)
	}
	return true
}

// rest finds uses for what is left: values where no column has that name or
// the periods are headings, and dimensions.
func (g *guess) rest(rows [][]string, explicit, wide bool) {
	for _, c := range g.columns {
		if c.taken || c.words == "" && c.filled == 0 {
			continue
		}
		if !explicit && !c.isCode() && c.numbers+c.marks == c.filled {
			key := g.doubtValue(c, rows)
			if key == "" {
				key = "value"
			}
			g.take(key, c)
			continue
		}
		if c.isMixed() && g.partner(c) == nil && !(explicit && slices.Contains(wordsNumeric, c.words)) {
			g.mixed(c, wide)
			continue
		}
		key := g.weigh(c)
		if key == "value" && wide {
			key = "dim"
		}
		other := g.partner(c)
		switch {
		case other == nil || key != "dim":
			g.take(key, c)
		case c.isCode():
			g.take(key, c, other)
		default:
			g.take(key, other, c)
		}
	}
}

// isCode reports whether the heading says that a column holds codes.
func (c *column) isCode() bool {
	plain, _, _ := strings.Cut(c.words, " (")
	return strings.HasSuffix(plain, "code") || strings.HasSuffix(plain, "id")
}

// partner is the column that has the codes of a column of labels, or the
// labels of one of codes: "Item Code" and "Item", "Indicator Code" and
// "Indicator Name".
func (g *guess) partner(c *column) *column {
	for _, other := range g.columns {
		if !other.taken && other != c && other.isCode() != c.isCode() && other.stem() == c.stem() && c.stem() != "" {
			return other
		}
	}
	return nil
}

// stem is what a column is about.
func (c *column) stem() string {
	plain, _, _ := strings.Cut(c.words, " (")
	for _, ending := range []string{"code", "id", "name", "label"} {
		plain = strings.TrimSpace(strings.TrimSuffix(plain, ending))
	}
	return plain
}

// weigh doubts that a column is a dimension, whose cells are to be there, to
// come again, and to be no numbers that are values themselves. It returns what
// the column is, or may be best.
func (g *guess) weigh(c *column) (key string) {
	switch {
	case c.words == "":
		g.doubt("the column %q has no heading", c.name)
	case c.isDated(), slices.Contains(wordsPeriod, strings.TrimSuffix(c.words, " code")), slices.Contains(wordsPart, c.words):
		g.doubt("the column %q seems to hold periods too", c.name)
		return "ignore"
	case c.filled < g.rows && c.isNumeric():
		g.doubt("the column %q holds numbers and empty cells", c.name)
		return "value"
	case c.filled < g.rows:
		g.doubt("the column %q has empty cells, which a dimension cannot have", c.name)
		return "note"
	case g.rows >= 8 && c.different == g.rows:
		g.doubt("the column %q is different in every row, as no dimension is", c.name)
		return "ignore"
	case c.isNumeric() && c.isCode() && g.partner(c) == nil:
		g.doubt("the column %q holds numbers, which may be codes or values", c.name)
	case c.isCount():
		g.doubt("the column %q counts the rows", c.name)
		return "ignore"
	case c.isNumeric() && !c.isCode() && g.partner(c) == nil && !slices.Contains(wordsNumeric, c.words):
		g.doubt("the column %q holds numbers, which may be values or a dimension", c.name)
		if c.different*2 > c.filled || c.amounts > 0 {
			return "value"
		}
	}
	return "dim"
}
