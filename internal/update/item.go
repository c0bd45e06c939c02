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

// itemState is an item's state: that of the server, and why the data were
// refused, if they were.
type itemState struct {
	source.State
	Refused string `json:"refused,omitempty"`
}

// stateOf reads an item's state. A state that cannot be read is empty.
func stateOf(it watch.Item) (r itemState) {
	if len(it.State) > 0 && json.Unmarshal(it.State, &r) != nil {
		return itemState{}
	}
	return r
}

func withState(it watch.Item, r itemState) watch.Item {
	text, err := json.Marshal(r)
	if err != nil {
		text = nil // a time beyond the year 9999: everything is fetched again
	}
	it.State = text
	return it
}

// job is an item that is being fetched, and then its download.
type job struct {
	download
	item   watch.Item
	start  time.Time
	answer watch.Answer
	unlock func()

	before      []watch.Dataset // of the item before
	now         []int           // IDs in the download; nil: none was stored
	isContested bool            // one of them belongs to another item
}

// item fetches one item, and queues the import if something changed.
func (v *visit) item(ctx context.Context, it watch.Item) {
	unlock, ok, err := v.options.Watches.Lock(it.ID)
	if err != nil || !ok {
		v.skip(it, "another process is working on it", err)
		return
	}
	now, ok, err := v.options.Watches.Item(context.WithoutCancel(ctx), it.ID)
	if err != nil || !ok || !now.Tried.Equal(it.Tried) {
		unlock()
		reason := "another process has just updated it"
		if !ok {
			reason = "it is no longer watched"
		}
		v.skip(it, reason, err)
		return
	}
	before, err := v.options.Watches.DatasetsOfItem(context.WithoutCancel(ctx), it.ID)
	if err != nil {
		unlock()
		v.skip(it, "", err)
		return
	}
	j := &job{item: now, start: v.options.Now(), download: download{ref: it.Ref, office: v.office}, before: before}
	j.unlock = func() { v.unclaim(it.ID); unlock() }
	v.fetch(ctx, j)
}

// skip postpones an item for skipTime, so that Run does not try it again in
// seconds. An error ends the visit and is the reason.
func (v *visit) skip(it watch.Item, reason string, err error) {
	if err != nil {
		v.endVisit(err)
		reason = err.Error()
	}
	v.skipFor(it.ID)
	v.postpone(reason, it)
}

// fetch fetches an item from its office.
func (v *visit) fetch(ctx context.Context, j *job) {
	if v.server == nil {
		v.finishFailed(ctx, j, stat.Errorf(stat.NotFound, "there is no source %q any longer", j.item.Office))
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
		v.skip(j.item, "", err)
		return
	}
	j.folder, request.Folder = folder, folder
	j.unlock = func(unlock func()) func() { return func() { os.RemoveAll(folder); unlock() } }(j.unlock)
	v.step(j.item, Fetching, 0)
	d, err := v.fetchInTurn(ctx, request, func(bytes int64) { v.step(j.item, Fetching, bytes) })
	switch {
	case err != nil && ctx.Err() != nil:
		v.postponeJob(j)
	case isLocal(err):
		j.unlock()
		v.skip(j.item, "", err)
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

// fetchInTurn waits for this process's turn and fetches. It calls notify with
// the number of bytes received so far.
func (v *visit) fetchInTurn(ctx context.Context, request source.Request, notify func(bytes int64)) (*source.Download, error) {
	done, err := v.turn(ctx, v.known.ID)
	if err != nil {
		return nil, err
	}
	defer done()
	defer v.notifyGrowth(request.Folder, notify)()
	return v.server.Fetch(ctx, request)
}

// queueImport starts the import of a download when a slot is free, so that few
// downloads wait.
func (v *visit) queueImport(ctx context.Context, j *job) {
	select {
	case v.importing <- struct{}{}:
	case <-ctx.Done():
		v.postponeJob(j)
		return
	}
	v.imports.Go(func() {
		defer func() { <-v.importing }()
		v.finishImport(ctx, j)
	})
}

// roundEnded is the reason for postponing items when the process stops.
const roundEnded = "the round was stopped"

// postponeJob leaves an item unchanged for a later round.
func (v *visit) postponeJob(j *job) {
	j.unlock()
	v.postpone(roundEnded, j.item)
}

// knownState returns the state to send with a conditional request. It is only
// the title if the store lacks the dataset, or if a refused item is requested by
// name.
func (v *visit) knownState(it watch.Item) source.State {
	r := stateOf(it)
	if r.Refused != "" && v.byName || r.Refused == "" && v.stored.Entry(it.Dataset) == nil {
		return source.State{Title: r.Title}
	}
	return r.State
}

// line returns a new log entry of an item.
func (v *visit) line(j *job, status string) watch.Entry {
	now := v.options.Now()
	e := watch.Entry{At: now, Ref: j.item.Ref, Office: j.item.Office, Status: status, Dataset: j.item.Dataset, Took: now.Sub(j.start)}
	if stored := v.stored.Entry(j.item.Dataset); stored != nil {
		e.Version = stored.Version
	}
	if j.Download != nil {
		e.Bytes = totalSize(j.Data) + totalSize(j.Companions)
	}
	return e
}

// finishFailed records an item that could not be fetched.
func (v *visit) finishFailed(ctx context.Context, j *job, err error) {
	it, e := v.afterFailure(j, err)
	v.finish(ctx, j, it, []watch.Entry{e})
}

// afterFailure returns the row and the log entry of an item that could not be
// fetched.
func (v *visit) afterFailure(j *job, err error) (watch.Item, watch.Entry) {
	it, waits, status := j.item, afterFailure, failed
	if v.until.IsZero() { // else it is recorded why the office is unavailable
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
	it.Tried, it.Error, it.Due = e.At, e.Error, v.dueAfterFailure(it, waits, e.At)
	for _, until := range []time.Time{v.until, e.At.Add(retryAfter(err))} {
		if it.Due.Before(until) {
			it.Due = until
		}
	}
	return it, e
}

// finishUnchanged records an item that did not change at its office. If it was
// refused, it still is.
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

// dueAfter returns when an item is due after a success. Items in a list with
// times are due together with the list.
func (v *visit) dueAfter(it watch.Item, updated, now time.Time) time.Time {
	if v.list != nil && v.list.hasTimes && v.list.entry(codeOf(it)) != nil {
		due := v.list.read.Add(time.Duration(float64(interval(it.Every, v.office)) * v.list.stretch))
		if due.After(now) {
			return due
		}
	}
	return v.dueAfterSuccess(it, v.office, updated, now)
}

// finishImport imports a download and records its item.
func (v *visit) finishImport(ctx context.Context, j *job) {
	if ctx.Err() != nil {
		v.postponeJob(j)
		return
	}
	outcomes, it, entries, ended := v.importJob(ctx, j)
	if ended != nil {
		v.postponeJob(j)
		return
	}
	if isLocalFault(outcomes) {
		v.noteStorageFault(fmt.Errorf("storing a download: %s", it.Error))
	}
	v.finish(ctx, j, it, entries)
}

// importJob imports a download and returns the outcomes, the item's new row and
// its log entries. ended is not nil if the import was stopped with ctx.
func (v *visit) importJob(ctx context.Context, j *job) (outcomes []importer.Outcome, it watch.Item, entries []watch.Entry, ended error) {
	importing, cancel := ending(ctx)
	defer cancel()
	v.step(j.item, Importing, totalSize(j.Data)+totalSize(j.Companions))
	j.claim = func(source, code string, id int) error { return v.Updater.claim(importing, j, source, code, id) }
	outcomes, incomplete := v.importDownload(importing, j.download)
	if importing.Err() != nil && worstOf(outcomes).Status == importer.Refused {
		return nil, it, nil, importing.Err()
	}
	it, entries = v.afterImport(j, outcomes, incomplete)
	return outcomes, it, entries, nil
}

// afterImport returns the row and the log entries of an item that was imported.
// An incomplete import keeps no state, so that everything is fetched again.
func (v *visit) afterImport(j *job, outcomes []importer.Outcome, incomplete bool) (watch.Item, []watch.Entry) {
	entries, worst := v.lines(j, outcomes), worstOf(outcomes)
	it, state := j.item, itemState{State: j.State}
	state.Title = cmp.Or(state.Title, stateOf(it).Title)
	for _, e := range slices.Backward(entries) {
		it.Dataset = cmp.Or(e.Dataset, it.Dataset) // the first dataset remains
	}
	it.Tried, it.Error = entries[0].At, worst.Error // also of a quarantined dataset
	if worst.Status == importer.Created || worst.Status == importer.Updated {
		it.Changed = it.Tried
	}
	refused := worst.Status == importer.Refused
	if refused {
		j.answer, state.Refused = watch.Bad, it.Error
		if j.isContested || !isDataFault(outcomes) {
			j.answer = watch.Good
		}
		it.Failed++
		waits := afterFailure
		if isLocalFault(outcomes) {
			waits = afterLocalFault
		}
		it.Due = v.dueAfterFailure(it, waits, it.Tried)
	} else {
		j.answer = watch.Good
		it.Checked, it.Failed = it.Tried, 0
		it.Due = v.dueAfter(it, state.Updated, it.Tried)
	}
	switch {
	case incomplete:
		it = withState(it, itemState{State: source.State{Title: state.Title}})
	case !refused || isDataFault(outcomes) && !j.isContested:
		it = withState(it, state)
	}
	for _, o := range outcomes {
		if o.ID != 0 {
			j.now = append(j.now, o.ID)
		}
	}
	if !refused {
		entries = append(entries, v.vanishedEntries(j)...)
	}
	return it, entries
}

// lines returns the log entries of an import. Unchanged datasets are left out if
// others changed.
func (v *visit) lines(j *job, outcomes []importer.Outcome) (entries []watch.Entry) {
	worst := worstOf(outcomes).Status
	for _, o := range outcomes {
		if o.Status == importer.Unchanged && worst != importer.Unchanged {
			continue
		}
		status := string(o.Status)
		if isLocalFault([]importer.Outcome{o}) {
			status = failed // the data are not at fault
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

// worstOf returns the most important outcome, in the order refused, quarantined,
// updated, created, unchanged.
func worstOf(outcomes []importer.Outcome) importer.Outcome {
	for _, s := range []importer.Status{importer.Refused, importer.Quarantined, importer.Updated, importer.Created} {
		if i := slices.IndexFunc(outcomes, func(o importer.Outcome) bool { return o.Status == s }); i >= 0 {
			return outcomes[i]
		}
	}
	return outcomes[0]
}
