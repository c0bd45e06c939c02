package update

import (
	"cmp"
	"context"
	"slices"

	"almanac/internal/importer"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// firstVersion is the version of a dataset's first import.
const firstVersion = "1.0"

// result returns what to record about an item that was tried: the unlogged entries,
// then its own entries with its new row. Unchanged datasets get no entry.
func (r *round) result(ctx context.Context, j *job, it watch.Item, entries []watch.Entry) []watch.Result {
	unlogged, datasets := r.unloggedEntries(context.WithoutCancel(ctx), j, entries)
	var results []watch.Result
	for i, e := range unlogged {
		results = append(results, watch.Result{Entry: &unlogged[i]})
		if e.At.After(it.Changed) {
			it.Changed = e.At
		}
	}
	own := make([]watch.Result, len(entries))
	own[0] = watch.Result{Item: it, Answer: j.answer, Datasets: datasets}
	for i, e := range entries {
		if e.Status == vanished {
			own[0].Vanished = append(own[0].Vanished, e.Dataset)
		}
		if e.Status != string(importer.Unchanged) {
			own[i].Entry = &entries[i]
		}
	}
	return append(results, own...)
}

// unloggedEntries returns what the log and the datasets of an item lack besides the
// entries of its own result. A version is stored before its entry is written, so a
// killed process, and people who publish by hand, leave versions without one.
func (r *round) unloggedEntries(ctx context.Context, j *job, entries []watch.Entry) (unlogged []watch.Entry, datasets []watch.Dataset) {
	known, err := r.options.Watches.DatasetsOfItem(ctx, j.item.ID, j.datasets...)
	r.noteError(err)
	for _, d := range known {
		newest := ""
		for _, e := range entries {
			if e.Dataset == d.ID && (e.Status == string(importer.Created) || e.Status == string(importer.Updated)) {
				newest = e.Version
			}
		}
		since, err := r.entriesSince(ctx, j.item, d, newest)
		if err != nil {
			r.noteError(err)
			continue
		}
		unlogged = append(unlogged, since...)
		last := d.Version
		if len(since) > 0 {
			last = since[len(since)-1].Version
		}
		last = cmp.Or(newest, last)
		if last != d.Version || d.Item != j.item.ID {
			datasets = append(datasets, watch.Dataset{ID: d.ID, Version: last})
		}
	}
	return unlogged, datasets
}

// entriesSince returns entries for the versions of a dataset after the last logged
// one, and before newest if that is not empty.
func (r *round) entriesSince(ctx context.Context, it watch.Item, d watch.Dataset, newest string) (entries []watch.Entry, err error) {
	stored := r.options.Store.Catalog().Entry(d.ID)
	if stored == nil || stored.Version == d.Version {
		return nil, nil
	}
	vintages, err := r.options.Store.Vintages(ctx, d.ID)
	if stat.KindOf(err) == stat.NotFound {
		return nil, nil // it was just removed
	}
	index := func(version string) int {
		return slices.IndexFunc(vintages, func(v stat.Vintage) bool { return v.Version == version })
	}
	if end := index(newest); end >= 0 {
		vintages = vintages[:end]
	}
	oldest := r.options.Now().Add(-logAge)
	for _, v := range vintages[index(d.Version)+1:] {
		if v.Imported.Before(oldest) {
			continue
		}
		e := watch.Entry{At: v.Imported, Ref: it.Ref, Office: it.Office, Status: string(importer.Updated),
			Dataset: d.ID, Version: v.Version, Added: v.Added, Revised: v.Revised, Removed: v.Removed}
		if v.Version == firstVersion {
			e.Status = string(importer.Created)
		}
		entries = append(entries, e)
	}
	return entries, err
}
