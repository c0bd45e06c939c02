package plain

import (
	"regexp"
	"slices"
	"strings"

	"almanac/internal/format/table"
	"almanac/internal/stat"
)

// yearsOfQuery begins the note below the tables of CDC WONDER that states the period of
// their data.
const yearsOfQuery = "Year/Month:"

// queryPeriod returns the one period of the data that the notes below a table state.
func queryPeriod(l layout) string {
	for _, row := range l.below {
		if text, ok := strings.CutPrefix(row[0], yearsOfQuery); ok && filledCells(row) == 1 {
			text = strings.NewReplacer(".", "", ",", "").Replace(strings.TrimSpace(text))
			if p, err := table.ReadPeriod(text); err == nil {
				return p.String()
			}
		}
	}
	return ""
}

// findTotals finds rows that are totals over the periods: those without a period that
// another column calls so.
func (g *guess) findTotals() {
	if len(g.times) != 1 || !g.times[0].hasGaps() {
		return
	}
	for i, row := range g.body {
		if g.times[0].ids[i] == 0 && !isTotal(row) {
			return
		}
	}
	g.totals = true
}

func isTotal(row []string) bool {
	return slices.ContainsFunc(row, func(cell string) bool { return slices.Contains(wordsTotal, strings.ToLower(cell)) })
}

// undatedTotal is what the period of a total over periods is called.
const undatedTotal = "Total"

// readTotals reads periods among which are totals.
func readTotals(text string) (stat.Period, error) {
	if text == undatedTotal {
		return stat.Period{}, table.ErrUndated
	}
	return table.ReadPeriod(text)
}

// surveyYear matches the names of files of the American Community Survey, with the last
// year of the survey.
var surveyYear = regexp.MustCompile(`ACS[A-Z]{2}[135]Y(20[0-9]{2})`)

// isOfRelease matches the lines above a table that tell when it was published.
var isOfRelease = regexp.MustCompile(`(?i)^(©|copyright|release|released|published|publication date|updated|last updated|last revised|next release|date created)\b`)

var yearInText = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)[0-9]{2})(?:$|[^0-9])`)

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

// statedPeriod returns the period that a table without periods may be of: the only year
// that its title lines or, failing these, the file's name have. Empty: it is not known.
func statedPeriod(l layout, name string) string {
	isDated := func(text string) bool { h, ok := splitHeading(text); return ok && h.isApart || isPeriod(text) }
	if slices.ContainsFunc(l.headings, isDated) || hasYears(l.headings) {
		return ""
	}
	var title []string
	for _, row := range l.above {
		for line := range strings.Lines(strings.Join(row, " ")) {
			if !isOfRelease.MatchString(line) {
				title = append(title, line)
			}
		}
	}
	if m := surveyYear.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	for _, text := range []string{strings.Join(title, " "), name} {
		years := map[string]bool{}
		last := ""
		for rest := text; ; {
			m := yearInText.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			last = rest[m[2]:m[3]]
			years[last] = true
			rest = rest[m[3]:]
		}
		if len(years) == 1 {
			return last
		}
	}
	return ""
}
