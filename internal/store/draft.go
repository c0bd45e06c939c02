package store

import (
	"context"
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
// and updates the catalog. If anything fails, the store is unchanged.
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
