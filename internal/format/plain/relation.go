package plain

import "strings"

// determines reports whether each cell of one column has one cell of another beside
// it, empty cells included.
func (c *column) determines(other *column) bool {
	return c.agrees(other, func(int, int) bool { return true })
}

// determinesFilled is determines for the rows in which both columns are filled.
func (c *column) determinesFilled(other *column) bool {
	return c.agrees(other, func(id, otherID int) bool { return id > 0 && otherID > 0 })
}

func (c *column) agrees(other *column, counts func(id, otherID int) bool) bool {
	beside := make([]int, len(c.cells)+1)
	for i, id := range c.ids {
		otherID := other.ids[i]
		if !counts(id, otherID) {
			continue
		}
		if beside[id] != 0 && beside[id] != otherID+1 {
			return false
		}
		beside[id] = otherID + 1
	}
	return true
}

// isBeside reports whether both columns are filled in some row.
func (c *column) isBeside(other *column) bool {
	for i, id := range c.ids {
		if id > 0 && other.ids[i] > 0 {
			return true
		}
	}
	return false
}

// repeats reports whether each filled cell is that of another column.
func (c *column) repeats(other *column) bool {
	for i, id := range c.ids {
		if id > 0 && (other.ids[i] == 0 || c.cells[id-1] != other.cells[other.ids[i]-1]) {
			return false
		}
	}
	return !c.isEmpty()
}

// labelsFollow reports whether each column with a heading of codes, of at least three, has its
// labels in the next one.
func (g *guess) labelsFollow() bool {
	n := 0
	for i, c := range g.columns {
		if c.kind() != 0 || c.isEmpty() {
			continue
		}
		if i+1 == len(g.columns) || g.columns[i+1].kind() == 0 || g.columns[i+1].isNumeric() || !c.isOneToOne(g.columns[i+1]) {
			return false
		}
		n++
	}
	return n >= 3
}

// isOneToOne reports whether the cells of two columns name the same things.
func (c *column) isOneToOne(other *column) bool {
	return c.determinesFilled(other) && other.determinesFilled(c)
}

// isLabelledBy reports whether a column has the label of each code of another, of which
// few are repeated.
func (c *column) isLabelledBy(label *column) bool {
	return c.determinesFilled(label) && label.different*10 >= c.different*9
}

// abbreviates reports whether a column has the codes of the next, by their headings and cells:
// its words begin words of the other in their order, as those of EDUCATION_LEV and Education
// level do, or it has their first letters.
func (c *column) abbreviates(label *column) bool {
	if label.at != c.at+1 || !c.isAll(codeText) || label.isAll(codeText) || !isText(c) || !isText(label) {
		return false
	}
	words, initials := strings.Fields(c.words), ""
	for _, word := range strings.Fields(label.words) {
		initials += string([]rune(word)[0])
		if len(words) > 0 && len(words[0]) >= 3 && strings.HasPrefix(word, words[0]) {
			words = words[1:]
		}
	}
	return len(words) == 0 || len(initials) >= 3 && c.words == initials
}

// minGroups is how many distinct codes, and rows for each on average, prove that
// another column describes them and is no dimension of its own.
const minGroups = 8

// groups numbers the combinations of cells of several columns, by row.
type groups struct {
	ids []int
	n   int
}

func newGroups(rows int) groups { return groups{make([]int, rows), 1} }

// with returns the groups with a further column.
func (g groups) with(c *column) groups {
	numbers := map[[2]int]int{}
	next := groups{ids: make([]int, len(g.ids))}
	for i, id := range g.ids {
		key := [2]int{id, c.ids[i]}
		n, ok := numbers[key]
		if !ok {
			n = len(numbers)
			numbers[key] = n
		}
		next.ids[i] = n
	}
	next.n = len(numbers)
	return next
}

// isUnique reports whether no two rows have the same combination.
func (g groups) isUnique() bool { return g.n == len(g.ids) }
