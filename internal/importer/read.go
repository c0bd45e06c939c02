package importer

import (
	"context"
	"math"
	"slices"
	"strings"

	"almanac/internal/format"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// table is a dataset of a file that has been read to its end and waits for
// publication.
type table struct {
	dataset *stat.Dataset
	report  *stat.Report
	writer  *store.Writer
	stored  int // observations with a value
}

// readTables reads all datasets of a file. Nothing is published yet.
func (im *Importer) readTables(ctx context.Context, r reader, in unpacked) ([]table, error) {
	input := format.Input{
		Name: in.name, Data: in.data,
		Code: im.options.Code, Geo: in.geo, Period: im.options.Period, Decimal: im.options.Decimal,
	}
	var tables []table
	seen := map[string]bool{}
	for t, err := range r.format.Read(ctx, input) {
		if err != nil {
			return nil, err
		}
		read, err := im.readTable(ctx, t, in.geo)
		if err != nil {
			return nil, err
		}
		key := strings.ToLower(read.dataset.Source.ID + ":" + read.dataset.Code)
		if seen[key] {
			return nil, stat.Errorf(stat.Refused, "the file holds several datasets with the code %s", read.dataset.Code)
		}
		seen[key] = true
		if r.note != nil {
			read.report.Add(r.note.Kind, r.note.Count, r.note.Drops, r.note.Example)
		}
		tables = append(tables, read)
	}
	if len(tables) == 0 {
		return nil, stat.Errorf(stat.Refused, "the file holds no dataset")
	}
	return tables, nil
}

// readTable hands one dataset of a file to a writer and completes its
// structure.
func (im *Importer) readTable(ctx context.Context, t *stat.Table, geo string) (table, error) {
	d := t.Dataset
	im.options.override(d) // once more below: a reader may meet metadata on its way
	if err := im.rememberedGeography(ctx, t, geo); err != nil {
		return table{}, err
	}
	if err := im.placeWithoutGeography(ctx, d, t.Report); err != nil {
		return table{}, err
	}
	w := im.store.NewWriter(d)
	values, err := pass(t, w)
	if err != nil {
		return table{}, err
	}
	im.options.override(d)
	if d.Code == "" {
		return table{}, stat.Errorf(stat.Refused, "the file does not say its dataset's code: give it with --code")
	}
	before, err := im.store.Current(ctx, d.Source.ID, d.Code)
	if err != nil {
		return table{}, wrap("reading the current vintage of "+d.Code, err)
	}
	if err := w.Seal(before); err != nil {
		return table{}, err
	}
	if err := countDoubled(t, w, values); err != nil {
		return table{}, err
	}
	im.complete(d, before, t.Report)
	leave, err := toFix(d, before, t.Report)
	if err != nil {
		return table{}, err
	}
	for _, i := range leave {
		dim := d.Dimensions[i]
		d.Fixed = append(d.Fixed, stat.FixedDimension{ID: dim.ID, Label: dim.Label, Role: dim.Role, Code: dim.Codes[0]})
	}
	for _, i := range slices.Backward(leave) { // so that the positions before it stay
		w.Fix(i)
	}
	return table{dataset: d, report: t.Report, writer: w, stored: w.Stored()}, nil
}

// pass hands the observations of t to w and returns how many of them have a
// value. It ends with the check that every cell of the file is accounted for.
func pass(t *stat.Table, w *store.Writer) (values int, err error) {
	var axes []*stat.Dimension
	given := 0
	for o, err := range t.Observations {
		if err != nil {
			return 0, err
		}
		if axes == nil {
			axes = t.Dataset.Axes()
		}
		if err := checkCodes(o, axes); err != nil {
			return 0, err
		}
		if err := w.Add(o); err != nil {
			return 0, err
		}
		given++
		if !math.IsNaN(o.Value) {
			values++
		}
	}
	if given == 0 {
		return 0, stat.Errorf(stat.Refused, "the dataset %s holds no observation: of its %d cells none has a value or a flag that can be stored",
			t.Dataset.Code, t.Report.Read)
	}
	if values+t.Report.Missing+t.Report.Dropped() != t.Report.Read {
		return 0, unaccounted(t, values)
	}
	return values, nil
}

// checkCodes checks what the format promises of an observation: a code on each
// axis.
func checkCodes(o stat.Observation, axes []*stat.Dimension) error {
	for i, position := range o.Key {
		if i < len(axes) && uint(position) >= uint(len(axes[i].Codes)) {
			return stat.Errorf(stat.Internal, "line %d: no code at position %d of dimension %s", o.At.Line, position, axes[i].ID)
		}
	}
	return nil
}

// countDoubled moves the observations that the writer dropped, because they
// were given twice, to the note that tells of them.
func countDoubled(t *stat.Table, w *store.Writer, values int) error {
	if doubled, example := w.Doubled(); doubled > 0 {
		// Those without a value had been counted as missing.
		t.Report.Missing -= doubled - (values - w.Stored())
		t.Report.Add(stat.NoteDoubled, doubled, true, example)
	}
	if w.Stored()+t.Report.Missing+t.Report.Dropped() != t.Report.Read {
		return unaccounted(t, w.Stored())
	}
	return nil
}

func unaccounted(t *stat.Table, values int) error {
	return stat.Errorf(stat.Internal, "%d cells were read of %s, but %d values + %d missing + %d dropped are accounted for",
		t.Report.Read, t.Dataset.Code, values, t.Report.Missing, t.Report.Dropped())
}

// publish stores a table and tells what came of it.
func (im *Importer) publish(ctx context.Context, r reader, t table) (Outcome, error) {
	result, err := t.writer.Publish(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if r.office != "" && im.options.Labels != "" {
		if err := im.store.SetLabelsDir(ctx, r.office, im.options.Labels); err != nil {
			return Outcome{}, wrap("remembering the dictionaries of "+r.office, err)
		}
	}
	return Outcome{
		Format: r.format.Name, Status: Status(result.Status),
		ID: result.ID, Code: t.dataset.Code, Version: result.Vintage.Version, Series: result.Vintage.Series,
		Observations: Counts{
			Read: t.report.Read, Stored: t.stored,
			Missing: t.report.Missing, Dropped: t.report.Dropped(),
		},
		Notes: t.report.Notes(),
	}, nil
}
