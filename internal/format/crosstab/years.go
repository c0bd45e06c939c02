package crosstab

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// Some tables have years in one direction and months or quarters in the other:
//
//	Mes,2023,2024
//	Enero,1.8,0.9
//	Febrero,1.7,1.1
//	En año corrido,9.3,5.2
//
// What stands among the months and is none is a value of the whole year. Then a
// dimension distinguishes it from the months.

// partIn returns the part of a year with a name, such as a month.
func partIn(year stat.Period, name string) (stat.Period, bool) {
	if name == "" || year.Frequency() != stat.Annual || isPeriod(name) || text.IsNumber(name) {
		return stat.Period{}, false
	}
	p, ok := readPeriod(name + " " + year.String())
	if !ok {
		p, ok = readPeriod(year.String() + " " + name)
	}
	return p, ok && p.Frequency() > stat.Annual && year.OverlapsSpan(p, p)
}

var anyYear = stat.NewPeriod(stat.Annual, 2000, 1)

// areParts reports whether most of some names are parts of a year, and whether all are.
func areParts(names []string) (most, all bool) {
	parts, filled := 0, 0
	for _, name := range names {
		if name == "" {
			continue
		}
		filled++
		if _, ok := partIn(anyYear, name); ok {
			parts++
		}
	}
	return parts > 1 && parts*2 > filled, parts == filled
}

// word matches texts with a word, such as May or 1月, unlike codes of quarters or quintiles.
var word = regexp.MustCompile(`\pL{3}|[^\x00-\x7F]`)

// quarters matches the codes of quarters.
var quarters = regexp.MustCompile(`(?i)^([QTK]\.?[1-4]|[1-4]\.?[QTK]|I|II|III|IV)$`)

// areClear reports whether the parts of a year among some names are such without a heading
// that says so: they are written with words or, if there is no other heading, are the codes
// of quarters, beside totals at most, or of twelve months.
func areClear(names []string, hasHeading bool) bool {
	isCoded, hasOthers := false, false
	for _, name := range names {
		if _, ok := partIn(anyYear, name); ok {
			isCoded = isCoded || !word.MatchString(name)
			hasOthers = hasOthers || !word.MatchString(name) && !quarters.MatchString(name)
		} else {
			hasOthers = hasOthers || strings.ContainsAny(name, "0123456789")
		}
	}
	return !isCoded || !hasHeading && (!hasOthers || slices.Contains(names, "M12"))
}

// partCode returns the code of a name in the dimension that distinguishes parts of the
// year from the rest, and its label.
func partCode(name string) (code, label string) {
	if p, ok := partIn(anyYear, name); ok {
		name := p.Frequency().String()
		return p.Frequency().Code(), strings.ToUpper(name[:1]) + name[1:]
	}
	return name, ""
}

func (c *stubColumn) names() []string { return slices.Collect(maps.Keys(c.cells)) }

// isPart reports whether a column holds parts of the year.
func (c *stubColumn) isPart() bool {
	most, _ := areParts(c.names())
	return most && (isTimeName(c.name) || areClear(c.names(), c.name != ""))
}

// findParts finds the heading row of parts of the years that stand in the stub or in
// another heading row.
func (b *boxhead) findParts() {
	for _, h := range b.heads {
		most, all := areParts(h.cells)
		switch {
		case h.role != roleHeading || !most || !b.hasYears():
			continue
		case !isTimeName(b.nameOf(h.row)) && !areClear(h.cells, false):
			b.doubts = append(b.doubts, "the headings "+strings.Join(distinct(h.cells), ", ")+" may be parts of the years or codes")
			return
		}
		for j := range b.values {
			b.values[j].part = h.cells[j]
			if p, ok := partIn(anyYear, h.cells[j]); ok && !all {
				h.cells[j] = p.Frequency().Code()
			}
		}
		if all {
			h.role = roleParts
		}
		return
	}
}

// hasYears reports whether the periods of the sample are years.
func (b *body) hasYears() bool {
	isOther := func(text string) bool { return isPeriod(text) && !isYear(text) }
	for _, v := range b.values {
		if isOther(v.text) {
			return false
		}
	}
	for _, row := range b.rows[b.top:] {
		if slices.ContainsFunc(b.times, func(t int) bool { return isOther(at(row, t)) }) {
			return false
		}
	}
	return true
}

// Some tables write a year once, beside or above its months or quarters:
//
//	Year,Month,Food       Period,Food
//	2023,January,1.5      2023,1.6
//	,February,1.6         January,1.5
//	2024,January,1.7      February,1.6
//
// A row of a year alone that has numbers is about the whole year.

// years are the years of a table that stand apart from their parts.
type years struct {
	year      int            // the column of years; noYears: there is none
	firstYear int            // the first row with one
	numerals  stat.Frequency // of parts of the years that are written I, II, III …; 0: of none
	isCarried bool           // a year stands once for several rows
}

const noYears = -1 // the number of the column of years if there is none

// findYears finds a column of years with the parts of the years in the same column or in
// the next one.
func (s *sample) findYears() *body {
	for column := range min(s.width(), maxStub) {
		for _, part := range []int{column, column + 1} {
			if b := s.tryYears(column, part); b != nil {
				return b
			}
		}
	}
	return nil
}

func (s *sample) tryYears(column, part int) *body {
	first := slices.IndexFunc(s.rows, func(row []string) bool { return isYear(at(row, column)) })
	if first < 0 || first > maxBoxhead {
		return nil
	}
	b := &body{sample: s, periodRow: noRow, times: []int{part}, years: years{year: column, firstYear: first}}
	b.findNumerals(part)
	parts := 0
	b.top = -1
	for i, row := range s.rows[first:] {
		if !b.isDated(row) {
			continue
		}
		if b.top < 0 {
			b.top = first + i
		}
		if !isYear(at(row, part)) {
			parts++
		}
	}
	if parts < minRun || !s.hasNumbers(part+1, b.top, len(s.rows)) || !b.isWhole() || !b.findValues(part+1) {
		return nil
	}
	b.isCarried = column == part || slices.ContainsFunc(b.dataRows(), func(row []string) bool { return at(row, column) == "" })
	return b
}

// numerals are the Roman numbers of quarters and months.
var numerals = strings.Fields("I II III IV V VI VII VIII IX X XI XII")

// findNumerals finds out whether Roman numbers in a column of parts of the years, which its
// heading names as time, are quarters or months: three years or more have none above four, or
// some are.
func (b *body) findNumerals(part int) {
	b.numerals = 0
	if b.firstYear < 0 || !slices.ContainsFunc(b.rows[:b.firstYear], func(row []string) bool { return isTimeName(at(row, part)) }) {
		return
	}
	first, last := 0, 0
	for _, row := range b.rows[b.firstYear:] {
		n := slices.Index(numerals, at(row, part))
		if last = max(last, n); n == 0 {
			first++
		}
	}
	switch {
	case last > 3:
		b.numerals = stat.Month
	case first > 2: // in fewer years they may be the first months
		b.numerals = stat.Quarter
	}
}

// partIn is partIn for the parts of the years in the stub.
func (y *years) partIn(year stat.Period, name string) (stat.Period, bool) {
	if n := slices.Index(numerals, name); n >= 0 && y.numerals != 0 {
		return stat.NewPeriod(y.numerals, year.Year(), n+1), true
	}
	return partIn(year, name)
}

// isDated reports whether a row has a period in the stub.
func (b *body) isDated(row []string) bool {
	if b.year == noYears {
		return slices.ContainsFunc(b.times, func(t int) bool { return isPeriod(at(row, t)) })
	}
	cell := at(row, b.times[0])
	if _, ok := b.partIn(anyYear, cell); ok {
		return true
	}
	return b.year == b.times[0] && isYear(cell) && slices.ContainsFunc(row[min(len(row), b.times[0]+1):], hasNumber)
}

// readYear keeps the year that a row begins. It reports whether the row does nothing else.
func (b *bodyRows) readYear(row []string) (isAll bool) {
	if b.year == noYears || !isYear(at(row, b.year)) {
		return false
	}
	if p, ok := readPeriod(at(row, b.year)); ok {
		b.current = p
	}
	return !b.isDated(row)
}

// partOfCurrent returns the period of a row by the year above or beside it.
func (b *bodyRows) partOfCurrent(name string, where stat.Position) (string, error) {
	if p, ok := b.partIn(b.current, name); ok {
		return p.String(), nil
	}
	if b.year == b.times[0] && isYear(name) {
		return b.current.String(), nil
	}
	return "", stat.BadFile(where, "%q is not a part of the year %s, such as a month or a quarter", text.Clip(name), b.current)
}

// partOf returns the name of a part of the year; it is empty for a text that is none, which
// is about the whole year.
func partOf(name string) string {
	if _, ok := partIn(anyYear, name); ok {
		return name
	}
	return ""
}

// readPart reads the period of a row and a column: a year, or a year and a part of it in
// any order.
func readPart(text string) (stat.Period, error) {
	text = strings.TrimSpace(text)
	for _, cut := range []int{strings.IndexByte(text, ' '), strings.LastIndexByte(text, ' ')} {
		if cut < 0 {
			break
		}
		first, last := text[:cut], text[cut+1:]
		if !isYear(first) {
			first, last = last, first
		}
		if year, ok := readPeriod(first); ok && isYear(first) {
			if p, ok := partIn(year, last); ok {
				return p, nil
			}
		}
	}
	return table.ReadPeriod(text)
}

// isTimeName reports whether a text in the stub names a column of periods.
func isTimeName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == '/' || r == ',' })
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !assemble.IsTimeWord(w) })
}
