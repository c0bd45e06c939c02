package plain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

const (
	maxSample      = 400       // rows that decide where a table begins
	maxRows        = 20_000    // rows that decide what its columns mean
	maxSampleCells = 1_000_000 // cells of these rows
)

// sample is the first rows of a file, with their lines.
type sample struct {
	rows  [][]string
	lines []int
	isAll bool // the sample is the whole file
}

// firstRows reads rows up to the limits. An error of the rows ends it.
func firstRows(open func() (table.Rows, error)) (s sample, err error) {
	rows, err := open()
	if err != nil {
		return s, err
	}
	defer rows.Close()
	seen := map[string]string{} // cells are often repeated
	cells := 0
	for row, err := range table.All(rows) {
		if err != nil {
			return s, err
		}
		if len(s.rows) == maxRows || cells > maxSampleCells {
			return s, nil
		}
		kept := make([]string, len(row))
		for i, cell := range row {
			same, ok := seen[cell]
			if !ok {
				same = strings.Clone(cell)
				seen[same] = same
			}
			kept[i] = same
		}
		cells += len(row)
		s.rows, s.lines = append(s.rows, kept), append(s.lines, rows.At(0).Line)
	}
	s.isAll = true
	return s, nil
}

// layout says where the parts of a table are among the rows of a sample.
type layout struct {
	headings []string
	line     int        // of the headings
	above    [][]string // title lines and the like
	labels   []string   // a second row of headings, the labels of the first; nil if there is none
	units    []string   // the row of units below the headings; nil if there is none
	body     [][]string
	below    [][]string // notes below the table
	written  []string   // the headings with their marks
	whole    []string   // those of several lines, of which written is the last; nil if there are none
	marks    *marks

	countAreas func(source, heading string, names []string) int // see [format.Input]; nil without one
}

// indexOf returns the column that a mapping names, by its heading or as #2; -1 if there is none.
func (l *layout) indexOf(name string) int {
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "#")); err == nil && name[0] == '#' && n >= 1 && n <= len(l.headings) {
		return n - 1
	}
	return slices.IndexFunc(l.headings, func(h string) bool { return strings.EqualFold(h, name) })
}

// findLayout finds the headings, in the stated line if there is one, the body and the
// notes below it.
func findLayout(s sample, stated statement) (l layout, err error) {
	header := stated.header
	at := headingsAt(s.rows[:min(len(s.rows), maxSample)])
	if header > 0 {
		at = slices.IndexFunc(s.lines, func(line int) bool { return line >= header })
	}
	if at < 0 {
		return l, stat.BadFile(stat.Position{Line: 1}, "the file is not a table: no row has headings with rows of the same width below it")
	}
	if header == 0 && hasRepeated(s.rows[at]) {
		at = wrappedEnd(s.rows, at)
	}
	l = layout{headings: s.rows[at], line: s.lines[at], above: s.rows[:at]}
	if width, _ := usualWidth(s.rows); len(l.headings) == width+1 && l.headings[width] == "" {
		l.headings = l.headings[:width]
	}
	if whole := unwrap(l.above, l.headings); hasRepeated(l.headings) && !hasRepeated(whole) {
		l.whole = whole
	}
	rest := s.rows[at+1:]
	if isUnitRow(rest) {
		l.units, rest = assemble.OneLines(rest[0]), rest[1:]
	}
	switch {
	case l.units != nil, len(rest) < 2 || !areLabels(l.headings, rest):
	case hasYears(rest[0]) && !hasYears(l.headings): // respop72010: Population Estimate - 2010
		l.headings, l.line, rest = rest[0], s.lines[at+1], rest[1:]
	default:
		l.labels, rest = rest[0], rest[1:]
	}
	l.headings, l.labels, l.whole = assemble.OneLines(l.headings), assemble.OneLines(l.labels), assemble.OneLines(l.whole)
	footer := newFooter(l)
	for i, row := range rest {
		line := s.lines[len(s.rows)-len(rest)+i]
		switch {
		case table.IsBlank(row) || isRepeated(row, l.headings):
		case footer.has(row, line):
			l.below = append(l.below, row)
		default:
			l.body = append(l.body, row)
		}
	}
	l.findMarks(stated.brackets)
	if isLonger := func(row []string) bool { return len(row) == len(l.written)+1 && row[len(l.written)] != "" }; len(l.body) > 0 && isLonger(l.body[0]) && len(l.headings) == len(l.written) {
		l.headings = append(slices.Clone(l.headings), "")
	}
	return l, nil
}

// missingNumber matches what texts around tables say of numbers that stand for missing values:
// "Missing months are denoted by -99.99".
var missingNumber = regexp.MustCompile(`(?:^|[^0-9.-])(-9{2,}(?:\.[09]+)?)(?:$|[^0-9.]|\.$|\. )`)

// missingNumbers returns the numbers that stand for missing values by the lines around a table.
func (l *layout) missingNumbers() (numbers []string) {
	for _, row := range slices.Concat(l.above, l.below) {
		line := strings.Join(row, " ")
		if !strings.Contains(strings.ToLower(line), "missing") {
			continue
		}
		for _, found := range missingNumber.FindAllStringSubmatch(line, -1) {
			numbers = append(numbers, found[1])
		}
	}
	return numbers
}

// areLabels reports whether the first row has a text in each column and the others
// have numbers in half of the columns: the headings are codes, and this row has their labels.
// Periods have none: a row below them is one of data.
func areLabels(headings []string, rows [][]string) bool {
	for len(headings) > 0 && headings[len(headings)-1] == "" { // all lines end with a separator
		headings = headings[:len(headings)-1]
	}
	first, numeric := rows[0], 0
	if len(first) < len(headings) || filledCells(first) < len(headings) {
		return false
	}
	for at := range headings {
		if isPeriod(headings[at]) || text.IsNumber(first[at]) || isPeriod(first[at]) || isMissing(first[at]) {
			return false
		}
		numbers := 0
		for _, row := range rows[1:] {
			if at < len(row) && text.IsNumber(row[at]) {
				numbers++
			}
		}
		if numbers*2 > len(rows)-1 {
			numeric++
		}
	}
	return numeric > 1 && numeric*2 >= len(headings)
}

// usualWidth returns the most frequent width of the rows with several cells, and
// how many have it.
func usualWidth(rows [][]string) (width, fit int) {
	count := map[int]int{}
	for _, row := range rows {
		if len(row) > 1 {
			count[len(row)]++
		}
	}
	for w, n := range count {
		if n > fit || n == fit && w > width {
			width, fit = w, n
		}
	}
	return width, fit
}

// headingsAt returns the first row of the usual width with at least half of its
// cells and two of them filled, and with rows below it; -1 if there is none. If all
// rows end with an empty cell, or have numbers below a row of texts, the headings may be one
// cell shorter. They may be one longer if that cell is empty.
func headingsAt(rows [][]string) int {
	width, _ := usualWidth(rows)
	mayBeShorter := endsEmpty(rows, width)
	for i, row := range rows {
		filled := filledCells(row)
		isShort := len(row) == width-1 && (mayBeShorter || filled == len(row) && width > 2 && !hasNumber(row) && i+1 < len(rows) && len(rows[i+1]) == width && hasNumber(rows[i+1]))
		isLong := len(row) == width+1 && row[width] == "" && filled == width // it ends with a separator
		if isWide := len(row) == width || isShort || isLong; isWide && filled >= 2 && filled*2 >= width && i+1 < len(rows) {
			return i
		}
	}
	return -1
}

// endsEmpty reports whether all rows of a width end with an empty cell.
func endsEmpty(rows [][]string, width int) bool {
	return width > 2 && !slices.ContainsFunc(rows, func(row []string) bool { return len(row) == width && row[width-1] != "" })
}

func filledCells(row []string) (n int) {
	for _, cell := range row {
		if cell != "" {
			n++
		}
	}
	return n
}

// isRepeated reports whether a row repeats the headings, as tables of several pages do.
func isRepeated(row, headings []string) bool {
	return len(row) == len(headings) && slices.Equal(row, headings)
}

// footer recognises the notes below a table. Rows with a number in another column
// than the first are never notes.
type footer struct {
	width    int    // of the table
	last     int    // line of the row before
	isBelow  bool   // the row before was a note
	isClosed bool   // a line such as ---- ended the table
	other    string // the last first cell that does not begin as notes do
	headings []string
	marks    map[string]bool // of footnotes, at the ends of cells and in place of numbers
	rows     int             // above the notes
	areNotes []bool          // the columns with notes on rows, which may be only signs
}

func newFooter(l layout) *footer {
	headings := l.written // with their marks
	if headings == nil {
		headings = l.headings
	}
	f := &footer{width: len(l.headings), last: l.line, headings: headings, marks: map[string]bool{}}
	for _, h := range headings {
		f.areNotes = append(f.areNotes, assemble.Means("note", assemble.Fold(h)))
	}
	if l.marks != nil { // the cells are read without them
		for mark := range l.marks.footnotes {
			f.marks[mark] = true
		}
	}
	return f
}

// has reports whether the row at a line is a note.
func (f *footer) has(row []string, line int) bool {
	isApart := f.isBelow || line > f.last+1
	f.last = line
	first, filled := row[0], filledCells(row)
	isAlone := first != "" && filled == 1
	isShort := len(row) < f.width || f.width > 2
	switch {
	case isAlone && isRule(first), strings.EqualFold(first, "footnoteSeqID"): // of UNdata
		f.isClosed = true
	case f.isClosed && filled <= 2 && !hasNumber(row[1:]):
	case isAlone && isShort && (isApart || f.isNote(first)):
	case f.isBelow && !hasNumber(row) && !hasMark(row): // names of series, definitions
	case f.isNote(first) && (len(row) < f.width || !hasNumber(row[1:]) && !hasMark(row[1:])):
	default:
		f.keepMarks(row)
		f.isBelow = false
		return false
	}
	f.isBelow = true
	return true
}

// endMark matches the mark of a footnote at the end of a cell.
var endMark = regexp.MustCompile(`[(\[]?(?:\pL|[0-9a-z]{1,2}|[*†‡]{1,3})[)\]/]$|[*†‡]{1,3}$`)

// keepMarks keeps the marks of footnotes at the ends of the cells of a row, and short texts that may be marks in place
// of numbers.
func (f *footer) keepMarks(row []string) {
	f.rows++
	for at, cell := range row {
		if strings.HasSuffix(cell, ")") || strings.HasSuffix(cell, "]") || strings.HasSuffix(cell, "/") || strings.HasSuffix(cell, "*") || strings.HasSuffix(cell, "†") {
			f.keepMark(endMark.FindString(cell))
		}
		if at < len(f.areNotes) && f.areNotes[at] {
			for sign := range strings.FieldsFuncSeq(cell, func(r rune) bool { return strings.ContainsRune(",; ", r) }) {
				f.keepMark(sign)
			}
		}
		if at > 0 && len(cell) <= maxMark && f.rows < maxSample && !text.IsNumber(cell) {
			f.keepMark(cell)
		}
	}
}

const maxMark = 8 // bytes of a mark in place of a number

func (f *footer) keepMark(mark string) {
	if mark != "" && !f.marks[mark] {
		f.marks[strings.Clone(mark)] = true
	}
}

// isNote reports whether a cell begins as notes below this table do; most rows begin as the row before.
func (f *footer) isNote(first string) bool {
	if first == f.other {
		return false
	}
	is := isNote(first) || f.isFootnote(first)
	if !is {
		f.other = strings.Clone(first)
	}
	return is
}

// isFootnote reports whether a cell explains a mark that a heading or a cell above ends with, or that stands in place of
// a number: "2/ Estimates" below "2021 2/", "a) Census" below "Spain a)", "x secret" below x.
func (f *footer) isFootnote(first string) bool {
	for _, note := range crosstab.Explained(first) {
		isEnd := func(h string) bool { return len(h) > len(note.Written) && strings.HasSuffix(h, note.Written) }
		if f.marks[note.Written] || note.IsMark() && slices.ContainsFunc(f.headings, isEnd) {
			return true
		}
	}
	return false
}

// isRule reports whether a cell is a line of dashes or underscores.
func isRule(cell string) bool {
	return len(cell) >= 3 && strings.Trim(cell, "-_=—–") == ""
}

// isNote reports whether a cell begins as notes below tables do.
func isNote(cell string) bool {
	lower := strings.ToLower(cell)
	for _, word := range assemble.Words("footer cell") {
		if rest, ok := strings.CutPrefix(lower, word); ok && (rest == "" || strings.ContainsRune(" :.：", []rune(rest)[0])) {
			return true
		}
	}
	return legendLine.MatchString(cell) || strings.HasPrefix(lower, "©") || strings.HasPrefix(lower, "(c) ") || strings.HasPrefix(lower, "* ")
}

func hasNumber(cells []string) bool {
	return slices.ContainsFunc(cells, text.IsNumber)
}

func hasMark(cells []string) bool {
	return slices.ContainsFunc(cells, func(cell string) bool { return cell != "" && isMissing(cell) })
}

// separatorOf finds the separator that gives most rows the same number of cells; 0
// if none does. The rows are without the last one if it may be cut off.
func separatorOf(head []byte, stated rune) (rune, [][]string) {
	candidates := []rune{',', '\t', ';', '|'}
	if stated != 0 {
		candidates = []rune{stated}
	}
	var best rune
	var bestRows [][]string
	bestFit := 0
	for _, separator := range candidates {
		rows := table.FirstRows(head, separator, maxSample)
		if len(rows) > 2 && len(rows) < maxSample && len(head) >= 60<<10 {
			rows = rows[:len(rows)-1]
		}
		width, fit := usualWidth(rows)
		if endsEmpty(rows, width) {
			for _, row := range rows {
				if len(row) == width-1 {
					fit++
				}
			}
		}
		alone := rowsAround(rows, width)
		isTable := alone*2 <= len(rows) || (separator != ',' || width > 2) && (fit >= 5 || isBlock(rows, width))
		if width >= 2 && fit*10 >= (len(rows)-alone)*8 && isTable && fit > bestFit {
			best, bestRows, bestFit = separator, rows, fit
		}
	}
	return best, bestRows
}

// isBlock reports whether rows of three cells or more follow each other, and all but the headings have numbers: a small
// table between more lines of title and notes.
func isBlock(rows [][]string, width int) bool {
	first := slices.IndexFunc(rows, func(row []string) bool { return len(row) == width })
	n := 0
	for _, row := range rows[max(first, 0):] {
		if len(row) != width {
			break
		}
		if n++; n > 1 && !hasNumber(row[1:]) {
			return false
		}
	}
	isLater := func(row []string) bool { return len(row) == width }
	return width > 2 && n > 2 && !slices.ContainsFunc(rows[first+n:], isLater)
}

// rowsAround returns how many rows have one cell, or stand above or below those of the
// table's width, as title lines and notes do.
func rowsAround(rows [][]string, width int) (n int) {
	isInside := func(row []string) bool { return len(row) == width }
	first, last := slices.IndexFunc(rows, isInside), 0
	for i, row := range rows {
		if isInside(row) {
			last = i
		}
	}
	for i, row := range rows {
		if len(row) == 1 || (i < first || i > last) && filledCells(row) <= 2 {
			n++
		}
	}
	return n
}
