package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"almanac/internal/stat"
)

// part is a run of observations that came together: one file of a dataset
// that comes in several.
type part struct {
	end      int // number of observations added when it was over
	name     string
	prepared time.Time
}

// EndPart says that the observations added since the last call are one part of
// the dataset, which is called name and was prepared at a time. Where two parts
// have an observation of the same series and period, the one prepared later
// has its way ([Writer.Superseded]).
func (w *Writer) EndPart(name string, prepared time.Time) {
	w.parts = append(w.parts, part{len(w.of), name, prepared})
}

// Append adds all observations of another writer that was not sealed: at holds,
// axis by axis, for each code position there the position here. The other one
// cannot be used any more.
func (w *Writer) Append(other *Writer, at [][]int32) error {
	key := make([]int32, w.width-1)
	begun := len(w.of)
	for i, series := range other.of {
		for axis := range key {
			key[axis] = 0
			if theirs := other.keys[int(series)*other.width+axis]; int(theirs) < len(at[axis]) {
				key[axis] = at[axis][theirs]
			}
		}
		o := stat.Observation{
			Key: key, Period: other.periods.values[other.period[i]], Value: other.value[i],
			Flags: other.flags.values[other.flag[i]], Note: other.notes.values[other.note[i]],
			Unit: other.units.values[other.keys[int(series)*other.width+other.width-1]],
			At:   stat.Position{Line: int(other.at[i].line), Column: int(other.at[i].column)},
		}
		if f := other.stated[series]; f != asDated {
			o.Frequency = f
		}
		if err := w.Add(o); err != nil {
			return err
		}
	}
	for _, p := range other.parts {
		p.end += begun
		w.parts = append(w.parts, p)
	}
	return nil
}

// Superseded returns how many observations, with or without a value, were
// given up for those of a part that was prepared later, and where one stood.
func (w *Writer) Superseded() (count int, example string) {
	return w.superseded.count, w.superseded.example
}

// CreateOnly makes Publish refuse to replace what is stored of the dataset,
// because what was added is known to be a part of it only.
func (w *Writer) CreateOnly() { w.createOnly = true }

// Paged says that how many parts there are says nothing: they are pages of one
// answer, and all of them came.
func (w *Writer) Paged() { w.paged = true }

// partCount is the number of parts that the vintage is made of; 0 where it says
// nothing.
func (w *Writer) partCount() int {
	if w.paged {
		return 0
	}
	return len(w.parts)
}

// Accept makes Publish publish whatever the vintage takes away: a person said
// that it is right.
func (w *Writer) Accept() { w.by = accepted }

// Check returns the error with which Publish would refuse a part in place of
// what is stored ([Writer.CreateOnly]), so that nothing else of the file is
// stored before. Labels and areas must be complete.
func (w *Writer) Check(ctx context.Context) error {
	if !w.createOnly {
		return nil
	}
	id, seq, err := w.store.catalog.Find(ctx, w.dataset.Source.ID, w.dataset.Code)
	if err != nil || seq == 0 {
		return err
	}
	previous, err := w.store.openVintage(ctx, id, seq)
	if err != nil {
		return err
	}
	same := *w.dataset
	same.ID, same.Code = id, previous.Dataset.Code
	carryLabels(&same, previous.Dataset)
	digest, err := digestOf(&same, w.sealed)
	if err == nil && digest != previous.Digest {
		err = errPart(w.dataset.Code)
	}
	return err
}

// errPart refuses a part in place of what is stored.
func errPart(code string) error {
	return stat.Errorf(stat.Refused, "the file is a part of dataset %s, which is stored already with other values: a part may create a dataset, never replace one; import all its parts with one command, or a selection under a code of its own (--code)", code)
}

// partOf is the part in which an observation came; the zero part where there
// is only one.
func (w *Writer) partOf(i int) part {
	n := sort.Search(len(w.parts), func(n int) bool { return w.parts[n].end > i })
	if n == len(w.parts) {
		return part{}
	}
	return w.parts[n]
}

// place says where observation i stands, for a message about it and j.
func (w *Writer) place(i, j int) string {
	place := fmt.Sprintf("line %d, column %d", w.at[i].line, w.at[i].column)
	if p := w.partOf(i); p.name != w.partOf(j).name {
		place += " of " + p.name
	}
	return place
}

// What is known of how often a series comes, beside a frequency.
const (
	unstated stat.Frequency = 0
	asDated  stat.Frequency = math.MaxUint8 // the periods stay as they are
)

// state takes in what an observation says of how often its series comes.
func (w *Writer) state(series int32, o stat.Observation) {
	says := o.Frequency
	if o.Period.Frequency() != stat.Day || says == unstated || says >= stat.Day {
		says = asDated
	}
	if before := w.stated[series]; before == unstated {
		w.stated[series] = says
	} else if before != says {
		w.stated[series] = asDated
	}
}

// redate turns dates into the longer periods that they stand for: in a series
// of which the source states a coarser frequency, if every date is the first
// day of such a period, or every one the last, and no two fall into the same.
func (w *Writer) redate() {
	if !slices.ContainsFunc(w.stated, func(f stat.Frequency) bool { return f != asDated }) {
		return
	}
	type place struct {
		series int32
		period stat.Period
	}
	notFirst, notLast := make([]bool, len(w.stated)), make([]bool, len(w.stated))
	dates := map[place]stat.Period{}
	for i, series := range w.of {
		if w.stated[series] == asDated {
			continue
		}
		day := w.periods.values[w.period[i]]
		longer := day.In(w.stated[series])
		notFirst[series] = notFirst[series] || day.Start() != longer.Start()
		notLast[series] = notLast[series] || day.Start() != longer.End()
		if other, ok := dates[place{series, longer}]; ok && other != day || notFirst[series] && notLast[series] {
			w.stated[series] = asDated
		}
		dates[place{series, longer}] = day
	}
	var dated interned[stat.Period] // without the dates that are none any more
	for i, series := range w.of {
		p := w.periods.values[w.period[i]]
		if f := w.stated[series]; f != asDated {
			p = p.In(f)
		}
		w.period[i] = dated.of(p)
	}
	w.periods = dated
}
