package defaults

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"almanac/internal/stat"
)

// Known is what the table of well-known datasets says about a dataset. Its maps are
// shared and must not be changed.
type Known struct {
	// Codes lists, by the ID of a dimension in lower case, the codes to choose, best first.
	// A file may lack the first, or the dimension.
	Codes map[string][]string
	// Concept is what the series of these codes measures, by the ID of a [Concept];
	// empty if the table has no series of another office that means the same.
	Concept string
}

// of returns the codes for a dimension, best first; nil if the table has none.
func (k Known) of(d *stat.Dimension) []string { return k.Codes[strings.ToLower(d.ID)] }

// LookUp returns what the table says about a dataset by the ID of its source and its code,
// which compare case-insensitively. An exact code takes precedence over a pattern, and an
// earlier row over a later one. An extract of Eurostat's Data Browser, whose code is
// une_rt_a__custom_128689, is what it was made from.
func LookUp(source, code string) (known Known, ok bool) {
	source, code = fold(source, code)
	t := wellKnown()
	if known, ok = t.exact[source+" "+code]; ok {
		return known, true
	}
	for _, s := range t.patterns[source] {
		if s.matches(code) {
			return s.known(), true
		}
	}
	return Known{}, false
}

// fold returns the ID of a source and the code of a dataset in the form of the table, which is
// without the agency and the version of an SDMX dataflow: cme for UNICEF,CME,1.0.
func fold(source, code string) (string, string) {
	code, _, _ = strings.Cut(strings.ToLower(code), "__custom_")
	if parts := strings.Split(code, ","); len(parts) == 2 || len(parts) == 3 {
		code = parts[1]
	}
	return strings.ToLower(source), code
}

// Series is a row of the table: codes that select one series of a dataset. The first row
// of a dataset is what it shows by default; the others are for comparing sources.
type Series struct {
	Source string // ID of the office: eurostat
	// Dataset is the dataset's code, or a pattern of package path for the codes of a
	// family of datasets, in lower case: nama_10_gdp, *une_deap_sex_age_rt*
	Dataset string
	Code    string // Dataset as the table spells it
	// Codes lists, by the ID of a dimension in lower case, the codes to choose, best first.
	// If the row has a concept, they mean the same: a volume at prices of 2020 or of 2015.
	Codes     map[string][]string
	Remark    string // the series' unit, and how it differs from the others of its concept
	Reference string // where the codes are from: an address or the name of a code list

	concept string
}

// Covers reports whether the row is about a dataset, by the ID of its source and its code.
func (s *Series) Covers(source, code string) bool {
	source, code = fold(source, code)
	return s.Source == source && s.matches(code)
}

func (s *Series) known() Known { return Known{Codes: s.Codes, Concept: s.concept} }

// isFamily reports whether the row is for all datasets whose codes match a pattern.
func (s *Series) isFamily() bool { return strings.ContainsAny(s.Dataset, `*?[\`) }

func (s *Series) matches(code string) bool {
	if !s.isFamily() {
		return s.Dataset == code
	}
	isMatch, _ := path.Match(s.Dataset, code) // the table's patterns are well-formed
	return isMatch
}

//go:embed wellknown.tsv
var wellKnownText string

// Edition names the rules and the table: a default series that another edition chose is
// chosen again. Increase the number when a rule changes.
var Edition = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(wellKnownText))
	return "5-" + hex.EncodeToString(sum[:4])
})

type table struct {
	series   []Series
	exact    map[string]Known    // the first row of each dataset, by source and code
	patterns map[string][]Series // by source, in the order of the table
}

var wellKnown = sync.OnceValue(func() *table {
	t, err := readTable(wellKnownText)
	if err != nil {
		panic("defaults: " + err.Error()) // cannot happen: a test reads the table
	}
	return t
})

// readTable reads wellknown.tsv. The error names each line that is wrong.
func readTable(text string) (*table, error) {
	t := &table{exact: map[string]Known{}, patterns: map[string][]Series{}}
	var wrong []error
	for line, fields := range rows(text) {
		s, err := readSeries(fields)
		if err == nil {
			err = t.add(s)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("wellknown.tsv:%d: %w", line, err))
		}
	}
	return t, errors.Join(wrong...)
}

func (t *table) add(s Series) error {
	t.series = append(t.series, s)
	if s.isFamily() {
		t.patterns[s.Source] = append(t.patterns[s.Source], s)
		_, err := path.Match(s.Dataset, "")
		return err
	}
	key := s.Source + " " + s.Dataset
	_, isAgain := t.exact[key]
	if !isAgain {
		t.exact[key] = s.known()
	} else if s.concept == "" {
		return fmt.Errorf("another row for %s that adds no concept", key)
	}
	return nil
}

func readSeries(fields []string) (Series, error) {
	if len(fields) != 6 {
		return Series{}, fmt.Errorf("%d columns instead of 6", len(fields))
	}
	codes, err := readCodes(fields[2])
	s := Series{
		Source: strings.ToLower(fields[0]), Dataset: strings.ToLower(fields[1]), Code: fields[1], Codes: codes,
		concept: fields[3], Remark: fields[4], Reference: fields[5],
	}
	switch {
	case err != nil:
		return s, err
	case s.Source == "" || s.Dataset == "" || s.Reference == "":
		return s, errors.New("source, dataset and reference must not be empty")
	case len(codes) == 0 && s.concept == "":
		return s, errors.New("the row has neither codes nor a concept")
	}
	return s, nil
}

// readCodes reads "unit=PC_ACT; age=Y15-74|TOTAL".
func readCodes(text string) (map[string][]string, error) {
	codes := map[string][]string{}
	if text == "" {
		return codes, nil
	}
	for part := range strings.SplitSeq(text, "; ") {
		id, list, ok := strings.Cut(part, "=")
		if id = strings.ToLower(id); !ok || id == "" || list == "" || codes[id] != nil {
			return nil, fmt.Errorf("%q is not a new dimension=code|code", part)
		}
		codes[id] = strings.Split(list, "|")
	}
	return codes, nil
}

// rows yields the number and the fields of each line after the names of the columns.
func rows(text string) func(yield func(int, []string) bool) {
	return func(yield func(int, []string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if number > 1 && !yield(number, strings.Split(strings.TrimSuffix(line, "\n"), "\t")) {
				return
			}
		}
	}
}
