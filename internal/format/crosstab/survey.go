package crosstab

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// survey is what a first pass over all rows finds.
type survey struct {
	last       int // the last row of the body
	style      text.StyleFinder
	footer     []string                 // the texts below it
	year       string                   // of the rows with parts of it
	section    string                   // the last heading of a section
	sections   int                      // how many there are
	isNewGroup bool                     // the row before may be the upper one of other heading rows
	named      map[string]stat.Position // where the first sections are
	// isSectioned says that rows differ only in their section.
	isSectioned bool
	stub        []*stubColumn
	periods     map[int]*text.PeriodFinder // by their column, or inBoxhead
	keys        map[string]bool            // the stubs of the rows
	words       map[string]bool            // short words beside values, such as PF
}

const maxFooter = 1000 // lines below a table that are kept

// survey reads all rows of a file.
func (l *Layout) survey(rows table.Rows) (*survey, error) {
	s := l.newSurvey()
	var carried carrier
	n := -1
	for row, err := range table.All(rows) {
		if err != nil {
			return nil, err
		}
		if n++; n < l.below || isBlank(row) {
			continue
		}
		isAgain, isSame := l.repeatsHeading(row)
		isOther := isAgain && !isSame || isAgain && s.isNewGroup
		s.isNewGroup = l.isNewGroup(row)
		if l.year != noYears && isYear(at(row, l.year)) {
			s.year = at(row, l.year)
		}
		switch {
		case isOther:
			return nil, stat.BadFile(rows.At(0), "another heading row begins here; a file can have only one table")
		case isAgain, l.year != noYears && isYear(at(row, l.year)) && !l.isDated(row):
		case !l.isData(row):
			err = s.addText(l, row, rows.At)
		default:
			s.last, s.footer = n, nil
			s.see(l, row, rows)
			if err = s.addRow(l, carried.fill(row, l), row); err != nil {
				err = stat.BadFile(rows.At(0), "%v", err)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return s, s.checkSections()
}

// checkSections refuses a table in which a row without numbers may be the heading of a
// section or a row of data, because it has the texts of such a row elsewhere. A section
// may have a row with its own name.
func (s *survey) checkSections() error {
	if !s.isSectioned {
		return nil
	}
	for key := range s.keys {
		name := strings.ReplaceAll(key, "\x00", " ")
		if where, ok := s.named[name]; ok && !s.keys[name+"\x00\x00"+key] {
			return stat.BadFile(where, "%q may be the heading of a section or a row without numbers", text.Clip(name))
		}
	}
	return nil
}

// newSurvey returns a survey that knows the periods of the boxhead.
func (l *Layout) newSurvey() *survey {
	s := &survey{last: -1, keys: map[string]bool{}, words: map[string]bool{}, named: map[string]stat.Position{}, stub: l.newStub(), periods: map[int]*text.PeriodFinder{inBoxhead: {}}}
	for _, t := range l.times {
		s.periods[t] = &text.PeriodFinder{Heading: l.stubName(t)}
	}
	for _, v := range l.values {
		if v.time == inBoxhead {
			s.periods[inBoxhead].At = stat.Position{Line: l.periodRows[0] + 1}
			s.periods[inBoxhead].Add(periodText(v.text))
		}
	}
	return s
}

// see shows the periods and the numbers of a row to those who find their style.
func (s *survey) see(l *Layout, row []string, rows table.Rows) {
	for _, t := range l.times {
		s.periods[t].At = rows.At(t)
		if l.year == noYears {
			s.periods[t].Add(periodText(at(row, t)))
		}
	}
	for _, v := range l.values {
		for _, column := range v.beside {
			if cell := at(row, column); shortWord.MatchString(cell) {
				s.words[strings.Clone(cell)] = true
			}
		}
		if cell, _ := splitRemark(at(row, v.column)); isNumber(cell) && !table.IsStored(rows, v.column) {
			s.style.At, s.style.Column = rows.At(v.column), v.column
			s.style.See([]byte(cell))
		}
	}
}

// isData reports whether a row of the body holds data: a period in the stub, or a number
// or mark below a period.
func (l *Layout) isData(row []string) bool {
	if len(l.times) > 0 {
		return l.isDated(row)
	}
	return slices.ContainsFunc(l.values, func(v value) bool {
		cell := at(row, v.column)
		return isValue(cell) || slices.Contains(l.Stated.Missing, cell) || slices.Contains(l.Stated.Zero, cell)
	})
}

// addText keeps a row without data: a section, or a note below the table.
func (s *survey) addText(l *Layout, row []string, at func(int) stat.Position) error {
	for i, cell := range row {
		isOfValues := slices.ContainsFunc(l.values, func(v value) bool { return v.column == i })
		if isOfValues && hasNumber(cell) && len(l.times) > 0 {
			return stat.BadFile(at(i), "the row has the number %q but no period in column %s", text.Clip(cell), columnName(l.times[0]))
		}
	}
	line := joinCells(row)
	if len(s.footer) < maxFooter {
		s.footer = append(s.footer, line)
	}
	s.section = line
	s.sections++
	if _, isKnown := s.named[line]; !isKnown && len(s.named) < maxFooter {
		s.named[line] = at(0)
	}
	return nil
}

// addRow adds the stub of a row to what is known of its columns.
func (s *survey) addRow(l *Layout, stub, row []string) error {
	for i, c := range s.stub {
		cell := stub[i]
		c.cells[cell]++
		c.isCodes = c.isCodes && (cell == "" || codeForm.MatchString(cell))
		for j := range s.stub {
			if c.of[j] == nil || cell == "" || stub[j] == "" {
				continue
			}
			if before, ok := c.of[j][stub[j]]; ok && before != cell {
				c.of[j] = nil
			} else if !ok {
				c.of[j][stub[j]] = cell
			}
		}
	}
	key := strings.Join(stub, "\x00")
	if len(l.times) > 0 {
		if s.sections == 0 || len(l.times) > 1 {
			return nil // two values for one period are noticed when they are stored
		}
		key += "\x00" + s.year + " " + at(row, l.times[0])
	}
	s.isSectioned = s.isSectioned || s.keys[key]
	s.keys[key] = true
	within := s.section + "\x00\x00" + key
	if s.isSectioned && s.sections == 0 || s.sections > 0 && s.keys[within] {
		return fmt.Errorf("the row %q is there twice, and nothing distinguishes the rows", strings.Join(stub, " "))
	}
	s.keys[within] = s.sections > 0
	return nil
}

// repeatsHeading reports whether a row below the boxhead is a heading row of periods
// again, and whether it is the same one.
func (l *Layout) repeatsHeading(row []string) (isAgain, isSame bool) {
	if len(l.times) > 0 || len(l.values) < 2 {
		return false, false
	}
	for _, column := range l.stub {
		if cell := at(row, column); cell != "" && !strings.EqualFold(clean(cell), l.stubName(column)) {
			return false, false
		}
	}
	filled, periods := 0, 0
	isSame = true
	for _, v := range l.values {
		cell := at(row, v.column)
		switch {
		case cell == "":
			continue
		case isPeriod(cell):
			periods++
		case isValue(cell):
			return false, false
		}
		filled++
		isSame = isSame && cell == v.text
	}
	return filled > 1 && periods > 0, isSame
}

// isNewGroup reports whether a row below the boxhead has texts in columns of values that
// the boxhead does not have in one row.
func (l *Layout) isNewGroup(row []string) bool {
	if len(l.times) > 0 || !slices.ContainsFunc(l.values, func(v value) bool { return isTextual(at(row, v.column)) }) {
		return false
	}
	return !slices.ContainsFunc(l.rows[:l.below], func(r []string) bool { return slices.Equal(r, row) })
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
