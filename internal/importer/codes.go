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

// codes holds what the office's dictionaries and earlier imports say about a
// dataset and its codes, and completes the dataset with it.
type codes struct {
	*table
	dictionary *stat.Dictionary
	known      *store.Dictionary // from earlier imports; nil if the office is unknown
	about      stat.Structure
	structure  string            // name of the structure with the code lists of the dimensions
	isShared   bool              // the structure is that of other datasets with the same dimensions
	axes       []*stat.Dimension // in the file's order, without a geography that the importer added

	lists      map[string]*stat.CodeList    // by dimension
	fileLabels map[string]map[string]string // labels from the file, by dimension and code
}

// codesOf looks up what is known about a dataset, and notes problems with the
// dictionaries.
func (im *Importer) codesOf(ctx context.Context, t *table, dictionary *stat.Dictionary) (*codes, error) {
	c := &codes{
		table: t, dictionary: dictionary, about: dictionary.About(t.dataset.Code), structure: t.dataset.Code,
		lists: map[string]*stat.CodeList{}, fileLabels: map[string]map[string]string{},
	}
	for _, at := range t.dataset.SourceOrder() {
		if axis := t.dataset.Axes()[at]; axis != &t.dataset.Geography || !t.isGeoAdded {
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

// findStructure finds code lists for a dataset without a structure of its own:
// those of the structures with the same dimensions, if they agree.
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

// fillIn adds what the file does not state: labels, the order of codes, the name,
// the time of update, addresses. Codes that do not occur are still present.
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
	component := c.dictionary.Dimension(c.dataset.Code, dim.ID)
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
}

// order returns the positions that define the order of a dimension's codes: those in
// the list that labels them, else, if nothing labels them, those in the previous
// version, which may come from a list that was available then.
func (c *codes) order(dim *stat.Dimension) map[string]int32 {
	if list := c.lists[dim.ID]; list != nil && len(c.fileLabels[dim.ID]) == 0 {
		return list.Positions()
	}
	if slices.ContainsFunc(dim.Codes, func(code stat.Code) bool { return code.Label != "" }) {
		return nil
	}
	before := dimensionOf(c.previous(), dim.ID)
	return before.Positions()
}

// note adds notes about what the dictionaries lack, and withdraws the reader's
// notes that they resolve. Codes that do not occur must have been removed.
func (c *codes) note() {
	onlyCodes := c.report.Withdraw(stat.NoteNoLabels)
	for _, axis := range c.dataset.Axes() {
		if onlyCodes && axis.Role != stat.RoleGeo { // areas have names even without a dictionary
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

// noteUnlabelled counts the codes of a dimension without any known label.
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

// labels returns a function that finds labels for codes of a dimension which
// neither the file nor a code list labels: the label of the previous version, else
// the one on which the office's data files agree.
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

// maxLabels limits the labels of a dimension that are stored from a data file. A
// longer list is not a code list.
const maxLabels = 10_000

// dictionaryUpdate returns what is stored about the office's codes once the
// dataset is published: the list entries of the codes that occur, the dataset's
// structure, and the file's labels.
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

// ownStructure returns the dataset's structure as the office states it, else as
// the file has it, unless its dimensions were guessed. It returns nil if the
// office states other dimensions than the file has (an extract, or a table that
// somebody derived), so that the office's statement stays.
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
