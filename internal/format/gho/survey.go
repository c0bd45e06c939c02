package gho

import (
	"cmp"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// maxTypes limits the types of breakdowns in a file; real ones have three at most.
const maxTypes = 64

// survey is the result of a first pass over the records, which decides the dimensions.
type survey struct {
	records       int
	code, name    string // of the first indicator
	hasIndicators bool   // several
	hasPlaces     bool
	hasTimes      bool
	hasBounds     bool
	types         []breakdown            // in order of appearance, without codes
	origin        string                 // of the first record
	hasOrigins    bool                   // several
	updated       time.Time              // of the newest record
	spans         map[stat.Period]string // the span that a year stands for; empty if records differ
	besidePlace   []string               // columns that say something of the places and are not kept
}

func (s *survey) add(r *record) error {
	origin, _ := r.origin()
	if s.records == 0 {
		s.code, s.name, s.origin = r.cells[indicator], r.cells[indicatorName], origin
	}
	s.records++
	s.hasIndicators = s.hasIndicators || r.cells[indicator] != s.code
	s.hasPlaces = s.hasPlaces || r.cells[place] != ""
	s.hasTimes = s.hasTimes || r.time() != ""
	s.hasBounds = s.hasBounds || r.cells[low] != "" || r.cells[high] != ""
	s.hasOrigins = s.hasOrigins || origin != s.origin
	for _, column := range r.besidePlace() {
		if !slices.Contains(s.besidePlace, column) {
			s.besidePlace = append(s.besidePlace, column)
		}
	}
	if t, err := time.Parse(time.RFC3339, r.cells[changed]); err == nil && t.After(s.updated) {
		s.updated = t.UTC()
	}
	if p, span, err := r.period(); err == nil && !p.IsZero() {
		if before, ok := s.spans[p]; ok && before != span {
			span = ""
		}
		s.spans[p] = span
	}
	return s.addTypes(r)
}

func (s *survey) addTypes(r *record) error {
	var seen []string
	for _, b := range r.breakdowns() {
		if slices.Contains(seen, b.id) {
			return stat.BadFile(r.at, "the record has two breakdowns by %s", b.id)
		}
		seen = append(seen, b.id)
		if slices.ContainsFunc(s.types, func(t breakdown) bool { return t.id == b.id }) {
			continue
		}
		if len(s.types) == maxTypes {
			return stat.BadFile(r.at, "the records have more than %d types of breakdowns", maxTypes)
		}
		t := breakdown{id: strings.Clone(b.id)}
		if b.label != b.id { // the service's JSON has no label
			t.label = strings.Clone(b.label)
		}
		s.types = append(s.types, t)
	}
	return nil
}

func (r *record) time() string { return cmp.Or(r.cells[timeCode], r.cells[timeText]) }

// period parses the time of a record; it is zero if there is none. If the time stands
// for a span of years, span is its text.
func (r *record) period() (p stat.Period, span string, err error) {
	text, code := r.cells[timeText], r.time()
	if code == "" {
		return p, "", nil
	}
	if p, err = stat.ParsePeriod(code); err != nil {
		if p, isSpan := table.ReadSpan(code); isSpan {
			return p, code, nil
		}
		return stat.Period{}, "", err
	}
	if q, isSpan := table.ReadSpan(text); isSpan && q.Frequency() == p.Frequency() {
		span = text
	}
	return p, span, nil
}

// originsDiffer reports whether two records differ in nothing but their source. It keeps
// a number for each record, so it is called only for files with several sources.
func originsDiffer(in format.Input, read records) (bool, error) {
	seen := map[uint64]string{}
	kept := text.Interner{}
	_, err := read(in, &stat.Report{}, func(r *record) error {
		code, _ := r.origin()
		h := fnv.New64a()
		for _, c := range []int{indicator, place, timeCode, timeText, dimType, dimCode, dimType2, dimCode2, dimType3, dimCode3} {
			_, _ = h.Write([]byte(r.cells[c])) // it never fails
			_, _ = h.Write([]byte{0})
		}
		if before, ok := seen[h.Sum64()]; ok && before != code {
			return errEnough
		}
		seen[h.Sum64()] = kept.Keep(code)
		return nil
	})
	if errors.Is(err, errEnough) {
		return true, nil
	}
	return false, err
}
