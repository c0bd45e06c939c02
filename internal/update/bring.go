package update

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"almanac/internal/importer"
	"almanac/internal/source/offices"
	"almanac/internal/stat"
	"almanac/internal/watch"
)

const (
	maxJobs     = 4               // of one process at once, one for each office
	jobPoll     = time.Second / 2 // between looks for jobs
	leaseTime   = time.Minute     // of a job, after which a process counts as stopped
	renewTime   = leaseTime / 4   // between renewals without progress
	maxAttempts = 30              // that are interrupted: their process ends
	quickStarts = 5               // attempts after which an interrupted job waits before the next
	startWait   = time.Second / 4 // by which this wait grows with each attempt: at the end about 6 s
	jobAge      = 30 * day        // how long finished jobs are kept
	busyWait    = 5 * time.Second // for a job whose dataset another process fetches by itself
	maxNamed    = 20              // datasets of a job that are recorded before they are published
)

// Bring works on jobs until ctx ends: it fetches the datasets that callers want and imports
// them. Several processes may do this at once. It returns when its jobs are finished or
// returned. The error is nil if ctx ended.
func (u *Updater) Bring(ctx context.Context) error {
	leave := func() {}
	defer func() { leave() }()
	r := &runner{Updater: u, busy: map[string]bool{}}
	defer r.running.Wait()
	for hasJoined := false; ctx.Err() == nil; {
		var err error
		if !hasJoined { // else another process has, and may end
			leave, hasJoined, err = u.options.Watches.Register(watch.BringsJobs)
		}
		if err = errors.Join(err, r.startJobs(ctx), u.trim(ctx)); err != nil && ctx.Err() == nil {
			u.options.Log.Error("looking for jobs failed", "error", err)
		}
		if err := u.options.Sleep(ctx, jobPoll); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// runner is a process that works on jobs.
type runner struct {
	*Updater
	running sync.WaitGroup

	mu   sync.Mutex
	busy map[string]bool // offices of the jobs under way
}

// startJobs starts the jobs that no process works on. It leaves jobs of busy offices, so
// that a slow office does not keep others waiting.
func (r *runner) startJobs(ctx context.Context) error {
	now := r.options.Now()
	jobs, err := r.options.Watches.UnfinishedJobs(ctx, now)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if mustWait(j, now) || !r.enter(j.Office) {
			continue
		}
		b, err := r.takeJob(ctx, j, now)
		if b == nil {
			r.leave(j.Office)
			if err != nil {
				return err
			}
			continue
		}
		r.running.Go(func() {
			defer r.leave(j.Office)
			b.run(ctx)
		})
	}
	return nil
}

// mustWait reports whether a job was interrupted so often, and the last time so soon after
// its start, that the next attempt has to wait: its dataset may be what ends the processes.
func mustWait(j watch.Job, now time.Time) bool {
	since, wait := now.Sub(j.Started), time.Duration(j.Attempts-quickStarts)*startWait
	return j.Status == watch.JobRunning && 0 <= since && since < wait
}

// enter reports whether a job of an office can start, and makes the office busy.
func (r *runner) enter(office string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy[office] || len(r.busy) == maxJobs {
		return false
	}
	r.busy[office] = true
	return true
}

func (r *runner) leave(office string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.busy, office)
}

// bringing is a job that this process has taken.
type bringing struct {
	*Updater
	job    watch.Job
	lease  watch.Lease
	unlock func()
	unread *unreadList // why the office's list could not be read; nil: it was, or nobody tried

	mu       sync.Mutex
	stage    watch.JobStage
	bytes    int64
	names    []watch.DatasetName // of the datasets that are about to be published
	imported *job                // nil: not yet
	item     watch.Item          // of the import
	hasEnded bool
}

// takeJob takes a job; it returns nil if another process has it.
func (u *Updater) takeJob(ctx context.Context, j watch.Job, now time.Time) (*bringing, error) {
	taken, lease, unlock, ok, err := u.options.Watches.TakeJob(ctx, j, now, now.Add(leaseTime))
	if err != nil || !ok {
		return nil, err
	}
	return &bringing{Updater: u, job: taken, lease: lease, unlock: unlock}, nil
}

// run works on the job and records its end, or returns it if ctx ends.
func (b *bringing) run(ctx context.Context) {
	defer b.unlock()
	running, cancel := context.WithCancel(ctx)
	stop := b.keepLease(running, cancel)
	err := b.bring(running)
	stop()
	cancel()
	if b.ended() {
		return
	}
	lasting := context.WithoutCancel(ctx)
	now := b.options.Now()
	switch {
	case watch.IsLeaseLost(err) || err == nil:
	case ctx.Err() != nil:
		err = b.options.Watches.ReturnJob(lasting, b.lease, now)
	case stat.KindOf(err) == stat.Conflict:
		err = b.options.Watches.ReturnJob(lasting, b.lease, now.Add(busyWait))
	default:
		b.options.Log.Warn("a dataset was not brought", "job", b.job.ID, "ref", b.job.Ref, "error", err)
		err = b.options.Watches.FinishJob(lasting, b.lease, watch.JobEnd{At: now, Bytes: b.bytes, Fault: jobFault(err), Error: short(err.Error())}, nil)
	}
	if err != nil {
		b.options.Log.Error("recording a job failed", "job", b.job.ID, "ref", b.job.Ref, "error", err)
	}
}

// bring fetches and imports the dataset. It records the end of the job if it comes that
// far; else the error says why not.
func (b *bringing) bring(ctx context.Context) error {
	if b.job.Attempts > 1 {
		if isDone, err := b.findPublished(ctx); isDone || err != nil {
			return err
		}
	}
	if b.job.Attempts > maxAttempts {
		return fmt.Errorf("%s: %w", b.job.Ref, errInterrupted)
	}
	s, err := b.resolve(ctx)
	if err != nil {
		return err
	}
	b.setStage(watch.JobFetching)
	v := b.newVisit(s.Office)
	v.byHand, v.byName = true, true
	v.round = &round{Updater: b.Updater, stored: b.options.Store.Catalog(), left: 1, bringing: b}
	_, err = v.importByHand(ctx, s)
	return err
}

// errInterrupted is the error of a job that is given up.
var errInterrupted = fmt.Errorf("given up after %d attempts that were interrupted", maxAttempts)

// findPublished ends the job if an earlier attempt has published all datasets.
func (b *bringing) findPublished(ctx context.Context) (isDone bool, err error) {
	end := watch.JobEnd{At: b.options.Now(), Item: watch.Item{Ref: b.job.Ref, Office: b.job.Office}}
	for _, name := range b.job.Publishing {
		stored, err := b.options.Store.Current(ctx, name.Source, name.Code)
		if err != nil || stored == nil {
			return false, err
		}
		if end.Dataset == 0 {
			end.Dataset, end.Version = stored.Dataset.ID, stored.Version
		}
	}
	if end.Dataset == 0 {
		return false, nil
	}
	return true, b.end(ctx, end, nil)
}

// resolve returns the dataset in its office's spelling. It looks for it in the office's
// list, unless that is known to have it. If the list cannot be read, the reference stays as
// it is.
func (b *bringing) resolve(ctx context.Context) (scope, error) {
	s, err := b.scopeOf(b.job.Ref)
	if err == nil && (!s.isSingle() || s.Office == "") {
		err = stat.Errorf(stat.Refused, "%s is not a single dataset of an office", b.job.Ref)
	}
	if err != nil || b.job.IsListed {
		return s, err
	}
	b.setStage(watch.JobListing)
	x := &expansion{scope: s}
	err = b.check(ctx, x)
	if errors.As(err, &b.unread) && ctx.Err() == nil {
		return s, nil // only a fetch can tell
	}
	if err != nil {
		return s, err
	}
	if len(x.matches) == 1 {
		b.job.Title = cmp.Or(b.job.Title, x.matches[0].Title)
	}
	if x.isPart {
		return s, stat.Errorf(stat.Refused, "%s is a part of a dataset; only whole datasets are brought", x)
	}
	return x.scope, nil
}

// keepLease renews the lease and records the progress until it is stopped. It cancels the
// work if another process has taken the job.
func (b *bringing) keepLease(ctx context.Context, cancel context.CancelFunc) (stop func()) {
	done := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() {
		ticker := time.NewTicker(jobPoll)
		defer ticker.Stop()
		renewed := b.options.Now()
		var recorded watch.JobStage
		var bytes int64
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			stage, size := b.progress()
			now := b.options.Now()
			if stage == recorded && size == bytes && now.Sub(renewed) < renewTime {
				continue
			}
			err := b.options.Watches.RenewLease(context.WithoutCancel(ctx), b.lease, now.Add(leaseTime), stage, size)
			if watch.IsLeaseLost(err) && !b.ended() {
				b.options.Log.Warn("another process has taken a job, because this one was stopped for too long", "job", b.job.ID, "ref", b.job.Ref)
				b.setEnded(true)
				cancel()
				return
			}
			if err == nil {
				renewed, recorded, bytes = now, stage, size
			}
		}
	})
	return func() { close(done); renewing.Wait() }
}

func (b *bringing) progress() (watch.JobStage, int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.stage, b.bytes
}

func (b *bringing) setStage(s watch.JobStage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stage = s
}

func (b *bringing) setEnded(hasEnded bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hasEnded = hasEnded
}

func (b *bringing) ended() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hasEnded
}

// noteEvent takes the progress from an event of the job's round.
func (b *bringing) noteEvent(e Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e.Stage {
	case Fetching:
		b.stage, b.bytes = watch.JobFetching, e.Bytes
	case Importing:
		b.stage, b.bytes = watch.JobReading, e.Bytes
	}
}

// noteClaim records a dataset that is about to be published, if the download is one file:
// then all its datasets are claimed before the first is published.
func (b *bringing) noteClaim(ctx context.Context, files int, name watch.DatasetName) error {
	b.mu.Lock()
	b.stage = watch.JobPublishing
	b.names = append(b.names, name)
	names := b.names
	b.mu.Unlock()
	switch {
	case len(names) > maxNamed+1:
		return nil
	case files > 1 || len(names) > maxNamed:
		names = nil
	}
	return b.options.Watches.RecordPublishing(ctx, b.lease, names)
}

// permit returns an error if another process has taken the job. It is called in the
// transaction that publishes.
func (b *bringing) permit(ctx context.Context) error {
	return b.options.Watches.CheckLease(ctx, b.lease)
}

// noteResult keeps the result of the import for finish.
func (b *bringing) noteResult(j *job, it watch.Item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.imported, b.item = j, it
}

// finish records the end of the job with the results of its import.
func (b *bringing) finish(ctx context.Context, results []watch.Result) error {
	b.mu.Lock()
	j, end := b.imported, watch.JobEnd{At: b.options.Now(), Bytes: b.bytes, Item: b.item}
	b.mu.Unlock()
	switch worst := worstOf(j.outcomes); {
	case j.Download == nil:
		end.Fault, end.Error = j.fault, worst.Error
		if j.fault == watch.FaultMissing && b.unread != nil {
			end.Fault, end.Error = watch.FaultUnlisted, fmt.Sprintf("%s; the list of the office could not be read: %v", worst.Error, b.unread)
		}
	case j.isContested:
		end.Fault, end.Error = watch.FaultContested, worst.Error
	case worst.Status == importer.Refused && isLocalFault(j.outcomes...):
		end.Fault, end.Error = watch.FaultFailed, worst.Error
	case worst.Status == importer.Refused, worst.Status == importer.Quarantined:
		end.Fault, end.Error = watch.FaultRefused, worst.Error
	default:
		end.Dataset, end.Version = j.outcomes[0].ID, j.outcomes[0].Version
	}
	return b.end(ctx, end, results)
}

func (b *bringing) end(ctx context.Context, end watch.JobEnd, results []watch.Result) error {
	b.setEnded(true) // before a renewal finds that the job has ended
	err := b.options.Watches.FinishJob(ctx, b.lease, end, results)
	b.setEnded(err == nil || watch.IsLeaseLost(err))
	return err
}

func jobFault(err error) watch.JobFault {
	switch f := faultOf(err); {
	case errors.Is(err, errInterrupted):
		return watch.FaultInterrupted
	case offices.IsKeyless(err):
		return watch.FaultKeyless
	case f == faultMissing:
		return watch.FaultMissing
	case f == faultRefused:
		return watch.FaultRefused
	}
	return watch.FaultFailed
}
