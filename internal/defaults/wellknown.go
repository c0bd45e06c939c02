package defaults

import (
	_ "embed"
	"fmt"
	"path"
	"strings"
	"sync"
)

// Known is what the table of well-known datasets says about a dataset.
type Known struct {
	// Codes lists, by the ID of a dimension in lower case, the codes to choose, best first.
	// A file may lack the first.
	Codes map[string][]string
	// Concept is what the series of the first codes measures, by its ID in
	// concepts.tsv; empty if no other office has it.
	Concept string
}

// LookUp returns what the table says about a dataset by the ID of its source and its code,
// which compare case-insensitively. An exact code takes precedence over a pattern, and an
// earlier row over a later one.
func LookUp(source, code string) (known Known, ok bool) {
	source, code = strings.ToLower(source), strings.ToLower(code)
	t := wellKnown()
	if known, ok = t.exact[source+" "+code]; ok {
		return known, true
	}
	for _, p := range t.patterns {
		if isMatch, _ := path.Match(p.code, code); isMatch && p.source == source {
			return p.known, true
		}
	}
	return Known{}, false
}

// wellKnownText is the table: tab-separated source, dataset code or pattern of package
// path, codes ("unit=PC_ACT; age=Y15-74,TOTAL"), concept, and reference for the codes.
// The first line names the columns.
//
//go:embed wellknown.tsv
var wellKnownText string

type table struct {
	exact    map[string]Known // by source and code
	patterns []pattern
}

type pattern struct {
	source, code string
	known        Known
}

var wellKnown = sync.OnceValue(func() table {
	t, err := readTable(wellKnownText)
	if err != nil {
		panic("defaults: " + err.Error()) // cannot happen: a test reads the table
	}
	return t
})

func readTable(text string) (table, error) {
	t := table{exact: map[string]Known{}}
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i == 0 {
			continue // names of columns
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 5 {
			return t, fmt.Errorf("wellknown.tsv:%d: %d columns instead of 5", i+1, len(fields))
		}
		codes, err := readCodes(fields[2])
		if err != nil {
			return t, fmt.Errorf("wellknown.tsv:%d: %w", i+1, err)
		}
		source, code := strings.ToLower(fields[0]), strings.ToLower(fields[1])
		known := Known{Codes: codes, Concept: fields[3]}
		if strings.ContainsAny(code, `*?[\`) {
			t.patterns = append(t.patterns, pattern{source, code, known})
			continue
		}
		if _, isDouble := t.exact[source+" "+code]; isDouble {
			return t, fmt.Errorf("wellknown.tsv:%d: a second row for %s %s", i+1, source, code)
		}
		t.exact[source+" "+code] = known
	}
	return t, nil
}

// readCodes reads "unit=PC_ACT; age=Y15-74,TOTAL".
func readCodes(text string) (map[string][]string, error) {
	codes := map[string][]string{}
	if text == "" {
		return codes, nil
	}
	for part := range strings.SplitSeq(text, ";") {
		id, list, ok := strings.Cut(strings.TrimSpace(part), "=")
		if id = strings.ToLower(id); !ok || id == "" || list == "" || codes[id] != nil {
			return nil, fmt.Errorf("%q is not a new dimension=code,code", part)
		}
		codes[id] = strings.Split(list, ",")
	}
	return codes, nil
}
