package importer

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// Notes of what the dictionaries lack.
const (
	// NoteLabelsUnread: dictionaries that could not be read, or not whole.
	NoteLabelsUnread = "labels-unread"
	// NoteContentsOlder: the office's table of contents is of an older vintage
	// than the file.
	NoteContentsOlder = "contents-older"
	// NoteUpdateTimeUnread: a time of update in a form that is not known.
	NoteUpdateTimeUnread = "update-time-unread"
)

// filling is what the dictionaries say of a dataset, while its file is made
// complete with it.
type filling struct {
	*table
	dictionary *stat.Dictionary
	learnt     *store.Learnt
	about      stat.Structure
	structure  string // the name under which the dictionary has the code lists of the dimensions
	lists      map[string]*stat.CodeList
	alike      bool                         // it is that of other datasets with the same dimensions
	stated     map[string]bool              // dimensions whose list the dataset's own structure names
	own        map[string]map[string]string // labels that the file brought, by dimension and code
	before     *stat.Dataset
	previous   map[string]map[string]string // labels of before, by dimension and code, of the dimensions that were asked for
}

// fill gives a dataset what its file leaves open and the office says elsewhere:
// labels, their order, its name and times. It comes before the writer orders
// the codes.
func (im *Importer) fill(ctx context.Context, t *table, before *stat.Dataset) (*filling, error) {
	f := &filling{table: t, before: before, lists: map[string]*stat.CodeList{}, stated: map[string]bool{}, own: map[string]map[string]string{}, previous: map[string]map[string]string{}}
	var err error
	if f.dictionary, err = im.known(ctx, t.office); err != nil {
		return nil, err
	}
	if t.office != "" {
		if f.learnt, err = im.store.Learnt(ctx, t.office); err != nil {
			return nil, err
		}
		if err = im.noteCompanions(ctx, t); err != nil {
			return nil, err
		}
	}
	f.about, f.structure = f.dictionary.About(t.dataset.Code), t.dataset.Code
	f.findStructure()
	for _, axis := range t.dataset.Axes() {
		if id, doubled := firstDoubled(axis.Codes); doubled {
			return nil, stat.Errorf(stat.Internal, "%s gives dimension %s the code %q twice", t.format, axis.ID, id)
		}
		f.fillAxis(axis)
	}
	f.fillMetadata()
	return f, nil
}

// firstDoubled is the first code that stands twice in a list, which a reader
// must never yield: its series could not be told apart.
func firstDoubled(codes []stat.Code) (id string, doubled bool) {
	seen := make(map[string]bool, len(codes))
	for _, c := range codes {
		if seen[c.ID] {
			return c.ID, true
		}
		seen[c.ID] = true
	}
	return "", false
}

// noteCompanions says what is the matter with the dictionaries.
func (im *Importer) noteCompanions(ctx context.Context, t *table) error {
	c, missing, err := im.companionsOf(ctx, t.office)
	if err != nil {
		return err
	}
	if missing != "" {
		t.report.Add(NoteLabelsMissing, 1, missing)
	}
	if c == nil {
		return nil
	}
	if im.options.Labels != "" && len(c.dictionaries[t.office]) == 0 {
		t.report.Add(NoteLabelsNotUsed, 1, im.options.Labels)
	}
	for _, problem := range c.problems {
		t.report.Add(NoteLabelsUnread, 1, problem)
	}
	return nil
}

// findStructure finds code lists for a dataset whose code names no structure:
// those of the structures that have the same dimensions, if these agree.
func (f *filling) findStructure() {
	if f.dictionary == nil || f.dictionary.Structure(f.structure).NamesLists() {
		return
	}
	var found *stat.Structure
	for _, s := range f.dictionary.Structures {
		if !s.NamesLists() || !f.hasDimensionsOf(s) {
			continue
		}
		if found != nil && !sameLists(found, s) {
			return
		}
		if found == nil || s.ID < found.ID {
			found = s
		}
	}
	if found != nil {
		f.structure, f.alike = found.ID, true
	}
}

// hasDimensionsOf reports whether the dataset has the dimensions of s and no
// others.
func (f *filling) hasDimensionsOf(s *stat.Structure) bool {
	named := 0
	if len(s.Dimensions) > len(f.dataset.Dimensions)+1 {
		return false
	}
	for _, axis := range f.dataset.Axes() {
		if f.placed && axis == &f.dataset.Geography {
			continue
		}
		if s.Dimension(axis.ID) == nil {
			return false
		}
		named++
	}
	return named == len(s.Dimensions)
}

func sameLists(a, b *stat.Structure) bool {
	for _, c := range a.Dimensions {
		other := b.Dimension(c.ID)
		if other == nil || stat.ListName(other.List) != stat.ListName(c.List) {
			return false
		}
	}
	return true
}

// fillAxis completes a dimension before the codes that do not occur are gone.
func (f *filling) fillAxis(dim *stat.Dimension) {
	if dim == &f.dataset.Geography && f.placed {
		return // the importer's own
	}
	for _, c := range dim.Codes {
		if label := tidyText(c.Label); label != "" {
			if f.own[dim.ID] == nil {
				f.own[dim.ID] = map[string]string{}
			}
			f.own[dim.ID][c.ID] = label
		}
	}
	component := f.component(dim.ID)
	dim.Label = cmp.Or(dim.Label, f.dictionary.Label(f.dataset.Code, dim.ID))
	dim.Total = cmp.Or(dim.Total, component.Total)
	if dim.Role == stat.RoleOther && (component.Role == stat.RoleUnit || component.Role == stat.RoleFrequency) {
		dim.Role = component.Role
	}
	list := f.dictionary.List(f.structure, dim.ID)
	if list == nil {
		return
	}
	f.lists[dim.ID] = list
	f.stated[dim.ID] = !f.alike && f.dictionary.States(f.structure, dim.ID)
	positions := list.Positions()
	for i := range dim.Codes {
		c := &dim.Codes[i]
		if at, ok := positions[c.ID]; ok && c.Label == "" {
			c.Label = list.Codes[at].Label
		}
	}
	if len(f.own[dim.ID]) == 0 {
		f.writer.SetOrder(dim.ID, positions)
	}
}

// component is what the dataset's own structure says of a dimension.
func (f *filling) component(dimension string) stat.Component {
	if s := f.dictionary.Structure(f.dataset.Code); s != nil {
		if c := s.Dimension(dimension); c != nil {
			return *c
		}
	}
	return stat.Component{}
}

// fillMetadata completes name, time of update and addresses.
func (f *filling) fillMetadata() {
	d := f.dataset
	if d.Name == "" || strings.EqualFold(d.Name, d.Code) {
		d.Name = cmp.Or(f.about.Title, d.Name)
	}
	if d.Updated.IsZero() {
		d.Updated = f.about.Updated
	}
	d.MetadataURL = cmp.Or(d.MetadataURL, f.about.MetadataURL)
	d.SourceURL = cmp.Or(d.SourceURL, f.about.SourceURL)
}

// note tells, once the codes that do not occur are gone, what the dictionaries
// lack, and takes back what the reader found open and they settle.
func (f *filling) note() {
	f.noteLabels()
	if f.about.Title != "" {
		f.report.Withdraw(stat.NoteCodeFromFilename)
	}
	if f.about.Unread != "" {
		f.report.Add(NoteUpdateTimeUnread, 1, f.about.Unread)
	}
	var newest stat.Period
	for _, p := range f.writer.Summary().Periods {
		if newest.IsZero() || p.End().After(newest.End()) {
			newest = p
		}
	}
	if end := f.about.DataEnd; !end.IsZero() && !newest.IsZero() && newest.End().After(end.End()) {
		f.report.Add(NoteContentsOlder, 1, fmt.Sprintf("data until %s there, until %s in the file", end, newest))
	}
}

// noteLabels counts the codes without a label and those that the dataset's own
// code list does not have.
func (f *filling) noteLabels() {
	codesOnly := f.report.Withdraw(stat.NoteNoLabels)
	for _, axis := range f.dataset.Axes() {
		list := f.lists[axis.ID]
		if list != nil && list.Encoding != "" {
			f.report.Add(stat.NoteEncoding, 1, list.Name+" in "+list.Encoding)
		}
		unlabelled, first := 0, ""
		for _, c := range axis.Codes {
			if c.Label == "" && f.labelOf(axis.ID, c.ID) == "" {
				unlabelled++
				first = cmp.Or(first, c.ID)
			}
		}
		if codesOnly && unlabelled > 0 && axis.Role != stat.RoleGeo { // areas have names without a dictionary
			f.report.Add(stat.NoteNoLabels, unlabelled, axis.ID+": "+first)
		}
		if list == nil || list.Grown || !f.stated[axis.ID] {
			continue
		}
		positions := list.Positions()
		for _, c := range axis.Codes {
			if _, ok := positions[c.ID]; !ok {
				f.report.Add(stat.NoteUnknownCode, 1, axis.ID+": "+c.ID)
			}
		}
	}
}

// labelOf is the label of a code that neither the file nor a code list names:
// that of the previous vintage, else what all data files of the office that
// name it agree on.
func (f *filling) labelOf(dimension, code string) string {
	if label := f.previousLabels(dimension)[code]; label != "" {
		return label
	}
	if f.learnt == nil {
		return ""
	}
	return f.learnt.Said(dimension, code)
}

// previousLabels are the labels that the previous vintage has for the codes of a
// dimension.
func (f *filling) previousLabels(dimension string) map[string]string {
	labels, known := f.previous[dimension]
	if known {
		return labels
	}
	labels = map[string]string{}
	for _, c := range dimensionOf(f.before, dimension).Codes {
		if c.Label != c.ID {
			labels[c.ID] = c.Label
		}
	}
	f.previous[dimension] = labels
	return labels
}

// maxSaid is how many codes of a dimension are kept with the labels that a data
// file gives: more are no list of an office's codes.
const maxSaid = 10_000

// teaching is what the dataset teaches once it is published: what the office's
// lists say of its codes, what it is made of, and how its file calls them.
func (f *filling) teaching() *store.Lesson {
	d := f.dataset
	lesson := &store.Lesson{Dictionary: stat.NewDictionary(f.office), Dataset: d.Code, Said: map[string]map[string]string{}}
	for _, axis := range d.Axes() {
		occurs := map[string]bool{}
		for _, c := range axis.Codes {
			occurs[c.ID] = true
		}
		if id := strings.ToLower(axis.ID); f.dictionary != nil && f.dictionary.Concepts[id] != "" {
			lesson.Dictionary.Concepts[id] = f.dictionary.Concepts[id]
		}
		if list := f.lists[axis.ID]; list != nil {
			key := stat.ListName(list.Name)
			only := list.Only(func(id string) bool { return occurs[id] })
			if known := lesson.Dictionary.Lists[key]; known != nil {
				only = stat.NewestCodes(known, only)
			}
			lesson.Dictionary.Lists[key] = only
		}
		if len(axis.Codes) > maxSaid {
			continue
		}
		for id, label := range f.own[axis.ID] {
			if occurs[id] && label != id {
				if lesson.Said[axis.ID] == nil {
					lesson.Said[axis.ID] = map[string]string{}
				}
				lesson.Said[axis.ID][id] = label
			}
		}
	}
	f.teachStructure(lesson.Dictionary)
	return lesson
}

// teachStructure teaches what the dataset is made of: as the office states it,
// else as its file had it, unless dimensions were only guessed. Where the
// office states other dimensions than the file has (a part of the dataset, a
// table that somebody made of it), nothing is taught: the statement stays.
func (f *filling) teachStructure(lesson *stat.Dictionary) {
	d := f.dataset
	key := strings.ToLower(d.Code)
	if stated := f.dictionary.Structure(d.Code); stated.NamesLists() {
		if f.hasDimensionsOf(stated) {
			lesson.Structures[key] = &stat.Structure{
				ID: d.Code, Dimensions: stated.Dimensions, Attributes: stated.Attributes, Time: stated.Time, Measure: stated.Measure,
			}
		}
		return
	}
	for _, n := range f.report.Notes() {
		if n.Kind == stat.NoteNoStructure {
			return
		}
	}
	s := &stat.Structure{ID: d.Code}
	add := func(dim *stat.Dimension) {
		s.Dimensions = append(s.Dimensions, stat.Component{ID: dim.ID, Label: dim.Label, Role: dim.Role, Total: dim.Total})
	}
	for i := range d.Dimensions {
		if i == d.GeographyAt && !f.placed {
			add(&d.Geography)
		}
		add(&d.Dimensions[i])
	}
	if d.GeographyAt >= len(d.Dimensions) && !f.placed {
		add(&d.Geography)
	}
	lesson.Structures[key] = s
}
