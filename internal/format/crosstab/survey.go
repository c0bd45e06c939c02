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
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// survey is what a first pass over all rows finds.
type survey struct {
	cursor   *cursor
	last     int                      // the last row of the body
	footer   []string                 // the texts below it
	below    int                      // how many they are
	repeated int                      // how many headings are there again
	heading  string                   // the first of them
	first    string                   // the first heading of a section
	sections int                      // how many there are
	within   int                      // the column of the stub, by its number, that has the headings of sections
	bare     int                      // headings with another one below and no data between
	outer    string                   // the first of them
	titles   []string                 // of a table without sections, the texts above its first row of data
	all      []section                // their rows, and those above the first, if the periods are above the columns
	outside  map[int]bool             // the rows behind sections whose end is not marked
	stray    error                    // for a text in a column of values, unless it is below the table
	pages    int                      // heading rows that are there again with other periods
	named    map[string]stat.Position // where the first sections are
	units    unitRows
	// isSectioned says that rows differ only in their section.
	isSectioned bool
	stub        []*stubColumn
	keys        map[string]bool // the stubs of the rows
	words       map[string]bool // short words beside values, such as PF
	parts       map[string]bool // of years, and words for the whole year among them
}

const (
	maxFooter = 1000    // lines below a table that are kept
	maxKeys   = 1 << 18 // stubs of rows
	maxParts  = 20      // of years
)

// survey reads all rows of a file.
func (l *Layout) survey(rows table.Rows) (*survey, error) {
	s := &survey{cursor: l.newCursor(), last: -1, keys: map[string]bool{}, words: map[string]bool{}, parts: map[string]bool{}, named: map[string]stat.Position{}, stub: l.newStub()}
	if l.block != "" {
		s.sections, s.isSectioned = 1, true
	}
	for row, err := range table.All(rows) {
		if err != nil {
			return nil, err
		}
		l.noted.bracket(row)
		if err := s.add(row, rows.At); err != nil {
			return nil, err
		}
	}
	for _, unit := range s.units.open { // it is no unit of rows
		s.footer, s.below, s.sections, s.first = append(s.footer, unit), s.below+1, s.sections+1, cmp.Or(s.first, unit)
	}
	if s.isSectioned || s.sections-s.below > len(s.titles) {
		s.titles = nil
	} else if len(s.titles) > 0 {
		s.sections, s.first = s.below, strings.Join(s.footer[:min(s.below, 1)], "")
	}
	for _, c := range s.stub {
		c.findDots()
	}
	s.findOutside()
	return s, s.checkSections()
}

// add adds a row.
func (s *survey) add(row []string, where func(int) stat.Position) error {
	switch s.cursor.read(row) {
	case rowBlock:
		s.sections++
	case rowOther:
		return stat.BadFile(where(0), "another heading row begins here; a file can have only one table")
	case rowPage:
		s.pages++
		for ; s.below > 0; s.below-- { // the upper heading row
			s.sections--
			s.footer = s.footer[:len(s.footer)-1]
		}
	case rowHeading:
		if title := s.titleOfOther(); title != "" {
			return stat.BadFile(where(0), "another table begins here, with the title %q: a file or a sheet can have only one; put the tables into files of their own", text.Clip(title))
		}
		s.repeated++
		s.heading = cmp.Or(s.heading, joinCells(row))
	case rowUnit:
		s.units.add(s.cursor.unit, s.last < 0)
	case rowText:
		return s.addText(row, where)
	case rowData:
		return s.addData(row, where)
	}
	return nil
}

// continued matches a line above headings that are there again on the next page.
var continued = lazyregexp.New(`(?i)\b(continued|cont\.|cont'd|page|fortsetzung|suite|seite|forts\.)`)

// titleOfOther returns the title of another table whose headings are those of the first, which has a title above them
// and no heading of a section below.
func (s *survey) titleOfOther() string {
	titles := s.cursor.titles()
	if s.last < 0 || len(s.titles) > 0 || len(titles) == 0 {
		return ""
	}
	isTitle := func(line string) bool {
		return table.IsTitle(line) && !continued.MatchString(line) && Explained(line) == nil && !slices.Contains(titles, line)
	}
	if at := slices.IndexFunc(s.footer, isTitle); at >= 0 {
		return s.footer[at]
	}
	return ""
}

// addData adds a row of data.
func (s *survey) addData(row []string, where func(int) stat.Position) error {
	if s.stray != nil {
		return s.stray
	}
	if s.below > 1 {
		s.bare, s.outer = s.bare+s.below-1, cmp.Or(s.outer, s.footer[0])
	}
	if s.last < 0 {
		s.titles = s.footer
	}
	s.last, s.footer, s.below = s.cursor.n, nil, 0
	s.see(row)
	if err := s.addRow(s.cursor.fill(row), row); err != nil {
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

// see keeps the short words beside values, and parts of years.
func (s *survey) see(row []string) {
	if s.cursor.hasWhole && len(s.parts) <= maxParts {
		for _, time := range s.cursor.times {
			name, _ := cutYear(s.cursor.cell(row, time))
			s.parts[strings.Clone(name)] = true
		}
	}
	for _, v := range s.cursor.values {
		for _, column := range v.beside {
			if cell := at(row, column); shortWord.MatchString(cell) {
				s.words[strings.Clone(cell)] = true
			}
		}
	}
}

// addText keeps a row without data: a section, or a note below the table.
func (s *survey) addText(row []string, where func(int) stat.Position) error {
	for _, v := range s.cursor.values {
		if v.column < len(row) && row[v.column] != "" && len(s.cursor.times) > 0 {
			s.stray = stat.BadFile(where(v.column), "%q is in a column of values, but the row has no period in column %s", text.Clip(row[v.column]), columnName(v.time))
			if hasNumber(row[v.column]) {
				return s.stray
			}
		}
	}
	if column := s.cursor.rowOfTexts(row); column >= 0 {
		s.stray = stat.BadFile(where(column), "%q is neither a number nor a mark in place of one", text.Clip(row[column]))
	}
	line := s.cursor.section
	if len(s.footer) < maxFooter {
		s.footer = append(s.footer, line)
	}
	if column, isAlone := onlyCell(row); isAlone {
		s.within = max(slices.Index(s.cursor.stub, column), 0)
	}
	s.first = cmp.Or(s.first, line)
	s.below++
	s.sections++
	if _, isKnown := s.named[line]; !isKnown && len(s.named) < maxFooter {
		s.named[line] = where(0)
	}
	return nil
}

// rowOfTexts returns the first column of values of a row that has a text in each of them and in
// each column of the stub, below headings that are only periods; -1 for other rows.
func (l *Layout) rowOfTexts(row []string) int {
	if l.periodRow == noRow || len(l.heads) > 0 || len(l.stub) == 0 || len(l.values) < 2 {
		return -1
	}
	isEmpty := func(column int) bool { return at(row, column) == "" }
	if slices.ContainsFunc(l.stub, isEmpty) || slices.ContainsFunc(l.values, func(v value) bool { return isEmpty(v.column) }) {
		return -1
	}
	return l.values[0].column
}

// addRow adds the stub of a row to what is known of its columns.
func (s *survey) addRow(stub, row []string) error {
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
	if len(s.cursor.times) == 0 {
		key += s.units.addRow(s.cursor.section+"\x00\x00"+key, s.cursor.unit)
	}
	if len(s.cursor.times) > 0 {
		if s.sections == 0 || len(s.cursor.times) > 1 {
			return nil // two values for one period are noticed when they are stored
		}
		key += "\x00" + at(row, s.cursor.times[0])
		if p, ok := s.cursor.periodIn(&s.cursor.current, at(row, s.cursor.times[0])); ok && s.cursor.year != noYears {
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
	within := s.cursor.section + "\x00\x00" + key
	if s.isSectioned && s.sections == 0 || s.sections > 0 && s.keys[within] {
		return fmt.Errorf("the row %q is there twice, and nothing distinguishes the rows", strings.Join(stub, " "))
	}
	s.keys[within] = s.sections > 0
	return nil
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
