package update

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

func (v *visit) entryOf(j *job, status, text string) watch.Entry {
	e := v.newEntry(j.item, status, text)
	e.Took, e.Bytes = e.At.Sub(j.start), j.size()
	if stored := v.stored.Entry(e.Dataset); stored != nil {
		e.Version = stored.Version
	}
	return e
}

func (v *visit) recordFailure(ctx context.Context, j *job, err error) {
	it, waits, status := j.item, afterFailure, failed
	if v.outage == nil { // else it is recorded why the office is unavailable
		j.answer = watch.Bad
	}
	j.fault = jobFault(err)
	switch f := faultOf(err); {
	case f == faultMissing && v.outage == nil:
		waits = afterMissing
	case f == faultRefused:
		status = string(importer.Refused)
	}
	text := err.Error()
	if j.folder != "" {
		text = strings.ReplaceAll(text, j.folder+string(filepath.Separator), "")
	}
	e := v.entryOf(j, status, text)
	it.Failed++
	it.Tried, it.Error, it.Due = e.At, e.Error, v.dueAfterFailure(it, waits, e.At)
	if until := e.At.Add(retryAfter(err)); it.Due.Before(until) {
		it.Due = until
	}
	if v.outage != nil && it.Due.Before(v.outage.Until) {
		it.Due = v.outage.Until
	}
	j.outcomes = refuse(j.ref, j.ref+": "+e.Error)
	v.record(ctx, j, it, []watch.Entry{e})
}

// recordUnchanged records an item that did not change at its office. A
// refused item stays refused.
func (v *visit) recordUnchanged(ctx context.Context, j *job, state source.State) {
	r := stateOf(j.item)
	if !state.Updated.IsZero() || len(state.Answers) > 0 {
		state.Title = cmp.Or(state.Title, r.Title)
		r.State = state
	}
	it, e := withState(j.item, r), v.entryOf(j, string(importer.Unchanged), r.Refused)
	it.Tried, it.Due = e.At, v.dueAfterSuccess(it, r.Updated, e.At)
	if r.Refused == "" {
		it.Checked, it.Failed, it.Error = e.At, 0, ""
	}
	v.record(ctx, j, it, []watch.Entry{e})
}

// afterImport returns the row and the log entries of an item that was imported.
// An incomplete import keeps no state, so that everything is fetched again.
func (v *visit) afterImport(ctx context.Context, j *job, incomplete bool) (watch.Item, []watch.Entry) {
	outcomes := j.outcomes
	entries, worst := v.entriesOf(j), worstOf(outcomes)
	it, state := j.item, itemState{State: j.State}
	state.Title = cmp.Or(state.Title, stateOf(it).Title)
	for _, e := range slices.Backward(entries) {
		it.Dataset = cmp.Or(e.Dataset, it.Dataset) // the first dataset remains
	}
	for _, o := range outcomes {
		if o.ID != 0 {
			j.datasets = append(j.datasets, o.ID)
		}
	}
	it.Tried, it.Error = entries[0].At, worst.Error // also of a quarantined dataset
	if worst.Status == importer.Created || worst.Status == importer.Updated {
		it.Changed = it.Tried
	}
	keepsState := true
	j.answer = watch.Good
	if worst.Status == importer.Refused {
		// Data that were refused for their content are not fetched again before the
		// office has others.
		keepsState = !j.isContested && !slices.ContainsFunc(outcomes, func(o importer.Outcome) bool {
			return o.Status == importer.Refused && o.Kind != stat.Refused && o.Kind != stat.Invalid
		})
		if keepsState {
			j.answer = watch.Bad
		}
		state.Refused = it.Error
		it.Failed++
		waits := afterFailure
		if isLocalFault(outcomes...) && !j.isBeyondBound {
			waits = afterLocalFault
		}
		it.Due = v.dueAfterFailure(it, waits, it.Tried)
	} else {
		it.Checked, it.Failed = it.Tried, 0
		it.Due = v.dueAfterSuccess(it, state.Updated, it.Tried)
		entries = append(entries, v.vanishedEntries(ctx, j)...)
	}
	switch {
	case incomplete:
		it = withState(it, itemState{State: source.State{Title: state.Title}})
	case keepsState:
		it = withState(it, state)
	}
	return it, entries
}

// entriesOf returns the log entries of an import. Unchanged datasets are left out
// if others changed.
func (v *visit) entriesOf(j *job) (entries []watch.Entry) {
	worst := worstOf(j.outcomes).Status
	for _, o := range j.outcomes {
		if o.Status == importer.Unchanged && worst != importer.Unchanged {
			continue
		}
		status := string(o.Status)
		if isLocalFault(o) {
			status = failed // the data are not at fault
		}
		e := v.entryOf(j, status, o.Error)
		e.Dataset, e.Version = cmp.Or(o.ID, e.Dataset), o.Version
		e.Added, e.Revised, e.Removed = o.Changes.Added, o.Changes.Revised, o.Changes.Removed
		if o.Status == importer.Created {
			e.Added = o.Observations.Stored
		}
		entries = append(entries, e)
	}
	return entries
}

// vanishedEntries returns entries for datasets that are no longer in a file.
func (v *visit) vanishedEntries(ctx context.Context, j *job) (entries []watch.Entry) {
	before, err := v.options.Watches.DatasetsOfItem(context.WithoutCancel(ctx), j.item.ID)
	v.noteError(err)
	for _, d := range before {
		stored := v.options.Store.Catalog().Entry(d.ID)
		if slices.Contains(j.datasets, d.ID) || stored == nil { // nil: removed from the store
			continue
		}
		e := v.entryOf(j, vanished, fmt.Sprintf("dataset %d (%s) is no longer in the file; its version %s is still served", d.ID, stored.Code, stored.Version))
		e.Dataset, e.Version = d.ID, stored.Version
		entries = append(entries, e)
	}
	return entries
}

// bySeverity lists the statuses of outcomes, the most important first.
var bySeverity = []importer.Status{importer.Refused, importer.Quarantined, importer.Updated, importer.Created, importer.Unchanged}

// worstOf returns the first of the most important outcomes.
func worstOf(outcomes []importer.Outcome) importer.Outcome {
	return slices.MinFunc(outcomes, func(a, b importer.Outcome) int {
		return cmp.Compare(slices.Index(bySeverity, a.Status), slices.Index(bySeverity, b.Status))
	})
}

// isLocalFault reports whether a download could not be stored because of this
// machine: no space, no permission.
func isLocalFault(outcomes ...importer.Outcome) bool {
	return slices.ContainsFunc(outcomes, func(o importer.Outcome) bool {
		return o.Status == importer.Refused && (o.Kind == stat.Internal || o.Kind == stat.Unavailable)
	})
}

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
