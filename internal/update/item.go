package update

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

// itemState is an item's state: the server's own, and why the data that it
// tells of are not stored, if they were refused.
type itemState struct {
	source.State
	Refused string `json:"refused,omitempty"`
}

// stateOf reads an item's state; what cannot be read is nothing known.
func stateOf(it watch.Item) (r itemState) {
	if len(it.State) > 0 && json.Unmarshal(it.State, &r) != nil {
		return itemState{}
	}
	return r
}

// withState writes an item's state.
func withState(it watch.Item, r itemState) watch.Item {
	text, err := json.Marshal(r)
	if err != nil {
		text = nil // a time beyond the year 9999: nothing is known, and all is fetched again
	}
	it.State = text
	return it
}

// job is an item that is fetched, and its download then.
type job struct {
	download
	item   watch.Item
	began  time.Time
	answer watch.Answer
	unlock func()

	had       []watch.Dataset // what the item brought before
	has       []int           // datasets that the download has; nil: none was stored
	contested bool            // one of them is another's
}

// item fetches one item, and gives it to be imported if there is something new.
func (v *visit) item(ctx context.Context, it watch.Item) {
	unlock, ok, err := v.options.Watches.Lock(it.ID)
	if err != nil || !ok {
		v.passOver(it, "another process has it", err)
		return
	}
	now, ok, err := v.options.Watches.Item(context.WithoutCancel(ctx), it.ID)
	if err != nil || !ok || !now.Tried.Equal(it.Tried) {
		unlock()
		reason := "another process has just had it"
		if !ok {
			reason = "it is not watched any more"
		}
		v.passOver(it, reason, err)
		return
	}
	had, err := v.options.Watches.DatasetsOfItem(context.WithoutCancel(ctx), it.ID)
	if err != nil {
		unlock()
		v.passOver(it, "", err)
		return
	}
	j := &job{item: now, began: v.options.Now(), download: download{ref: it.Ref, office: v.office}, had: had}
	j.unlock = func() { v.unclaim(it.ID); unlock() }
	v.fetch(ctx, j)
}

// passOver leaves an item to a later round, and not to the next one that comes
// in seconds. The reason is the error, if there is one, which ends the visit.
func (v *visit) passOver(it watch.Item, reason string, err error) {
	if err != nil {
		v.endVisit(err)
		reason = err.Error()
	}
	v.pass(it.ID)
	v.postpone(reason, it)
}

// fetch asks the office for an item.
func (v *visit) fetch(ctx context.Context, j *job) {
	if v.server == nil {
		v.finishFailed(ctx, j, stat.Errorf(stat.NotFound, "there is no source %q any more", j.item.Office))
		return
	}
	request := source.Request{Code: codeOf(j.item), Known: v.knownState(j.item), Listed: v.list.entry(codeOf(j.item))}
	if listed := request.Listed; listed != nil && !listed.Updated.IsZero() && listed.Updated.Equal(request.Known.Updated) {
		v.finishUnchanged(ctx, j, source.State{})
		return
	}
	folder, err := v.makeFolder(j.item.ID)
	if err != nil {
		j.unlock()
		v.passOver(j.item, "", err)
		return
	}
	j.folder, request.Folder = folder, folder
	j.unlock = func(unlock func()) func() { return func() { os.RemoveAll(folder); unlock() } }(j.unlock)
	v.step(j.item, Fetching, 0)
	d, err := v.fetchInTurn(ctx, request, func(bytes int64) { v.step(j.item, Fetching, bytes) })
	switch {
	case err != nil && ctx.Err() != nil:
		v.leave(j)
	case isLocal(err):
		j.unlock()
		v.passOver(j.item, "", err)
	case err != nil:
		v.failed(ctx, j, err)
	case d.Unchanged:
		v.noteAnswer(ctx)
		j.answer = watch.Good
		v.finishUnchanged(ctx, j, d.State)
	default:
		v.noteAnswer(ctx)
		j.Download = d
		v.queueImport(ctx, j)
	}
}

// fetchInTurn fetches when it is this process's turn, and tells of the bytes that have
// come.
func (v *visit) fetchInTurn(ctx context.Context, request source.Request, tell func(bytes int64)) (*source.Download, error) {
	done, err := v.turn(ctx, v.known.ID)
	if err != nil {
		return nil, err
	}
	defer done()
	defer v.tellGrowth(request.Folder, tell)()
	return v.server.Fetch(ctx, request)
}

// queueImport gives a download to be imported, when there is room: so there are never
// more than a few that wait.
func (v *visit) queueImport(ctx context.Context, j *job) {
	select {
	case v.importing <- struct{}{}:
	case <-ctx.Done():
		v.leave(j)
		return
	}
	v.imports.Go(func() {
		defer func() { <-v.importing }()
		v.finishImport(ctx, j)
	})
}

// wasEnded is why an item is left when the process is being ended.
const wasEnded = "the round was ended"

// leave leaves an item to a later round, as it was, since this one is ended.
func (v *visit) leave(j *job) {
	j.unlock()
	v.postpone(wasEnded, j.item)
}

// knownState is what is known of an item and counts: nothing where the store lacks
// the dataset, or where somebody asks by name for what was refused; but what the
// dataset is called.
func (v *visit) knownState(it watch.Item) source.State {
	r := stateOf(it)
	if r.Refused != "" && v.byName || r.Refused == "" && v.stored.Entry(it.Dataset) == nil {
		return source.State{Title: r.Title}
	}
	return r.State
}

// line is a line of the log of an item.
func (v *visit) line(j *job, status string) watch.Entry {
	now := v.options.Now()
	e := watch.Entry{At: now, Ref: j.item.Ref, Office: j.item.Office, Status: status, Dataset: j.item.Dataset, Took: now.Sub(j.began)}
	if stored := v.stored.Entry(j.item.Dataset); stored != nil {
		e.Version = stored.Version
	}
	if j.Download != nil {
		e.Bytes = sizeOf(j.Data) + sizeOf(j.Companions)
	}
	return e
}

// finishFailed finishes an item that could not be fetched.
func (v *visit) finishFailed(ctx context.Context, j *job, err error) {
	it, e := v.afterFailure(j, err)
	v.finish(ctx, j, it, []watch.Entry{e})
}

// afterFailure is the row of an item that could not be fetched, and its line.
func (v *visit) afterFailure(j *job, err error) (watch.Item, watch.Entry) {
	it, waits, status := j.item, afterFailure, failed
	if v.until.IsZero() { // else it has been written why the office is out
		j.answer = watch.Bad
	}
	if isMissing(err) && v.until.IsZero() {
		waits = afterMissing
	} else if isRefused(err) {
		status = string(importer.Refused)
	}
	e := v.line(j, status)
	e.Error = err.Error()
	if j.folder != "" {
		e.Error = strings.ReplaceAll(e.Error, j.folder+string(filepath.Separator), "")
	}
	e.Error = short(e.Error)
	it.Failed++
	it.Tried, it.Error, it.Due = e.At, e.Error, v.later(it, waits, e.At)
	for _, until := range []time.Time{v.until, e.At.Add(retryAfter(err))} {
		if it.Due.Before(until) {
			it.Due = until
		}
	}
	return it, e
}

// finishUnchanged finishes an item of which the office has nothing new. What was
// refused still is, which is no news.
func (v *visit) finishUnchanged(ctx context.Context, j *job, state source.State) {
	r := stateOf(j.item)
	if !state.Updated.IsZero() || len(state.Answers) > 0 {
		state.Title = cmp.Or(state.Title, r.Title)
		r.State = state
	}
	it, e := withState(j.item, r), v.line(j, string(importer.Unchanged))
	it.Tried, it.Due = e.At, v.dueAfter(it, r.Updated, e.At)
	if e.Error = r.Refused; r.Refused == "" {
		it.Checked, it.Failed, it.Error = e.At, 0, ""
	}
	v.finish(ctx, j, it, []watch.Entry{e})
}

// dueAfter is when an item is due after a success. All that one list tells of
// are due together, when the list is.
func (v *visit) dueAfter(it watch.Item, updated, now time.Time) time.Time {
	if v.list != nil && v.list.tells && v.list.entry(codeOf(it)) != nil {
		due := v.list.read.Add(time.Duration(float64(span(it.Every, v.office)) * v.list.stretch))
		if due.After(now) {
			return due
		}
	}
	return v.next(it, v.office, updated, now)
}

// finishImport imports a download and finishes its item.
func (v *visit) finishImport(ctx context.Context, j *job) {
	if ctx.Err() != nil {
		v.leave(j)
		return
	}
	outcomes, it, entries, ended := v.importJob(ctx, j)
	if ended != nil {
		v.leave(j)
		return
	}
	if faultOfOurs(outcomes) {
		v.noteStorageFault(fmt.Errorf("storing what was fetched: %s", it.Error))
	}
	v.finish(ctx, j, it, entries)
}

// importJob imports a download: it returns what became of it, the item's new row
// and its lines; or ended, if the import was given up because ctx ended.
func (v *visit) importJob(ctx context.Context, j *job) (outcomes []importer.Outcome, it watch.Item, entries []watch.Entry, ended error) {
	importing, cancel := ending(ctx)
	defer cancel()
	v.step(j.item, Importing, sizeOf(j.Data)+sizeOf(j.Companions))
	j.claim = func(source, code string, id int) error { return v.Keeper.claim(importing, j, source, code, id) }
	outcomes, lacking := v.importDownload(importing, j.download)
	if importing.Err() != nil && worstOf(outcomes).Status == importer.Refused {
		return nil, it, nil, importing.Err()
	}
	it, entries = v.afterImport(j, outcomes, lacking)
	return outcomes, it, entries, nil
}

// afterImport is the row of an item that was imported, and its lines. Where
// something is lacking nothing is remembered, so that all is fetched again.
func (v *visit) afterImport(j *job, outcomes []importer.Outcome, lacking bool) (watch.Item, []watch.Entry) {
	entries, worst := v.lines(j, outcomes), worstOf(outcomes)
	it, state := j.item, itemState{State: j.State}
	state.Title = cmp.Or(state.Title, stateOf(it).Title)
	for _, e := range slices.Backward(entries) {
		it.Dataset = cmp.Or(e.Dataset, it.Dataset) // the first one's stays
	}
	it.Tried, it.Error = entries[0].At, worst.Error // that of a quarantined one too
	if worst.Status == importer.Created || worst.Status == importer.Updated {
		it.Changed = it.Tried
	}
	refused := worst.Status == importer.Refused
	if refused {
		j.answer, state.Refused = watch.Bad, it.Error
		if j.contested || !faultOfData(outcomes) {
			j.answer = watch.Good
		}
		it.Failed++
		waits := afterFailure
		if faultOfOurs(outcomes) {
			waits = afterOurFault
		}
		it.Due = v.later(it, waits, it.Tried)
	} else {
		j.answer = watch.Good
		it.Checked, it.Failed = it.Tried, 0
		it.Due = v.dueAfter(it, state.Updated, it.Tried)
	}
	switch {
	case lacking:
		it = withState(it, itemState{State: source.State{Title: state.Title}})
	case !refused || faultOfData(outcomes) && !j.contested:
		it = withState(it, state)
	}
	for _, o := range outcomes {
		if o.ID != 0 {
			j.has = append(j.has, o.ID)
		}
	}
	if !refused {
		entries = append(entries, v.vanishedEntries(j)...)
	}
	return it, entries
}

// lines are the lines of the log of what was imported; those of datasets that
// did not change are left out where others did.
func (v *visit) lines(j *job, outcomes []importer.Outcome) (entries []watch.Entry) {
	worst := worstOf(outcomes).Status
	for _, o := range outcomes {
		if o.Status == importer.Unchanged && worst != importer.Unchanged {
			continue
		}
		status := string(o.Status)
		if faultOfOurs([]importer.Outcome{o}) {
			status = failed // nothing is wrong with the data
		}
		e := v.line(j, status)
		e.Dataset, e.Version, e.Error = o.ID, o.Version, o.Error
		e.Added, e.Revised, e.Removed = o.Changes.Added, o.Changes.Revised, o.Changes.Removed
		if o.Status == importer.Created {
			e.Added = o.Observations.Stored
		}
		if e.Dataset == 0 {
			e.Dataset = j.item.Dataset
		}
		entries = append(entries, e)
	}
	return entries
}

// worstOf is the first of the outcomes of which there is most to say: refused,
// quarantined, updated, created, unchanged.
func worstOf(outcomes []importer.Outcome) importer.Outcome {
	for _, s := range []importer.Status{importer.Refused, importer.Quarantined, importer.Updated, importer.Created} {
		if i := slices.IndexFunc(outcomes, func(o importer.Outcome) bool { return o.Status == s }); i >= 0 {
			return outcomes[i]
		}
	}
	return outcomes[0]
}
