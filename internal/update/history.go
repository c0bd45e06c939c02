package update

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// firstVersion is that of a dataset's first vintage.
const firstVersion = "1.0"

// missingEntries is what the log and the datasets of an item lack, beside the lines
// that its result has itself: a vintage is stored before its line is written, so
// that a process that was killed in between, and people who publish by hand,
// leave vintages of which the log does not know.
func (r *round) missingEntries(ctx context.Context, j *job, entries []watch.Entry) (before []watch.Entry, datasets []watch.Dataset) {
	ctx = context.WithoutCancel(ctx)
	for _, known := range r.datasetsOf(ctx, j) {
		newest := ""
		for _, e := range entries {
			if e.Dataset == known.ID && (e.Status == string(importer.Created) || e.Status == string(importer.Updated)) {
				newest = e.Version
			}
		}
		lines, err := r.entriesSince(ctx, j, known, newest)
		if err != nil {
			r.noteError(err)
			continue
		}
		before = append(before, lines...)
		last := cmp.Or(newest, known.Version)
		if newest == "" && len(lines) > 0 {
			last = lines[len(lines)-1].Version
		}
		if last != known.Version || known.Item != j.item.ID {
			datasets = append(datasets, watch.Dataset{ID: known.ID, Version: last})
		}
	}
	return before, datasets
}

// datasetsOf are the datasets that an item brought before, and those that it
// brings now.
func (r *round) datasetsOf(ctx context.Context, j *job) []watch.Dataset {
	all := slices.Clone(j.had)
	for _, id := range j.has {
		if slices.ContainsFunc(all, func(b watch.Dataset) bool { return b.ID == id }) {
			continue
		}
		b, err := r.options.Watches.DatasetByID(ctx, id)
		r.noteError(err)
		if err == nil {
			all = append(all, b)
		}
	}
	return all
}

// entriesSince are lines for the vintages that a dataset has got since the one of which
// the log has a line; those before newest, if that is not empty.
func (r *round) entriesSince(ctx context.Context, j *job, known watch.Dataset, newest string) (lines []watch.Entry, err error) {
	stored := r.options.Store.Catalog().Entry(known.ID)
	if stored == nil || stored.Version == known.Version {
		return nil, nil
	}
	vintages, err := r.options.Store.Vintages(ctx, known.ID)
	if stat.KindOf(err) == stat.NotFound {
		return nil, nil // it was removed just now
	}
	if err != nil {
		return nil, err
	}
	is := func(version string) func(stat.Vintage) bool {
		return func(v stat.Vintage) bool { return v.Version == version }
	}
	if i := slices.IndexFunc(vintages, is(newest)); i >= 0 {
		vintages = vintages[:i]
	}
	vintages = vintages[slices.IndexFunc(vintages, is(known.Version))+1:]
	oldest := r.options.Now().Add(-logAge)
	for _, v := range vintages {
		if v.Imported.Before(oldest) {
			continue
		}
		e := watch.Entry{At: v.Imported, Ref: j.item.Ref, Office: j.item.Office, Status: string(importer.Updated),
			Dataset: known.ID, Version: v.Version, Added: v.Added, Revised: v.Revised, Removed: v.Removed}
		if v.Version == firstVersion {
			e.Status = string(importer.Created)
		}
		lines = append(lines, e)
	}
	return lines, nil
}

// vanishedEntries are lines for datasets that a file had the last time and does not have
// any more.
func (v *visit) vanishedEntries(j *job) (lines []watch.Entry) {
	for _, b := range j.had {
		if slices.Contains(j.has, b.ID) {
			continue
		}
		stored := v.options.Store.Catalog().Entry(b.ID)
		if stored == nil {
			continue // removed from the store: nothing is served
		}
		e := v.line(j, vanished)
		e.Dataset, e.Version = b.ID, stored.Version
		e.Error = fmt.Sprintf("dataset %d (%s) is not in the file any more; its version %s goes on being served", b.ID, stored.Code, stored.Version)
		lines = append(lines, e)
	}
	return lines
}

// result is what is written of an item that was tried: the lines that were
// missed, then its own with its new row, of which those that say that nothing
// changed are not worth one.
func (r *round) result(ctx context.Context, j *job, it watch.Item, entries []watch.Entry) []watch.Result {
	before, datasets := r.missingEntries(ctx, j, entries)
	var lines []watch.Result
	for i := range before {
		lines = append(lines, watch.Result{Entry: &before[i]})
		if it.ID != 0 && before[i].At.After(it.Changed) {
			it.Changed = before[i].At
		}
	}
	for i := range entries {
		var one watch.Result
		if i == 0 {
			one = watch.Result{Item: it, Answer: j.answer, Datasets: datasets}
			for _, e := range entries {
				if e.Status == vanished {
					one.Lacks = append(one.Lacks, e.Dataset)
				}
			}
		}
		if entries[i].Status != string(importer.Unchanged) {
			one.Entry = &entries[i]
		}
		lines = append(lines, one)
	}
	return lines
}
