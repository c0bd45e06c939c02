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

// complete is what the log and the datasets of an item lack, beside the lines
// that its result has itself: a vintage is stored before its line is written, so
// that a process that was killed in between, and people who publish by hand,
// leave vintages of which the log does not know.
func (r *round) complete(ctx context.Context, j *job, entries []watch.Entry) (before []watch.Entry, brought []watch.Brought) {
	ctx = context.WithoutCancel(ctx)
	for _, known := range r.datasetsOf(ctx, j) {
		newest := ""
		for _, e := range entries {
			if e.Dataset == known.Dataset && (e.Status == string(importer.Created) || e.Status == string(importer.Updated)) {
				newest = e.Version
			}
		}
		lines, err := r.since(ctx, j, known, newest)
		if err != nil {
			r.failing(err)
			continue
		}
		before = append(before, lines...)
		last := cmp.Or(newest, known.Version)
		if newest == "" && len(lines) > 0 {
			last = lines[len(lines)-1].Version
		}
		if last != known.Version || known.Item != j.item.ID {
			brought = append(brought, watch.Brought{Dataset: known.Dataset, Version: last})
		}
	}
	return before, brought
}

// datasetsOf are the datasets that an item brought before, and those that it
// brings now.
func (r *round) datasetsOf(ctx context.Context, j *job) []watch.Brought {
	all := slices.Clone(j.had)
	for _, id := range j.has {
		if slices.ContainsFunc(all, func(b watch.Brought) bool { return b.Dataset == id }) {
			continue
		}
		b, err := r.options.Watches.BroughtAs(ctx, id)
		r.failing(err)
		if err == nil {
			all = append(all, b)
		}
	}
	return all
}

// since are lines for the vintages that a dataset has got since the one of which
// the log has a line; those before newest, if that is not empty.
func (r *round) since(ctx context.Context, j *job, known watch.Brought, newest string) (lines []watch.Entry, err error) {
	stored := r.options.Store.Catalog().Entry(known.Dataset)
	if stored == nil || stored.Version == known.Version {
		return nil, nil
	}
	vintages, err := r.options.Store.Vintages(ctx, known.Dataset)
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
			Dataset: known.Dataset, Version: v.Version, Added: v.Added, Revised: v.Revised, Removed: v.Removed}
		if v.Version == firstVersion {
			e.Status = string(importer.Created)
		}
		lines = append(lines, e)
	}
	return lines, nil
}

// lacks are lines for datasets that a file had the last time and does not have
// any more.
func (v *visit) lacks(j *job) (lines []watch.Entry) {
	for _, b := range j.had {
		if slices.Contains(j.has, b.Dataset) {
			continue
		}
		stored := v.options.Store.Catalog().Entry(b.Dataset)
		if stored == nil {
			continue // removed from the store: nothing is served
		}
		e := v.line(j, vanished)
		e.Dataset, e.Version = b.Dataset, stored.Version
		e.Error = fmt.Sprintf("dataset %d (%s) is not in the file any more; its version %s goes on being served", b.Dataset, stored.Code, stored.Version)
		lines = append(lines, e)
	}
	return lines
}

// result is what is written of an item that was tried: the lines that were
// missed, then its own with its new row, of which those that say that nothing
// changed are not worth one.
func (r *round) result(ctx context.Context, j *job, it watch.Item, entries []watch.Entry) []watch.Result {
	before, brought := r.complete(ctx, j, entries)
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
			one = watch.Result{Item: it, Answer: j.answer, Brought: brought}
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
