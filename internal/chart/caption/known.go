package caption

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed codes.tsv
var codesFile string

// knownCodes returns the names of well-known codes by dimension, a tab, and code.
var knownCodes = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(codesFile) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if line[0] == '#' || len(fields) != 3 {
			continue
		}
		for _, dimension := range strings.Fields(fields[0]) {
			names[dimension+"\t"+fields[1]] = fields[2]
		}
	}
	return names
})

// knownName returns the name that a code has in the code lists of the offices, for
// datasets that come without them; empty if it is not well known.
func knownName(dimension, code string) string {
	return knownCodes()[strings.ToLower(dimension)+"\t"+code]
}
