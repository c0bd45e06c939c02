package plain

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// remarkOf returns whether a column holds the flags or the notes of a column of values, by its
// heading: "Deaths Footnote" of "Deaths", "emp_nf" of "emp", flag_a of a.
func (c *column) remarkOf(value *column) (key string) {
	rest, isOfValue := strings.CutPrefix(c.words, value.words)
	if !isOfValue {
		rest, isOfValue = strings.CutSuffix(c.words, " "+value.words)
	}
	if words := strings.Fields(c.words); c.at == value.at+1 && len(words) > 1 && slices.Contains([]string{"flag", "flags"}, words[len(words)-1]) && strings.HasPrefix(value.words, words[0]) {
		rest, isOfValue = " flag", true // Max weeks, flag beside Max week
	}
	if !isOfValue || rest == "" || value.words == "" {
		return ""
	}
	isApart := strings.ContainsAny(rest[:1], " ,;:([") || rest == "flag" || rest[len(rest)-1] == ' ' || isPeriod(value.name)
	switch rest = strings.Trim(rest, " ,;:()[]"); {
	case !isApart || c.isNumeric() && c.amounts > 0:
	case assemble.Means("note", rest):
		return "note"
	case assemble.Means("flag", rest), rest == "missing value", rest == noiseFlag:
		return "flags"
	}
	return ""
}

// takeRemarks takes the columns of flags and notes that belong to one column of values. One that
// is empty and has flags is a column of values, too.
func (g *guess) takeRemarks() {
	for _, value := range g.free() {
		if value.isTaken || !value.mayBeValue() {
			continue
		}
		for _, c := range g.remarksOf(value) {
			key := c.remarkOf(value)
			if slices.ContainsFunc(g.items, func(it item) bool { return it.key == key && len(it.columns) == 2 && it.columns[1] == value.name }) {
				key = "note" // a value has one column of flags
			}
			g.takeFor(key, c, value)
			if value.isEmpty() && !value.isTaken {
				g.takeValue(value)
			}
		}
	}
}

func (c *column) mayBeValue() bool {
	return (c.isNumeric() || c.isMarks() || c.isEmpty()) && !c.isCalled("flag", "note")
}

// remarksOf returns the free columns of flags and notes that belong to a column of values.
func (g *guess) remarksOf(value *column) []*column {
	return slices.DeleteFunc(g.free(), func(c *column) bool { return c == value || c.isEmpty() || c.remarkOf(value) == "" })
}

// takeRepeatedFlags takes the columns of flags with a repeated heading, such as SYMBOL: each has
// the flags of the column of values before it.
func (g *guess) takeRepeatedFlags() {
	flags := slices.DeleteFunc(slices.Clone(g.columns), func(c *column) bool { return !c.isCalled("flag") })
	isPair := func(c *column) bool { return c.at > 0 && c.words == flags[0].words && g.columns[c.at-1].mayBeValue() }
	if len(flags) < 2 || slices.ContainsFunc(flags, func(c *column) bool { return !isPair(c) }) {
		return
	}
	for _, c := range flags {
		if !c.isTaken {
			g.takeFor("flags", c, g.columns[c.at-1])
		}
	}
}

// takeFlagsOfColumns takes columns such as flag_a, flag_b as notes on the columns of numbers in
// the same order, if there are as many and each number is missing where it has a flag. Otherwise
// nothing tells which number a flag is of.
func (g *guess) takeFlagsOfColumns() {
	isFlag := func(c *column) bool { return strings.HasPrefix(c.words, "flag ") }
	flags := slices.DeleteFunc(slices.Clone(g.columns), func(c *column) bool { return !isFlag(c) })
	numbers := slices.DeleteFunc(g.free(), func(c *column) bool { return isFlag(c) || !c.isNumeric() })
	isInOrder := len(flags) == len(numbers)
	for i := 0; i < len(flags) && isInOrder; i++ {
		isInOrder = !flags[i].isBeside(numbers[i])
	}
	for i, c := range flags {
		switch {
		case c.isTaken || len(flags) == 1:
		case isInOrder:
			g.takeFor("note", c, numbers[i])
		default:
			g.take("ignore", c)
		}
	}
}

// takeFor takes a column that belongs to one column of values.
func (g *guess) takeFor(key string, c, value *column) {
	c.isTaken = true
	g.items = append(g.items, item{key: key, columns: []string{c.name, value.name}, between: ':'})
}

// isRemarkOfColumn reports whether an item says which column of values a column of flags or notes
// belongs to.
func (it item) isRemarkOfColumn() bool {
	return (it.key == "flags" || it.key == "note") && len(it.columns) == 2 && it.between == ':'
}

// checkRemarks makes notes on rows of the columns that belong to one which has no values.
func (g *guess) checkRemarks() {
	for i, it := range g.items {
		if !it.isRemarkOfColumn() || slices.Contains(g.dated, g.column(it.columns[1])) {
			continue
		}
		isOfOther := func(o item) bool { return o.key == "value" && o.columns[0] == it.columns[1] }
		if !slices.ContainsFunc(g.items, isOfOther) {
			g.items[i] = item{key: "note", columns: it.columns[:1]}
		}
	}
}

// noiseFlag ends the headings of flags of the Census Bureau, of which D and S mean that the
// value is withheld and 0 stands in its place. They are none of SDMX.
const noiseFlag = "nf"

// setNoise lets a mapping keep such flags.
func (r *rowRules) setNoise(m *table.Mapping) {
	isNoise := func(v table.Value) bool { return strings.HasSuffix(assemble.Fold(v.Flag), " "+noiseFlag) }
	if r.hasNoise = slices.ContainsFunc(m.Values, isNoise); r.hasNoise {
		own := func(cell string) (stat.Flags, bool) { return office.OwnFlag(m.Dataset.Source.ID, cell), true }
		m.Flags = append([]table.Flag{{Means: own}}, m.Flags...)
	}
}

// isWithheld reports whether the flags of a zero say that the number is not published.
func (r *rowRules) isWithheld(flags stat.Flags) bool {
	for _, flag := range flags.List() {
		_, mark, _ := strings.Cut(flag, ":")
		if withheld.MatchString(mark) || r.hasNoise && (mark == "D" || mark == "S") {
			return true
		}
	}
	return false
}

// withheld matches marks and words that say that a number is not published.
var withheld = regexp.MustCompile(`(?i)^(\((D|S|NA|NM|X|N)\)|suppressed|withheld|not[- ]available|confidential)$`)
