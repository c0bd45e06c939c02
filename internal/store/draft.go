package store

import (
	"context"
	"slices"

	"almanac/internal/stat"
)

// A Draft is a vintage that is not published yet. Until it is, the labels,
// areas and other metadata of its dataset may be completed.
type Draft struct {
	Dataset *stat.Dataset

	// Doubled counts the observations, with or without a value, that were given
	// twice with the same value and flags; Superseded those that were given up for
	// those of a part prepared later. Both are not in the draft.
	Doubled, Superseded Dropped

	store   *Store
	columns *columns
	parts   int
}

// Dropped counts observations that were given and not kept.
type Dropped struct {
	Count   int
	Example string // where the first of them stood
}

func (d *Dropped) add(place string) {
	d.Count++
	if d.Example == "" {
		d.Example = place
	}
}

// PublishOptions say what may become of a [Draft].
type PublishOptions struct {
	// CreateOnly refuses to replace what is stored of the dataset, because the
	// draft is known to be a part of it only.
	CreateOnly bool
	// Accept publishes whatever the draft takes away from the dataset: a person
	// approved it.
	Accept bool
	// Pages says that the parts are pages of one answer, all of which came, so
	// that their number says nothing.
	Pages bool
}

// FixDimension takes a dimension with a single code out of the key and of the
// dataset's Dimensions. The caller keeps it in Dataset.Fixed.
func (d *Draft) FixDimension(i int) {
	d.Dataset.Dimensions = slices.Delete(d.Dataset.Dimensions, i, i+1)
	d.columns.keys = slices.Delete(d.columns.keys, i, i+1)
	if i < d.Dataset.GeographyAt {
		d.Dataset.GeographyAt--
	}
}

// Summary tells what a draft holds.
type Summary struct {
	Series       int
	Observations int           // those with a value
	Periods      []stat.Period // that occur, in order
	Flags        map[string]int
	Notes        int // observations with a note
}

// Summary counts what would be published.
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

// Check returns the error with which Publish would refuse a part in place of
// what is stored ([PublishOptions.CreateOnly]), so that nothing else of a file
// is stored before. Labels and areas must be complete.
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

// errPart refuses a part in place of what is stored.
func errPart(code string) error {
	return stat.Errorf(stat.Refused, "the file is a part of dataset %s, which is stored already with other values: a part may create a dataset, never replace one; import all its parts with one command, or a selection under a code of its own (--code)", code)
}

// Publish stores the vintage and makes it the dataset's current one, or finds
// that nothing changed, or holds it because it takes too much away. Labels and
// areas must be complete. It may be called once.
//
// The new file is written and synced under no name first; then one transaction
// names it and points the catalog to it. Whatever fails before leaves the
// store as it was.
func (d *Draft) Publish(ctx context.Context, o PublishOptions) (Result, error) {
	if len(d.columns.value) == 0 {
		return Result{}, stat.Errorf(stat.Refused, "dataset %s holds no observation", d.Dataset.Code)
	}
	if err := checkComplete(d.Dataset); err != nil {
		return Result{}, err
	}
	var counts []int
	for _, dim := range d.Dataset.Axes() {
		counts = append(counts, len(dim.Codes))
	}
	d.columns.index(counts)
	p := publication{contents: contents{d.Dataset, d.columns, d.parts}, createOnly: o.CreateOnly, by: imported}
	if o.Pages {
		p.parts = 0
	}
	if o.Accept {
		p.by = accepted
	}
	return d.store.publish(ctx, p)
}
