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

// A Dictionary is what the store knows of the codes and datasets of one source
// from earlier imports. It is not to be changed.
type Dictionary struct {
	// Dictionary holds the lists and structures that the office stated.
	*stat.Dictionary

	// labels are those of data files, by dimension (in lower case) and code.
	labels    map[string]map[string]fileLabel
	positions map[string]map[string]int32 // of the codes in the lists
	revision  int64
}

// fileLabel is a label that data files give to a code.
type fileLabel struct {
	label   string // empty: datasets disagree
	dataset string // the only one that gives it; empty: several
}

// LabelInFiles returns the label that data files give to a code of a dimension;
// empty where none does, or where two datasets differ.
func (d *Dictionary) LabelInFiles(dimension, code string) string {
	return d.labels[strings.ToLower(dimension)][code].label
}

// DictionaryUpdate is what an import says of a source's codes.
type DictionaryUpdate struct {
	// Dictionary holds lists, structures and concepts that the office stated;
	// nil if there are none.
	Dictionary *stat.Dictionary
	// Labels are those, by dimension and code, that the data file of a dataset
	// gave. They hold for other datasets only as long as all agree.
	Dataset string
	Labels  map[string]map[string]string
}

// dictionaries are those that the store has read.
type dictionaries struct {
	mu       sync.Mutex
	bySource map[string]*Dictionary
}

// Dictionary returns what earlier imports said of a source's codes.
func (s *Store) Dictionary(ctx context.Context, source string) (*Dictionary, error) {
	s.dictionaries.mu.Lock()
	defer s.dictionaries.mu.Unlock()
	return s.dictionaryLocked(ctx, source)
}

func (s *Store) dictionaryLocked(ctx context.Context, source string) (*Dictionary, error) {
	revision, err := s.catalog.DictionaryRevision(ctx, source)
	if err != nil {
		return nil, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	if known := s.dictionaries.bySource[source]; known != nil && known.revision == revision {
		return known, nil
	}
	rows, revision, err := s.catalog.Dictionary(ctx, source)
	if err != nil {
		return nil, err
	}
	d, err := (&Dictionary{Dictionary: stat.NewDictionary(source)}).with(&rows)
	if err != nil {
		return nil, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	d.revision = revision
	if s.dictionaries.bySource == nil {
		s.dictionaries.bySource = map[string]*Dictionary{}
	}
	s.dictionaries.bySource[source] = d
	return d, nil
}

// UpdateDictionary keeps what an import says of a source's codes. Where that is
// known already, nothing is written.
func (s *Store) UpdateDictionary(ctx context.Context, source string, update DictionaryUpdate) error {
	s.dictionaries.mu.Lock()
	defer s.dictionaries.mu.Unlock()
	for {
		known, err := s.dictionaryLocked(ctx, source)
		if err != nil {
			return err
		}
		rows, err := known.changedRows(&update)
		if err != nil || rows.Empty() {
			return err
		}
		done, err := s.catalog.UpdateDictionary(ctx, source, known.revision, rows)
		if err != nil {
			return err
		}
		if done {
			next, err := known.with(rows)
			if err != nil {
				return err
			}
			s.dictionaries.bySource[source] = next
			return nil
		}
		// Another process updated it meanwhile.
	}
}

// with is the dictionary with changed rows. Only what they touch is made anew.
func (d *Dictionary) with(rows *catalog.Dictionary) (*Dictionary, error) {
	next := &Dictionary{
		Dictionary: &stat.Dictionary{
			Source: d.Source, Lists: maps.Clone(d.Lists),
			Structures: maps.Clone(d.Structures), Concepts: maps.Clone(d.Concepts),
		},
		labels: map[string]map[string]fileLabel{}, positions: map[string]map[string]int32{}, revision: d.revision + 1,
	}
	maps.Copy(next.labels, d.labels)
	maps.Copy(next.positions, d.positions)
	next.addLists(rows)
	for _, row := range rows.Structures {
		var s stat.Structure
		if err := json.Unmarshal(row.Body, &s); err != nil {
			return nil, fmt.Errorf("structure %s: %w", row.Structure, err)
		}
		next.Structures[row.Structure] = &s
	}
	for _, row := range rows.Concepts {
		next.Concepts[row.Concept] = row.Label
	}
	copied := map[string]bool{}
	for _, row := range rows.Labels {
		if !copied[row.Dimension] {
			copied[row.Dimension] = true
			own := map[string]fileLabel{}
			maps.Copy(own, d.labels[row.Dimension])
			next.labels[row.Dimension] = own
		}
		next.labels[row.Dimension][row.Code] = fileLabel{row.Label, row.Dataset}
	}
	return next, nil
}

// addLists takes in the lists of changed rows, and puts their codes in order.
func (d *Dictionary) addLists(rows *catalog.Dictionary) {
	byList := map[string][]catalog.DictionaryCode{}
	for _, row := range rows.Codes {
		byList[row.List] = append(byList[row.List], row)
	}
	for _, row := range rows.Lists {
		list := stat.CodeList{Name: row.Name, Version: row.Version, Partial: row.Partial, Grown: row.Grown}
		var origins []stat.Origin
		fresh := map[string]bool{}
		for _, c := range byList[row.List] {
			fresh[c.Code] = true
			list.Codes = append(list.Codes, stat.Code{ID: c.Code, Label: c.Label})
			origins = append(origins, stat.Origin{Version: c.Version, Whole: c.Whole, Position: c.Position})
		}
		if before := d.Lists[row.List]; before != nil {
			for i, c := range before.Codes {
				if !fresh[c.ID] {
					list.Codes = append(list.Codes, c)
					origins = append(origins, before.Origin(i))
				}
			}
		}
		d.Lists[row.List] = stat.KeptCodes(list, origins)
		d.positions[row.List] = d.Lists[row.List].Positions()
	}
}

// changedRows are the rows of an update that say something new.
func (d *Dictionary) changedRows(update *DictionaryUpdate) (*catalog.Dictionary, error) {
	rows := &catalog.Dictionary{}
	if stated := update.Dictionary; stated != nil {
		for _, name := range slices.Sorted(maps.Keys(stated.Lists)) {
			d.changedList(name, stated.Lists[name], rows)
		}
		for name, s := range stated.Structures {
			known := d.Structures[name]
			if known != nil {
				s = d.withoutWeaker(name, s, stated).Over(known)
			}
			if reflect.DeepEqual(s, known) {
				continue
			}
			body, err := json.Marshal(s)
			if err != nil {
				return nil, err
			}
			rows.Structures = append(rows.Structures, catalog.DictionaryStructure{Structure: name, Body: body})
		}
		for concept, label := range stated.Concepts {
			if d.Concepts[concept] != label {
				rows.Concepts = append(rows.Concepts, catalog.DictionaryConcept{Concept: concept, Label: label})
			}
		}
	}
	for dimension, labels := range update.Labels {
		dimension = strings.ToLower(dimension)
		for code, label := range labels {
			before, known := d.labels[dimension][code]
			after := fileLabel{label, update.Dataset}
			if known {
				after = before.and(after)
			}
			if !known || after != before {
				rows.Labels = append(rows.Labels, catalog.DictionaryLabel{Dimension: dimension, Code: code, Label: after.label, Dataset: after.dataset})
			}
		}
	}
	return rows, nil
}

// withoutWeaker is a structure of an update as it is to be kept: without its
// dimensions where these name no code lists and those that are known do. A file
// lists the dimensions that it has; only the office says which lists they have.
func (d *Dictionary) withoutWeaker(name string, s *stat.Structure, update *stat.Dictionary) *stat.Structure {
	if !d.Structure(name).NamesLists() {
		return s
	}
	of := s
	if len(s.Dimensions) == 0 {
		if of = update.Structure(s.Uses); of == nil {
			of = d.Structure(s.Uses)
		}
	}
	if of.NamesLists() {
		return s
	}
	title := *s
	title.Uses, title.Dimensions, title.Attributes, title.Time, title.Measure = "", nil, nil, "", ""
	return &title
}

// changedList adds the codes of a list that are new, have another label, or
// come from a newer list.
func (d *Dictionary) changedList(name string, list *stat.CodeList, rows *catalog.Dictionary) {
	known := d.Lists[name]
	merged := list
	if known != nil {
		if d.holds(name, list) {
			return
		}
		merged = stat.NewestCodes(list, known)
	}
	changed := known == nil || known.Name != merged.Name || known.Version != merged.Version ||
		known.Partial != merged.Partial || known.Grown != merged.Grown
	for i, c := range merged.Codes {
		o := merged.Origin(i)
		if at, ok := d.positions[name][c.ID]; ok && known.Origin(int(at)) == o && known.Codes[at].Label == c.Label {
			continue
		}
		changed = true
		rows.Codes = append(rows.Codes, catalog.DictionaryCode{
			List: name, Code: c.ID, Label: c.Label, Version: o.Version, Whole: o.Whole, Position: o.Position,
		})
	}
	if changed {
		rows.Lists = append(rows.Lists, catalog.DictionaryList{
			List: name, Name: merged.Name, Version: merged.Version, Partial: merged.Partial, Grown: merged.Grown,
		})
	}
}

// holds reports whether a list says nothing new, without merging: that is what
// nearly all imports find.
func (d *Dictionary) holds(name string, list *stat.CodeList) bool {
	known := d.Lists[name]
	if stat.CompareVersions(list.Version, known.Version) > 0 || known.Grown && !list.Grown || known.Partial && !list.Partial {
		return false
	}
	for i, c := range list.Codes {
		at, ok := d.positions[name][c.ID]
		if !ok || known.Codes[at].Label != c.Label || known.Origin(int(at)) != list.Origin(i) {
			return false
		}
	}
	return true
}

// and is what is known of a code's label once another file gives it one. Two
// datasets that differ make it unknown for good.
func (f fileLabel) and(other fileLabel) fileLabel {
	switch {
	case f.label == "":
		return f
	case f.label != other.label && f.dataset != other.dataset:
		return fileLabel{}
	case f.label == other.label && f.dataset != other.dataset:
		return fileLabel{label: f.label}
	}
	return other
}
