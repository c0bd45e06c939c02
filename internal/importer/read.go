package importer

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/internal/format"
	"almanac/internal/format/office"
	"almanac/internal/geo"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// table is a dataset of a file during its import: it is read, perhaps joined
// with other parts of the dataset, completed, and published.
type table struct {
	dataset *stat.Dataset
	report  *stat.Report
	files   string // as given by the caller, joined by commas
	format  string
	office  string // whose dictionaries apply: the file's own source, even if the caller states another
	options store.ReadOptions
	stored  *store.Vintage // current version of the dataset; nil if it is new
	listed  time.Time      // time of update in the office's table of contents, perhaps of another release; set by complete

	builder    *store.Builder
	values     int          // observations with a value passed to the builder
	partial    string       // the file's statement that it is a part; empty if it is complete
	shares     []stat.Share // which parts were read
	isGeoAdded bool         // the file has no geography; the importer added one
	isNamed    bool         // the office is only named in the file

	draft   *store.Draft        // set by complete
	areas   map[string]geo.Area // of the geography's codes; set by complete
	summary store.Summary
	update  store.DictionaryUpdate // what the table says about the office's codes
}

func (t *table) key() string { return strings.ToLower(t.dataset.Source.ID + ":" + t.dataset.Code) }

// previous returns the stored dataset, or nil if the dataset is new.
func (t *table) previous() *stat.Dataset {
	if t.stored == nil {
		return nil
	}
	return t.stored.Dataset
}

func (im *Importer) findStored(ctx context.Context, t *table) (err error) {
	t.stored, err = im.store.Current(ctx, t.dataset.Source.ID, t.dataset.Code)
	return stat.Wrap(err, "reading the current version of %s", t.dataset.Code)
}

// read reads all datasets of a file or archive to their end and joins the parts
// of each dataset. Members with codes are read first. Nothing is stored yet.
func (im *Importer) read(ctx context.Context, f *unpackedFile) ([]*table, error) {
	dictionaries, err := im.readDictionaries(ctx, f.codeLists)
	if err != nil {
		return nil, err
	}
	var all tablesByDataset
	for _, c := range f.data {
		tables, err := im.readContent(ctx, c)
		if err = cmp.Or(f.checkUnchanged(), err); err != nil {
			return nil, formatError{c.format.Name, inMember(c.member, err)}
		}
		for _, t := range tables {
			t.files = f.name
		}
		all.add(tables...)
	}
	var tables []*table
	for _, ofDataset := range all {
		t, err := join(ofDataset)
		if err != nil {
			return nil, formatError{ofDataset[0].format, err}
		}
		tables = append(tables, t)
	}
	if tables, err = withObservations(tables); err != nil {
		return nil, err
	}
	for _, member := range f.skipped {
		tables[0].report.Add(stat.NoteNotRead, 1, member)
	}
	for _, t := range tables {
		for _, problem := range dictionaries.problems {
			t.report.Add(NoteLabelsUnread, 1, problem.Error())
		}
	}
	return tables, nil
}

// withObservations skips datasets without observations. It is an error if all
// are empty.
func withObservations(tables []*table) ([]*table, error) {
	isEmpty := func(t *table) bool { return t.builder.IsEmpty() }
	filled := slices.DeleteFunc(slices.Clone(tables), isEmpty)
	if len(filled) == 0 {
		return nil, formatError{tables[0].format, stat.Errorf(stat.Refused,
			"dataset %s has no observations: none of its %d cells has a value or a flag that can be stored",
			tables[0].dataset.Code, tables[0].report.Read)}
	}
	for _, t := range tables {
		if isEmpty(t) {
			filled[0].report.Add(stat.NoteNotRead, 1, "dataset "+t.dataset.Code+", which has no values")
		}
	}
	return filled, nil
}

// readContent reads the datasets of one file or member, with the options
// remembered for the dataset if the file is of that dataset.
func (im *Importer) readContent(ctx context.Context, c content) ([]*table, error) {
	options, err := im.optionsFor(ctx, c)
	if err != nil {
		return nil, err
	}
	tables, err := im.readTables(ctx, c, options.ReadOptions)
	if options.before == "" {
		return tables, err
	}
	if err == nil && options.areFor(tables) {
		for _, t := range tables {
			t.report.Add(NoteFlagsRemembered, 1, options.before)
		}
		return tables, nil
	}
	// A file of another dataset may have the same name: read it as the caller states.
	others, othersErr := im.readTables(ctx, c, im.statedOptions())
	if err == nil || othersErr == nil && !options.areFor(others) {
		return others, othersErr
	}
	var at *stat.FileError // the file is of the dataset, and the remembered options may be wrong for it
	if errors.As(err, &at) {
		at.Message += "; it was read with what an earlier import stated (" + options.before + "); state something else to override it"
	}
	return nil, err
}

// readTables reads the datasets of one file or member with the given options.
func (im *Importer) readTables(ctx context.Context, c content, o store.ReadOptions) ([]*table, error) {
	data, err := c.open()
	if err != nil {
		return nil, err
	}
	defer data.Close()
	var tables []*table
	input := format.Input{
		Name: c.name, Data: data, Again: c.open,
		// An error occurs again, and is reported, when the dataset is completed.
		Dictionary: func(source string) *stat.Dictionary {
			d, _ := im.dictionary(ctx, source)
			return d
		},
		Areas:  countAreas,
		Source: o.Source, Code: im.options.Code, Geo: im.options.Geo, Period: im.options.Period,
		Decimal: o.Decimal, Mapping: o.Mapping, Encoding: o.Encoding,
	}
	for t, err := range c.format.Read(ctx, input.Until(ctx)) {
		if err != nil {
			return nil, err
		}
		if o.Mapping != "" && !isPlain(c.format.Name) {
			t.Report.Add(NoteMappingNotUsed, 1, o.Mapping)
		}
		read, err := im.readTable(ctx, t)
		if err != nil {
			return nil, err
		}
		read.format, read.options = c.format.Name, o
		read.builder.EndPart(cmp.Or(c.member, c.name), t.Prepared)
		tables = append(tables, read)
	}
	if len(tables) == 0 {
		return nil, stat.Errorf(stat.Refused, "the file contains no dataset")
	}
	return tables, nil
}

// closeTables removes the temporary files of the tables that were read, except those of
// pending parts.
func (im *Importer) closeTables() {
	im.opened = slices.DeleteFunc(im.opened, func(t *table) bool {
		if slices.ContainsFunc(im.pending, func(parts []*table) bool { return slices.Contains(parts, t) }) {
			return false
		}
		t.builder.Close()
		t.draft.Close()
		return true
	})
}

// readTable passes the observations of one dataset to a builder and sets its
// geography.
func (im *Importer) readTable(ctx context.Context, from *stat.Table) (*table, error) {
	d := from.Dataset
	t := &table{dataset: d, report: from.Report, office: d.Source.ID}
	t.attribute()
	if im.options.override(d); d.Source.ID == "" {
		d.Source = office.Local
	}
	keyBefore := t.key()
	if d.Code != "" {
		if err := im.findStored(ctx, t); err != nil {
			return nil, err
		}
	}
	geography, err := im.decideGeography(t)
	if err != nil {
		return nil, err
	}
	t.builder = im.store.NewBuilder(d)
	im.opened = append(im.opened, t)
	if err := t.addObservations(from); err != nil {
		return nil, err
	}
	im.options.override(d) // the reader may have found more metadata
	if d.Code == "" {
		return nil, suggestCode(stat.Errorf(stat.Refused, "the file does not state the code of its dataset: state it"))
	}
	if t.key() != keyBefore {
		if err := im.findStored(ctx, t); err != nil {
			return nil, err
		}
	}
	if err := t.setGeography(geography); err != nil {
		return nil, err
	}
	t.office, t.partial = cmp.Or(t.office, d.Source.ID), from.Partial
	if from.Share.Of > 0 {
		t.shares = append(t.shares, from.Share)
	}
	return t, nil
}

// override applies the caller's statements to d.
func (o *Options) override(d *stat.Dataset) {
	if o.Source != "" {
		if s := office.Find(o.Source); s.ID != d.Source.ID {
			d.Source = s
		}
	}
	d.Code = cmp.Or(o.Code, d.Code)
	d.Name = cmp.Or(o.Name, d.Name)
	d.Description = cmp.Or(o.Description, d.Description)
	d.SourceURL = cmp.Or(o.SourceURL, d.SourceURL)
	d.MetadataURL = cmp.Or(o.MetadataURL, d.MetadataURL)
	if !o.Updated.IsZero() {
		d.Updated = o.Updated
	}
}

// maxCodes bounds the codes of a dimension, which stay in memory.
const maxCodes = 1_000_000

// addObservations passes the observations to the builder. It checks that every
// position has a code and that every cell is accounted for.
func (t *table) addObservations(from *stat.Table) (err error) {
	var axes []*stat.Dimension
	adder := t.builder.NewAdder()
	defer func() { err = cmp.Or(adder.End(), err) }() // which comes first in the file
	for o, err := range from.Observations {
		if err != nil {
			return err
		}
		if axes == nil {
			axes = t.dataset.Axes()
		}
		for i, position := range o.Key {
			if position >= maxCodes && i < len(axes) {
				return stat.BadFile(o.At, "the dimension %s has more than %d codes, which would stay in memory: leave it out if it only numbers the rows, or split the file", axes[i].ID, maxCodes)
			}
			// Without a geography, the last position is 0 (format.Format.Read).
			if i < len(axes) && uint(position) >= uint(len(axes[i].Codes)) && (position != 0 || hasGeography(axes[i])) {
				return stat.Errorf(stat.Internal, "line %d: no code at position %d of dimension %s", o.At.Line, position, axes[i].ID)
			}
		}
		if err := adder.Add(&o); err != nil {
			return err
		}
		if !math.IsNaN(o.Value) {
			t.values++
		}
	}
	return t.checkCells(t.values)
}

// checkCells checks that every cell is stored, missing or dropped.
func (t *table) checkCells(stored int) error {
	if r := t.report; stored+r.Missing+r.Dropped() != r.Read {
		return stat.Errorf(stat.Internal, "%d cells of %s were read, but %d values + %d missing + %d dropped are accounted for",
			r.Read, t.dataset.Code, stored, r.Missing, r.Dropped())
	}
	return nil
}
