package gho

import (
	"cmp"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	tables "almanac/internal/format/table"
	"almanac/internal/format/text"
	"almanac/internal/stat"
)

// maxTypes is how many types of breakdowns a file may have; real ones have
// three at most.
const maxTypes = 64

// survey is what a first look through the records finds, by which the dataset
// gets its dimensions.
type survey struct {
	records    int
	code, name string // of the indicator
	several    bool   // indicators
	places     bool   // any record has one
	times      bool
	bounds     bool
	types      []breakdown            // in order of appearance; their code is empty
	origin     string                 // of the first record
	origins    bool                   // there are several
	updated    time.Time              // of the newest record
	spans      map[stat.Period]string // what a year stands for where it is a span; "" where records differ
}

func (s *survey) add(r *record) error {
	origin, _ := r.origin()
	if s.records == 0 {
		s.code, s.name, s.origin = r.cells[indicator], r.cells[indicatorName], origin
	}
	s.records++
	s.several = s.several || r.cells[indicator] != s.code
	s.places = s.places || r.cells[place] != ""
	s.times = s.times || r.cells[timeCode] != "" || r.cells[timeText] != ""
	s.bounds = s.bounds || r.cells[low] != "" || r.cells[high] != ""
	s.origins = s.origins || origin != s.origin
	if t, err := time.Parse(time.RFC3339, r.cells[changed]); err == nil && t.After(s.updated) {
		s.updated = t.UTC()
	}
	if p, span, err := periodOf(r); err == nil && !p.IsZero() {
		if before, ok := s.spans[p]; ok && before != span {
			s.spans[p] = ""
		} else if !ok {
			s.spans[p] = span
		}
	}
	return s.addTypes(r)
}

// addTypes takes in the types of a record's breakdowns.
func (s *survey) addTypes(r *record) error {
	var ids [breakdowns]string
	for i := range breakdowns {
		b := r.breakdown(i)
		if b.code == "" {
			continue
		}
		if slices.Contains(ids[:i], b.id) {
			return stat.BadFile(r.at, "the record has two breakdowns by %s", b.id)
		}
		ids[i] = b.id
		if slices.ContainsFunc(s.types, func(t breakdown) bool { return t.id == b.id }) {
			continue
		}
		if len(s.types) == maxTypes {
			return stat.BadFile(r.at, "the records have more than %d types of breakdowns", maxTypes)
		}
		t := breakdown{id: strings.Clone(b.id)}
		if b.label != b.id { // the service's JSON has no words for it
			t.label = strings.Clone(b.label)
		}
		s.types = append(s.types, t)
	}
	return nil
}

// periodOf reads when a record's number holds, and the text of a span of years
// that it stands for. The zero period without an error is none at all; the
// error says that the text is no period.
func periodOf(r *record) (p stat.Period, span string, err error) {
	text := r.cells[timeText]
	code := cmp.Or(r.cells[timeCode], text)
	if code == "" {
		return p, "", nil
	}
	if p, err = stat.ParsePeriod(code); err != nil {
		var isSpan bool
		if p, isSpan = tables.ReadSpan(code); !isSpan {
			return stat.Period{}, "", err
		}
		return p, code, nil
	}
	if q, isSpan := tables.ReadSpan(text); isSpan && q.Frequency() == p.Frequency() {
		span = text
	}
	return p, span, nil
}

// originsDiffer reports whether two records that differ in nothing but their
// source have different ones. It keeps a number for each record, and is asked
// only where there are several sources.
func originsDiffer(in format.Input, read records) (bool, error) {
	seen := map[uint64]string{}
	kept := text.Interner{}
	_, err := read(in, &stat.Report{}, func(r *record) error {
		code, _ := r.origin()
		h := fnv.New64a()
		for _, c := range []field{indicator, place, timeCode, timeText, dimType, dimCode, dimType2, dimCode2, dimType3, dimCode3} {
			_, _ = h.Write([]byte(r.cells[c])) // it never fails
			_, _ = h.Write([]byte{0})
		}
		if before, ok := seen[h.Sum64()]; ok && before != code {
			return errSeen
		}
		seen[h.Sum64()] = kept.Keep(code)
		return nil
	})
	if errors.Is(err, errSeen) {
		return true, nil
	}
	return false, err
}
