package update

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/importer"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// Results are written in groups of at most groupSize, at least every groupTime.
const (
	groupSize = 200
	groupTime = time.Second
)

// logAge is how long log entries are kept.
const logAge = 365 * day

type round struct {
	*Updater
	start   time.Time
	stored  *store.Catalog // at the start of the round
	imports sync.WaitGroup

	bringing *bringing // nil: the round is not that of a job

	mu      sync.Mutex
	summary Summary
	left    int
	pending []result
	err     error // of writing results
}

// result is an unwritten result of an item. The item is unlocked once it is
// written.
type result struct {
	lines  []watch.Result
	unlock func()
}

// Sync makes one round over the items that are due, or over all items of the
// given references (datasets, patterns, offices), due or not. The error says that
// the round did not complete; failures of items are counted in the summary.
func (u *Updater) Sync(ctx context.Context, refs ...string) (Summary, error) {
	visits, err := u.choose(ctx, refs, nil)
	if err != nil {
		return Summary{}, err
	}
	return u.makeRound(ctx, visits)
}

func (u *Updater) makeRound(ctx context.Context, visits []*visit) (Summary, error) {
	r := &round{Updater: u, start: u.options.Now(), stored: u.options.Store.Catalog()}
	for _, v := range visits {
		v.round, v.items = r, distinct(v.items, func(it watch.Item) int64 { return it.ID })
		r.left += len(v.items)
	}
	r.summary.Items = r.left
	var offices errgroup.Group
	offices.SetLimit(maxOffices)
	for _, v := range visits {
		offices.Go(func() error {
			v.run(ctx)
			return nil
		})
	}
	offices.Wait()
	r.imports.Wait()
	r.flush(ctx)
	err := errors.Join(r.err, r.trim(context.WithoutCancel(ctx)))
	if ctx.Err() != nil {
		err = errors.Join(err, fmt.Errorf("the round was stopped early, the next one does the rest: %w", ctx.Err()))
	}
	return r.summary, err
}

// distinct keeps the first element of each key.
func distinct[T any, K comparable](all []T, key func(T) K) []T {
	seen := map[K]bool{}
	return slices.DeleteFunc(all, func(one T) bool {
		k := key(one)
		was := seen[k]
		seen[k] = true
		return was
	})
}

// flush writes pending results, even after ctx has ended.
func (r *round) flush(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []watch.Result
	for _, one := range r.pending {
		lines = append(lines, one.lines...)
	}
	if err := r.write(context.WithoutCancel(ctx), lines); err != nil {
		r.options.Log.Error("recording the results of datasets failed", "error", err)
		r.err = err
	}
	for _, one := range r.pending {
		one.unlock()
	}
	r.pending = nil
}

// write writes results, those of a job together with its end.
func (r *round) write(ctx context.Context, lines []watch.Result) error {
	if r.bringing != nil && len(lines) > 0 {
		return r.bringing.finish(ctx, lines)
	}
	return r.options.Watches.Record(ctx, lines)
}

// record queues the result of an item, with an entry for each of its datasets.
func (r *round) record(ctx context.Context, j *job, it watch.Item, entries []watch.Entry) {
	one := result{r.result(ctx, j, it, entries), j.unlock}
	if r.bringing != nil {
		r.bringing.noteResult(j, it)
	}
	r.mu.Lock()
	r.left--
	r.summary.add(entries[0].Status)
	r.pending = append(r.pending, one)
	pending := len(r.pending)
	r.mu.Unlock()
	switch pending {
	case 1:
		time.AfterFunc(groupTime, func() { r.flush(ctx) })
	case groupSize:
		r.flush(ctx)
	}
	for i := range entries {
		r.report(Event{Ref: entries[i].Ref, Stage: Finished, Bytes: entries[i].Bytes, Entry: &entries[i]}, func() {})
	}
}

func (r *round) postpone(reason string, items ...watch.Item) {
	for _, it := range items {
		e := r.newEntry(it, string(Postponed), reason)
		r.report(Event{Ref: it.Ref, Stage: Postponed, Entry: &e}, func() {
			r.left--
			r.summary.Postponed++
		})
	}
}

// newEntry returns an entry without the facts of a try.
func (r *round) newEntry(it watch.Item, status, text string) watch.Entry {
	return watch.Entry{At: r.options.Now(), Ref: it.Ref, Office: it.Office, Status: status, Dataset: it.Dataset, Error: short(text)}
}

func (r *round) step(it watch.Item, stage Stage, bytes int64) {
	r.report(Event{Ref: it.Ref, Stage: stage, Bytes: bytes}, func() {})
}

// report reports an event after it is counted.
func (r *round) report(e Event, count func()) {
	r.mu.Lock()
	count()
	e.Left = r.left
	r.mu.Unlock()
	if r.bringing != nil {
		r.bringing.noteEvent(e)
	}
	if r.options.Notify == nil {
		return
	}
	r.notifying.Lock()
	defer r.notifying.Unlock()
	r.options.Notify(e)
}

// noteError logs an error of the database. The first one is the error of the round.
func (r *round) noteError(err error) {
	if err == nil {
		return
	}
	r.options.Log.Error("recording updates failed", "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
}

func (u *Updater) trim(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := u.options.Now()
	if age := now.Sub(u.trimmed); 0 <= age && age < day {
		return nil
	}
	u.trimmed = now
	return errors.Join(u.options.Watches.Trim(ctx, now.Add(-logAge)), u.options.Watches.TrimJobs(ctx, now.Add(-jobAge)))
}

// poll is how often Run checks whether something is due, so that it soon sees
// what another process adds. After errors the pause doubles up to longestPoll.
const (
	poll        = 2 * time.Second
	longestPoll = time.Minute
)

// Run keeps everything up to date until ctx ends. It makes a round of its own for
// each idle office that has something due, because one round may take hours. It
// returns when the imports under way are finished or stopped, and recorded. It
// logs visits that fail and tries them again; the error is nil if ctx ended.
func (u *Updater) Run(ctx context.Context) error {
	var visits sync.WaitGroup
	defer visits.Wait()
	leave, hasJoined := func() {}, false
	defer func() { leave() }()
	var failed atomic.Bool
	for pause := poll; ctx.Err() == nil; {
		var err error
		if !hasJoined { // else another process has, and may end
			leave, hasJoined, err = u.options.Watches.Register(watch.FetchesUpdates)
		}
		err = errors.Join(err, u.visitIdle(ctx, &visits, &failed))
		if err != nil && ctx.Err() == nil {
			u.options.Log.Error("finding what is due failed", "error", err)
		}
		pause = min(2*pause, longestPoll)
		if err == nil && !failed.Swap(false) {
			pause = poll
		}
		if err := u.options.Sleep(ctx, pause); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// visitIdle starts a round for each idle office that has something due, while
// slots are free. It sets failed if one did not complete.
func (u *Updater) visitIdle(ctx context.Context, visits *sync.WaitGroup, failed *atomic.Bool) error {
	u.mu.Lock()
	busy := maps.Clone(u.busy)
	u.mu.Unlock()
	if len(busy) >= maxOffices {
		return nil
	}
	all, err := u.choose(ctx, nil, busy)
	if err != nil {
		return err
	}
	for _, v := range all[:min(len(all), maxOffices-len(busy))] {
		u.setBusy(v.known.ID, true)
		visits.Go(func() {
			defer u.setBusy(v.known.ID, false)
			if _, err := u.makeRound(ctx, []*visit{v}); err != nil && ctx.Err() == nil {
				failed.Store(true)
				u.options.Log.Error("a visit did not complete", "office", v.known.ID, "error", err)
			}
		})
	}
	return nil
}

func (u *Updater) setBusy(office string, isBusy bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if isBusy {
		u.busy[office] = true
	} else {
		delete(u.busy, office)
	}
}

// Stage is the progress of an item.
type Stage string

// The stages of an item.
const (
	Waiting   Stage = "waiting"
	Fetching  Stage = "fetching"
	Importing Stage = "importing"
	Finished  Stage = "finished"  // Event.Entry says how
	Postponed Stage = "postponed" // to a later round: its office is unavailable, another process works on it, or the round was stopped
)

// Event is a step of an item, or a finished entry about an office, a watch or a
// dataset that vanished.
type Event struct {
	Ref   string
	Stage Stage
	Bytes int64        // fetched so far
	Entry *watch.Entry // of a finished item

	Left int // unfinished items of this round
}

// Statuses of entries in addition to those of [importer.Outcome].
const (
	failed   = "failed"   // could not be fetched
	vanished = "vanished" // no longer listed by the office, or no longer in its file
)

// Summary counts the results of a round.
type Summary struct {
	Items       int `json:"items"` // that were due
	Created     int `json:"created"`
	Updated     int `json:"updated"`
	Unchanged   int `json:"unchanged"`
	Quarantined int `json:"quarantined"`
	Refused     int `json:"refused"`
	Failed      int `json:"failed"`    // could not be fetched; includes unusable lists of contents
	Postponed   int `json:"postponed"` // of an unavailable office, or locked by another process
}

func (s *Summary) add(status string) {
	counts := map[string]*int{
		string(importer.Created): &s.Created, string(importer.Updated): &s.Updated, string(importer.Unchanged): &s.Unchanged,
		string(importer.Quarantined): &s.Quarantined, string(importer.Refused): &s.Refused, failed: &s.Failed, string(Postponed): &s.Postponed,
	}
	*counts[status]++
}

// maxText is the maximum length of an error in bytes: enough for a sentence, too
// little for a page that a server sent instead.
const maxText = 1000

// short cuts a text that is too long, between two characters.
func short(text string) string {
	const more = "…"
	if len(text) <= maxText {
		return text
	}
	return strings.TrimRight(strings.ToValidUTF8(text[:maxText-len(more)], ""), " ") + more
}
