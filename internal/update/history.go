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

// firstVersion is the version of a dataset's first vintage.
const firstVersion = "1.0"

// missingEntries returns what the log and the datasets of an item lack besides
// the entries of its own result. A vintage is stored before its entry is
// written, so a killed process, and people who publish by hand, leave vintages
// without one.
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

// datasetsOf returns the earlier and the present datasets of an item.
func (r *round) datasetsOf(ctx context.Context, j *job) []watch.Dataset {
	all := slices.Clone(j.before)
	for _, id := range j.now {
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

// entriesSince returns entries for the vintages of a dataset after the last
// logged one, and before newest if that is not empty.
func (r *round) entriesSince(ctx context.Context, j *job, known watch.Dataset, newest string) (lines []watch.Entry, err error) {
	stored := r.options.Store.Catalog().Entry(known.ID)
	if stored == nil || stored.Version == known.Version {
		return nil, nil
	}
	vintages, err := r.options.Store.Vintages(ctx, known.ID)
	if stat.KindOf(err) == stat.NotFound {
		return nil, nil // it was just removed
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

// vanishedEntries returns entries for datasets that are no longer in a file.
func (v *visit) vanishedEntries(j *job) (lines []watch.Entry) {
	for _, b := range j.before {
		if slices.Contains(j.now, b.ID) {
			continue
		}
		stored := v.options.Store.Catalog().Entry(b.ID)
		if stored == nil {
			continue // removed from the store
		}
		e := v.line(j, vanished)
		e.Dataset, e.Version = b.ID, stored.Version
		e.Error = fmt.Sprintf("dataset %d (%s) is no longer in the file; its version %s is still served", b.ID, stored.Code, stored.Version)
		lines = append(lines, e)
	}
	return lines
}

// result returns what to record about an item that was tried: the missing
// entries, then its own entries with its new row. Unchanged datasets get no
// entry.
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
