package office

import (
	"slices"
	"strings"
)

// Query returns what the notes below a table of CDC WONDER quote: the name of the database,
// and the parameters that limit the numbers, one a line. Both are empty for other tables.
func (p Page) Query() (database, parameters string) {
	if p.row("query parameters") == nil || !p.IsWhole || !p.isOfWonder() {
		return "", ""
	}
	var lines []string
	isQuery := false
	for _, row := range p.edges() {
		cell := strings.TrimSpace(firstCell(row))
		if name, ok := strings.CutPrefix(cell, "Dataset: "); ok {
			database = name
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
	return database, strings.Join(slices.DeleteFunc(lines, isOfOutput), "\n")
}

// isOfOutput reports whether a parameter says how the table is written, and limits nothing.
func isOfOutput(line string) bool {
	return slices.ContainsFunc([]string{"Group By:", "Show ", "Calculate ", "Rate Options:"}, func(beginning string) bool {
		return strings.HasPrefix(line, beginning)
	})
}
