package update

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"sync"
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

// job is the work on one item, which is locked until unlock.
type job struct {
	*source.Download // nil: not fetched yet

	item     watch.Item
	bringing *bringing // nil: not for a job
	ref      string    // as messages name it
	number   int64     // under which the item is locked
	start    time.Time
	folder   string
	answer   watch.Answer
	unlock   func()

	outcomes      []importer.Outcome
	datasets      []int          // IDs of the datasets in the download
	isContested   bool           // one of them belongs to another item
	isBeyondBound bool           // the import needs more memory or time than it may have
	fault         watch.JobFault // why it could not be fetched
}

// newJob returns the job of an item that is locked under a number.
func (v *visit) newJob(it watch.Item, number int64, unlock func()) *job {
	j := &job{item: it, bringing: v.bringing, ref: it.Ref, number: number, start: v.options.Now()}
	j.unlock = sync.OnceFunc(func() {
		if j.folder != "" {
			os.RemoveAll(j.folder)
		}
		v.releaseClaims(it.ID)
		unlock()
	})
	return j
}

func (j *job) size() (bytes int64) {
	if j.Download == nil {
		return 0
	}
	for _, path := range slices.Concat(j.Data, j.Companions) {
		if info, err := os.Stat(path); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

// visitItem fetches one item, and queues the import if something changed.
func (v *visit) visitItem(ctx context.Context, it watch.Item) {
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
	v.fetch(ctx, v.newJob(now, it.ID, unlock))
}

// skipTime is how long an item is left to another process.
const skipTime = time.Minute

// skip postpones an item for skipTime, so that Run does not try it again in
// seconds. An error ends the visit and is the reason.
func (v *visit) skip(it watch.Item, reason string, err error) {
	if err != nil {
		v.endVisit(err)
		reason = err.Error()
	}
	now := v.options.Now()
	v.Updater.mu.Lock()
	maps.DeleteFunc(v.skipped, func(_ int64, until time.Time) bool { return !now.Before(until) })
	v.skipped[it.ID] = now.Add(skipTime)
	v.Updater.mu.Unlock()
	v.postpone(reason, it)
}

func (v *visit) fetch(ctx context.Context, j *job) {
	if v.server == nil {
		v.recordFailure(ctx, j, stat.Errorf(stat.NotFound, "there is no source %q any longer", j.item.Office))
		return
	}
	request := source.Request{Code: codeOf(j.item), Known: v.knownState(j.item), Listed: v.list.entry(codeOf(j.item))}
	if listed := request.Listed; listed != nil && !listed.Updated.IsZero() && listed.Updated.Equal(request.Known.Updated) {
		v.recordUnchanged(ctx, j, source.State{})
		return
	}
	switch d, err := v.fetchInTurn(ctx, j, request); {
	case err == nil && d.Unchanged:
		v.noteAnswer(ctx)
		j.answer = watch.Good
		v.recordUnchanged(ctx, j, d.State)
	case err == nil:
		v.noteAnswer(ctx)
		j.Download = d
		v.queueImport(ctx, j)
	case ctx.Err() != nil:
		v.postponeJob(j)
	case faultOf(err) == faultLocal:
		j.unlock()
		v.skip(j.item, "", err)
	default:
		v.noteFailure(ctx, j, err)
	}
}

// fetchInTurn waits for this process's turn and fetches into a folder of the job.
func (v *visit) fetchInTurn(ctx context.Context, j *job, request source.Request) (_ *source.Download, err error) {
	if j.folder, err = v.makeFolder(j.number); err != nil {
		return nil, err
	}
	v.step(j.item, Fetching, 0)
	done, err := v.turn(ctx, v.known.ID)
	if err != nil {
		return nil, err
	}
	defer done()
	defer v.notifyGrowth(j.folder, func(bytes int64) { v.step(j.item, Fetching, bytes) })()
	request.Folder = j.folder
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
		v.importDownload(ctx, j)
	})
}

func (v *visit) postponeJob(j *job) {
	j.unlock()
	v.postpone(roundStopped, j.item)
}

// knownState returns the state to send with a conditional request. It is only
// the title for an import by hand, if the store lacks the dataset, or if a refused
// item is requested by name.
func (v *visit) knownState(it watch.Item) source.State {
	r := stateOf(it)
	if v.byHand || r.Refused != "" && v.byName || r.Refused == "" && v.stored.Entry(it.Dataset) == nil {
		return source.State{Title: r.Title}
	}
	return r.State
}
