package crosstab

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// survey is what a first pass over all rows finds.
type survey struct {
	last     int // the last row of the body
	style    text.StyleFinder
	footer   []string // the texts below it
	section  string   // the last heading of a section
	sections int      // how many there are
	// isSectioned says that rows differ only in their section.
	isSectioned bool
	stub        []*stubColumn
	periods     map[int]*text.PeriodFinder // by their column, or inBoxhead
	keys        map[string]bool            // the stubs of the rows
}

var codeForm = regexp.MustCompile(`^[A-Z0-9][A-Z0-9._/-]*$`)

const maxFooter = 1000 // lines below a table that are kept

// stubColumn is a column of the stub that holds no periods.
type stubColumn struct {
	column  int
	name    string
	cells   map[string]int
	isCodes bool                // all cells have the form of codes
	of      []map[string]string // its cell for each cell of the other columns; nil: there are several
}

// survey reads all rows of a file.
func (l *Layout) survey(rows table.Rows) (*survey, error) {
	s := &survey{last: -1, keys: map[string]bool{}, periods: map[int]*text.PeriodFinder{inBoxhead: {}}}
	for _, t := range l.times {
		s.periods[t] = &text.PeriodFinder{Heading: l.stubName(t)}
	}
	for _, v := range l.values {
		if v.time == inBoxhead {
			s.periods[inBoxhead].At = stat.Position{Line: l.periodRows[0] + 1}
			s.periods[inBoxhead].Add(plainSpan(v.text))
		}
	}
	for _, column := range l.stub {
		c := &stubColumn{column: column, name: l.stubName(column), cells: map[string]int{}, isCodes: true}
		for range l.stub {
			c.of = append(c.of, map[string]string{})
		}
		s.stub = append(s.stub, c)
	}
	var carried carrier
	n := -1
	for row, err := range table.All(rows) {
		if err != nil {
			return nil, err
		}
		if n++; n < l.below || isBlank(row) {
			continue
		}
		if isAgain, isSame := l.repeatsHeading(row); isAgain {
			if !isSame {
				return nil, stat.BadFile(rows.At(0), "another heading row begins here; a file can have only one table")
			}
			continue
		}
		if !l.isData(row) {
			if err := s.addText(l, row, rows.At); err != nil {
				return nil, err
			}
			continue
		}
		s.last = n
		s.footer = nil
		if err := s.addRow(l, carried.fill(row, l)); err != nil {
			return nil, stat.BadFile(rows.At(0), "%v", err)
		}
		for _, t := range l.times {
			s.periods[t].At = rows.At(t)
			if l.year == noYears {
				s.periods[t].Add(plainSpan(at(row, t)))
			}
		}
		for _, v := range l.values {
			if cell := at(row, v.column); isNumber(cell) {
				s.style.At = rows.At(v.column)
				s.style.See([]byte(cell))
			}
		}
	}
	return s, nil
}

// isData reports whether a row of the body holds data: a period in the stub, or a number
// or mark below a period.
func (l *Layout) isData(row []string) bool {
	if len(l.times) > 0 {
		return l.isDated(row)
	}
	return slices.ContainsFunc(l.values, func(v value) bool {
		cell := at(row, v.column)
		return isNumber(cell) || isMark(cell)
	})
}

// repeatsHeading reports whether a row below the boxhead is a heading row of periods
// again, and whether it is the same one.
func (l *Layout) repeatsHeading(row []string) (isAgain, isSame bool) {
	if len(l.times) > 0 || len(l.values) < 2 {
		return false, false
	}
	for _, column := range l.stub {
		if cell := at(row, column); cell != "" && cell != l.stubName(column) {
			return false, false
		}
	}
	filled := 0
	isSame = true
	for _, v := range l.values {
		cell := at(row, v.column)
		if cell != "" && !isPeriod(cell) {
			return false, false
		}
		if cell != "" {
			filled++
			isSame = isSame && cell == v.text
		}
	}
	return filled > 1, isSame
}

// addText keeps a row without data: a section, or a note below the table.
func (s *survey) addText(l *Layout, row []string, at func(int) stat.Position) error {
	for i, cell := range row {
		isValue := slices.ContainsFunc(l.values, func(v value) bool { return v.column == i })
		if isValue && isNumber(cell) && len(l.times) > 0 {
			return stat.BadFile(at(i), "the row has the number %q but no period in column %s", text.Clip(cell), columnName(l.times[0]))
		}
	}
	line := joinCells(row)
	if len(s.footer) < maxFooter {
		s.footer = append(s.footer, line)
	}
	if len(l.times) == 0 {
		s.section = line
		s.sections++
	}
	return nil
}

// addRow adds the stub of a row to what is known of its columns.
func (s *survey) addRow(l *Layout, stub []string) error {
	for i, c := range s.stub {
		cell := stub[i]
		c.cells[cell]++
		c.isCodes = c.isCodes && codeForm.MatchString(cell)
		for j := range s.stub {
			if c.of[j] == nil {
				continue
			}
			if before, ok := c.of[j][stub[j]]; ok && before != cell {
				c.of[j] = nil
			} else if !ok {
				c.of[j][stub[j]] = cell
			}
		}
	}
	if len(l.times) > 0 {
		return nil
	}
	key := strings.Join(stub, "\x00")
	s.isSectioned = s.isSectioned || s.keys[key]
	s.keys[key] = true
	within := s.section + "\x00\x00" + key
	if s.isSectioned && s.sections == 0 || s.sections > 0 && s.keys[within] {
		return fmt.Errorf("the row %q is there twice, and nothing distinguishes the rows", strings.Join(stub, " "))
	}
	s.keys[within] = s.sections > 0
	return nil
}

// stubName returns the heading of a column of the stub: the lowest cell of the boxhead.
func (l *Layout) stubName(column int) string {
	for row := l.below - 1; row >= l.first; row-- {
		if cell := clean(at(l.rows[row], column)); cell != "" {
			return cell
		}
	}
	return ""
}

// carrier repeats the cells of a stub downwards.
type carrier struct{ before []string }

// fill returns the cells of the stub. An empty one repeats that of the row above if a
// cell on its right is filled, or the period is.
func (c *carrier) fill(row []string, l *Layout) []string {
	cells := make([]string, len(l.stub))
	for i, column := range l.stub {
		cells[i] = clean(at(row, column))
	}
	for i := len(cells) - 1; i >= 0 && c.before != nil; i-- {
		isInner := slices.ContainsFunc(cells[i+1:], func(s string) bool { return s != "" }) ||
			slices.ContainsFunc(l.times, func(t int) bool { return t > l.stub[i] })
		if cells[i] == "" && isInner {
			cells[i] = c.before[i]
		}
	}
	c.before = cells
	return cells
}

// sampleRows are the rows of the sample.
type sampleRows struct {
	rows [][]string
	next int
}

func (s *sampleRows) Next() ([]string, error) {
	if s.next++; s.next >= len(s.rows) {
		return nil, io.EOF
	}
	return s.rows[s.next], nil
}

func (s *sampleRows) At(cell int) stat.Position {
	return stat.Position{Line: s.next + 1, Column: cell + 1}
}
func (s *sampleRows) Close() error { return nil }
