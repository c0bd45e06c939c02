package importer

import (
	"cmp"
	"context"
	"errors"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"almanac/internal/format"
	"almanac/internal/stat"
	"almanac/internal/store"
)

// table is a dataset of a file that has been read to its end and waits for
// publication, perhaps for its other parts.
type table struct {
	dataset *stat.Dataset
	report  *stat.Report
	writer  *store.Writer
	values  int    // observations with a value that the writer was given
	file    string // as the caller named it
	format  string
	partial string       // how the file says that it is a part
	shares  []stat.Share // which parts these are
	office  string       // whose dictionaries hold: the file's own source, whatever the caller calls it
	placed  bool         // the geography is not the file's
	lesson  *store.Lesson
	said    store.Reading // what a person said of how the file is to be read
}

// key tells datasets apart.
func (t *table) key() string { return strings.ToLower(t.dataset.Source.ID + ":" + t.dataset.Code) }

// readContents reads all datasets of a file or of the members of an archive.
// Nothing is published yet. Members that tell of codes come first.
func (im *Importer) readContents(ctx context.Context, f file, in []content, others geographies) ([]*table, error) {
	var (
		all    parts
		data   []content
		unread []string
		taught lessons
	)
	im.forget() // a file is read twice where its geography is not the first that was found
	for _, c := range in {
		switch f := c.format; {
		case f == nil && c.member == "":
			return nil, unknownFormat(c)
		case f == nil && mayBeData(c.member):
			return nil, inMember(c.member, unknownFormat(c))
		case f == nil || f.Read == nil && f.Learn == nil:
			unread = append(unread, c.member)
		case f.Learn != nil:
			if err := im.learnMember(ctx, c, &taught); err != nil {
				return nil, err
			}
		default:
			data = append(data, c)
		}
	}
	data, texts := withoutTexts(data)
	unread = append(unread, texts...)
	if len(data) == 0 {
		return nil, im.refuseWithoutData(noData(in), &taught)
	}
	for _, c := range data {
		tables, err := im.readContent(ctx, f, c, others[c.member])
		var other *otherGeography
		if errors.As(err, &other) {
			other.member = c.member
		}
		if err != nil {
			return nil, inFormat{c.format.Name, inMember(c.member, err)}
		}
		for _, t := range tables {
			all.add(t)
		}
	}
	var tables []*table
	for _, j := range all.take() {
		if j.err != nil {
			return nil, inFormat{j.format, j.err}
		}
		tables = append(tables, j.table)
	}
	tables, err := withObservations(tables)
	if err != nil {
		return nil, err
	}
	for _, member := range unread {
		tables[0].report.Add(stat.NoteNotRead, 1, member)
	}
	for _, t := range tables {
		for _, problem := range taught.problems {
			t.report.Add(NoteLabelsUnread, 1, problem)
		}
	}
	return tables, nil
}

// mayBeData reports whether a member of an archive is called like a file of data,
// so that it may not be passed over because nobody understands it.
func mayBeData(member string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".tab", ".xml", ".json", ".px", ".xls", ".xlsx", ".zip", ".gz"}, strings.ToLower(path.Ext(member)))
}

// withoutTexts leaves out the members of an archive that are prose which
// happens to look like a table ("read me.txt"), unless there is nothing else.
func withoutTexts(members []content) (data []content, left []string) {
	for _, c := range members {
		if ending := strings.ToLower(path.Ext(c.member)); c.format.Name == "table" && (ending == ".txt" || ending == ".md") {
			left = append(left, c.member)
		} else {
			data = append(data, c)
		}
	}
	if len(data) == 0 {
		return members, nil
	}
	return data, left
}

// withObservations leaves out datasets that hold none, unless all do.
func withObservations(tables []*table) ([]*table, error) {
	var some []*table
	var empty []string
	for _, t := range tables {
		if t.writer.Empty() {
			empty = append(empty, t.dataset.Code)
		} else {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return nil, inFormat{tables[0].format, stat.Errorf(stat.Refused,
			"the dataset %s holds no observation: of its %d cells none has a value or a flag that can be stored",
			tables[0].dataset.Code, tables[0].report.Read)}
	}
	for _, code := range empty {
		some[0].report.Add(stat.NoteNotRead, 1, "dataset "+code+", which holds no value")
	}
	return some, nil
}

// readContent reads the datasets of one file or member, with the flags that were
// remembered for the dataset, if it is that.
func (im *Importer) readContent(ctx context.Context, f file, c content, other *otherGeography) ([]*table, error) {
	said, memory, err := im.reading(ctx, c)
	if err != nil {
		return nil, err
	}
	tables, err := im.readAs(ctx, f, c, other, said)
	if memory.flags == "" {
		return tables, err
	}
	another := func(tables []*table) bool {
		return slices.ContainsFunc(tables, func(t *table) bool { return !memory.of(t) })
	}
	if err != nil || another(tables) {
		plainly, failure := im.readAs(ctx, f, c, other, im.stated())
		if failure == nil && another(plainly) || err == nil {
			return plainly, failure // a file of the same name, and of another dataset
		}
		return nil, withRemembered(err, memory.flags)
	}
	for _, t := range tables {
		t.report.Add(NoteFlagsRemembered, 1, memory.flags)
	}
	return tables, nil
}

// readAs reads the datasets of one file or member as it is said.
func (im *Importer) readAs(ctx context.Context, f file, c content, other *otherGeography, said store.Reading) ([]*table, error) {
	geo := im.options.Geo
	if other != nil {
		geo = other.dimension
	}
	data, err := c.open()
	if err != nil {
		return nil, err
	}
	defer data.Close()
	input := format.Input{
		Name: c.name, Data: data, Again: c.open,
		Dictionary: func(source string) *stat.Dictionary { return im.dictionary(ctx, source) },
		Source:     said.Source, Code: im.options.Code, Geo: geo, Period: im.options.Period,
		Decimal: said.Decimal, Mapping: said.Mapping, Encoding: said.Encoding,
	}
	var tables []*table
	for t, err := range c.format.Read(ctx, input.Until(ctx)) {
		if err != nil {
			return nil, err
		}
		if said.Mapping != "" && !isPlain(c.format.Name) {
			t.Report.Add(NoteMappingNotUsed, 1, said.Mapping)
		}
		read, err := im.readTable(ctx, t, geo)
		if err != nil {
			return nil, err
		}
		if other != nil {
			t.Report.Add(other.note, 1, other.dimension)
		}
		read.file, read.format, read.said = f.name, c.format.Name, said
		read.writer.EndPart(cmp.Or(c.member, c.name), t.Prepared)
		tables = append(tables, read)
	}
	if len(tables) == 0 {
		return nil, stat.Errorf(stat.Refused, "the file holds no dataset")
	}
	return tables, nil
}

// readTable hands one dataset of a file to a writer.
func (im *Importer) readTable(ctx context.Context, t *stat.Table, geo string) (*table, error) {
	d := t.Dataset
	office := d.Source.ID
	im.options.override(d) // once more below: a reader may meet metadata on its way
	if err := im.rememberedGeography(ctx, t, geo); err != nil {
		return nil, err
	}
	foreign := d.Geography.ID == "" && len(d.Geography.Codes) == 0
	placed, err := im.placeWithoutGeography(ctx, d, t.Report)
	if err != nil {
		return nil, err
	}
	w := im.store.NewWriter(d)
	values, err := pass(t, w)
	if err != nil {
		return nil, err
	}
	im.options.override(d)
	if d.Code == "" {
		return nil, stat.Errorf(stat.Refused, "the file does not say its dataset's code: give it with --code")
	}
	if placed == guessed {
		if err := geographyByCodes(d); err != nil {
			return nil, err
		}
	}
	read := &table{dataset: d, report: t.Report, writer: w, values: values, partial: t.Partial, office: cmp.Or(office, d.Source.ID), placed: foreign}
	if t.Share.Of > 0 {
		read.shares = append(read.shares, t.Share)
	}
	return read, nil
}

// seal ends the reading of a dataset and completes its structure.
func (im *Importer) seal(ctx context.Context, t *table) error {
	d := t.dataset
	before, err := im.store.Current(ctx, d.Source.ID, d.Code)
	if err != nil {
		return wrap("reading the current vintage of "+d.Code, err)
	}
	if err := checkText(d); err != nil {
		return err
	}
	if t.partial != "" {
		t.writer.CreateOnly()
		t.report.Add(stat.NotePartial, 1, t.partial)
	}
	codesForNames(d, before, im.dictionary(ctx, t.office), t.report)
	filled, err := im.fill(ctx, t, before)
	if err != nil {
		return err
	}
	if im.options.Joined {
		t.writer.Paged()
	}
	if im.options.Accept {
		t.writer.Accept()
	}
	if err := t.writer.Seal(before); err != nil {
		return err
	}
	if err := countDropped(t); err != nil {
		return err
	}
	filled.note()
	im.complete(t, before, filled.labelOf)
	noteOlder(t, before)
	t.lesson = filled.teaching()
	leave, err := toFix(d, before, t.report)
	if err != nil {
		return err
	}
	for _, i := range leave {
		dim := d.Dimensions[i]
		d.Fixed = append(d.Fixed, stat.FixedDimension{ID: dim.ID, Label: dim.Label, Role: dim.Role, Code: dim.Codes[0]})
	}
	for _, i := range slices.Backward(leave) { // so that the positions before it stay
		t.writer.Fix(i)
	}
	return nil
}

// pass hands the observations of t to w and returns how many of them have a
// value. It ends with the check that every cell of the file is accounted for.
func pass(t *stat.Table, w *store.Writer) (values int, err error) {
	var axes []*stat.Dimension
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
		if !math.IsNaN(o.Value) {
			values++
		}
	}
	if values+t.Report.Missing+t.Report.Dropped() != t.Report.Read {
		return 0, unaccounted(t.Report, t.Dataset, values)
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

// checkText refuses codes that nobody can write: they would be filters, columns
// and file names.
func checkText(d *stat.Dataset) error {
	if strings.ContainsFunc(d.Code, unicode.IsControl) {
		return stat.Errorf(stat.Refused, "the dataset's code %q has a control character: state another with --code", d.Code)
	}
	for _, axis := range d.Axes() {
		for _, c := range axis.Codes {
			if strings.ContainsFunc(c.ID, unicode.IsControl) {
				return stat.Errorf(stat.Refused, "the code %q of dimension %s has a control character", c.ID, axis.ID)
			}
		}
	}
	return nil
}

// countDropped moves the observations that the writer dropped, because they
// were given twice or in a later part again, to the notes that tell of them.
func countDropped(t *table) error {
	dropped := 0
	for kind, of := range map[string]func() (int, string){
		stat.NoteDoubled: t.writer.Doubled, stat.NoteSuperseded: t.writer.Superseded,
	} {
		if count, example := of(); count > 0 {
			t.report.Add(kind, count, example)
			dropped += count
		}
	}
	// Those without a value had been counted as missing.
	t.report.Missing -= dropped - (t.values - t.writer.Stored())
	if t.writer.Stored()+t.report.Missing+t.report.Dropped() != t.report.Read {
		return unaccounted(t.report, t.dataset, t.writer.Stored())
	}
	return nil
}

func unaccounted(r *stat.Report, d *stat.Dataset, values int) error {
	return stat.Errorf(stat.Internal, "%d cells were read of %s, but %d values + %d missing + %d dropped are accounted for",
		r.Read, d.Code, values, r.Missing, r.Dropped())
}

// publishAll seals the datasets of a file, and stores them if that went well
// with all of them.
func (im *Importer) publishAll(ctx context.Context, tables []*table) ([]Outcome, error) {
	for _, t := range tables {
		if err := im.seal(ctx, t); err != nil {
			return nil, inFormat{t.format, err}
		}
	}
	for _, t := range tables {
		err := im.claim(ctx, t.dataset)
		if err == nil {
			err = t.writer.Check(ctx)
		}
		if err != nil {
			return nil, inFormat{t.format, err}
		}
	}
	var outcomes []Outcome
	for _, t := range tables {
		o, err := im.publish(ctx, t)
		if err != nil {
			return outcomes, inFormat{t.format, err}
		}
		outcomes = append(outcomes, o)
	}
	return outcomes, nil
}

// claim asks whether a dataset may come from this import.
func (im *Importer) claim(ctx context.Context, d *stat.Dataset) error {
	if im.options.Claim == nil {
		return nil
	}
	id, _, err := im.store.Find(ctx, d.Source.ID, d.Code)
	if err != nil {
		return wrap("looking for "+d.Code, err)
	}
	return im.options.Claim(d.Source.ID, d.Code, id)
}

// publish stores a table and tells what came of it.
func (im *Importer) publish(ctx context.Context, t *table) (Outcome, error) {
	result, err := t.writer.Publish(ctx)
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{
		File: t.file, Format: t.format, Status: Status(result.Status),
		ID: result.ID, Code: t.dataset.Code, Version: result.Vintage.Version, Series: result.Vintage.Series,
		Observations: t.counts(),
	}
	switch v := result.Vintage; result.Status {
	case store.Quarantined: // teaches nothing before a person has looked
		h := result.Held
		o.Series, o.Changes, o.Error = h.Series, Changes{h.Added, h.Revised, h.Removed}, heldText(t.file, h)
		o.Notes = t.report.Notes()
		return o, nil
	case store.Updated:
		o.Changes = Changes{v.Added, v.Revised, v.Removed}
	}
	// The dataset is stored, whatever comes now.
	kept := context.WithoutCancel(ctx)
	if err := errors.Join(im.remember(kept, t), im.rememberReading(kept, t)); err != nil {
		t.report.Add(NoteNotRemembered, 1, err.Error())
	}
	o.Notes = t.report.Notes()
	return o, nil
}

// counts account for every cell of the table.
func (t *table) counts() Counts {
	return Counts{Read: t.report.Read, Stored: t.writer.Stored(), Missing: t.report.Missing, Dropped: t.report.Dropped()}
}
