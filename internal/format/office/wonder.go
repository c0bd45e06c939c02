package office

import (
	"regexp"
	"slices"
	"strings"
)

// Query is what the notes below a table of CDC WONDER quote. It is empty for other tables.
type Query struct {
	Database   string // its name
	Parameters string // those that limit the numbers, one a line
	RatesPer   string // the number of people for which rates are given, as 100,000
}

// Query returns the query that the notes below a table quote.
func (p Page) Query() (q Query) {
	if p.row("query parameters") == nil || !p.IsWhole || !p.isOfWonder() {
		return q
	}
	var lines []string
	isQuery := false
	for _, row := range p.edges() {
		cell := strings.TrimSpace(firstCell(row))
		if name, ok := strings.CutPrefix(cell, "Dataset: "); ok {
			q.Database = name
		}
		switch {
		case foldName(cell) == "query parameters":
			isQuery = true
		case cell == "---":
			isQuery = false
		case isQuery && len(lines) > 0 && strings.HasSuffix(lines[len(lines)-1], ";"):
			lines[len(lines)-1] += " " + cell // the line before was broken
		case isQuery:
			lines = append(lines, cell)
		}
	}
	for _, line := range lines {
		if n, ok := strings.CutPrefix(line, "Calculate Rates Per: "); ok {
			q.RatesPer = n
		}
	}
	q.Parameters = strings.Join(slices.DeleteFunc(lines, isOfOutput), "\n")
	return q
}

// Quotes reports whether a line below the table, and those after it up to the next that is none, are
// of the query and not remarks on the numbers.
func (q Query) Quotes(line string) bool {
	return q != Query{} && !slices.Contains([]string{"Messages:", "Footnotes:", "Caveats:"}, line)
}

var rate = regexp.MustCompile(`(?i)\brate\b`)

// Unit returns the unit of a column, which is known for rates: "Crude Rate", "Age Adjusted Rate
// Standard Error".
func (q Query) Unit(heading string) string {
	if q.RatesPer == "" || !rate.MatchString(heading) {
		return ""
	}
	return "per " + q.RatesPer
}

// isOfOutput reports whether a parameter says how the table is written, and limits nothing.
func isOfOutput(line string) bool {
	return slices.ContainsFunc([]string{"Group By:", "Show ", "Calculate ", "Rate Options:"}, func(beginning string) bool {
		return strings.HasPrefix(line, beginning)
	})
}
