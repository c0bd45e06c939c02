package importer

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"

	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// complete adds what a file does not state and the office's dictionaries, the
// previous version or the caller do: labels, the order of codes, areas, metadata.
// It drops duplicate observations and accounts for every cell.
func (im *Importer) complete(ctx context.Context, tables []*table) error {
	for _, t := range tables {
		if err := im.completeTable(ctx, t); err != nil {
			return formatError{t.format, err}
		}
	}
	return nil
}

func (im *Importer) completeTable(ctx context.Context, t *table) error {
	book, err := im.newCodebook(ctx, t)
	if err != nil {
		return err
	}
	replaceNames(t.dataset, t.previous(), book.dictionary, t.report)
	if err := t.checkCodes(); err != nil {
		return err
	}
	book.translateFile()
	for _, axis := range book.axes {
		book.fillAxis(axis)
	}
	if err := t.finish(book.order); err != nil { // sorts by the order of codes
		return err
	}
	book.addNotes()
	nameLocal(t.dataset)
	im.completeMetadata(t.dataset, t.previous(), book.about)
	t.listed = book.about.Listed
	book.resolveAreas()
	for _, axis := range t.dataset.Axes() {
		book.completeLabels(axis)
	}
	book.completeTranslations()
	t.completeAreas()
	t.noteRelease()
	t.update = book.dictionaryUpdate()
	return t.shortenKey()
}

// checkCodes refuses codes with control characters, because codes are used as
// filters, columns and file names. It also finds codes that a reader yields twice.
func (t *table) checkCodes() error {
	if strings.ContainsFunc(t.dataset.Code, unicode.IsControl) {
		return suggestCode(stat.Errorf(stat.Refused, "the dataset's code %q contains a control character: state another code", t.dataset.Code))
	}
	for _, axis := range t.dataset.Axes() {
		seen := make(map[string]bool, len(axis.Codes))
		for _, c := range axis.Codes {
			if strings.ContainsFunc(c.ID, unicode.IsControl) {
				return stat.Errorf(stat.Refused, "code %q of dimension %s contains a control character", c.ID, axis.ID)
			}
			if seen[c.ID] {
				return stat.Errorf(stat.Internal, "format %s yields code %[3]q of dimension %[2]s twice", t.format, axis.ID, c.ID)
			}
			seen[c.ID] = true
		}
	}
	return nil
}

// finish makes the draft, in which order defines the order of codes. It notes the
// observations that the draft dropped as duplicates or as replaced by a later part.
func (t *table) finish(order func(*stat.Dimension) map[string]int32) (err error) {
	if t.draft, err = t.builder.Finish(order); err != nil {
		return err
	}
	t.summary = t.draft.Summary()
	dropped := 0
	add := func(kind string, d store.Dropped) {
		if d.Count > 0 {
			t.report.Add(kind, d.Count, d.Example)
			dropped += d.Count
		}
	}
	add(stat.NoteDoubled, t.draft.Doubled)
	add(stat.NoteSuperseded, t.draft.Superseded)
	// Dropped observations without a value were counted as missing.
	droppedValues := t.values - t.summary.Observations
	t.report.Missing -= dropped - droppedValues
	return t.checkCells(t.summary.Observations)
}

// nameLocal names the office that a file without a source seems to be of. The dataset keeps the
// source "local", so that nothing but the name depends on it.
func nameLocal(d *stat.Dataset) {
	if d.Source == office.Local {
		d.Source.Name = cmp.Or(office.NameByClues(d), d.Source.Name)
	}
}

// completeMetadata takes what the file lacks from the office's structure, then from
// the previous version. Then it applies the curator's texts and the caller's options.
// The time of update is of the file's own data, so neither states it.
func (im *Importer) completeMetadata(d, before *stat.Dataset, about stat.Structure) {
	isUnnamed := func() bool { return d.Name == "" || strings.EqualFold(d.Name, d.Code) }
	if isUnnamed() {
		d.Name = cmp.Or(about.Title, d.Name)
	}
	d.MetadataURL = cmp.Or(d.MetadataURL, about.MetadataURL)
	d.SourceURL = cmp.Or(d.SourceURL, about.SourceURL)
	if before != nil {
		d.Source.Name = cmp.Or(d.Source.Name, before.Source.Name)
		d.Source.URL = cmp.Or(d.Source.URL, before.Source.URL)
		if isUnnamed() {
			d.Name = before.Name
		}
		for _, name := range []string{"description", "source_url", "metadata_url", "licence", "attribution"} {
			text := d.Text(name)
			*text = cmp.Or(*text, *before.Text(name))
		}
		for name, text := range before.Curated {
			d.Curate(name, text)
		}
		im.options.override(d)
	}
	d.Name = cmp.Or(tidyText(d.Name), d.Code)
	d.Source.Name = tidyText(d.Source.Name)
}

// noteRelease notes that the file is a part, or older than what is stored.
func (t *table) noteRelease() {
	if t.partial != "" {
		t.report.Add(stat.NotePartial, 1, t.partial)
		if len(t.shares) > 0 {
			t.dataset.Partial = t.partial
		}
	}
	if before := t.previous(); before != nil && isOlder(t.dataset.Updated, before.Updated) {
		t.report.Add(NoteOlderRelease, 1, fmt.Sprintf("updated %s, and what is stored %s", t.dataset.Updated.Format(time.RFC3339), before.Updated.Format(time.RFC3339)))
	}
}

// isOlder reports whether a is before b, provided that both are known. A date
// without a time is not before any time of that day. An older file, such as a copy
// from a mirror that lags behind, is imported anyway, because offices also withdraw
// releases.
func isOlder(a, b time.Time) bool {
	if a.IsZero() || b.IsZero() {
		return false
	}
	isDate := func(t time.Time) bool { return t.Equal(t.UTC().Truncate(24 * time.Hour)) }
	if isDate(a) || isDate(b) {
		return a.Format(time.DateOnly) < b.Format(time.DateOnly)
	}
	return a.Before(b)
}

// dimensionOf returns the dimension of d with an ID, also a fixed one. It returns
// the zero Dimension if there is none.
func dimensionOf(d *stat.Dataset, id string) stat.Dimension {
	if d == nil {
		return stat.Dimension{}
	}
	for _, axis := range d.Axes() {
		if axis.ID == id {
			return *axis
		}
	}
	for _, f := range d.Fixed {
		if f.ID == id {
			return stat.Dimension{ID: f.ID, Label: f.Label, Codes: []stat.Code{f.Code}}
		}
	}
	return stat.Dimension{}
}

// shortenKey moves dimensions with a single code out of the key, so that at most
// [stat.MaxDimensions] remain.
func (t *table) shortenKey() error {
	positions, err := t.dimensionsOutsideKey()
	if err != nil {
		return err
	}
	for removed, i := range positions {
		t.draft.OmitFromKey(i - removed)
	}
	return nil
}

// dimensionsOutsideKey returns the positions, ascending, of the dimensions that leave
// the key: those that are not in the key of the previous version, and if necessary
// all others with a single code that are new.
func (t *table) dimensionsOutsideKey() ([]int, error) {
	d := t.dataset
	outside, inKey := map[string]stat.Code{}, map[string]bool{}
	if before := t.previous(); before != nil {
		for _, f := range before.Fixed {
			outside[f.ID] = f.Code
		}
		for _, dim := range before.Dimensions {
			inKey[dim.ID] = true
		}
	}
	var leave, mayLeave []int
	var stay []string
	for i, dim := range d.Dimensions {
		code, isOutside := outside[dim.ID]
		switch {
		case isOutside && len(dim.Codes) > 1:
			return nil, suggestCode(stat.Errorf(stat.Refused,
				"dimension %s of %s has %d codes (%s …), but earlier versions had only the code %s and leave the dimension out of the key: import the file as another dataset, with a code of its own",
				dim.ID, d.Code, len(dim.Codes), firstCodes(dim.Codes, 3), code.ID))
		case isOutside:
			if dim.Codes[0].ID != code.ID {
				t.report.Add(NoteFixedChanged, 1, dim.ID+": "+code.ID+" is now "+dim.Codes[0].ID)
			}
			leave, mayLeave = append(leave, i), append(mayLeave, i)
		case len(dim.Codes) == 1 && !inKey[dim.ID]:
			mayLeave = append(mayLeave, i)
		default:
			stay = append(stay, dim.ID)
		}
	}
	switch {
	case len(d.Dimensions)-len(leave) <= stat.MaxDimensions:
		return leave, nil
	case len(stay) <= stat.MaxDimensions:
		return mayLeave, nil
	}
	return nil, stat.Errorf(stat.Refused,
		"%s has %d dimensions besides geography and time that must be in the key (%s), but the key has room for %d: split the file by the codes of one of them",
		d.Code, len(stay), strings.Join(stay, ", "), stat.MaxDimensions)
}

func firstCodes(codes []stat.Code, n int) string {
	var ids []string
	for _, c := range codes[:min(n, len(codes))] {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ", ")
}
