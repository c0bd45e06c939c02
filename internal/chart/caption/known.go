package caption

import (
	_ "embed"
	"strings"
	"sync"

	"almanac/internal/stat"
)

//go:embed codes.tsv
var codesFile string

//go:embed titles.tsv
var titlesFile string

// knownCodes returns the names of well-known codes by dimension, a tab, and code.
var knownCodes = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, fields := range rows(codesFile) {
		for _, dimension := range strings.Fields(fields[0]) {
			names[dimension+"\t"+fields[1]] = fields[2]
		}
	}
	return names
})

// knownTitles returns the titles of well-known datasets by source, a tab, and code in
// lower case.
var knownTitles = sync.OnceValue(func() map[string]string {
	titles := map[string]string{}
	for _, fields := range rows(titlesFile) {
		titles[fields[0]+"\t"+strings.ToLower(fields[1])] = fields[2]
	}
	return titles
})

// rows returns the three fields of each line of a table, without comments.
func rows(file string) (rows [][]string) {
	for line := range strings.Lines(file) {
		if fields := strings.Split(strings.TrimRight(line, "\n"), "\t"); line[0] != '#' && len(fields) == 3 {
			rows = append(rows, fields)
		}
	}
	return rows
}

// titleOf returns the title of a dataset: its name, or if that is a code, the title that the
// office's catalogue lists. isCode reports that neither is known.
func titleOf(d *stat.Dataset) (title string, isCode bool) {
	name := strings.TrimSpace(d.Name)
	if !isCodeTitle(d) {
		return name, false
	}
	code, _, _ := strings.Cut(strings.ToLower(d.Code), "__custom") // Eurostat's mark of an extraction
	if known := knownTitles()[d.Source.ID+"\t"+code]; known != "" {
		return known, false
	}
	if len([]rune(name)) <= 3 && len(d.Code) > 3 {
		return d.Code, true // a column's heading says less than the name of its file
	}
	return name, true
}

// knownName returns the name that a code has in the code lists of the offices, for
// datasets that come without them; empty if it is not well known.
func knownName(dimension, code string) string {
	return knownCodes()[strings.ToLower(dimension)+"\t"+code]
}
