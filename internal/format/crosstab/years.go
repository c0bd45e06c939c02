package crosstab

import (
	"maps"
	"slices"
	"strings"

	"almanac/internal/format/assemble"
	"almanac/internal/format/text"
	"almanac/internal/lazyregexp"
	"almanac/internal/stat"
)

// Some tables have years in one direction and months or quarters in the other:
//
//	Mes,2023,2024
//	Enero,1.8,0.9
//	Febrero,1.7,1.1
//	En año corrido,9.3,5.2
//
// What stands among the months and is none is a value of the whole year. A dimension distinguishes it
// from the months, unless it is the only one, has a word for the year, such as Total or Annual average, and
// stands beside all months: then it is the annual value of the same series, with this word as a note.

// partIn returns the part of a year with a name, such as a month.
func partIn(year stat.Period, name string) (stat.Period, bool) {
	if name == "" || year.Frequency() != stat.Annual || isPeriod(name) || text.IsNumber(name) {
		return stat.Period{}, false
	}
	name, _ = splitPart(name)
	p, ok := readPeriod(year.String() + " " + name)
	return p, ok && p.Frequency() > stat.Annual && year.OverlapsSpan(p, p)
}

// remarkedPart matches a part of a year with a remark in brackets: "Q3 (r)".
var remarkedPart = lazyregexp.New(`^(\S.*?) ?\((\p{Ll})\)$`)

// splitPart splits a part of a year and the remark behind it.
func splitPart(name string) (part, remark string) {
	if m := remarkedPart.FindStringSubmatch(name); m != nil {
		if p, ok := readPeriod(anyYear.String() + " " + m[1]); ok && p.Frequency() > stat.Annual {
			return m[1], m[2]
		}
	}
	return name, ""
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
var word = lazyregexp.New(`\pL{3}|[^\x00-\x7F]`)

// quarters matches the codes of quarters.
var quarters = lazyregexp.New(`(?i)^([QTK]\.?[1-4]|[1-4]\.?[QTK]|I|II|III|IV)$`)

// areClear reports whether the parts of a year among some names are such without a heading
// that says so: they are written with words or, if there is no other heading, are the codes
// of quarters, beside totals at most, or of twelve months.
func areClear(names []string, hasHeading bool) bool {
	isCoded, hasOthers := false, false
	for _, name := range names {
		name, _ = splitPart(name)
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
		return codeOf(p.Frequency())
	}
	return name, ""
}

// codeOf returns the code of parts of the year, and its label: M, Monthly.
func codeOf(f stat.Frequency) (code, label string) {
	name := f.String()
	return f.Code(), strings.ToUpper(name[:1]) + name[1:]
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
		h.words = map[string]string{}
		b.isAnnual = !all && b.areAnnual(h.cells) && b.haveAllParts(func(_ []string, j int) string { return h.cells[j] })
		for j := range b.values {
			b.values[j].part = h.cells[j]
			h.cells[j], _ = splitPart(h.cells[j])
			if p, ok := partIn(anyYear, h.cells[j]); ok && !all {
				code, label := codeOf(p.Frequency())
				h.cells[j], h.words[code] = code, label
			}
		}
		if all || b.isAnnual {
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

// partOf returns the name of a part of the year; it is empty for a text that is none, which
// is about the whole year.
func partOf(name string) string {
	if _, ok := partIn(anyYear, name); !ok {
		return ""
	}
	part, _ := splitPart(name)
	return part
}

// isTimeName reports whether a text in the stub names a column of periods.
func isTimeName(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == ' ' || r == '/' || r == ',' })
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !assemble.IsTimeWord(w) })
}
