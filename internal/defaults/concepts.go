package defaults

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"almanac/internal/stat"
)

// Concept is something that several offices measure, such as the unemployment rate.
type Concept struct {
	ID    string // unemployment-rate
	Label string // Unemployment rate
	// Unit is the family of its units: persons, percent, per-thousand,
	// per-hundred-thousand, currency, index, ratio, years or tonnes. Series of one
	// concept may still differ in unit; the remark of a series says so.
	Unit       string
	Definition string // what is equal in all its series, in one sentence
	// Names are others of the same thing, in several languages: those by which nothing else is meant.
	Names []string
	// Series are the rows of the table that mean it, in the order of the table. They
	// are not equal: [Series].Remark says what differs.
	Series []Series
}

// Concepts returns all concepts in the order of concepts.tsv. The slices are shared and
// must not be changed.
func Concepts() []Concept { return concepts() }

// ConceptOf returns the ID of the concept that the table states for the codes of a series; empty: none.
func ConceptOf(d *stat.Dataset, key []int32) string {
	for _, c := range concepts() {
		for i := range c.Series {
			if s := &c.Series[i]; s.Covers(d.Source.ID, d.Code) && s.has(d, key) {
				return c.ID
			}
		}
	}
	return ""
}

// has reports whether a series has the codes of the row.
func (s *Series) has(d *stat.Dataset, key []int32) bool {
	for axis := range d.Dimensions {
		dim := &d.Dimensions[axis]
		isCode := func(id string) bool { return strings.EqualFold(id, dim.Codes[key[axis]].ID) }
		if wanted := s.known().of(dim); wanted != nil && !slices.ContainsFunc(wanted, isCode) {
			return false
		}
	}
	return true
}

//go:embed concepts.tsv
var conceptsText string

var concepts = sync.OnceValue(func() []Concept {
	list, err := readConcepts(conceptsText, wellKnown().series)
	if err != nil {
		panic("defaults: " + err.Error()) // cannot happen: a test reads the table
	}
	return list
})

var unitFamilies = []string{
	"persons", "percent", "per-thousand", "per-hundred-thousand", "currency", "index", "ratio", "years", "tonnes",
}

// readConcepts reads concepts.tsv and joins the series that mean each concept. The error
// names each line and each series that is wrong.
func readConcepts(text string, series []Series) ([]Concept, error) {
	var list []Concept
	var wrong []error
	position := map[string]int{}
	for line, fields := range rows(text) {
		fail := func(reason string) {
			wrong = append(wrong, fmt.Errorf("concepts.tsv:%d: %s", line, reason))
		}
		if len(fields) != 5 || slices.Contains(fields, "") {
			fail("not five columns with text")
			continue
		}
		c := Concept{ID: fields[0], Label: fields[1], Unit: fields[2], Definition: fields[3], Names: strings.Split(fields[4], "; ")}
		if _, isAgain := position[c.ID]; isAgain {
			fail("a second concept " + c.ID)
		}
		if !slices.Contains(unitFamilies, c.Unit) {
			fail("unknown family of units " + c.Unit)
		}
		position[c.ID] = len(list)
		list = append(list, c)
	}
	for _, s := range series {
		if i, ok := position[s.concept]; ok {
			list[i].Series = append(list[i].Series, s)
		} else if s.concept != "" {
			wrong = append(wrong, fmt.Errorf("%s %s: unknown concept %s", s.Source, s.Dataset, s.concept))
		}
	}
	return list, errors.Join(wrong...)
}
