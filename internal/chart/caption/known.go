package caption

import (
	_ "embed"
	"regexp"
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
	if m := measureLine.FindStringSubmatch(d.Description); m != nil && statesNoMeasure.MatchString(name) {
		return m[1], false
	}
	if !isCodeTitle(d) {
		return name, false
	}
	if known := knownTitle(d); known != "" {
		return known, false
	}
	if len([]rune(name)) <= 3 && len(d.Code) > 3 || nameOfFile(name) == "" && nameOfFile(d.Code) != "" || strings.Count(d.Code, "-") > strings.Count(name, "_") {
		return d.Code, true // a column's heading says less than the name of its file
	}
	return name, true
}

var (
	// statesNoMeasure matches titles that name all that a database has, and not what is in the
	// file: of the National Bureau of Statistics of China, and of SIDRA of the IBGE.
	statesNoMeasure = regexp.MustCompile(`^(数据库：|Database:|Tabela \d+ - )`)
	// measureLine matches the line of their files that names it.
	measureLine = regexp.MustCompile(`(?m)^(?:指标[：:]|Indicators?:|Variável - )\s*(.+)$`)
)

// wrapped are what programs write around the code of a dataset in the name of a file; the first
// group is the code.
var wrapped = []*regexp.Regexp{
	regexp.MustCompile(`^(.+?)__custom`),                                                  // an extraction from Eurostat
	regexp.MustCompile(`^(?:estat|estat_)?_?(.+?)(?:_linear.*|_defaultview.*|_page_.*)$`), // likewise
	regexp.MustCompile(`^snb-data-(.+?)-(?:en|de|fr|it)-`),
	regexp.MustCompile(`^(\d{5}(?:ned|eng))_`), // Statistics Netherlands
	regexp.MustCompile(`^(cu|la|ln|ce)\.data`),
	regexp.MustCompile(`^([a-z]+?)\d{2,6}$`), // with the edition: pwt1001
}

// knownTitle returns the title of a well-known dataset by its code; empty if it is not known.
func knownTitle(d *stat.Dataset) string {
	code := strings.ToLower(d.Code)
	candidates := []string{code}
	for _, pattern := range wrapped {
		if m := pattern.FindStringSubmatch(code); m != nil {
			candidates = append(candidates, m[1])
		}
	}
	for _, source := range []string{d.Source.ID, strings.ToLower(d.Source.Name)} {
		for _, candidate := range candidates {
			if known := knownTitles()[source+"\t"+candidate]; known != "" {
				return known
			}
		}
	}
	return ""
}

// knownName returns the name that a code has in the code lists of the offices, for
// datasets that come without them; empty if it is not well known.
func knownName(dimension, code string) string {
	return knownCodes()[strings.ToLower(dimension)+"\t"+code]
}
