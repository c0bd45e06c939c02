package plain

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/assemble"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// marks are what stands beside numbers and names in the cells of a table: the marks of the
// footnotes below it, flags (1 234 p), percent signs, and brackets around numbers.
type marks struct {
	footnotes map[string]string // their texts by their marks: "(1)", "1/", "*"
	letters   map[string]string // and signs, as flags and behind numbers, with their texts
	flagged   []bool            // the columns with flags behind numbers
	ofHeading []headingMarks
	units     []string         // of the columns with a percent or currency sign at each number
	bounded   []int            // the columns whose numbers have bounds: 48.0 [46.7-49.6]
	years     []bool           // the columns of years, some with a remark: 2021 (prov.)
	keys      []int            // the columns of periods and dimensions
	brackets  string           // what (1,234) means: bracketsNegative or bracketsFlag
	unclear   string           // a number in brackets
	counties  *office.Counties // the columns of their numbers; nil if there are none
}

// What the caller may state about numbers in brackets.
const (
	bracketsNegative = "negative"
	bracketsFlag     = "flag"
)

var (
	withFlag   = regexp.MustCompile(`^([-+]?[0-9].*[0-9]|[0-9])\s?(\(?[bcdefinprsuvz]{1,2}\)?|\[\p{Ll}{1,4}\]|[*#]{1,2}|\((?i:unreliable|provisional|preliminary|estimated|revised)\))$`)
	withUnit   = regexp.MustCompile(`^([-+]?)\s?([$€£¥₹]?)\s?([-+]?[0-9.,].*?)\s?([%$€£¥₹]?)$`)
	inBrackets = regexp.MustCompile(`^\(([0-9][0-9.,' ]*)\)$`)
)

// findMarks finds the marks in a table and removes them from its headings and its body.
func (l *layout) findMarks(brackets string) {
	l.written = l.headings
	if l.whole != nil {
		l.headings = l.whole
	}
	m := &marks{brackets: brackets, counties: office.FindCounties(l.headings)}
	m.readBelow(l.below)
	l.marks = m
	l.headings = m.cleanHeadings(l.headings)
	ofPeriods := signs{}
	for at := range l.headings {
		found, isOfPeriod := m.signsIn(l.body, at), isPeriod(l.headings[at])
		if isOfPeriod {
			ofPeriods.plain += found.plain
		}
		isMostly := isOfPeriod || found.plain >= found.flagged+found.bracketed
		hasAmounts := isOfPeriod || found.hasAmounts || assemble.Means("value", wordsOf(l.headings[at]))
		m.flagged = append(m.flagged, found.flagged > 0 && isMostly && hasAmounts)
		if found.plain+found.flagged > 0 || strings.Trim(found.units, found.unit) != "" {
			found.unit = ""
		}
		m.units = append(m.units, found.unit)
		if found.bounded > found.plain && !assemble.Means("display", assemble.Fold(l.headings[at])) {
			m.bounded = append(m.bounded, at)
		}
		m.years = append(m.years, areRemarked(l.headings[at], l.body, at))
		if found.bracketed > 0 && isMostly && m.unclear == "" {
			m.unclear = found.bracket
		}
	}
	if ofPeriods.plain > 0 { // each row of a wide table may have another unit
		m.units = nil
	}
	if m.isEmpty() {
		return
	}
	for _, at := range m.bounded {
		lower, upper := boundsOf(l.headings[at])
		l.headings = append(l.headings, lower, upper)
		m.ofHeading = append(m.ofHeading, m.ofHeading[at], m.ofHeading[at])
		if m.units != nil {
			m.units = append(m.units, "", "")
		}
		if l.labels != nil {
			l.labels = append(l.labels, "", "")
		}
	}
	for i, row := range l.body {
		l.body[i], _ = m.clean(slices.Clone(row))
	}
}

// chooseBrackets returns the error of a table with numbers in brackets.
func (l *layout) chooseBrackets(mapping string) error {
	var readings [][]stat.Suggestion
	for _, meaning := range []string{bracketsNegative, bracketsFlag} {
		readings = append(readings, []stat.Suggestion{{Option: "mapping", Value: strings.TrimPrefix(mapping+", brackets="+meaning, ", ")}})
	}
	return stat.Choose(stat.BadFile(stat.Position{Line: l.line}, "the number %s may be negative, or one of which the brackets say something else; state brackets=%s or brackets=%s in the mapping",
		l.marks.unclear, bracketsNegative, bracketsFlag), readings...)
}

// signs counts the numbers of a column by what stands beside them.
type signs struct {
	plain, flagged, bracketed int
	bounded                   int    // those with bounds
	unit, units               string // the first percent or currency sign, and all
	bracket                   string // the first number in brackets
	hasAmounts                bool   // some numbers are no codes, such as 3b of ISCED
}

func (m *marks) signsIn(rows [][]string, at int) (n signs) {
	for _, row := range rows {
		if at >= len(row) || row[at] == "" || strings.IndexAny(row[at], "0123456789+-(.,$€£¥₹") != 0 {
			continue
		}
		cell, _ := m.cutFootnotes(row[at])
		if _, lower, _ := cutBounds(cell); lower != "" {
			n.bounded++
			continue
		}
		if _, unit := cutUnit(cell); unit != "" {
			n.unit, n.units = cmp.Or(n.unit, unit), n.units+unit
			continue
		}
		if last := cell[len(cell)-1]; last >= '0' && last <= '9' {
			n.plain++
			n.hasAmounts = n.hasAmounts || len(cell) > 4 || strings.ContainsAny(cell, ".,")
			continue
		}
		found := withFlag.FindStringSubmatch(cell)
		if number, letter := m.cutLetter(cell); letter != "" {
			found = []string{cell, number, letter}
		}
		switch {
		case found != nil && text.IsNumber(found[1]):
			n.flagged++
			isApart := strings.ContainsAny(cell, " ([") // 1100 p
			n.hasAmounts = n.hasAmounts || isApart || len(found[1]) > 4 || strings.ContainsAny(found[1], ".,")
		case inBrackets.MatchString(cell):
			n.bracketed, n.bracket = n.bracketed+1, cell
		}
	}
	return n
}

// cutUnit cuts a percent sign or one of a currency from a number.
func cutUnit(cell string) (number, unit string) {
	if !strings.ContainsAny(cell, "%$€£¥₹") {
		return cell, ""
	}
	found := withUnit.FindStringSubmatch(cell)
	if found == nil || (found[2] == "") == (found[4] == "") || !text.IsNumber(found[1]+found[3]) {
		return cell, ""
	}
	return found[1] + found[3], found[2] + found[4]
}

// withBounds matches a number with the bounds of its uncertainty.
var withBounds = regexp.MustCompile(`^([^\[(]+)\s?[\[(]\s?(.+?)\s?(?:[-–—;]|to)\s?(.+?)\s?[\])]$`)

// cutBounds returns a number and its bounds, which are empty for other cells.
func cutBounds(cell string) (number, lower, upper string) {
	if !strings.ContainsAny(cell, "[(") {
		return cell, "", ""
	}
	found := withBounds.FindStringSubmatch(cell)
	if found == nil || !text.IsNumber(strings.TrimSpace(found[1])) || !text.IsNumber(found[2]) || !text.IsNumber(found[3]) {
		return cell, "", ""
	}
	return strings.TrimSpace(found[1]), found[2], found[3]
}

// boundsOf returns the headings of the bounds that stand in the cells of a column.
func boundsOf(heading string) (lower, upper string) {
	return heading + " [lower bound]", heading + " [upper bound]"
}

// areRemarked reports whether a column of periods has only years, some with a remark.
func areRemarked(heading string, rows [][]string, at int) bool {
	plain, remarked := 0, 0
	for _, row := range rows {
		if at >= len(row) || row[at] == "" {
			continue
		}
		switch year, remark := text.CutRemark(row[at]); {
		case !text.IsYear(year):
			return false
		case remark == "":
			plain++
		default:
			remarked++
		}
	}
	return plain > 0 && remarked > 0 && (heading == "" || isPeriodWord(&column{words: assemble.Fold(heading)}))
}

// cutFootnotes cuts the marks of footnotes from the end of a cell.
func (m *marks) cutFootnotes(cell string) (rest string, texts []string) {
	for len(m.footnotes) > 0 {
		mark := m.footnoteOf(cell)
		if mark == "" {
			return cell, texts
		}
		cell = strings.TrimSpace(strings.TrimSuffix(cell, mark))
		texts = append([]string{m.footnotes[mark]}, texts...)
	}
	return cell, texts
}

// footnoteOf returns the mark at the end of a cell. In 12341) the mark is not clear, and the end of ** is not the mark *.
func (m *marks) footnoteOf(cell string) string {
	for _, mark := range slices.SortedFunc(maps.Keys(m.footnotes), func(a, b string) int { return len(b) - len(a) }) {
		rest, ok := strings.CutSuffix(cell, mark)
		isJoined := digit.MatchString(mark) && rest != "" && digit.MatchString(rest[len(rest)-1:]) || isRun(mark, rest)
		if ok && strings.TrimSpace(rest) != "" && !isJoined {
			return mark
		}
	}
	return ""
}

// isRun reports whether a mark is the rest of a longer run of the same sign, which is a mark of its own.
func isRun(mark, before string) bool {
	sign, _ := utf8.DecodeRuneInString(mark)
	last, _ := utf8.DecodeLastRuneInString(before)
	return sign == last && strings.ContainsRune("*†‡", sign)
}

// remarks are the flags and notes of a row's cells.
type remarks struct {
	flags   map[int]string
	ofYear  string           // a flag of all numbers of the row
	notes   map[int][]string // of numbers
	ofRow   []string         // notes of names and periods, which apply to all numbers of the row
	missing int              // the column of a number without the sign of the others; -1: there is none
}

// clean removes the marks from a row, and returns what they say. The bounds of numbers become
// cells of their own.
func (m *marks) clean(row []string) ([]string, remarks) {
	r := remarks{flags: map[int]string{}, notes: map[int][]string{}, missing: -1}
	isWhole := len(row) == len(m.ofHeading)-2*len(m.bounded)
	for at, cell := range row {
		cell, texts := m.cutFootnotes(cell)
		if isWhole && slices.Contains(m.bounded, at) {
			number, lower, upper := cutBounds(cell)
			cell, row = number, append(row, lower, upper)
		}
		if at < len(m.years) && m.years[at] {
			year, remark := text.CutRemark(cell)
			cell, r.ofYear = year, strings.Trim(remark, "()[]")
		}
		if at < len(m.flagged) && m.flagged[at] {
			if number, letter := m.cutLetter(cell); letter != "" {
				cell, r.flags[at] = number, letter
			} else if found := withFlag.FindStringSubmatch(cell); found != nil && text.IsNumber(found[1]) {
				cell, r.flags[at] = found[1], strings.Trim(found[2], "()[]")
			}
		}
		if at < len(m.units) && m.units[at] != "" {
			if number, unit := cutUnit(cell); unit == m.units[at] {
				cell = number
			} else if unit != "" || text.IsNumber(cell) {
				r.missing = at
			}
		}
		if found := inBrackets.FindStringSubmatch(cell); m.brackets != "" && found != nil {
			if cell = "-" + found[1]; m.brackets == bracketsFlag {
				cell, r.flags[at] = found[1], "()"
			}
		}
		switch {
		case len(texts) == 0:
		case text.IsNumber(cell) && !slices.Contains(m.keys, at):
			r.notes[at] = texts
		default:
			r.ofRow = append(r.ofRow, texts...)
		}
		row[at] = cell
	}
	m.counties.Join(row)
	return row, r
}

// isEmpty reports whether a table has no marks.
func (m *marks) isEmpty() bool {
	return m == nil || !slices.ContainsFunc(m.ofHeading, headingMarks.hasAny) && len(m.footnotes) == 0 && len(m.bounded) == 0 && m.brackets == "" && m.counties == nil && len(m.letters) == 0 && !slices.Contains(m.flagged, true) && strings.Join(m.units, "") == "" && !slices.Contains(m.years, true)
}

// apply lets a mapping read a table without its marks, and adds what they say to the
// observations.
func (m *marks) apply(to *table.Mapping, l layout) {
	if m.isEmpty() && len(l.headings) == len(l.written) && l.whole == nil {
		return
	}
	to.Headings = func(_ [][]string, row []string) []string {
		if slices.Equal(row, l.written) {
			return l.headings
		}
		return row
	}
	columns := slices.Clone(to.Period.Columns)
	for _, a := range to.Axes {
		columns = append(columns, a.Codes, a.Labels)
	}
	for _, name := range columns {
		if name != "" {
			m.keys = append(m.keys, l.indexOf(name))
		}
	}
	var last remarks
	to.Clean = func(cells []string) []string {
		cells, last = m.clean(cells)
		return cells
	}
	observe, source := to.Observe, to.Dataset.Source.ID
	to.Observe = func(row *table.Row, o *stat.Observation) error {
		if last.missing >= 0 {
			return stat.BadFile(row.At(), "the number %s in the column %q has no sign %s, unlike those above it", row.Cells[last.missing], l.headings[last.missing], m.units[last.missing])
		}
		ofHeading := m.ofHeading[row.Column]
		for _, flag := range []string{ofHeading.flag, last.ofYear, last.flags[row.Column]} {
			if flag != "" {
				o.Flags = stat.NewFlags(string(o.Flags), string(statusOf(source, flag)))
			}
		}
		notes := slices.Concat(m.explainSigns(o.Note), ofHeading.notes, last.ofRow, last.notes[row.Column])
		for _, note := range notes {
			o.Flags = stat.NewFlags(string(o.Flags), string(office.NoteFlags(note)))
		}
		o.Note = strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
		m.explain(source, o)
		return observe(row, o)
	}
	m.applyUnits(to, l)
	m.applyBounds(to, l)
}

// applyBounds gives the columns of values their bounds.
func (m *marks) applyBounds(to *table.Mapping, l layout) {
	ofColumn := map[string][2]string{}
	for _, at := range m.bounded {
		lower, upper := boundsOf(l.headings[at])
		if ofColumn[l.headings[at]] = [2]string{lower, upper}; slices.Contains(to.Ignore, l.headings[at]) {
			to.Ignore = append(to.Ignore, lower, upper)
		}
	}
	for i, v := range to.Values {
		if bounds, ok := ofColumn[v.Column]; ok {
			to.Values[i].Lower, to.Values[i].Upper = bounds[0], bounds[1]
		}
	}
	to.Bounds = func(heading string) (lower, upper string) {
		bounds := ofColumn[heading]
		return bounds[0], bounds[1]
	}
}

// applyUnits sets the units of the columns whose numbers have signs.
func (m *marks) applyUnits(to *table.Mapping, l layout) {
	if m.units == nil || slices.ContainsFunc(to.Axes, func(a table.Axis) bool { return a.Role == stat.RoleUnit }) {
		return
	}
	unitOf := func(v *table.Value, heading string) {
		if at := slices.Index(l.headings, heading); at >= 0 {
			v.Unit = cmp.Or(v.Unit, m.units[at])
		}
	}
	for i := range to.Values {
		unitOf(&to.Values[i], to.Values[i].Column)
	}
	if other := to.Other; other != nil {
		to.Other = func(heading string) (table.Value, bool) {
			v, ok := other(heading)
			unitOf(&v, heading)
			return v, ok
		}
	}
	if to.Period.Wide {
		to.Dataset.Unit = cmp.Or(m.units...)
	}
}
