package crosstab

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// survey is what a first pass over all rows finds.
type survey struct {
	last       int      // the last row of the body
	footer     []string // the texts below it
	below      int      // how many they are
	repeated   int      // how many headings are there again
	heading    string   // the first of them
	current    calendar
	carried    carrier
	section    string                   // the last heading of a section
	text       string                   // the first one
	sections   int                      // how many there are
	within     int                      // the column of the stub, by its number, that has the headings of sections
	bare       int                      // headings with another one below and no data between
	outer      string                   // the first of them
	titles     []string                 // of a table without sections, the texts above its first row of data
	all        []section                // their rows, and those above the first, if the periods are above the columns
	outside    map[int]bool             // the rows behind sections whose end is not marked
	stray      error                    // for a text in a column of values, unless it is below the table
	isNewGroup bool                     // the row before may be the upper one of other heading rows
	pages      int                      // heading rows that are there again with other periods
	periods    map[string]bool          // of the pages
	above      []string                 // the row before, if it has no numbers in the columns of values
	named      map[string]stat.Position // where the first sections are
	// isSectioned says that rows differ only in their section.
	isSectioned bool
	stub        []*stubColumn
	keys        map[string]bool // the stubs of the rows
	words       map[string]bool // short words beside values, such as PF
}

const (
	maxFooter = 1000    // lines below a table that are kept
	maxKeys   = 1 << 18 // stubs of rows
)

// survey reads all rows of a file.
func (l *Layout) survey(rows table.Rows) (*survey, error) {
	s := &survey{last: -1, keys: map[string]bool{}, words: map[string]bool{}, named: map[string]stat.Position{}, stub: l.newStub()}
	if l.block != "" {
		s.section, s.sections, s.isSectioned = l.block, 1, true
	}
	n := -1
	for row, err := range table.All(rows) {
		if err != nil {
			return nil, err
		}
		if n++; n < l.below || table.IsBlank(row) {
			continue
		}
		if err := s.add(l, row, n, rows.At); err != nil {
			return nil, err
		}
	}
	if s.isSectioned || s.sections-s.below > len(s.titles) {
		s.titles = nil
	} else if len(s.titles) > 0 {
		s.sections, s.text = s.below, strings.Join(s.footer[:min(s.below, 1)], "")
	}
	s.findOutside()
	return s, s.checkSections()
}

// add adds a row below the boxhead.
func (s *survey) add(l *Layout, row []string, n int, where func(int) stat.Position) error {
	isAgain, isSame := l.repeatsHeading(row)
	isPage := isAgain && !isSame && !s.isNewGroup && s.isPage(l, row)
	isOther := isAgain && !isSame && !isPage || isAgain && s.isNewGroup
	s.isNewGroup = l.isNewGroup(row)
	if s.above = nil; isTextual(at(row, l.values[0].column)) {
		s.above = slices.Clone(row)
	}
	isOnlyYear := l.readYear(row, &s.current)
	switch block := l.blockOf(row); {
	case block != "":
		s.section = block
		s.sections++
	case isOther:
		return stat.BadFile(where(0), "another heading row begins here; a file can have only one table")
	case isPage:
		s.pages++
		s.section = ""
	case isAgain:
		s.repeated++
		s.heading = cmp.Or(s.heading, joinCells(row))
	case isOnlyYear, s.carried.step(row, l):
	case !l.isData(row):
		return s.addText(l, row, where)
	default:
		return s.addData(l, row, n, where)
	}
	return nil
}

// addData adds a row of data.
func (s *survey) addData(l *Layout, row []string, n int, where func(int) stat.Position) error {
	if s.stray != nil {
		return s.stray
	}
	if s.below > 1 {
		s.bare, s.outer = s.bare+s.below-1, cmp.Or(s.outer, s.footer[0])
	}
	if s.last < 0 {
		s.titles = s.footer
	}
	s.last, s.footer, s.below = n, nil, 0
	s.see(l, row)
	if err := s.addRow(l, s.carried.fill(row, l), row); err != nil {
		return stat.BadFile(where(0), "%v", err)
	}
	return nil
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

// see keeps the short words beside values.
func (s *survey) see(l *Layout, row []string) {
	for _, v := range l.values {
		for _, column := range v.beside {
			if cell := at(row, column); shortWord.MatchString(cell) {
				s.words[strings.Clone(cell)] = true
			}
		}
	}
}

// addText keeps a row without data: a section, or a note below the table.
func (s *survey) addText(l *Layout, row []string, at func(int) stat.Position) error {
	for _, v := range l.values {
		if v.column < len(row) && row[v.column] != "" && len(l.times) > 0 {
			s.stray = stat.BadFile(at(v.column), "%q is in a column of values, but the row has no period in column %s", text.Clip(row[v.column]), columnName(v.time))
			if hasNumber(row[v.column]) {
				return s.stray
			}
		}
	}
	line := joinCells(row)
	if len(s.footer) < maxFooter {
		s.footer = append(s.footer, line)
	}
	if column, isAlone := onlyCell(row); isAlone {
		s.within = max(slices.Index(l.stub, column), 0)
	}
	s.section, s.text = line, cmp.Or(s.text, line)
	s.below++
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
	if len(s.keys) > maxKeys {
		return nil // the store finds rows that are there twice
	}
	key := strings.Join(stub[min(s.within, len(stub)):], "\x00")
	if len(l.times) > 0 {
		if s.sections == 0 || len(l.times) > 1 {
			return nil // two values for one period are noticed when they are stored
		}
		key += "\x00" + at(row, l.times[0])
		if p, ok := l.periodIn(&s.current, at(row, l.times[0])); ok && l.year != noYears {
			key += " " + p.String()
		}
	} else {
		s.addSection(key)
	}
	if s.pages > 0 {
		key += "\x00" + strconv.Itoa(s.pages)
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

// noteUnread notes the rows that hold neither data nor the heading of a section.
func (s *survey) noteUnread(report *stat.Report) {
	switch {
	case !s.isSectioned && s.sections > 0:
		report.Add(stat.NoteNotRead, s.sections, text.Clip(s.text))
	case s.bare+s.below > 0:
		report.Add(stat.NoteNotRead, s.bare+s.below, text.Clip(cmp.Or(s.outer, strings.Join(s.footer[:min(len(s.footer), 1)], ""))))
	}
	if s.repeated > 0 {
		report.Add(stat.NoteNotRead, s.repeated, text.Clip(s.heading))
	}
}

// repeatsHeading reports whether a row below the boxhead is a heading row of periods
// again, and whether it is the same one.
func (l *Layout) repeatsHeading(row []string) (isAgain, isSame bool) {
	if len(l.times) > 0 {
		isAgain = slices.ContainsFunc(l.heads, func(h *head) bool { return slices.Equal(l.rows[h.row], row) })
		return isAgain, isAgain
	}
	if len(l.values) < 2 {
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
