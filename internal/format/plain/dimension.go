package plain

import (
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/text"
)

func isGeoWord(c *column) bool {
	isCalled := c.isCalled(wordsGeoName) || c.isCalled(wordsGeoCode) || hasWord(c.words, "country", "countries", "territory", "economy", "municipality", "province")
	return isCalled && !hasWord(c.words, wordsPartner...)
}

// findGeography finds the codes of areas, their names, or both. "Code" alone counts
// only beside names. Of areas within others, the smallest are the geography.
func (g *guess) findGeography() {
	code := g.named(wordsGeoCode, isAny)
	name := g.named(wordsGeoName, func(c *column) bool { return c != code && isText(c) })
	if code == nil && name != nil {
		code = g.named([]string{name.words + " code", "code", name.words + " id", name.words + "code"}, func(c *column) bool {
			return c.words != "code" || c.agrees(name, func(id, _ int) bool { return id > 0 }) && name.determinesFilled(c)
		})
	}
	if code == nil && name != nil {
		code = g.partner(name)
	}
	if name == nil && code != nil {
		name = g.nameOf(code)
	}
	area := name
	if area == nil {
		area = code
	}
	if area == nil {
		return
	}
	if finer := g.finerArea(area); finer != nil {
		area, name, code = finer, finer, nil
		for _, c := range g.free() {
			if c != finer && c.different > 1 && isText(c) && c.isOneToOne(finer) && (c.isCode() || !strings.Contains(c.cells[0], " ")) {
				code = c
				break
			}
		}
	}
	g.area = area
	switch {
	case code != nil && name != nil && (code.isOneToOne(name) || code.subject() == name.subject() || code.determinesFilled(name) || name.determinesFilled(code)):
		g.take("geo", code, name)
		g.area = name
		if name.hasGaps() && !code.hasGaps() {
			g.area = code
		}
	case g.coarserArea(area) != nil:
		coarser := g.coarserArea(area)
		g.take("geo", area, coarser)
		g.items[len(g.items)-1].between = '+'
		g.dims = append(g.dims, coarser)
	default:
		if code != nil && area == name && !isText(name) {
			area = code
		}
		g.take("geo", area)
		g.area = area
	}
}

// nameOf returns the column of names beside one of codes.
func (g *guess) nameOf(code *column) *column {
	for _, c := range g.free() {
		isBeside := c.at == code.at+1 || c.at == code.at-1 || c.isCalled(wordsNameEnding)
		if c != code && isBeside && isText(c) && c.different > 1 && c.different >= minGroups && !c.isCode() && code.isOneToOne(c) {
			return c
		}
	}
	return nil
}

// finerArea returns a column of areas of which each lies in one of the area's cells.
func (g *guess) finerArea(area *column) *column {
	for _, c := range g.free() {
		if c != area && isText(c) && isGeoWord(c) && !c.hasGaps() && c.different > area.different && c.determines(area) && !area.isOneToOne(c) {
			return c
		}
	}
	return nil
}

// coarserArea returns the column of areas that is filled where the area is empty.
func (g *guess) coarserArea(area *column) *column {
	if !area.hasGaps() {
		return nil
	}
	for _, c := range g.free() {
		if c != area && isText(c) && isGeoWord(c) && !c.hasGaps() && area.determinesFilled(c) {
			return c
		}
	}
	return nil
}

// pair is a column of codes with that of its labels, if it has one.
type pair struct{ code, label *column }

func (p pair) columns() []*column {
	if p.label == nil {
		return []*column{p.code}
	}
	return []*column{p.code, p.label}
}

// takeDimensions takes the columns of texts as dimensions, except those that describe
// others.
func (g *guess) takeDimensions() {
	pairs := g.pairs()
	var gaps []pair
	for _, p := range pairs {
		if p.code.hasGaps() && (p.label == nil || p.label.hasGaps()) {
			gaps = append(gaps, p)
			continue
		}
		if p.code.hasGaps() {
			p.code, p.label = p.label, p.code
		}
		g.dims = append(g.dims, p.code)
	}
	for _, p := range pairs {
		if slices.Contains(gaps, p) {
			continue
		}
		if p.code.hasGaps() {
			p = pair{p.label, p.code}
		}
		if by := g.described(p.code); by != nil {
			g.dims = slices.DeleteFunc(g.dims, func(c *column) bool { return c == p.code })
			for _, c := range p.columns() {
				g.ignore(c, by)
			}
			continue
		}
		g.takeDimension(p)
	}
	g.takeGaps(gaps)
}

// pairs returns the free columns of texts, with their labels.
func (g *guess) pairs() (pairs []pair) {
	var taken []*column
	for _, c := range g.free() {
		isValue := c.isMostlyNumbers() || g.isLabelledValue(c) || !g.hasValue && !g.isWide && c.isMarks()
		if c.isTaken || slices.Contains(taken, c) || isValue && !g.isCodes(c) {
			continue
		}
		p := pair{code: c}
		other := g.partner(c)
		if other == nil {
			other = g.neighbour(c)
		}
		if other != nil && !slices.Contains(taken, other) {
			both := g.codeFirst(c, other)
			p = pair{both[0], both[1]}
			taken = append(taken, other)
		}
		taken = append(taken, c)
		pairs = append(pairs, p)
	}
	return pairs
}

// isLabelledValue reports whether a column of short marks belongs to the values of a
// table that has a row of labels below its headings.
func (g *guess) isLabelledValue(c *column) bool {
	isLong := func(cell string) bool { return len(cell) > 3 }
	return len(g.labels) > 0 && g.area != nil && !c.hasGaps() && !slices.ContainsFunc(c.cells, isLong) && g.key().isUnique()
}

// isCodes reports whether a column of numbers holds codes, because another column has
// their labels, its numbers begin with zeros, or its heading says so.
func (g *guess) isCodes(c *column) bool {
	partner := g.partner(c)
	if c.amounts > 0 {
		return false
	}
	hasDims := g.hasValue || g.isWide
	return partner != nil && isText(partner) && (c.isCode() || partner.isCode()) || hasDims && (c.isCalled(wordsNumeric) || c.coded != "" && c.textual == 0) ||
		c.isCalled(wordsNumeric) && c.isCodeLike()
}

// isCodeLike reports whether the numbers of a column are small and dense, or have
// leading zeros, as codes.
func (c *column) isCodeLike() bool {
	if c.amounts > 0 || c.isEmpty() || c.hasGaps() || c.marks > 0 {
		return false
	}
	if c.coded != "" {
		return true
	}
	return c.textual == 0 && c.different > 1 && c.different*2 <= c.filled && c.isSequence() && c.cells[0] != "" && len(c.cells[0]) <= 4
}

// neighbour returns the column beside another that has labels for its codes.
func (g *guess) neighbour(c *column) *column {
	for _, at := range []int{c.at + 1, c.at - 1} {
		if at < 0 || at >= len(g.columns) {
			continue
		}
		other := g.columns[at]
		isCoded := c.coded != "" || c.isCode()
		isLabel := isText(other) && (isCoded && c.determines(other) || isText(c) && c.different == other.different && c.isOneToOne(other))
		if !other.isTaken && isLabel && c.different >= minGroups && !c.hasGaps() && !other.hasGaps() && !other.isCode() && g.key().with(c).n > g.key().n {
			return other
		}
	}
	return nil
}

// described returns the column whose codes another column describes; nil if it is a
// dimension of its own.
func (g *guess) described(c *column) *column {
	if c.isConstant() {
		return nil
	}
	for _, by := range append([]*column{g.area}, g.dims...) {
		if by == nil || by == c || by.different < 2 || !by.determines(c) {
			continue
		}
		isCalled := c.isCalled(wordsDescribing) || by == g.area && isGeoWord(c)
		isRepeated := len(g.body) >= 2*by.different
		isCoarser := c.different < by.different
		isSame := by.isOneToOne(c) && by == g.area
		if c.coded != "" && isText(by) && by.different >= minGroups && g.isUniqueWithout(c) {
			return by
		}
		if isCalled && (isCoarser || isSame) || by == g.area && isRepeated && (c.describes(by) || isSame && by.different >= minGroups) {
			return by
		}
	}
	return nil
}

// takeDimension takes a column as a dimension, with the doubts that it may be none.
func (g *guess) takeDimension(p pair) {
	c := p.code
	seemsDated := c.isDated() || (isPeriodWord(c) && c.isCalled(wordsPeriod)) || c.isCalled(wordsPart)
	isUnique := len(g.body) >= 8 && c.different == len(g.body) && g.isUniqueWithout(c)
	key := g.firstDoubt(c, "dim",
		doubtReason{c.words == "" && c.at > 0, "has no heading", "dim"},
		doubtReason{seemsDated && c.different > 1, "also seems to contain periods", "ignore"},
		doubtReason{isUnique, "is different in every row, unlike a dimension", "ignore"})
	if key == "dim" {
		g.take(key, p.columns()...)
		return
	}
	for _, column := range p.columns() {
		g.take(key, column)
	}
}

// isUniqueWithout reports whether the keys of the rows are unique without a dimension.
func (g *guess) isUniqueWithout(c *column) bool {
	key := newGroups(len(g.body))
	for _, other := range append(slices.Clone(g.times), g.dims...) {
		if other != c {
			key = key.with(other)
		}
	}
	if g.area != nil && g.area != c {
		key = key.with(g.area)
	}
	return key.isUnique()
}

// takeGaps takes columns with empty cells: as a dimension where the keys would not be
// unique without it, else as a note.
func (g *guess) takeGaps(pairs []pair) {
	key := g.key()
	for _, p := range pairs {
		next := key.with(p.code)
		isDescribing := p.code.isCalled(wordsDescribing) && g.area != nil && g.area.determines(p.code)
		switch {
		case isDescribing:
			for _, c := range p.columns() {
				g.ignore(c, g.area)
			}
		case !key.isUnique() && next.n > key.n:
			if !g.has("empty") {
				g.items = append(g.items, item{key: "empty", columns: []string{"_Z"}})
			}
			g.take("dim", p.columns()...)
			g.dims = append(g.dims, p.code)
			key = next
		default:
			for _, c := range p.columns() {
				g.take("note", c)
			}
		}
	}
}

// takeNumbers takes the remaining columns, of numbers: as values if no heading is a
// word for values or a period. Codes that make the keys unique are dimensions.
func (g *guess) takeNumbers() {
	g.takeCodes()
	for _, c := range g.free() {
		switch {
		case c.isTaken:
		case c.isMixed():
			g.takeMixed(c)
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

// takeCodes takes columns of numbers that are codes: dimensions if the keys are not
// unique without them, else descriptions of another column.
func (g *guess) takeCodes() {
	key := g.key()
	for _, c := range g.free() {
		isDescribing := c.isCalled(wordsDescribing) || isGeoWord(c) || c.coded != "" || c.isCode() || c.isCalled([]string{"state", "county", "place"})
		by := g.coveredBy(c)
		isLast := !g.isWide && !g.hasValue && !slices.ContainsFunc(g.columns[c.at+1:], func(o *column) bool { return !o.isTaken && o.isNumeric() })
		switch next := key.with(c); {
		case isDescribing && c.amounts == 0 && by != nil:
			g.ignore(c, by)
		case isLast:
		case !key.isUnique() && next.n > key.n && c.isCodeLike() && !c.isDated():
			g.take("dim", c)
			g.dims = append(g.dims, c)
			key = next
		case isDescribing && c.isConstant() && c.amounts == 0 && (c.coded != "" || c.isCalled(wordsDescribing) || c.isCalled([]string{"state", "county", "place"})):
			g.take("dim", c)
			g.dims = append(g.dims, c)
		}
	}
}

// coveredBy returns a dimension with texts that decides the codes of a column.
func (g *guess) coveredBy(c *column) *column {
	if c.isConstant() {
		return nil
	}
	for _, by := range append([]*column{g.area}, g.dims...) {
		if by != nil && by != c && by.different >= minGroups && by.determines(c) && (c.isCodeText() || len(g.body) >= 2*by.different) {
			return by
		}
	}
	return nil
}

// isCodeText reports whether the numbers and texts of a column are short codes.
func (c *column) isCodeText() bool {
	return c.amounts == 0 && !slices.ContainsFunc(c.cells, func(s string) bool { return len(s) > 6 || strings.Contains(s, " ") })
}

// takeBeside takes the columns of flags, notes and margins that belong to one column of
// values: "Deaths Footnote" beside "Deaths".
func (g *guess) takeBeside(value *column) {
	for _, c := range g.free() {
		rest, ok := strings.CutPrefix(c.words, value.words)
		if !ok || rest == "" || c.isNumeric() && c.amounts > 0 {
			continue
		}
		switch rest = strings.TrimSpace(rest); {
		case slices.Contains(wordsNote, rest):
			g.takeFor("note", c, value)
		case slices.Contains(wordsFlag, rest) || rest == "missing value":
			g.takeFor("flags", c, value)
		}
	}
}

// takeFor takes a column that belongs to one column of values.
func (g *guess) takeFor(key string, c, value *column) {
	c.isTaken = true
	g.items = append(g.items, item{key: key, columns: []string{c.name, value.name}, between: ':'})
}

// checkNumbers returns the key of a column of numbers beside others that hold the
// values.
func (g *guess) checkNumbers(c *column) (key string) {
	unclear := "dim"
	if c.different*2 > c.filled || c.amounts > 0 {
		unclear = "value"
	}
	if g.isWide && unclear == "value" {
		unclear = "dim"
	}
	isRow := c.isCount() && g.isUniqueWithout(c)
	return g.firstDoubt(c, "dim",
		doubtReason{c.isDated(), "also seems to contain periods", "ignore"},
		doubtReason{isRow, "numbers the rows", "ignore"},
		doubtReason{c.hasGaps(), "contains numbers and empty cells", "value"},
		doubtReason{c.isCode(), "contains numbers, which may be codes or values", "dim"},
		doubtReason{true, "contains numbers, which may be values or a dimension", unclear})
}

// checkValue returns the key of a column of numbers without a telling heading.
func (g *guess) checkValue(c *column) (key string) {
	return g.firstDoubt(c, "value",
		doubtReason{c.isDated(), "also seems to contain periods", "ignore"},
		doubtReason{c.isCount(), "numbers the rows", "ignore"},
		doubtReason{c.coded != "", "contains numbers with leading zeros (" + strconv.Quote(c.coded) + "), as codes have", "dim"},
		doubtReason{c.isCalled(wordsNumber), "contains numbers that may identify things and not be values, by its heading", "ignore"},
		doubtReason{c.amounts == 0 && g.numbersAreas(c), "contains the same number in all rows of an area and another for each area, like a code", "ignore"})
}

// numbersAreas reports whether each area has one number, the same in all its rows.
func (g *guess) numbersAreas(c *column) bool {
	return g.area != nil && g.area.isOneToOne(c) && g.area.different > 1 && len(g.body) > g.area.different
}

// takeMixed proposes to treat the texts among numbers as missing values, except in a
// wide table, whose columns of periods hold the values.
func (g *guess) takeMixed(c *column) {
	key := g.key()
	isDimension := (g.isWide || g.hasValue) && !c.hasGaps()
	switch {
	case isDimension && (c.isCalled(wordsNumeric) || !key.isUnique() && key.with(c).n > key.n && c.amounts == 0 || c.isConstant()):
		g.take("dim", c)
		g.dims = append(g.dims, c)
		return
	case g.isWide:
		g.doubt("the column %q contains numbers and other texts (%q), and may be a dimension or not", c.name, text.Clip(c.texts[0]))
		g.take("dim", c)
		return
	case c.signed > 0 && c.signed*2 >= c.textual:
		g.isVain = true
		g.doubt("the column %q contains numbers with other signs (%q); if these are values, remove the signs from the file", c.name, text.Clip(c.sign))
	default:
		g.checkTexts(c)
	}
	g.takeValue(c)
}

// checkTexts doubts the texts among the numbers of a column of values.
func (g *guess) checkTexts(c *column) {
	if c.textual == 0 {
		return
	}
	var texts []string
	for i, t := range c.texts {
		if i < fewTexts {
			texts = append(texts, strconv.Quote(text.Clip(t)))
		}
		g.addMissing(t)
	}
	g.doubt("the column %q contains numbers and other texts (%s), and may be values or a dimension; for values, state which texts mean missing (missing=) or zero (zero=)",
		c.name, strings.Join(texts, ", "))
}
