package store

import (
	"cmp"
	"context"
	"math"
	"slices"

	"almanac/internal/stat"
)

// A Draft is a vintage that is not published yet. The labels, areas and other
// metadata of its dataset may be completed.
type Draft struct {
	Dataset *stat.Dataset

	// Doubled counts duplicate observations, with or without a value, and Superseded
	// those replaced by a part prepared later. Neither are in the draft.
	Doubled, Superseded Dropped

	store        *Store
	observations *observations
	parts        int
}

// Dropped counts observations that were not kept.
type Dropped struct {
	Count   int
	Example string // place of the first one
}

func (d *Dropped) add(place string) {
	d.Count++
	if d.Example == "" {
		d.Example = place
	}
}

// PublishOptions restrict the publication of a [Draft].
type PublishOptions struct {
	// CreateOnly refuses to replace a stored version, because the draft is only a
	// part of the dataset.
	CreateOnly bool
	// Accept skips the quarantine: a person has approved what the draft removes.
	Accept bool
	// Pages states that the parts are all pages of one response, so that their
	// number is irrelevant.
	Pages bool
	// Permit, if not nil, is called in the transaction that stores the vintage, when no
	// other process can store one. After an error nothing is stored.
	Permit func(context.Context) error
}

// OmitFromKey moves a dimension with a single code from the key to the dataset's
// fixed dimensions.
func (d *Draft) OmitFromKey(i int) {
	dim := d.Dataset.Dimensions[i]
	place := 1 + slices.Index(d.Dataset.WholeOrder(), i)
	d.observations.omit(i, len(d.Dataset.Dimensions)+1)
	d.Dataset.Fixed = append(d.Dataset.Fixed, stat.FixedDimension{ID: dim.ID, Label: dim.Label, Role: dim.Role, Code: dim.Codes[0], Place: place})
	d.Dataset.Dimensions = slices.Delete(d.Dataset.Dimensions, i, i+1)
	if i < d.Dataset.GeographyAt {
		d.Dataset.GeographyAt--
	}
}

// Summary describes a draft.
type Summary struct {
	Series       int
	Observations int           // those with a value
	Periods      []stat.Period // periods that occur, in order
	Flags        map[string]int
	Notes        int // observations with a note
}

// Summary returns counts of the observations.
func (d *Draft) Summary() Summary {
	o := d.observations
	s := Summary{Series: o.series, Observations: o.values, Periods: o.periods, Flags: map[string]int{}, Notes: o.notes}
	for f, n := range o.flags {
		for _, code := range o.flagSet[f].List() {
			s.Flags[code] += n
		}
	}
	return s
}

// Check returns the error with which Publish would refuse to replace a stored version
// ([PublishOptions.CreateOnly]), so that all datasets of a file can be checked before
// the first is published. Labels and areas must be complete.
func (d *Draft) Check(ctx context.Context, o PublishOptions) error {
	if !o.CreateOnly {
		return nil
	}
	previous, err := d.store.Current(ctx, d.Dataset.Source.ID, d.Dataset.Code)
	if err != nil || previous == nil {
		return err
	}
	same := *d.Dataset
	same.ID, same.Code = previous.Dataset.ID, previous.Dataset.Code
	same.Partial = previous.Dataset.Partial // a page with the stored values changes nothing
	keepFormerLabels(&same, previous.Dataset)
	digest, err := digestOf(&same, d.observations)
	if err == nil && digest != previous.Digest {
		err = errPart(d.Dataset.Code)
	}
	return err
}

func errPart(code string) error {
	return stat.Errorf(stat.Refused, "the file is a part of dataset %s, which is already stored with other values: a part can create a dataset but not replace one; import all its parts with one command, or import a selection under a code of its own", code)
}

// Publish stores the vintage and makes it the dataset's current one, unless nothing
// changed or it removes too much and is quarantined. Labels and areas must be
// complete. Publish may be called once.
//
// The file is written to a temporary name and synced; then one transaction renames it
// and updates the catalogue. If anything fails, the store is unchanged. The exception is a
// store without any publication: if the process is killed between the renaming and the
// commit, the next [Open] finds the file and publishes it.
func (d *Draft) Publish(ctx context.Context, o PublishOptions) (Result, error) {
	defer d.observations.close()
	if d.observations.rows == 0 {
		return Result{}, stat.Errorf(stat.Refused, "dataset %s has no observations", d.Dataset.Code)
	}
	if err := checkComplete(d.Dataset); err != nil {
		return Result{}, err
	}
	p := publication{contents: contents{Dataset: d.Dataset, observations: d.observations, parts: d.parts}, createOnly: o.CreateOnly, by: imported, permit: o.Permit}
	if o.Pages {
		p.parts = 0
	}
	if o.Accept {
		p.by = accepted
	}
	return d.store.publish(ctx, p)
}

// Close removes the temporary file of a draft that is not published. Closing a nil, a
// closed or a published draft does nothing.
func (d *Draft) Close() {
	if d != nil {
		d.observations.close()
	}
}

// Finish sorts the observations, drops duplicates and removes codes that do not occur.
// The others are sorted by the positions that order returns for a dimension, those
// without a position last; if order is nil, they keep their order. The builder must not
// be used afterwards. Conflicting observations of one series and period are a
// [stat.FileError] with both places.
func (b *Builder) Finish(order func(*stat.Dimension) map[string]int32) (*Draft, error) {
	codes, err := b.arrangeCodes(order)
	if err != nil {
		return nil, err
	}
	draft := &Draft{Dataset: b.dataset, store: b.store, parts: len(b.parts)}
	if b.sections != nil {
		draft.observations, err = b.sortOnDisk(draft, codes)
	} else {
		draft.observations, err = b.sortInMemory(draft, codes)
	}
	b.Close()
	if err != nil {
		return nil, err
	}
	return draft, nil
}

func (b *Builder) sortInMemory(draft *Draft, codes [][]int32) (*observations, error) {
	series := b.sortSeries(codes)
	periods, periodAt := b.sortPeriods()
	if err := b.sortObservations(draft, series, periodAt); err != nil {
		return nil, err
	}
	periods = b.redate(series, periods)
	c := b.columns(series, codes)
	c.periods = periods
	return inMemory(c), nil
}

// sortPeriods returns the periods in order, and the position there of each period of b.
func (b *Builder) sortPeriods() (periods []stat.Period, at []int32) {
	periods = slices.SortedFunc(slices.Values(b.periods.values), stat.Period.Compare)
	at = make([]int32, len(periods))
	for i, p := range periods {
		at[b.periods.number[p]] = int32(i)
	}
	return periods, at
}

// arrangeCodes arranges the codes of all axes and returns the new positions of the old
// ones.
func (b *Builder) arrangeCodes(order func(*stat.Dimension) map[string]int32) ([][]int32, error) {
	axes := b.dataset.Axes()
	occurs := make([][]bool, len(axes))
	for axis, d := range axes {
		occurs[axis] = make([]bool, len(d.Codes))
	}
	err := b.eachKeys(func(keys []int32) {
		for axis := range axes {
			for s := axis; s < len(keys) && len(occurs[axis]) > 0; s += b.width {
				occurs[axis][keys[s]] = true
			}
		}
	})
	codes := make([][]int32, len(axes))
	for axis, d := range axes {
		codes[axis] = arrangeAxis(d, occurs[axis], order)
	}
	return codes, err
}

// arrangeAxis removes the codes of an axis that do not occur, sorts the others, and
// returns the new position of each old one.
func arrangeAxis(d *stat.Dimension, occurs []bool, order func(*stat.Dimension) map[string]int32) []int32 {
	if len(d.Codes) == 0 {
		return []int32{0} // no geography yet
	}
	old := d.Positions()
	before := d.Codes
	isLinked := d.HasHierarchy()
	d.Codes = slices.DeleteFunc(slices.Clone(d.Codes), func(c stat.Code) bool { return !occurs[old[c.ID]] })
	if isLinked {
		stat.LinkParents(d.Codes, func(id string) []string { return before[old[id]].Parents }, func(id string) bool { at, ok := old[id]; return ok && occurs[at] })
	}
	if order != nil {
		rank := order(d)
		at := func(c stat.Code) int32 {
			if p, ok := rank[c.ID]; ok {
				return p
			}
			return math.MaxInt32
		}
		slices.SortStableFunc(d.Codes, func(c, e stat.Code) int { return cmp.Compare(at(c), at(e)) })
	}
	positions := make([]int32, len(occurs))
	for i, code := range d.Codes {
		positions[old[code.ID]] = int32(i)
	}
	return positions
}

// columns builds the table of series, in the given order and with the new code
// positions, over the sorted observations.
func (b *Builder) columns(series []int32, codes [][]int32) *columns {
	c := &columns{period: b.period, value: b.value, flagSet: b.flags.values, noteSet: b.notes.values}
	if len(b.flags.values) > 1 {
		c.flag = b.flag
	}
	if len(b.notes.values) > 1 {
		c.note = b.note
	}
	for axis := range codes {
		key := make([]int32, len(series))
		for r, s := range series {
			key[r] = codes[axis][b.keys[int(s)*b.width+axis]]
		}
		c.keys = append(c.keys, key)
	}
	if len(b.units.values) > 1 {
		c.units = b.units.values
		c.unit = make([]int32, len(series))
		for r, s := range series {
			c.unit[r] = b.keys[int(s)*b.width+b.width-1]
		}
	}
	c.start = make([]int32, len(series)+1)
	for _, r := range b.of {
		c.start[r+1]++
	}
	for r := range series {
		c.start[r+1] += c.start[r]
	}
	return c
}
