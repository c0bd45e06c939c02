package plain

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/format/assemble"
	"almanac/internal/format/crosstab"
	"almanac/internal/format/office"
	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// takeMeasures takes columns of numbers whose headings hold a measure and a year, as
// POPESTIMATE2011 and hdi_1990 do. It reports whether the table has them.
func (g *guess) takeMeasures() bool {
	numeric, fitting, apart, periods, anyPeriods := 0, 0, 0, 0, 0
	years, measures := map[string]bool{}, map[string]bool{}
	for _, c := range g.free() {
		if !c.isMostlyNumbers() || c.isCodeByHeading() || c.coded != "" {
			continue
		}
		numeric++
		if m, ok := splitHeading(g.headings[c.at]); ok {
			m.isApart = m.isApart || wordAndYear.MatchString(g.headings[c.at])
			fitting++
			if isPeriod(g.headings[c.at]) {
				anyPeriods++
				if p, err := table.ReadPeriod(g.headings[c.at]); err != nil || p.Frequency() != stat.Annual {
					periods++ // a month and its year
				}
			}
			years[m.year], measures[m.measure] = true, true
			if m.isApart {
				apart++
			}
		}
	}
	if len(measures) == 12 && !slices.ContainsFunc(slices.Collect(maps.Keys(measures)), func(m string) bool { return strings.ContainsAny(m, " _0123456789") }) {
		return false // these may be months in any language
	}
	if anyPeriods == fitting && len(measures) == 1 {
		return false // FY 2010
	}
	if fitting < 2 || periods*2 >= fitting || fitting*3 < numeric*2 || len(years) < 2 && apart < fitting {
		return false
	}
	g.isWide = true
	for _, c := range g.free() {
		if m, ok := splitHeading(g.headings[c.at]); ok && (c.isMostlyNumbers() || c.isMarks()) {
			g.takeDated(c)
			measures[m.measure] = true
		}
	}
	if len(measures) == 1 {
		g.measure = slices.Collect(maps.Keys(measures))[0]
	}
	g.items = append(g.items, item{key: "period", columns: []string{"*"}}, item{key: "value", columns: []string{"*"}})
	return true
}

// heading is a heading that holds a measure and a year.
type heading struct {
	measure, year, unit string
	isApart             bool // no letters touch the year
}

var (
	// yearsInHeading matches a year or two years, which form a span.
	yearsInHeading = regexp.MustCompile(`(?:19|20)[0-9]{2}(?:[-–/](?:19|20)[0-9]{2})?`)
	// yearBehind matches the second year of a span that is written with two digits: 2012/13.
	yearBehind    = regexp.MustCompile(`^[-–/]([0-9]{2})(?:[^0-9]|$)`)
	unitInHeading = regexp.MustCompile(`\[([^\]]+)\]$`)
	unitBehind    = regexp.MustCompile(`^(.+?) ?\(([^()]+)\)$`)
	emptyBrackets = regexp.MustCompile(` *(\( *\)|\[ *\]) *`)
	// partInHeading matches parts of a year, which are no measures.
	partInHeading = regexp.MustCompile(`(?i)^([a-z]?[0-9]{1,2}|[ivx]+)\.?$`)
)

func splitHeading(text string) (h heading, ok bool) {
	if m := unitInHeading.FindStringSubmatch(text); m != nil && !yearsInHeading.MatchString(m[1]) {
		h.unit, text = m[1], strings.TrimSuffix(text, m[0])
	}
	found := yearsInHeading.FindAllStringIndex(text, -1)
	if len(found) != 1 {
		return h, false
	}
	first, last := withPart(text, found[0][0], endOfSpan(text, found[0][0], found[0][1]))
	before, after := text[:first], text[last:]
	h.year = text[first:last]
	if !isPeriod(h.year) {
		h.year = strings.ReplaceAll(h.year, "/", "-") // 2005/2010
	}
	if endsIn(before, digit) || beginsWith(after, digit) {
		return h, false
	}
	h.isApart = !endsIn(before, wordSign) && !beginsWith(after, wordSign)
	const signs = " _-,.;:"
	before, after = strings.TrimRight(before, " _-,;:"), strings.TrimLeft(after, signs)
	h.measure = before + " " + after
	if !h.isApart {
		h.measure = before + after
	}
	h.measure = strings.TrimLeft(strings.TrimRight(emptyBrackets.ReplaceAllString(h.measure, " "), " _-,;:"), signs)
	return h, isPeriod(h.year) && h.measure != "" && !partInHeading.MatchString(h.measure)
}

// endOfSpan returns where a year ends in a heading, or a fiscal year of two years that follow each other.
func endOfSpan(text string, first, last int) int {
	if m := yearBehind.FindStringSubmatchIndex(text[last:]); m != nil && last-first == 4 {
		year, _ := strconv.Atoi(text[first:last])
		if second, _ := strconv.Atoi(text[last+m[2] : last+m[3]]); second == (year+1)%100 {
			return last + m[3]
		}
	}
	return last
}

// withPart returns where the period in a heading begins and ends: the year, and a month or another
// part of it before or behind.
func withPart(text string, first, last int) (int, int) {
	if m := partBefore.FindStringSubmatchIndex(text[:first]); m != nil && isPart(text[m[2]:m[3]]) && isPeriod(text[m[2]:last]) {
		return m[2], last
	}
	if m := partBehind.FindStringSubmatchIndex(text[last:]); m != nil && isPart(text[last+m[2]:last+m[3]]) && isPeriod(text[first:last+m[3]]) {
		return first, last + m[3]
	}
	return first, last
}

var (
	partBefore = regexp.MustCompile(`(?:^|[^\pL0-9])([\pL0-9]+)\.?[ -]?$`)
	partBehind = regexp.MustCompile(`^[ -]?([\pL0-9]+)(?:$|[^\pL0-9])`)
)

func endsIn(s string, sign *regexp.Regexp) bool { return s != "" && sign.MatchString(s[len(s)-1:]) }

func beginsWith(s string, sign *regexp.Regexp) bool { return s != "" && sign.MatchString(s[:1]) }

var (
	digit = regexp.MustCompile(`^[0-9]`)
	// wordSign matches the bytes of words, which in UTF-8 are those above 127 too.
	wordSign = regexp.MustCompile(`^[A-Za-z\x80-\xff]`)
)

// measureValue returns the column of values of a heading with a measure and a year.
func measureValue(text string) (table.Value, bool) {
	h, ok := splitHeading(text)
	_, unit := cutHeadingUnit(h.measure)
	return table.Value{Code: h.measure, Unit: cmp.Or(h.unit, unit), Period: h.year}, ok
}

// cutHeadingUnit cuts the unit in brackets from the end of a measure; it is empty if what stands there is none.
func cutHeadingUnit(measure string) (name, unit string) {
	m := unitBehind.FindStringSubmatch(measure)
	if m == nil || !crosstab.AreUnits(m[2:]) {
		return measure, ""
	}
	return m[1], m[2]
}

// nameMeasure lets a dataset without a title have the name of its only measure, which else is a line of the description
// if the title does not say it.
func nameMeasure(d *stat.Dataset, measure string) {
	name, _ := cutHeadingUnit(measure)
	folded := assemble.Fold(name)
	isNone := utf8.RuneCountInString(name) < 3 || assemble.Means("value", folded) || assemble.IsTimeWord(folded) || office.IsStatus(name) // X2018
	switch {
	case isNone || strings.Contains(strings.ToLower(d.Name), strings.ToLower(name)):
	case d.Name == "":
		d.Name = name
	default:
		table.AddLine(&d.Description, name)
	}
}

// nameRepeated names columns of values with a repeated heading, such as 90% CI Lower Bound, by
// the estimate that they belong to: the next column on their left with a heading of its own.
func (l *layout) nameRepeated(values []table.Value) {
	isRepeated := func(at int) bool {
		return slices.ContainsFunc(l.headings[at+1:], func(h string) bool { return strings.EqualFold(h, l.headings[at]) }) ||
			slices.IndexFunc(l.headings, func(h string) bool { return strings.EqualFold(h, l.headings[at]) }) < at
	}
	for i, v := range values {
		at := l.indexOf(v.Column)
		if at < 0 || v.Code != "" || !isRepeated(at) {
			continue
		}
		left := at - 1
		for left >= 0 && isRepeated(left) {
			left--
		}
		isValue := func(v table.Value) bool { return left >= 0 && strings.EqualFold(v.Column, l.headings[left]) }
		if slices.ContainsFunc(values, isValue) {
			values[i].Code = l.headings[left] + ": " + l.headings[at]
			values[i].Label = values[i].Code
		}
	}
}
