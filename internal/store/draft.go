package store

import (
	"cmp"
	"context"
	"fmt"
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

	store   *Store
	columns *columns
	parts   int
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
}

// OmitFromKey moves a dimension with a single code from the key to the dataset's
// fixed dimensions.
func (d *Draft) OmitFromKey(i int) {
	dim := d.Dataset.Dimensions[i]
	d.Dataset.Fixed = append(d.Dataset.Fixed, stat.FixedDimension{ID: dim.ID, Label: dim.Label, Role: dim.Role, Code: dim.Codes[0]})
	d.Dataset.Dimensions = slices.Delete(d.Dataset.Dimensions, i, i+1)
	d.columns.keys = slices.Delete(d.columns.keys, i, i+1)
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
	c := d.columns
	s := Summary{Series: c.seriesCount(), Observations: c.values(), Periods: c.periods, Flags: map[string]int{}}
	counts := make([]int, len(c.flagSet))
	for _, f := range c.flag {
		counts[f]++
	}
	for f, n := range counts {
		for _, code := range c.flagSet[f].List() {
			s.Flags[code] += n
		}
	}
	for _, n := range c.note {
		if n != 0 {
			s.Notes++
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
	keepFormerLabels(&same, previous.Dataset)
	digest, err := digestOf(&same, d.columns)
	if err == nil && digest != previous.Digest {
		err = errPart(d.Dataset.Code)
	}
	return err
}

func errPart(code string) error {
	return stat.Errorf(stat.Refused, "the file is a part of dataset %s, which is already stored with other values: a part can create a dataset but not replace one; import all its parts with one command, or import a selection under its own code with --code", code)
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
	if len(d.columns.value) == 0 {
		return Result{}, stat.Errorf(stat.Refused, "dataset %s has no observations", d.Dataset.Code)
	}
	if err := checkComplete(d.Dataset); err != nil {
		return Result{}, err
	}
	d.columns.index(d.Dataset)
	p := publication{contents: contents{d.Dataset, d.columns, d.parts}, createOnly: o.CreateOnly, by: imported}
	if o.Pages {
		p.parts = 0
	}
	if o.Accept {
		p.by = accepted
	}
	return d.store.publish(ctx, p)
}

// Finish sorts the observations, drops duplicates and removes codes that do not occur.
// The others are sorted by the positions that order returns for a dimension, those
// without a position last; if order is nil, they keep their order. The builder must not
// be used afterwards. Conflicting observations of one series and period are a
// [stat.FileError] with both places.
func (b *Builder) Finish(order func(*stat.Dimension) map[string]int32) (*Draft, error) {
	axes := b.dataset.Axes()
	codes := make([][]int32, len(axes)) // new position of each code
	for axis, d := range axes {
		codes[axis] = b.arrangeCodes(axis, d, order)
	}
	series := b.sortSeries(codes)
	b.redate()
	periods := slices.SortedFunc(slices.Values(b.periods.values), stat.Period.Compare)
	periodAt := make([]int32, len(periods))
	for i, p := range periods {
		periodAt[b.periods.number[p]] = int32(i)
	}
	draft := &Draft{Dataset: b.dataset, store: b.store, parts: len(b.parts)}
	if err := b.sortObservations(draft, series, periodAt); err != nil {
		return nil, err
	}
	draft.columns = b.columns(series, codes)
	draft.columns.periods = periods
	*b = Builder{} // releases what the draft does not use
	return draft, nil
}

// arrangeCodes removes the codes of an axis that do not occur, sorts the others,
// and returns the new position of each old one.
func (b *Builder) arrangeCodes(axis int, d *stat.Dimension, order func(*stat.Dimension) map[string]int32) []int32 {
	if len(d.Codes) == 0 {
		return []int32{0} // no geography yet
	}
	occurs := make([]bool, len(d.Codes))
	for s := axis; s < len(b.keys); s += b.width {
		occurs[b.keys[s]] = true
	}
	old := d.Positions()
	d.Codes = slices.DeleteFunc(slices.Clone(d.Codes), func(c stat.Code) bool { return !occurs[old[c.ID]] })
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

// sortSeries returns the series sorted by key: dimensions, unit, geography.
func (b *Builder) sortSeries(codes [][]int32) []int32 {
	order := numbersTo(len(b.series))
	geography, unit := b.width-2, b.width-1
	slices.SortFunc(order, func(s, t int32) int {
		key, other := b.keys[int(s)*b.width:], b.keys[int(t)*b.width:]
		for axis := range geography {
			if c := cmp.Compare(codes[axis][key[axis]], codes[axis][other[axis]]); c != 0 {
				return c
			}
		}
		if c := cmp.Compare(key[unit], other[unit]); c != 0 {
			return c
		}
		return cmp.Compare(codes[geography][key[geography]], codes[geography][other[geography]])
	})
	return order
}

func numbersTo(n int) []int32 {
	numbers := make([]int32, n)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	return numbers
}

// redate replaces dates by the longer periods that they represent: in a series with a
// stated coarser frequency, if all dates are the first day of such a period, or all
// the last, and no two are in the same period.
func (b *Builder) redate() {
	if !slices.ContainsFunc(b.frequency, func(f stat.Frequency) bool { return f != asDated }) {
		return
	}
	type place struct {
		series int32
		period stat.Period
	}
	notFirst, notLast := make([]bool, len(b.frequency)), make([]bool, len(b.frequency))
	dates := map[place]stat.Period{}
	for i, series := range b.of {
		if b.frequency[series] == asDated {
			continue
		}
		day := b.periods.values[b.period[i]]
		longer := day.In(b.frequency[series])
		notFirst[series] = notFirst[series] || day.Start() != longer.Start()
		notLast[series] = notLast[series] || day.Start() != longer.End()
		if other, ok := dates[place{series, longer}]; ok && other != day || notFirst[series] && notLast[series] {
			b.frequency[series] = asDated
		}
		dates[place{series, longer}] = day
	}
	var dated interned[stat.Period] // without the replaced dates
	for i, series := range b.of {
		p := b.periods.values[b.period[i]]
		if f := b.frequency[series]; f != asDated {
			p = p.In(f)
		}
		b.period[i] = dated.of(p)
	}
	b.periods = dated
}

// sortObservations sorts the observations by series and period, drops duplicates
// and counts them in the draft. Afterwards b.of holds the rank of the series.
func (b *Builder) sortObservations(draft *Draft, series, periodAt []int32) error {
	rank := make([]int32, len(series))
	for r, s := range series {
		rank[s] = int32(r)
	}
	isSorted := true
	for i := range b.of {
		b.of[i], b.period[i] = rank[b.of[i]], periodAt[b.period[i]]
		isSorted = isSorted && (i == 0 || b.compare(i-1, i) < 0)
	}
	if isSorted {
		return nil
	}
	order := numbersTo(len(b.of))
	slices.SortStableFunc(order, func(i, j int32) int { return b.compare(int(i), int(j)) })
	kept := order[:0]
	for _, i := range order {
		last := len(kept) - 1
		if last < 0 || b.compare(int(kept[last]), int(i)) != 0 {
			kept = append(kept, i)
			continue
		}
		keep, err := b.choose(draft, int(kept[last]), int(i))
		if err != nil {
			return err
		}
		kept[last] = int32(keep)
	}
	b.of, b.period = pick(b.of, kept), pick(b.period, kept)
	b.value, b.flag, b.note = pick(b.value, kept), pick(b.flag, kept), pick(b.note, kept)
	return nil
}

func (b *Builder) compare(i, j int) int {
	if b.of[i] != b.of[j] {
		return cmp.Compare(b.of[i], b.of[j])
	}
	return cmp.Compare(b.period[i], b.period[j])
}

// choose selects one of two observations of the same series and period: that of the
// part prepared later, else i, which was added first, if both are equal. The draft
// counts the other one.
func (b *Builder) choose(draft *Draft, i, j int) (keep int, err error) {
	first, second := b.partOf(i).prepared, b.partOf(j).prepared
	if !first.IsZero() && !second.IsZero() && !first.Equal(second) {
		keep, drop := i, j
		if first.Before(second) {
			keep, drop = j, i
		}
		draft.Superseded.add(b.place(drop, keep))
		return keep, nil
	}
	if !sameValue(b.value[i], b.value[j]) || b.flag[i] != b.flag[j] || b.note[i] != b.note[j] {
		at := stat.Position{Line: int(b.at[j].line), Column: int(b.at[j].column)}
		in := ""
		if p := b.partOf(j); p.name != b.partOf(i).name {
			in = " in " + p.name
		}
		return 0, stat.BadFile(at, "%s%s conflicts with %s at %s, for the same series and period: remove one of them",
			b.text(j), in, b.text(i), b.place(i, j))
	}
	draft.Doubled.add(b.place(j, i))
	return i, nil
}

// place describes the place of observation i in a message about i and j.
func (b *Builder) place(i, j int) string {
	place := fmt.Sprintf("line %d, column %d", b.at[i].line, b.at[i].column)
	if p := b.partOf(i); p.name != b.partOf(j).name {
		place += " of " + p.name
	}
	return place
}

func (b *Builder) text(i int) string {
	text := "no value"
	if !math.IsNaN(b.value[i]) {
		text = fmt.Sprintf("the value %v", b.value[i])
	}
	if f := b.flags.values[b.flag[i]]; f != "" {
		text += fmt.Sprintf(" with flags %s", f)
	}
	return text
}

func sameValue(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func pick[T any](from []T, at []int32) []T {
	picked := make([]T, len(at))
	for i, j := range at {
		picked[i] = from[j]
	}
	return picked
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
