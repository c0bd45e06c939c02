package plain

import (
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/stat"
)

// pair is a column of codes with that of its labels, if it has one.
type pair struct{ code, label *column }

func (p pair) columns() []*column {
	if p.label == nil {
		return []*column{p.code}
	}
	return []*column{p.code, p.label}
}

// key returns the column that tells the codes apart: that of the labels if some of them
// have no code.
func (p pair) key() *column {
	if p.label != nil && p.code.hasGaps() && !p.label.hasGaps() {
		return p.label
	}
	return p.code
}

// takeDimensions takes the columns of texts as dimensions, except those that describe
// others.
func (g *guess) takeDimensions() {
	var gaps, filled []pair
	for _, p := range g.pairs() {
		if p.key().hasGaps() {
			gaps = append(gaps, p)
			continue
		}
		filled = append(filled, p)
		g.dims = append(g.dims, p.key())
	}
	for _, p := range filled {
		by, isOfArea := g.described(p.key()), g.isOfArea(p)
		if by == nil && !isOfArea {
			g.takeDimension(p)
			continue
		}
		g.dims = slices.DeleteFunc(g.dims, func(c *column) bool { return c == p.key() })
		if isOfArea && (by == nil || slices.Contains(by, g.area) || p.key().isCurrency()) {
			g.takeOfArea(p)
			continue
		}
		for _, c := range p.columns() {
			g.ignore(c, by...)
		}
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
		if other == nil {
			other = g.numbersOf(c)
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
	if c.isCalled("classification") || c.textual > 0 && c.hasWord(assemble.Words("numeric")...) {
		return true // 722511 beside 11----, 84 beside 85+
	}
	hasDims := g.hasValue || g.isWide
	if label := g.neighbour(c); label != nil && (hasDims || c.isNumberedID() || c.coded != "" && label.at == c.at+1 && !label.looksCoded()) {
		return true
	}
	return partner != nil && isText(partner) && (c.isCode() || partner.isCode()) || hasDims && (c.isCalled("numeric") || c.coded != "" && c.textual == 0) ||
		c.isCalled("numeric") && c.isCodeLike()
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

// isNumberedID reports whether a heading ends in id, as pruid does, and all cells are whole
// numbers.
func (c *column) isNumberedID() bool {
	return strings.HasSuffix(c.words, "id") && c.isNumeric() && c.isCodeText()
}

// neighbour returns the column beside another that has labels for its codes.
func (g *guess) neighbour(c *column) *column {
	nearFirst := g.free()
	slices.SortStableFunc(nearFirst, func(a, b *column) int { return c.distance(a) - c.distance(b) })
	for _, other := range nearFirst {
		isSame := c.different == other.different && c.isOneToOne(other)
		if c.distance(other) > 1 && !(isSame && isText(c) && c.different >= minGroups && len(g.body) >= 2*c.different) {
			continue
		}
		isCoded := c.coded != "" || c.isCode() || isSame && c.isCodeText() && (g.hasValue || c.isNumberedID())
		isLabel := isText(other) && (isCoded && !c.hasGaps() && c.isLabelledBy(other) || isText(c) && isSame)
		isClear := c.different >= minGroups || c.different > 1 && len(g.body) >= 2*c.different && isSame && (c.isCode() || c.looksCoded() && !other.looksCoded())
		if other != c && isLabel && isClear && !c.hasGaps() && !other.hasGaps() && !other.isCode() && g.key().with(c).n > g.key().n {
			return other
		}
	}
	return nil
}

// numbersOf returns the column of numbers for which a column of texts has the labels; nil if there
// is none.
func (g *guess) numbersOf(label *column) *column {
	for _, c := range g.free() {
		if c != label && isText(label) && c.isNumeric() && g.isCodes(c) && g.neighbour(c) == label {
			return c
		}
	}
	return nil
}

func (c *column) distance(other *column) int { return max(c.at-other.at, other.at-c.at) }

// described returns the columns whose codes a column describes; nil if it is a dimension
// of its own.
func (g *guess) described(c *column) []*column {
	if c.isConstant() || c.isCalled("place") && c.coded == "" || c.hasWord(assemble.Words("measured")...) {
		return nil
	}
	if c.coded != "" && c.isOfAreas() && g.key(c).isUnique() {
		return g.coveredBy(c)
	}
	for _, by := range g.known() {
		if by == c || by.different < 2 || !by.determines(c) || by == g.area && c.isCurrency() {
			continue
		}
		if by.at < c.at && by != g.area && by.different == len(g.body) && len(g.body) >= minGroups && c.isOneToOne(by) {
			return []*column{by} // the currencies of one day, and their countries
		}
		isCalled := c.isCalled("describing") || assemble.Means("describing", c.subject()) || by == g.area && (isGeoWord(c) || c.isCode() && c.isOfAreas() && by.different >= minGroups)
		isRepeated, isOneToOne := len(g.body) >= 2*by.different, by.isOneToOne(c)
		isSame := isOneToOne && by == g.area && (c.looksCoded() || !isGeoWord(c) && !c.isCalled("area name"))
		switch {
		case isOneToOne && by.different >= minGroups && (by == g.area || isRepeated),
			isCalled && (c.different < by.different || isSame):
			return []*column{by}
		}
	}
	return nil
}

// takeDimension takes a column as a dimension, with the doubts that it may be none.
func (g *guess) takeDimension(p pair) {
	c := p.key()
	seemsDated := c.different > 1 && (c.isDated() || isPeriodWord(c) && c.isCalled("period") && slices.ContainsFunc(c.cells, isPeriod) || c.isCalled("part of year"))
	same := slices.DeleteFunc(slices.Clone(g.dims), func(d *column) bool { return !d.isOneToOne(c) })
	isUnique := len(g.body) >= 8 && c.different == len(g.body) && g.key(same...).isUnique()
	if isUnique && c.isCalled("series id") {
		g.ignore(c)
		return
	}
	key := g.firstDoubt(c, "dim",
		doubtReason{applies: c.words == "" && c.at > 0, reason: "has no heading", key: "dim"},
		g.keptTimes(c, seemsDated),
		doubtReason{applies: isUnique, reason: "is different in every row, unlike a dimension", key: "ignore"})
	if key == "dim" {
		g.take(key, p.columns()...)
		return
	}
	for _, column := range p.columns() {
		g.take(key, column)
	}
}

// takeGaps takes columns with empty cells: as a dimension where the keys would not be
// unique without it, else as a note.
func (g *guess) takeGaps(pairs []pair) {
	key := g.key()
	for _, p := range pairs {
		next := key.with(p.code)
		isDescribing := g.area != nil && g.area.determines(p.code) && (p.code.isCalled("describing") || p.code.repeats(g.area))
		switch {
		case g.isOfArea(p) && !p.code.repeats(g.area):
			g.takeOfArea(p)
		case g.area != nil && p.label == nil && p.code.isAll(twoOrThreeLetters) && p.code.isOneToOne(g.area):
			g.take("ignore", p.code) // a second code of the areas, which some lack
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
		case !g.hasValue && !g.isWide && p.code.hasWord("flag"): // of one of several measures
			for _, c := range p.columns() {
				g.take("ignore", c)
			}
		default:
			for _, c := range p.columns() {
				g.take("note", c)
			}
		}
	}
}

// thinKey leaves out dimensions that others decide, as long as the key has no room for all:
// first those of which each code belongs to one of another.
func (g *guess) thinKey() {
	for _, isFit := range []func(c, by *column) bool{(*column).isOneToOne, func(*column, *column) bool { return true }} {
		for _, c := range slices.Backward(slices.Clone(g.dims)) {
			at := slices.IndexFunc(g.items, func(it item) bool { return it.key == "dim" && slices.Contains(it.columns, c.name) })
			by := g.decider(c, isFit)
			if at < 0 || by == nil || g.keySize() <= stat.MaxDimensions {
				continue
			}
			columns := g.items[at].columns
			g.items = slices.Delete(g.items, at, at+1)
			g.dims = slices.DeleteFunc(g.dims, func(d *column) bool { return d == c })
			for _, name := range columns {
				g.ignore(g.column(name), by)
			}
		}
	}
}

// decider returns the area or dimension that decides the codes of a dimension; nil if there is
// none.
func (g *guess) decider(c *column, isFit func(c, by *column) bool) *column {
	for _, by := range g.known() {
		if by != c && !c.isConstant() && by.determines(c) && isFit(c, by) {
			return by
		}
	}
	return nil
}

// keySize returns how many dimensions with several codes the mapping has besides areas and
// periods.
func (g *guess) keySize() (n int) {
	values := 0
	for _, it := range g.items {
		switch c := g.column(it.columns[0]); {
		case it.key == "value":
			values++
		case roles[it.key] != "" && it.key != "geo" && c != nil && !c.isConstant():
			n++
		}
	}
	if values > 1 || g.has("value") && g.isWide {
		n++
	}
	return n
}
