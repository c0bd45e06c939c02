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

// takeNumbers takes the remaining columns, of numbers: as values if no heading is a
// word for values or a period. Codes that make the keys unique are dimensions.
func (g *guess) takeNumbers() {
	g.takeCodes()
	for _, c := range g.free() {
		switch {
		case c.isTaken:
		case c.isOrder() && g.hasOtherNumbers(c), (g.isWide || g.hasValue) && c.hasWord("rank", "ranking", "rang", "rango"):
			g.takeOrder(c)
		case g.hasValue && c.isConstant() && c.amounts == 0 && !c.isDated():
			g.take("dim", c)
		case g.hasValue && !c.isDated() && c.isNumeric() && g.coveredBy(c) != nil:
			g.ignore(c, g.coveredBy(c)...)
		case c.isMixed():
			g.takeMixed(c)
		case g.isParameter(c):
			g.take("dim", c)
			g.dims = append(g.dims, c)
			g.checks = append(g.checks, check{at: c.at})
		case !g.isWide && !g.hasValue && !c.isCode():
			if key := g.checkValue(c); key == "value" {
				g.checkTexts(c)
				g.takeValue(c)
			} else {
				g.take(key, c)
			}
		default:
			g.take(g.checkNumbers(c), c)
		}
	}
}

// isParameter reports whether a column has one number for all areas, before the first column whose
// numbers differ: a poverty line, the version of a survey.
func (g *guess) isParameter(c *column) bool {
	isMeasure := func(o *column) bool {
		return o.isMostlyNumbers() && o.different > 1 && (!o.isTaken || slices.Contains(g.values, o))
	}
	isBefore := !slices.ContainsFunc(g.columns[:c.at], isMeasure) && slices.ContainsFunc(g.columns[c.at:], isMeasure)
	isOfAreas := g.area != nil && g.area.different > 1 && len(g.body) >= minGroups
	return !g.isWide && !g.hasValue && c.isConstant() && c.isNumeric() && strings.Trim(c.cells[0], "0.") != "" && isOfAreas && isBefore
}

// isOrder reports whether the numbers of a column order its rows, by its heading.
func (c *column) isOrder() bool {
	plain, _ := c.headingParts()
	return c.isMostlyNumbers() && slices.ContainsFunc(assemble.Words("order"), func(w string) bool { return strings.HasSuffix(" "+plain, " "+w) })
}

// hasOtherNumbers reports whether other columns may be those of values.
func (g *guess) hasOtherNumbers(c *column) bool {
	isOther := func(o *column) bool { return o != c && o.isMostlyNumbers() && !o.isCode() && !o.isOrder() }
	return g.hasValue || g.isWide || len(g.values) > 0 || slices.ContainsFunc(g.free(), isOther)
}

// takeOrder leaves out numbers that order the rows, unless rows differ in nothing else.
func (g *guess) takeOrder(c *column) {
	if key := g.key(); !key.isUnique() && key.with(c).n > key.n && !c.hasGaps() {
		g.take("dim", c)
		g.dims = append(g.dims, c)
		return
	}
	g.ignore(c)
}

// takeCodes takes columns of numbers that are codes: dimensions if the keys are not
// unique without them, else descriptions of another column.
func (g *guess) takeCodes() {
	key := g.key()
	for _, c := range g.free() {
		if !c.isMostlyNumbers() {
			continue
		}
		if currency := g.currencyOf(c); currency != nil {
			g.ignore(c, currency)
			continue
		}
		isDescribing := c.isCodeByHeading() || c.coded != ""
		by := g.coveredBy(c)
		isLast := !g.isWide && !g.hasValue && !slices.ContainsFunc(g.columns[c.at+1:], func(o *column) bool { return !o.isTaken && o.isNumeric() })
		switch next := key.with(c); {
		case isDescribing && c.amounts == 0 && by != nil:
			g.ignore(c, by...)
			if g.area == nil && isGeoWord(c) {
				g.setArea(by[0])
			}
		case isLast:
		case !key.isUnique() && next.n > key.n && c.isCodeLike() && !c.isDated():
			g.take("dim", c)
			g.dims = append(g.dims, c)
			key = next
		case isDescribing && c.isConstant() && c.amounts == 0:
			g.take("dim", c)
			g.dims = append(g.dims, c)
		}
	}
}

// isCodeByHeading reports whether the numbers of a column are codes by its heading.
func (c *column) isCodeByHeading() bool { return c.isCode() || c.isOfAreas() }

// isAboutAreas reports whether a heading has a word of areas, and none of partners.
func (c *column) isAboutAreas() bool {
	isArea := func(w string) bool {
		return assemble.Means("place", w) || assemble.Means("area name", w) || assemble.Means("area code", w)
	}
	return slices.ContainsFunc(strings.Fields(c.words), isArea) && !c.hasWord(assemble.Words("partner")...)
}

// isOfAreas reports whether a heading is one of areas or their groups.
func (c *column) isOfAreas() bool {
	isPlace := c.isCalled("place") || c.isCode() && c.isAboutAreas()
	return c.isCalled("describing") || isPlace || isGeoWord(c) && c.words != "area"
}

// coveredBy returns a dimension with texts that decides the codes of a column; nil if there is none.
func (g *guess) coveredBy(c *column) []*column {
	if c.isConstant() {
		return nil
	}
	for _, by := range g.known() {
		isRepeated := len(g.body) >= 2*by.different
		isMany := by.different >= minGroups || (g.hasValue || c.isCode()) && isRepeated || c.isOfAreas() && (by == g.area || g.key(c).isUnique())
		if isMany && by != c && by.determines(c) && (isRepeated || c.isCodeText() && (c.isOneToOne(by) || c.isOfAreas())) {
			return []*column{by}
		}
	}
	return nil
}

// isCodeText reports whether the numbers and texts of a column are short codes.
func (c *column) isCodeText() bool {
	return c.amounts == 0 && !slices.ContainsFunc(c.cells, func(s string) bool { return len(s) > 6 || strings.Contains(s, " ") })
}

// otherValues is the doubt about a column of values beside those of the periods.
const otherValues = "contains other values than those of the periods, which a file of their own can hold"

// checkNumbers returns the key of a column of numbers beside others that hold the
// values.
func (g *guess) checkNumbers(c *column) (key string) {
	if c.kind() == 0 && c.amounts == 0 && !c.hasGaps() && c.different < c.filled {
		return "dim"
	}
	isOther := g.isWide && (c.amounts > 0 || c.hasGaps() || c.hasWord(assemble.Words("total cell")...))
	gaps := doubtReason{c.hasGaps(), "contains numbers and empty cells", "value", "note"}
	unclear := doubtReason{true, "contains numbers, which may be values or a dimension", "dim", ""}
	switch {
	case g.isWide:
	case c.amounts > 0:
		unclear.key, gaps.or = "value", ""
	case c.different*2 > c.filled:
		unclear.or = "value"
	}
	return g.firstDoubt(c, "dim",
		doubtReason{isOther, otherValues, "ignore", ""},
		g.keptTimes(c, c.isDated()),
		doubtReason{c.isCount() && g.key(c).isUnique(), "numbers the rows", "ignore", ""},
		doubtReason{c.hasGaps() && c.isCode(), "contains numbers, which may be codes, and empty cells", "note", ""},
		gaps,
		doubtReason{c.isCode(), "contains numbers, which may be codes or values", "dim", ""},
		unclear)
}

// checkValue returns the key of a column of numbers without a telling heading.
func (g *guess) checkValue(c *column) (key string) {
	seemsDated := c.isDated() || c.isCalledPart() && c.isParts()
	isOfAreas := g.area == nil && c.isCalled("area name") && c.amounts == 0 && c.different*2 <= c.filled
	isPerArea := c.amounts == 0 && g.numbersAreas(c) && !c.hasWord(assemble.Words("people")...)
	return g.firstDoubt(c, "value",
		g.keptTimes(c, seemsDated),
		doubtReason{c.isCount() && g.isIndex(c) && (c.cells[0] == "0" || c.cells[0] == "1"), "may number the rows", "value", ""},
		doubtReason{c.isCount() && !g.isIndex(c), "numbers the rows", "ignore", ""},
		doubtReason{c.coded != "", "contains numbers with leading zeros (" + strconv.Quote(c.coded) + "), as codes have", "dim", ""},
		doubtReason{isOfAreas && (c.different > 1 || len(c.cells[0]) > 1), "contains numbers, which may be codes of areas or values by its heading", "geo", ""},
		doubtReason{isOfAreas, "contains a number, which may be the code of an area or a value by its heading", "dim", ""},
		doubtReason{c.isCalled("number") && !g.isIndex(c) && !slices.ContainsFunc(c.cells, fraction.MatchString), "contains numbers that may identify things and not be values, by its heading", "ignore", ""},
		doubtReason{isPerArea, "contains the same number in all rows of an area and another for each area, like a code", "ignore", "value"})
}

// isIndex reports whether a column with the heading Index has the only numbers of the table, which
// are those of an index then. Only if they count from 0 or 1 they may number the rows.
func (g *guess) isIndex(c *column) bool {
	return c.words == "index" && c.isNumeric() && !g.hasOtherNumbers(c)
}

// fraction matches numbers with decimals, as those of an index, and not only 7.0.
var fraction = regexp.MustCompile(`[0-9](\.[0-9]*[1-9][0-9]*|,[0-9]?[1-9])$`)

// hasRanges reports whether all texts that may be numbers are ranges of two, and few.
func (c *column) hasRanges() bool {
	isOther := func(t string) bool { return mayBeNumber(t) && !rangeOfNumbers.MatchString(t) }
	return len(c.texts) < maxTexts && !slices.ContainsFunc(c.texts, isOther)
}

var rangeOfNumbers = regexp.MustCompile(`^[-+]?[0-9.,]+ ?(?:to|bis|à|–) ?[-+]?[0-9.,]+$`)

// isEpoch reports whether all cells are times in milliseconds, as computers count them.
func (c *column) isEpoch() bool {
	isOther := func(cell string) bool {
		n, err := strconv.ParseInt(cell, 10, 64)
		return err != nil || n < 1e11 || n > 4e12 || n%3_600_000 != 0
	}
	return c.different > 1 && !slices.ContainsFunc(c.cells, isOther)
}

// numbersAreas reports whether each area has one number, the same in all its rows, of which
// some have more than one, and of a length that codes have.
func (g *guess) numbersAreas(c *column) bool {
	length := func(a, b string) int { return len(a) - len(b) }
	if c.isEmpty() || len(slices.MaxFunc(c.cells, length)) > len(slices.MinFunc(c.cells, length))+2 {
		return false
	}
	return g.area != nil && g.area.isOneToOne(c) && g.area.different > 1 && (c.filled >= 2*c.different || c.filled > c.different && !c.hasGaps())
}

// takeMixed proposes to treat the texts among numbers as missing values, except in a
// wide table, whose columns of periods hold the values.
func (g *guess) takeMixed(c *column) {
	key := g.key()
	isDimension := (g.isWide || g.hasValue) && !c.hasGaps()
	switch {
	case g.isWide && g.hasTextsOfValues(c) && (c.amounts > 0 || key.isUnique()):
		g.doubt("the column %q "+otherValues, c.name)
		g.take("ignore", c)
		return
	case isDimension && (c.isCalled("numeric") || !key.isUnique() && key.with(c).n > key.n && c.amounts == 0 || c.isConstant()):
		g.take("dim", c)
		g.dims = append(g.dims, c)
		return
	case g.isWide:
		g.doubt("the column %q contains numbers and other texts (%q), and may be a dimension or not", c.name, text.Clip(c.texts[0]))
		g.take("dim", c)
		return
	}
	g.checkTexts(c)
	g.takeValue(c)
}

// hasTextsOfValues reports whether all texts among the numbers of a column stand for missing values in the columns of
// the periods, so that it holds values as well and no codes.
func (g *guess) hasTextsOfValues(c *column) bool {
	isOther := func(t string) bool {
		return !slices.ContainsFunc(g.items, func(it item) bool { return (it.key == "missing" || it.key == "zero") && it.columns[0] == t })
	}
	return len(c.texts) < maxTexts && !c.isCode() && !c.isCalled("numeric") && !slices.ContainsFunc(c.texts, isOther)
}

// areExplained reports whether lines below the table say that all texts of a column of values stand where there is no
// number. In a column that is not named so or by its period, texts with letters may be codes.
func (c *column) areExplained(m *marks) bool {
	isValue := isPeriod(c.name) || c.isCalled("value")
	isOther := func(t string) bool { return !m.isNoNumber(t) || !isValue && strings.ContainsFunc(t, unicode.IsLetter) }
	return len(c.texts) < maxTexts && !slices.ContainsFunc(c.texts, isOther)
}

// checkTexts doubts the texts among the numbers of a column of values. Those with digits may
// be numbers, and are never proposed as missing.
func (g *guess) checkTexts(c *column) {
	g.addMarks(c)
	switch {
	case c.textual == 0:
		return
	case c.areExplained(g.layout.marks):
		for _, t := range c.texts {
			g.addMark(t)
		}
		return
	case c.sign != "" && c.hasRanges():
		for _, t := range c.texts {
			g.addMark(t)
		}
		g.doubt("the column %q contains ranges (%q), which are no values; if they are to be kept as flags of missing values, state these texts as missing", c.name, text.Clip(c.sign))
		return
	case c.sign != "":
		g.isVain = true
		g.doubt("the column %q contains numbers with other signs (%q); if these are values, remove the signs from the file", c.name, text.Clip(c.sign))
		return
	}
	var texts []string
	for i, t := range c.texts {
		if i < fewTexts {
			texts = append(texts, strconv.Quote(text.Clip(t)))
		}
		g.addMark(t)
	}
	g.doubt("the column %q contains numbers and other texts (%s), and may be values or a dimension; for values, state which texts mean missing (missing=) or zero (zero=)",
		c.name, strings.Join(texts, ", "))
}
