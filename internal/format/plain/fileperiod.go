package plain

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/format/assemble"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// periodInFile returns the period that a line above or below a table states: "Year: 2020".
func periodInFile(l layout) string {
	for _, row := range slices.Concat(l.above, l.below) {
		name, period, _ := strings.Cut(strings.TrimSpace(strings.Join(row, " ")), ":")
		if !assemble.Means("period line", assemble.Fold(name)) {
			continue
		}
		period = strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(period, ".,", ""), ",", "")) // Jan., 2004
		if p, err := table.ReadPeriod(period); err == nil {
			return p.String()
		}
	}
	return ""
}

// checkList refuses a table whose rows have only the numbers of the periods that a list above
// it holds: "1,Jan2022".
func (l *layout) checkList() error {
	var periods []string
	for _, row := range l.above {
		if len(row) > 1 && filledCells(row) == 2 && text.IsDigits(row[0]) && isPeriod(row[1]) {
			periods = append(periods, row[1])
		}
	}
	if len(periods) < 2 {
		return nil
	}
	return stat.BadFile(stat.Position{Line: l.line}, "the periods stand in a list above the table (%s), and its rows hold their numbers only: write the periods into the rows, in place of these numbers", clipped(periods[:min(len(periods), fewTexts)]))
}

// findTotals finds rows that are totals over the periods: those without a period, or a part of
// it, that a column of notes calls so.
func (g *guess) findTotals() {
	hasGaps := slices.ContainsFunc(g.times, (*column).hasGaps)
	g.totals = hasGaps && !slices.ContainsFunc(g.times, func(c *column) bool { return !g.hasGapsInTotals(c) })
}

// hasGapsInTotals reports whether a column is empty only in rows that are totals, if at all.
func (g *guess) hasGapsInTotals(c *column) bool {
	for i, row := range g.body {
		if c.ids[i] == 0 && !g.layout.isTotal(row) {
			return false
		}
	}
	return true
}

// isTotal reports whether a column of notes calls a row a total. A total in a dimension is
// one over that dimension only.
func (l *layout) isTotal(row []string) bool {
	for i, heading := range l.headings {
		if assemble.Means("note", assemble.Fold(heading)) && i < len(row) && assemble.Means("total cell", strings.ToLower(row[i])) {
			return true
		}
	}
	return false
}

// undatedTotal is what the period of a total over periods is called.
const undatedTotal = "Total"

// readTotals reads periods among which are totals, of the whole file or of a year.
func readTotals(read func(string) (stat.Period, error)) func(string) (stat.Period, error) {
	return func(text string) (stat.Period, error) {
		if strings.HasPrefix(text, undatedTotal) {
			return stat.Period{}, table.ErrUndated
		}
		if year, isTotal := strings.CutSuffix(text, " "+undatedTotal); isTotal || read == nil {
			return table.ReadPeriod(year)
		}
		return read(text)
	}
}

// noYear matches what is no year in the name of a file: that of a day or a month, and the number
// of a table, S1901.
var noYear = regexp.MustCompile(`(?:19|20)[0-9]{2}[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?[0-3][0-9])?(?:[^0-9]|$)|[0-9]{1,2}[-_.][0-9]{1,2}[-_.](?:19|20)[0-9]{2}|\b[A-X][0-9]{4}`)

// titles returns the name and the description of a table that the lines above it hold. A
// first line with several cells, such as a unit beside its name, is no name.
func (l *layout) titles() (name, description string) {
	var lines []string
	for _, row := range l.above {
		name = cmp.Or(name, table.StatedTitle(strings.TrimSpace(strings.Join(row, " "))))
	}
	for i, row := range l.above {
		text := strings.TrimSpace(strings.Join(row, " "))
		switch {
		case i == 0 && strings.HasPrefix(text, "sep="), isRule(text): // of Excel
		case name == "" && !slices.ContainsFunc(l.above[:i+1], func(row []string) bool { return filledCells(row) > 1 }) && table.IsTitle(text):
			name, text, _ = strings.Cut(text, "\n")
			name = strings.TrimSpace(name)
			fallthrough
		default:
			lines = append(lines, text)
		}
	}
	return name, strings.TrimSpace(strings.Join(lines, "\n"))
}

// updatedAbove returns when the data were last updated, if a line above the table says so.
func (l *layout) updatedAbove(zone *time.Location) (updated time.Time) {
	for _, row := range l.above {
		if updated.IsZero() {
			updated = table.UpdatedIn(table.JoinCells(row), zone)
		}
	}
	return updated
}

var yearInText = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:$|[^0-9])`)

// dayInText matches a day in a title.
var dayInText = regexp.MustCompile(`\b(?:[0-9]{1,2}[./][0-9]{1,2}[./][12][0-9]{3}|[12][0-9]{3}-[0-9]{2}-[0-9]{2})\b`)

// yearOfPrices matches titles whose year may be that of prices or of an index.
var yearOfPrices = regexp.MustCompile(`(?i)= ?100\b|\bbas(e|is|isjahr|année|año)\b|\bconstant|\bchained|\bprices of\b|\bin prices\b|\bpreise(n)? von|\bprix de\b|\bprecios de\b`)

// spanBehind matches the rest of a span of years that is written with two digits: 2022-23.
var spanBehind = regexp.MustCompile(`^[-–/][0-9]{2}(?:$|[^0-9])`)

// wordAndYear matches the headings of measures of one year: hdi_1990.
var wordAndYear = regexp.MustCompile(`^\pL{2,}[ _]?(?:19|20)[0-9]{2}$`)

// hasYears reports whether headings hold two or more different years: POPESTIMATE2021 and
// POPESTIMATE2022, not only the number of a table, as S1901_C01 does.
func hasYears(headings []string) bool {
	years := map[string]bool{}
	for _, text := range headings {
		if h, ok := splitHeading(text); ok {
			years[h.year] = true
		}
	}
	return len(years) > 1
}

// dates returns a column of dates that is no attribute of the rows, although its heading is
// empty or a word for periods; nil if there is none. Its empty cells are in rows above the data.
func (g *guess) dates() *column {
	isDay := func(cell string) bool {
		p, err := table.ReadPeriod(cell)
		return err == nil && p.Frequency() == stat.Day
	}
	for i, c := range g.columns {
		isNamed := g.headings[i] == "" || c.isCalled("period")
		if isNamed && c.filled > 0 && !slices.ContainsFunc(c.cells, func(cell string) bool { return !isDay(cell) }) {
			return c
		}
	}
	return nil
}

// checkStated refuses a period that is stated for the whole file if the rows hold dates, if the
// heading of a column of values holds another year, or if all these headings are parts of the
// year.
func (r *rowRules) checkStated(m *table.Mapping, period string) error {
	stated, err := table.ReadPeriod(period)
	if period == "" || err != nil {
		return nil
	}
	if err := r.layout.checkList(); err != nil {
		return err
	}
	if times := r.hiddenTimes(); times != nil && !r.isStated {
		return r.swallowed(times)
	}
	var columns []string
	for _, v := range m.Values {
		columns = append(columns, v.Column)
	}
	if parts := partsIn(columns); stated.Frequency() == stat.Annual && len(parts) > 1 {
		return stat.BadFile(stat.Position{Line: r.layout.line}, "the headings %s are parts of a year: write the year into them, such as %s %s", clipped(parts), parts[0], stated)
	}
	haveYears := hasYears(r.layout.headings)
	for _, v := range m.Values {
		at := r.layout.indexOf(v.Column)
		if at < 0 {
			continue
		}
		heading := r.headings[at]
		h, ok := splitHeading(heading)
		if !ok || !haveYears && !wordAndYear.MatchString(heading) {
			continue
		}
		if p, isSpan := table.ReadSpan(h.year); isSpan && p == stated || h.year == stated.String() {
			continue
		}
		return stat.BadFile(stat.Position{Line: r.layout.line}, "the heading %q holds the year %s, but %s is stated for the whole file; import it without a stated period, with the headings as periods (period=*, value=*)", heading, h.year, stated)
	}
	return nil
}

// statedPeriod returns the period that a table without periods may be of: the only year
// that its title lines or, failing these, the file's name have, unless headings hold another
// one; or the only day in the title. Empty: it is not known.
func statedPeriod(l layout, name string) string {
	headings := slices.Concat(l.headings, l.labels)
	if slices.ContainsFunc(headings, isPeriod) || hasYears(headings) {
		return ""
	}
	ofHeadings := ""
	for _, text := range headings {
		if h, ok := splitHeading(text); ok && h.isApart {
			ofHeadings = h.year
		}
	}
	var title []string
	for _, row := range l.above {
		for line := range strings.Lines(strings.Join(row, " ")) {
			if !table.IsOfRelease(line) {
				title = append(title, line)
			}
		}
	}
	if yearOfPrices.MatchString(strings.Join(title, " ")) {
		return ""
	}
	if days := dayInText.FindAllString(strings.Join(title, " "), -1); len(days) == 1 {
		if p, err := table.ReadPeriod(days[0]); err == nil && p.Frequency() == stat.Day {
			return p.String()
		}
	} else if len(days) > 1 {
		return ""
	}
	for _, text := range []string{strings.Join(title, " "), noYear.ReplaceAllString(name, "")} {
		if year, ok := onlyYear(text); ok && (ofHeadings == "" || ofHeadings == year) {
			return year
		}
	}
	return ""
}

// yearOf returns the year of all rows: the stated one, that of a line around the table, or the
// only one in the title. Empty: it is not known.
func yearOf(l layout, stated ...string) string {
	year := cmp.Or(cmp.Or(stated...), periodInFile(l), statedPeriod(l, ""))
	if !text.IsYear(year) {
		return ""
	}
	return year
}

// onlyYear returns the year in a text that has no other.
func onlyYear(text string) (year string, ok bool) {
	for rest := text; ; {
		m := yearInText.FindStringSubmatchIndex(rest)
		if m == nil {
			return year, year != ""
		}
		if found := rest[m[2]:m[3]]; year != "" && found != year || spanBehind.MatchString(rest[m[3]:]) {
			return "", false
		}
		year, rest = rest[m[2]:m[3]], rest[m[3]:]
	}
}
