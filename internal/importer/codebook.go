package importer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// codebook holds what the office's dictionaries and earlier imports say about a
// dataset and its codes, and completes the dataset with it.
type codebook struct {
	*table
	dictionary *stat.Dictionary
	earlier    *store.Dictionary // from earlier imports; nil if the office is unknown
	about      stat.Structure
	structure  string            // name of the structure with the code lists of the dimensions
	isShared   bool              // the structure is that of other datasets with the same dimensions
	axes       []*stat.Dimension // in the file's order, without a geography that the importer added

	lists      map[string]*stat.CodeList    // by dimension
	fileLabels map[string]map[string]string // labels from the file, by dimension and code

	earlierTexts map[string]*stat.Translation // of the previous version
}

// newCodebook looks up what is known about a dataset, and notes problems with the
// dictionaries.
func (im *Importer) newCodebook(ctx context.Context, t *table) (*codebook, error) {
	dictionary, err := im.dictionary(ctx, t.office)
	if err != nil {
		return nil, err
	}
	b := &codebook{
		table: t, dictionary: dictionary, about: dictionary.About(t.dataset.Code), structure: t.dataset.Code,
		lists: map[string]*stat.CodeList{}, fileLabels: map[string]map[string]string{},
	}
	for _, at := range t.dataset.SourceOrder() {
		if axis := t.dataset.Axes()[at]; axis != &t.dataset.Geography || !t.isGeoAdded {
			b.axes = append(b.axes, axis)
		}
	}
	b.findStructure()
	if t.stored != nil {
		if b.earlierTexts, err = t.stored.Translations(ctx); err != nil {
			return nil, err
		}
	}
	if t.office == "" {
		return b, nil
	}
	if t.office != office.Local.ID { // files of any author mean different things by one code
		if b.earlier, err = im.store.Dictionary(ctx, t.office); err != nil {
			return nil, err
		}
	}
	folder, missing, err := im.labelsFolder(ctx, t.office)
	if err != nil {
		return nil, err
	}
	if missing != "" {
		t.report.Add(NoteLabelsMissing, 1, missing)
	}
	if im.options.Labels != "" && len(ofOffice(t.office, folder.all)) == 0 {
		t.report.Add(NoteLabelsNotUsed, 1, im.options.Labels)
	}
	for _, problem := range folder.problems {
		t.report.Add(NoteLabelsUnread, 1, problem.Error())
	}
	return b, nil
}

// findStructure finds code lists for a dataset without a structure of its own:
// those of the structures with the same dimensions, if they agree.
func (b *codebook) findStructure() {
	if b.dictionary == nil || b.dictionary.Structure(b.structure).NamesLists() {
		return
	}
	var found *stat.Structure
	for _, s := range b.dictionary.Structures {
		if !s.NamesLists() || !b.hasDimensionsOf(s) {
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
		b.structure, b.isShared = found.ID, true
	}
}

func (b *codebook) hasDimensionsOf(s *stat.Structure) bool {
	return len(b.axes) == len(s.Dimensions) &&
		!slices.ContainsFunc(b.axes, func(axis *stat.Dimension) bool { return s.Dimension(axis.ID) == nil })
}

func haveSameLists(one, two *stat.Structure) bool {
	return !slices.ContainsFunc(one.Dimensions, func(c stat.Component) bool {
		other := two.Dimension(c.ID)
		return other == nil || stat.ListName(other.List) != stat.ListName(c.List)
	})
}

// fillAxis adds what the file does not state of a dimension: its label, total and
// role, and labels of codes. Codes that do not occur are still present.
func (b *codebook) fillAxis(dim *stat.Dimension) {
	labels := map[string]string{}
	for _, code := range dim.Codes {
		if label := tidyText(code.Label); label != "" {
			labels[code.ID] = label
		}
	}
	b.fileLabels[dim.ID] = labels
	component := b.dictionary.Dimension(b.dataset.Code, dim.ID)
	dim.Label = cmp.Or(dim.Label, b.dictionary.Label(b.dataset.Code, dim.ID))
	dim.Total = cmp.Or(dim.Total, component.Total)
	if dim.Role == stat.RoleOther && (component.Role == stat.RoleUnit || component.Role == stat.RoleFrequency) {
		dim.Role = component.Role
	}
	list := b.dictionary.List(b.structure, dim.ID)
	if list != nil {
		b.lists[dim.ID] = list
	} else if list = b.listOfAreas(dim); list == nil {
		return
	}
	positions := list.Positions()
	b.linkParents(dim, list, positions)
	for i := range dim.Codes {
		code := &dim.Codes[i]
		if at, ok := positions[code.ID]; ok && code.Label == "" {
			code.Label = list.Codes[at].Label
		}
	}
}

// linkParents adds the hierarchy of a code list, unless the file states one.
func (b *codebook) linkParents(dim *stat.Dimension, list *stat.CodeList, positions map[string]int32) {
	if dim.HasHierarchy() || !(&stat.Dimension{Codes: list.Codes}).HasHierarchy() {
		return
	}
	present := idSet(dim.Codes)
	parentsOf := func(id string) []string {
		if at, ok := positions[id]; ok {
			return list.Codes[at].Parents
		}
		return nil
	}
	stat.LinkParents(dim.Codes, parentsOf, func(id string) bool { return present[id] })
}

// listOfAreas returns the code list of the geography for a dimension without labels that has no
// list of its own but is about areas too, such as the regions where passengers board: nearly
// all of its codes are in that list.
func (b *codebook) listOfAreas(dim *stat.Dimension) *stat.CodeList {
	const least, share = 10, .9
	list := b.dictionary.List(b.structure, b.dataset.Geography.ID)
	if list == nil || dim.Role != stat.RoleOther || len(dim.Codes) < least || len(b.fileLabels[dim.ID]) > 0 {
		return nil
	}
	positions, areas := list.Positions(), 0
	for _, code := range dim.Codes {
		if _, ok := positions[code.ID]; ok {
			areas++
		}
	}
	if float64(areas) < share*float64(len(dim.Codes)) {
		return nil
	}
	return list
}

// order returns the positions that define the order of a dimension's codes: those in
// the list that labels them, else, if nothing labels them, those in the previous
// version, which may come from a list that was available then.
func (b *codebook) order(dim *stat.Dimension) map[string]int32 {
	if list := b.lists[dim.ID]; list != nil && len(b.fileLabels[dim.ID]) == 0 {
		return list.Positions()
	}
	if slices.ContainsFunc(dim.Codes, func(code stat.Code) bool { return code.Label != "" }) {
		return nil
	}
	before := dimensionOf(b.previous(), dim.ID)
	return before.Positions()
}

// addNotes adds notes about what the dictionaries lack, and withdraws the reader's
// notes that they resolve. Codes that do not occur must have been removed.
func (b *codebook) addNotes() {
	onlyCodes := b.report.Withdraw(stat.NoteNoLabels)
	for _, axis := range b.dataset.Axes() {
		if onlyCodes && axis.Role != stat.RoleGeo { // areas have names even without a dictionary
			b.noteUnlabelled(axis)
		}
		list := b.lists[axis.ID]
		if list == nil {
			continue
		}
		if list.Encoding != "" {
			b.report.Add(stat.NoteEncoding, 1, list.Name+" in "+list.Encoding)
		}
		if list.Grown || b.isShared || !b.dictionary.States(b.structure, axis.ID) {
			continue
		}
		positions := list.Positions()
		for _, code := range axis.Codes {
			if _, ok := positions[code.ID]; !ok {
				b.report.Add(stat.NoteUnknownCode, 1, axis.ID+": "+code.ID)
			}
		}
	}
	if b.about.Title != "" {
		b.report.Withdraw(stat.NoteCodeFromFilename)
	}
}

// noteUnlabelled counts the codes of a dimension without any known label.
func (b *codebook) noteUnlabelled(axis *stat.Dimension) {
	label := b.labels(axis)
	unlabelled, first := 0, ""
	for _, code := range axis.Codes {
		if code.Label == "" && label(code.ID) == "" {
			unlabelled++
			first = cmp.Or(first, code.ID)
		}
	}
	if unlabelled > 0 {
		b.report.Add(stat.NoteNoLabels, unlabelled, axis.ID+": "+first)
	}
}

// labels returns a function that finds labels for codes of a dimension which
// neither the file nor a code list labels: the source's label in the previous version,
// else the one on which the office's data files agree, else the name of the area.
func (b *codebook) labels(dim *stat.Dimension) func(code string) string {
	known, name := b.knownLabels(dim), b.areaNames()
	return func(code string) string {
		label := known(code)
		if label == "" && dim == &b.dataset.Geography {
			label = name(code)
		}
		return label
	}
}

// knownLabels is like labels, without names of areas.
func (b *codebook) knownLabels(dim *stat.Dimension) func(code string) string {
	previous := map[string]string{}
	for _, code := range dimensionOf(b.previous(), dim.ID).Codes {
		if label := cmp.Or(code.SourceLabel, code.Label); label != code.ID { // else no label was known
			previous[code.ID] = label
		}
	}
	return func(code string) string {
		label := previous[code]
		if label == "" && b.earlier != nil {
			label = b.earlier.LabelInFiles(dim.ID, code)
		}
		return label
	}
}

// maxLabels limits the labels of a dimension that are stored from a data file. A
// longer list is not a code list.
const maxLabels = 10_000

// dictionaryUpdate returns what is stored about the office's codes once the
// dataset is published: the list entries of the codes that occur, the dataset's
// structure, and the file's labels.
func (b *codebook) dictionaryUpdate() store.DictionaryUpdate {
	d := b.dataset
	dictionary := stat.NewDictionary(b.office)
	update := store.DictionaryUpdate{Dictionary: dictionary, Dataset: d.Code, Labels: map[string]map[string]string{}}
	for _, axis := range d.Axes() {
		occurs := idSet(axis.Codes)
		labels := map[string]string{}
		for _, code := range axis.Codes {
			if label := b.fileLabels[axis.ID][code.ID]; label != "" && label != code.ID {
				labels[code.ID] = label
			}
		}
		if len(labels) > 0 && len(axis.Codes) <= maxLabels {
			update.Labels[axis.ID] = labels
		}
		if id := strings.ToLower(axis.ID); b.dictionary != nil && b.dictionary.Concepts[id] != "" {
			dictionary.Concepts[id] = b.dictionary.Concepts[id]
			if texts := b.dictionary.ConceptTexts[id]; texts != nil {
				dictionary.ConceptTexts[id] = texts
			}
		}
		if list := b.lists[axis.ID]; list != nil {
			key := stat.ListName(list.Name)
			list = list.Only(func(id string) bool { return occurs[id] })
			if known := dictionary.Lists[key]; known != nil {
				list = stat.NewestCodes(known, list)
			}
			dictionary.Lists[key] = list
		}
	}
	if s := b.ownStructure(); s != nil {
		dictionary.Structures[strings.ToLower(d.Code)] = s
	}
	return update
}

// ownStructure returns the dataset's structure as the office states it, else as
// the file has it, unless its dimensions were guessed. It returns nil if the
// office states other dimensions than the file has (an extract, or a table that
// somebody derived), so that the office's statement stays.
func (b *codebook) ownStructure() *stat.Structure {
	d := b.dataset
	if stated := b.dictionary.Structure(d.Code); stated.NamesLists() {
		if !b.hasDimensionsOf(stated) {
			return nil
		}
		return &stat.Structure{
			ID: d.Code, Dimensions: stated.Dimensions, Attributes: stated.Attributes, Time: stated.Time, Measure: stated.Measure,
		}
	}
	if slices.ContainsFunc(b.report.Notes(), func(n stat.Note) bool { return n.Kind == stat.NoteNoStructure }) {
		return nil
	}
	s := &stat.Structure{ID: d.Code}
	for _, dim := range b.axes {
		s.Dimensions = append(s.Dimensions, stat.Component{ID: dim.ID, Label: dim.Label, Role: dim.Role, Total: dim.Total})
	}
	return s
}
