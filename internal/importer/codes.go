package importer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// codes holds what the office's dictionaries and earlier imports say of a
// dataset and its codes. It completes the dataset with that.
type codes struct {
	*table
	dictionary *stat.Dictionary
	known      *store.Dictionary // what earlier imports said; nil where the office is not known
	about      stat.Structure
	structure  string            // the name under which the dictionary has the code lists of the dimensions
	isShared   bool              // it is that of other datasets with the same dimensions
	axes       []*stat.Dimension // of the file in its order: all but a geography that the importer gave it

	lists      map[string]*stat.CodeList    // by dimension
	order      map[string]map[string]int32  // positions of codes in lists, of the dimensions that have their order
	fileLabels map[string]map[string]string // labels that the file brought, by dimension and code
}

// codesOf looks up what is known of a dataset, and notes what is wrong with the
// dictionaries.
func (im *Importer) codesOf(ctx context.Context, t *table, dictionary *stat.Dictionary) (*codes, error) {
	c := &codes{
		table: t, dictionary: dictionary, about: dictionary.About(t.dataset.Code), structure: t.dataset.Code,
		lists: map[string]*stat.CodeList{}, order: map[string]map[string]int32{}, fileLabels: map[string]map[string]string{},
	}
	for _, at := range t.dataset.SourceOrder() {
		if axis := t.dataset.Axes()[at]; axis != &t.dataset.Geography || !t.isPlaced {
			c.axes = append(c.axes, axis)
		}
	}
	c.findStructure()
	if t.office == "" {
		return c, nil
	}
	var err error
	if c.known, err = im.store.Dictionary(ctx, t.office); err != nil {
		return nil, err
	}
	folder, missing, err := im.labelsFolder(ctx, t.office)
	if err != nil {
		return nil, err
	}
	if missing != "" {
		t.report.Add(NoteLabelsMissing, 1, missing)
	}
	if folder == nil {
		return c, nil
	}
	if im.options.Labels != "" && len(folder.dictionaries[t.office]) == 0 {
		t.report.Add(NoteLabelsNotUsed, 1, im.options.Labels)
	}
	for _, problem := range folder.problems {
		t.report.Add(NoteLabelsUnread, 1, problem)
	}
	return c, nil
}

// findStructure finds code lists for a dataset whose code names no structure:
// those of the structures that have the same dimensions, if these agree.
func (c *codes) findStructure() {
	if c.dictionary == nil || c.dictionary.Structure(c.structure).NamesLists() {
		return
	}
	var found *stat.Structure
	for _, s := range c.dictionary.Structures {
		if !s.NamesLists() || !c.hasDimensionsOf(s) {
			continue
		}
		if found != nil && !haveSameLists(found, s) {
			return
		}
		if found == nil || s.ID < found.ID {
			found = s
		}
	}
	if found != nil {
		c.structure, c.isShared = found.ID, true
	}
}

// hasDimensionsOf reports whether the file has the dimensions of s and no
// others.
func (c *codes) hasDimensionsOf(s *stat.Structure) bool {
	return len(c.axes) == len(s.Dimensions) &&
		!slices.ContainsFunc(c.axes, func(axis *stat.Dimension) bool { return s.Dimension(axis.ID) == nil })
}

func haveSameLists(a, b *stat.Structure) bool {
	return !slices.ContainsFunc(a.Dimensions, func(c stat.Component) bool {
		other := b.Dimension(c.ID)
		return other == nil || stat.ListName(other.List) != stat.ListName(c.List)
	})
}

// fillIn gives the dataset what its file leaves open: labels, their order, its
// name and times. Codes that do not occur are still there.
func (c *codes) fillIn() {
	for _, axis := range c.axes {
		c.fillAxis(axis)
	}
	d := c.dataset
	if d.Name == "" || strings.EqualFold(d.Name, d.Code) {
		d.Name = cmp.Or(c.about.Title, d.Name)
	}
	if d.Updated.IsZero() {
		d.Updated = c.about.Updated
	}
	d.MetadataURL = cmp.Or(d.MetadataURL, c.about.MetadataURL)
	d.SourceURL = cmp.Or(d.SourceURL, c.about.SourceURL)
}

func (c *codes) fillAxis(dim *stat.Dimension) {
	labels := map[string]string{}
	for _, code := range dim.Codes {
		if label := tidyText(code.Label); label != "" {
			labels[code.ID] = label
		}
	}
	c.fileLabels[dim.ID] = labels
	var component stat.Component // what the dataset's own structure says
	if s := c.dictionary.Structure(c.dataset.Code); s != nil && s.Dimension(dim.ID) != nil {
		component = *s.Dimension(dim.ID)
	}
	dim.Label = cmp.Or(dim.Label, c.dictionary.Label(c.dataset.Code, dim.ID))
	dim.Total = cmp.Or(dim.Total, component.Total)
	if dim.Role == stat.RoleOther && (component.Role == stat.RoleUnit || component.Role == stat.RoleFrequency) {
		dim.Role = component.Role
	}
	list := c.dictionary.List(c.structure, dim.ID)
	if list == nil {
		return
	}
	c.lists[dim.ID] = list
	positions := list.Positions()
	for i := range dim.Codes {
		code := &dim.Codes[i]
		if at, ok := positions[code.ID]; ok && code.Label == "" {
			code.Label = list.Codes[at].Label
		}
	}
	if len(labels) == 0 {
		c.order[dim.ID] = positions
	}
}

// note tells, once the codes that do not occur are gone, what the dictionaries
// lack, and takes back what the reader found open and they settle.
func (c *codes) note() {
	onlyCodes := c.report.Withdraw(stat.NoteNoLabels)
	for _, axis := range c.dataset.Axes() {
		if onlyCodes && axis.Role != stat.RoleGeo { // areas have names without a dictionary
			c.noteUnlabelled(axis)
		}
		list := c.lists[axis.ID]
		if list == nil {
			continue
		}
		if list.Encoding != "" {
			c.report.Add(stat.NoteEncoding, 1, list.Name+" in "+list.Encoding)
		}
		if list.Grown || c.isShared || !c.dictionary.States(c.structure, axis.ID) {
			continue
		}
		positions := list.Positions()
		for _, code := range axis.Codes {
			if _, ok := positions[code.ID]; !ok {
				c.report.Add(stat.NoteUnknownCode, 1, axis.ID+": "+code.ID)
			}
		}
	}
	if c.about.Title != "" {
		c.report.Withdraw(stat.NoteCodeFromFilename)
	}
	if c.about.Unread != "" {
		c.report.Add(NoteUpdateTimeUnread, 1, c.about.Unread)
	}
	var newest stat.Period
	for _, p := range c.summary.Periods {
		if newest.IsZero() || p.End().After(newest.End()) {
			newest = p
		}
	}
	if end := c.about.DataEnd; !end.IsZero() && !newest.IsZero() && newest.End().After(end.End()) {
		c.report.Add(NoteContentsOlder, 1, fmt.Sprintf("data until %s there, until %s in the file", end, newest))
	}
}

// noteUnlabelled counts the codes of a dimension that nobody names.
func (c *codes) noteUnlabelled(axis *stat.Dimension) {
	label := c.labels(axis.ID)
	unlabelled, first := 0, ""
	for _, code := range axis.Codes {
		if code.Label == "" && label(code.ID) == "" {
			unlabelled++
			first = cmp.Or(first, code.ID)
		}
	}
	if unlabelled > 0 {
		c.report.Add(stat.NoteNoLabels, unlabelled, axis.ID+": "+first)
	}
}

// labels returns the labels of those codes of a dimension that neither the file
// nor a code list names: that of the previous vintage, else the one that all
// data files of the office which name the code agree on.
func (c *codes) labels(dimension string) func(code string) string {
	previous := map[string]string{}
	for _, code := range dimensionOf(c.previous(), dimension).Codes {
		if code.Label != code.ID {
			previous[code.ID] = code.Label
		}
	}
	return func(code string) string {
		if label := previous[code]; label != "" || c.known == nil {
			return label
		}
		return c.known.LabelInFiles(dimension, code)
	}
}

// maxLabels is how many codes of a dimension are kept with the labels that a
// data file gives: more are no list of an office's codes.
const maxLabels = 10_000

// dictionaryUpdate is what is kept of the office's codes once the dataset is
// published: what the office's lists say of those that occur, what the dataset
// is made of, and how its file calls them.
func (c *codes) dictionaryUpdate() store.DictionaryUpdate {
	d := c.dataset
	dictionary := stat.NewDictionary(c.office)
	update := store.DictionaryUpdate{Dictionary: dictionary, Dataset: d.Code, Labels: map[string]map[string]string{}}
	for _, axis := range d.Axes() {
		occurs := map[string]bool{}
		labels := map[string]string{}
		for _, code := range axis.Codes {
			occurs[code.ID] = true
			if label := c.fileLabels[axis.ID][code.ID]; label != "" && label != code.ID {
				labels[code.ID] = label
			}
		}
		if len(labels) > 0 && len(axis.Codes) <= maxLabels {
			update.Labels[axis.ID] = labels
		}
		if id := strings.ToLower(axis.ID); c.dictionary != nil && c.dictionary.Concepts[id] != "" {
			dictionary.Concepts[id] = c.dictionary.Concepts[id]
		}
		if list := c.lists[axis.ID]; list != nil {
			key := stat.ListName(list.Name)
			list = list.Only(func(id string) bool { return occurs[id] })
			if known := dictionary.Lists[key]; known != nil {
				list = stat.NewestCodes(known, list)
			}
			dictionary.Lists[key] = list
		}
	}
	if s := c.ownStructure(); s != nil {
		dictionary.Structures[strings.ToLower(d.Code)] = s
	}
	return update
}

// ownStructure is what the dataset is made of: as the office states it, else as
// its file had it, unless dimensions were only guessed. Where the office states
// other dimensions than the file has (a part of the dataset, a table that
// somebody made of it), it is nil: the statement stays.
func (c *codes) ownStructure() *stat.Structure {
	d := c.dataset
	if stated := c.dictionary.Structure(d.Code); stated.NamesLists() {
		if !c.hasDimensionsOf(stated) {
			return nil
		}
		return &stat.Structure{
			ID: d.Code, Dimensions: stated.Dimensions, Attributes: stated.Attributes, Time: stated.Time, Measure: stated.Measure,
		}
	}
	if slices.ContainsFunc(c.report.Notes(), func(n stat.Note) bool { return n.Kind == stat.NoteNoStructure }) {
		return nil
	}
	s := &stat.Structure{ID: d.Code}
	for _, dim := range c.axes {
		s.Dimensions = append(s.Dimensions, stat.Component{ID: dim.ID, Label: dim.Label, Role: dim.Role, Total: dim.Total})
	}
	return s
}
