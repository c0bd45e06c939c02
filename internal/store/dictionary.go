package store

import (
	"cmp"
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

// A Dictionary holds what earlier imports stated about the codes and datasets of one
// source. It must not be changed.
type Dictionary struct {
	// Dictionary holds lists and structures stated by the office.
	*stat.Dictionary

	// labels holds labels from data files, by dimension (in lower case) and code.
	labels   map[string]map[string]fileLabel
	revision int64
}

type fileLabel struct {
	label   string // empty if datasets disagree
	dataset string // the only dataset with it; empty if several have it
}

// LabelInFiles returns the label of a code in data files, "" if none has one or two
// datasets differ.
func (d *Dictionary) LabelInFiles(dimension, code string) string {
	return d.labels[strings.ToLower(dimension)][code].label
}

// DictionaryUpdate holds what an import states about a source's codes.
type DictionaryUpdate struct {
	// Dictionary holds lists, structures and concepts stated by the office; nil if
	// there are none.
	Dictionary *stat.Dictionary
	// Labels holds the labels in the data file of Dataset, by dimension and code.
	// They apply to other datasets only as long as all datasets agree.
	Dataset string
	Labels  map[string]map[string]string
}

type dictionaries struct {
	mu       sync.Mutex
	bySource map[string]*Dictionary
}

// Dictionary returns what earlier imports stated about a source's codes.
func (s *Store) Dictionary(ctx context.Context, source string) (*Dictionary, error) {
	s.dictionaries.mu.Lock()
	defer s.dictionaries.mu.Unlock()
	return s.dictionaryLocked(ctx, source)
}

func (s *Store) dictionaryLocked(ctx context.Context, source string) (*Dictionary, error) {
	revision, err := s.catalog.DictionaryRevision(ctx, source)
	if err != nil {
		return nil, err
	}
	if known := s.dictionaries.bySource[source]; known != nil && known.revision == revision {
		return known, nil
	}
	rows, revision, err := s.catalog.Dictionary(ctx, source)
	if err != nil {
		return nil, err
	}
	d, err := (&Dictionary{Dictionary: stat.NewDictionary(source), labels: map[string]map[string]fileLabel{}}).withRows(&rows)
	if err != nil {
		return nil, fmt.Errorf("reading the dictionary of %s: %w", source, err)
	}
	d.revision = revision
	s.dictionaries.bySource[source] = d
	return d, nil
}

// UpdateDictionary stores what an import states about a source's codes, unless all of
// it is known.
func (s *Store) UpdateDictionary(ctx context.Context, source string, update DictionaryUpdate) error {
	s.dictionaries.mu.Lock()
	defer s.dictionaries.mu.Unlock()
	for {
		known, err := s.dictionaryLocked(ctx, source)
		if err != nil {
			return err
		}
		rows, err := known.changedRows(&update)
		if err != nil || rows.IsEmpty() {
			return err
		}
		done, err := s.catalog.UpdateDictionary(ctx, source, known.revision, rows)
		if err != nil {
			return err
		}
		if done {
			s.dictionaries.bySource[source], err = known.withRows(rows)
			return err
		}
		// Another process has updated it: try again.
	}
}

// withRows returns the dictionary with changed rows. It shares what is unchanged.
func (d *Dictionary) withRows(rows *catalog.Dictionary) (*Dictionary, error) {
	next := &Dictionary{
		Dictionary: &stat.Dictionary{
			Source: d.Source, Lists: maps.Clone(d.Lists),
			Structures: maps.Clone(d.Structures), Concepts: maps.Clone(d.Concepts),
			ConceptTexts: maps.Clone(d.ConceptTexts),
		},
		labels: maps.Clone(d.labels), revision: d.revision + 1,
	}
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
	next.addTranslations(rows)
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

// addLists adds the lists of changed rows and sorts their codes.
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
			list.Codes = append(list.Codes, stat.Code{ID: c.Code, Label: c.Label, Parents: parentsIn(c.Parents)})
			origins = append(origins, stat.Origin{Version: c.Version, Whole: c.Whole, Position: c.Position})
		}
		if before := d.Lists[row.List]; before != nil {
			for i, c := range before.Codes {
				if !fresh[c.ID] {
					list.Codes = append(list.Codes, c)
					origins = append(origins, before.Origin(i))
				}
			}
			list.Language, list.Translations = before.Language, cloneTranslations(before.Translations)
		}
		d.Lists[row.List] = stat.RestoreCodeList(list, origins)
	}
}

// changedRows returns the rows of an update that differ from d.
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
		d.changedTranslations(stated, rows)
	}
	for dimension, labels := range update.Labels {
		dimension = strings.ToLower(dimension)
		for code, label := range labels {
			before, known := d.labels[dimension][code]
			after := fileLabel{label, update.Dataset}
			if known {
				after = before.merge(after)
			}
			if !known || after != before {
				rows.Labels = append(rows.Labels, catalog.DictionaryLabel{Dimension: dimension, Code: code, Label: after.label, Dataset: after.dataset})
			}
		}
	}
	return rows, nil
}

// withoutWeaker returns a structure of an update without its dimensions if only the
// known ones name code lists. Those of a data file do not; the office states them.
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

// changedList adds to rows the codes that are new, relabelled or from a newer list.
func (d *Dictionary) changedList(name string, list *stat.CodeList, rows *catalog.Dictionary) {
	known := d.Lists[name]
	merged := list
	changed := known == nil
	positions := map[string]int32{}
	if known != nil {
		// The codes that are not in list stay as they are.
		stated := list.Positions()
		merged = stat.NewestCodes(list, known.Only(func(id string) bool { _, ok := stated[id]; return ok }))
		merged.Grown = list.Grown && known.Grown
		positions = known.Positions()
		changed = stat.CompareVersions(merged.Version, known.Version) > 0 || known.Partial != merged.Partial || known.Grown != merged.Grown
	}
	for i, c := range merged.Codes {
		o := merged.Origin(i)
		if at, ok := positions[c.ID]; ok && known.Origin(int(at)) == o && known.Codes[at].Label == c.Label && slices.Equal(known.Codes[at].Parents, c.Parents) {
			continue
		}
		changed = true
		rows.Codes = append(rows.Codes, catalog.DictionaryCode{
			List: name, Code: c.ID, Label: c.Label, Version: o.Version, Whole: o.Whole, Position: o.Position,
			Parents: strings.Join(c.Parents, "\n"),
		})
	}
	if d.addChangedLabels(name, merged, rows) || changed {
		rows.Lists = append(rows.Lists, catalog.DictionaryList{
			List: name, Name: merged.Name, Version: merged.Version, Partial: merged.Partial, Grown: merged.Grown,
		})
	}
}

// parentsIn returns the parents in a row of a list; nil if there are none.
func parentsIn(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// merge combines the label of a code with that of another file. If two datasets
// differ, the label stays unknown.
func (f fileLabel) merge(other fileLabel) fileLabel {
	switch {
	case f.label == "":
		return f
	case f.dataset == other.dataset:
		return other
	case f.label != other.label:
		return fileLabel{}
	}
	return fileLabel{label: f.label}
}

// ReadOptions state how to read the file of a dataset whose format does not say so
// or was detected wrongly.
type ReadOptions struct {
	Source   string `json:"source,omitempty"` // the office's name
	Mapping  string `json:"mapping,omitempty"`
	Decimal  string `json:"decimal,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

// SetReadOptions remembers o for the dataset with a source and code.
func (s *Store) SetReadOptions(ctx context.Context, source, code string, o ReadOptions) error {
	body, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encoding the read options of %s: %w", code, err)
	}
	return s.catalog.SetReading(ctx, source, code, body)
}

// ReadOptions returns the options remembered for the dataset with a source and
// code, and the ID of its source. If source is empty, the code must be that of one
// source only. ok is false if nothing is remembered or the code is ambiguous.
func (s *Store) ReadOptions(ctx context.Context, source, code string) (o ReadOptions, of string, ok bool, err error) {
	found, err := s.catalog.Readings(ctx, code)
	if err != nil || source == "" && len(found) != 1 {
		return o, "", false, err
	}
	for of := range found {
		source = cmp.Or(source, of)
	}
	body, ok := found[source]
	if ok {
		err = json.Unmarshal(body, &o)
	}
	return o, source, ok, stat.Wrap(err, "decoding the read options of %s", code)
}

// LabelsDir returns the remembered dictionary folder of a source, "" if there is
// none.
func (s *Store) LabelsDir(ctx context.Context, source string) (string, error) {
	return s.catalog.LabelsDir(ctx, source)
}

// SetLabelsDir remembers the dictionary folder of a source.
func (s *Store) SetLabelsDir(ctx context.Context, source, dir string) error {
	return s.catalog.SetLabelsDir(ctx, source, dir)
}
