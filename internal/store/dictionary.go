package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"almanac/internal/stat"
	"almanac/internal/store/catalog"
)

// Learnt is what imports taught of one source. It is not to be changed.
type Learnt struct {
	// Dictionary holds the lists and structures that the office stated.
	*stat.Dictionary
	// said is what data files called the codes of their dimensions.
	said map[string]map[string]said

	revision  int64
	positions map[string]map[string]int32 // of the codes in the lists
}

// said is a label that datasets gave to a code.
type said struct {
	label   string // empty: they disagree
	dataset string // the only one that gave it; empty: several
}

// Said returns the label that data files gave to a code of a dimension; empty
// where none did, or where two datasets differ.
func (l *Learnt) Said(dimension, code string) string {
	return l.said[strings.ToLower(dimension)][code].label
}

// Lesson is what an import teaches of a source.
type Lesson struct {
	// Dictionary holds lists, structures and concepts that the office stated;
	// nil if there are none.
	Dictionary *stat.Dictionary
	// Said are labels by dimension and code that the data file of a dataset
	// gave. They say nothing of other datasets, but as long as all agree.
	Dataset string
	Said    map[string]map[string]string
}

// dictionaries are those that the store has read.
type dictionaries struct {
	mu   sync.Mutex
	read map[string]*Learnt // by source
}

// Learnt returns what imports taught of a source.
func (s *Store) Learnt(ctx context.Context, source string) (*Learnt, error) {
	s.learnt.mu.Lock()
	defer s.learnt.mu.Unlock()
	return s.learntLocked(ctx, source)
}

func (s *Store) learntLocked(ctx context.Context, source string) (*Learnt, error) {
	revision, err := s.catalog.DictionaryRevision(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	if known := s.learnt.read[source]; known != nil && known.revision == revision {
		return known, nil
	}
	rows, revision, err := s.catalog.Dictionary(ctx, source)
	if err != nil {
		return nil, err
	}
	l, err := newLearnt(source, &rows)
	if err != nil {
		return nil, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	l.revision = revision
	if s.learnt.read == nil {
		s.learnt.read = map[string]*Learnt{}
	}
	s.learnt.read[source] = l
	return l, nil
}

// Learn keeps what an import teaches of a source. Where that is known already,
// nothing is written.
func (s *Store) Learn(ctx context.Context, source string, lesson Lesson) error {
	s.learnt.mu.Lock()
	defer s.learnt.mu.Unlock()
	for {
		known, err := s.learntLocked(ctx, source)
		if err != nil {
			return err
		}
		news, err := known.newsOf(&lesson)
		if err != nil || news.Empty() {
			return err
		}
		done, err := s.catalog.Learn(ctx, source, known.revision, news)
		if err != nil {
			return err
		}
		if done {
			next, err := known.with(news)
			if err != nil {
				return err
			}
			s.learnt.read[source] = next
			return nil
		}
		// Another process taught something meanwhile.
	}
}

// newLearnt makes what is known out of its rows.
func newLearnt(source string, rows *catalog.Dictionary) (*Learnt, error) {
	l := &Learnt{Dictionary: stat.NewDictionary(source), said: map[string]map[string]said{}, positions: map[string]map[string]int32{}}
	next, err := l.with(rows)
	if err != nil {
		return nil, err
	}
	next.revision = 0
	return next, nil
}

// with is what is known when news have come. Only what the news touch is made
// anew.
func (l *Learnt) with(news *catalog.Dictionary) (*Learnt, error) {
	next := &Learnt{
		Dictionary: &stat.Dictionary{
			Source: l.Source, Lists: maps.Clone(l.Lists),
			Structures: maps.Clone(l.Structures), Concepts: maps.Clone(l.Concepts),
		},
		said: maps.Clone(l.said), positions: maps.Clone(l.positions), revision: l.revision + 1,
	}
	next.addLists(news)
	for _, row := range news.Structures {
		var s stat.Structure
		if err := json.Unmarshal(row.Body, &s); err != nil {
			return nil, fmt.Errorf("structure %s: %w", row.Structure, err)
		}
		next.Structures[row.Structure] = &s
	}
	for _, row := range news.Concepts {
		next.Concepts[row.Concept] = row.Label
	}
	copied := map[string]bool{}
	for _, row := range news.Labels {
		if !copied[row.Dimension] {
			copied[row.Dimension] = true
			own := maps.Clone(next.said[row.Dimension])
			if own == nil {
				own = map[string]said{}
			}
			next.said[row.Dimension] = own
		}
		next.said[row.Dimension][row.Code] = said{row.Label, row.Dataset}
	}
	return next, nil
}

// addLists takes in the lists of the news, and puts their codes in order.
func (l *Learnt) addLists(news *catalog.Dictionary) {
	byList := map[string][]catalog.DictionaryCode{}
	for _, row := range news.Codes {
		byList[row.List] = append(byList[row.List], row)
	}
	for _, row := range news.Lists {
		list := stat.CodeList{Name: row.Name, Version: row.Version, Partial: row.Partial, Grown: row.Grown}
		var origins []stat.Origin
		fresh := map[string]bool{}
		for _, c := range byList[row.List] {
			fresh[c.Code] = true
			list.Codes = append(list.Codes, stat.Code{ID: c.Code, Label: c.Label})
			origins = append(origins, stat.Origin{Version: c.Version, Whole: c.Whole, Position: c.Position})
		}
		if before := l.Lists[row.List]; before != nil {
			for i, c := range before.Codes {
				if !fresh[c.ID] {
					list.Codes = append(list.Codes, c)
					origins = append(origins, before.Origin(i))
				}
			}
		}
		l.Lists[row.List] = stat.KeptCodes(list, origins)
		l.positions[row.List] = l.Lists[row.List].Positions()
	}
}

// newsOf is what a lesson has that is not known.
func (l *Learnt) newsOf(lesson *Lesson) (*catalog.Dictionary, error) {
	news := &catalog.Dictionary{}
	if d := lesson.Dictionary; d != nil {
		for _, name := range slices.Sorted(maps.Keys(d.Lists)) {
			l.newsOfList(name, d.Lists[name], news)
		}
		for name, s := range d.Structures {
			known := l.Structures[name]
			if known != nil {
				s = l.withLists(name, s, d).Over(known)
			}
			if reflect.DeepEqual(s, known) {
				continue
			}
			body, err := json.Marshal(s)
			if err != nil {
				return nil, err
			}
			news.Structures = append(news.Structures, catalog.DictionaryStructure{Structure: name, Body: body})
		}
		for concept, label := range d.Concepts {
			if l.Concepts[concept] != label {
				news.Concepts = append(news.Concepts, catalog.DictionaryConcept{Concept: concept, Label: label})
			}
		}
	}
	for dimension, labels := range lesson.Said {
		dimension = strings.ToLower(dimension)
		for code, label := range labels {
			before, known := l.said[dimension][code]
			if after := before.heard(known, lesson.Dataset, label); after != before {
				news.Labels = append(news.Labels, catalog.DictionaryLabel{Dimension: dimension, Code: code, Label: after.label, Dataset: after.dataset})
			}
		}
	}
	return news, nil
}

// withLists is a structure of the lesson d as it is to be kept: without what it
// says of its dimensions where that names no code lists and what is known
// does. A file lists the dimensions that it has; only the office says which
// lists they have.
func (l *Learnt) withLists(name string, s *stat.Structure, d *stat.Dictionary) *stat.Structure {
	if !l.Structure(name).NamesLists() {
		return s
	}
	of := s
	if len(s.Dimensions) == 0 {
		if of = d.Structure(s.Uses); of == nil {
			of = l.Structure(s.Uses)
		}
	}
	if of.NamesLists() {
		return s
	}
	title := *s
	title.Uses, title.Dimensions, title.Attributes, title.Time, title.Measure = "", nil, nil, "", ""
	return &title
}

// newsOfList adds the codes of a list that are new, have another label, or
// come from a newer list.
func (l *Learnt) newsOfList(name string, list *stat.CodeList, news *catalog.Dictionary) {
	known := l.Lists[name]
	merged := list
	if known != nil {
		if l.holds(name, list) {
			return
		}
		merged = stat.NewestCodes(list, known)
	}
	changed := known == nil || known.Name != merged.Name || known.Version != merged.Version ||
		known.Partial != merged.Partial || known.Grown != merged.Grown
	for i, c := range merged.Codes {
		o := merged.Origin(i)
		if at, ok := l.positions[name][c.ID]; ok && known.Origin(int(at)) == o && known.Codes[at].Label == c.Label {
			continue
		}
		changed = true
		news.Codes = append(news.Codes, catalog.DictionaryCode{
			List: name, Code: c.ID, Label: c.Label, Version: o.Version, Whole: o.Whole, Position: o.Position,
		})
	}
	if changed {
		news.Lists = append(news.Lists, catalog.DictionaryList{
			List: name, Name: merged.Name, Version: merged.Version, Partial: merged.Partial, Grown: merged.Grown,
		})
	}
}

// holds reports whether a list says nothing new, without merging: that is what
// nearly all imports find.
func (l *Learnt) holds(name string, list *stat.CodeList) bool {
	known := l.Lists[name]
	if stat.CompareVersions(list.Version, known.Version) > 0 || known.Grown && !list.Grown || known.Partial && !list.Partial {
		return false
	}
	for i, c := range list.Codes {
		at, ok := l.positions[name][c.ID]
		if !ok || known.Codes[at].Label != c.Label || known.Origin(int(at)) != list.Origin(i) {
			return false
		}
	}
	return true
}

// heard is what is known of a code's label when a dataset calls it so. Two
// datasets that differ make it unknown for good.
func (s said) heard(known bool, dataset, label string) said {
	switch {
	case !known:
		return said{label, dataset}
	case s.label == "":
		return s
	case s.label == label && s.dataset != "" && s.dataset != dataset:
		return said{label, ""}
	case s.label == label:
		return s
	case s.dataset == dataset:
		return said{label, dataset}
	}
	return said{}
}
