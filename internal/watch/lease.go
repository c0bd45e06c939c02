package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"
)

// Lease is the right of one process to work on a job.
type Lease struct{ job, fence int64 }

// jobLocks is added to the ID of a job to get the number of its lock: above those of items,
// below those that package update computes.
const jobLocks = 1 << 60

// TakeJob takes a job as it was read. The lease ends at until, unless it is renewed. ok is
// false if another process works on the job, or has changed it since it was read.
//
// The process has a lock of the job until it calls unlock or ends. So a running job whose
// lock is free can be taken before its lease ends: its process has ended. If the lease has
// ended but the lock is not free, the process was stopped, and the job is taken without the
// lock.
func (db *DB) TakeJob(ctx context.Context, j Job, now, until time.Time) (taken Job, l Lease, unlock func(), ok bool, err error) {
	isLeased := j.Status == JobRunning && now.Before(j.lease) && j.lease.Before(now.Add(farAhead))
	if isLeased && !(j.isLocked && db.locks.keepsOut()) {
		return taken, l, nil, false, nil
	}
	unlock, isLocked, err := db.Lock(jobLocks + j.ID)
	if err != nil || !isLocked && (isLeased || j.Status == JobWaiting) {
		return taken, l, nil, false, err
	}
	if !isLocked {
		unlock = func() {}
	}
	err = db.change(ctx, "taking a job", func(c *change) {
		taken, c.err = scanJob(c.tx.QueryRowContext(ctx, `UPDATE job SET status = 'running', stage = '', bytes = 0, started = $3, lease = $4, locked = $5,
			attempts = attempts + 1, fence = fence + 1
			WHERE id = $1 AND fence = $2 AND status IN ('waiting', 'running') RETURNING `+jobColumns, j.ID, j.fence, millis(now), millis(until), isLocked))
		if ok = c.err == nil; errors.Is(c.err, sql.ErrNoRows) {
			c.err = nil
		}
	})
	if !ok || err != nil {
		unlock()
		return Job{}, Lease{}, nil, false, err
	}
	return taken, Lease{taken.ID, taken.fence}, unlock, true, nil
}

// ownJob is the condition of all changes by the process that took a job.
const ownJob = " WHERE id = $1 AND fence = $2 AND status = 'running'"

// own changes the row of a leased job. The first parameter of set is $3. After it, the transaction
// has an error if another process has the job.
func (c *change) own(l Lease, set string, args ...any) {
	if n := c.exec("UPDATE job SET "+set+ownJob, append([]any{l.job, l.fence}, args...)...); n == 0 && c.err == nil {
		c.err = errLeaseLost
	}
}

// RenewLease extends a lease and records the progress of the job. The error is that of
// [IsLeaseLost] if another process has taken the job, as with all methods with a lease.
func (db *DB) RenewLease(ctx context.Context, l Lease, until time.Time, stage JobStage, bytes int64) error {
	return db.change(ctx, "recording the progress of a job", func(c *change) {
		c.own(l, "lease = $3, stage = $4, bytes = $5", millis(until), stage, bytes)
	})
}

// RecordPublishing records the datasets that a job is about to publish, so that whoever
// takes it after a crash finds them.
func (db *DB) RecordPublishing(ctx context.Context, l Lease, datasets []DatasetName) error {
	text, err := json.Marshal(datasets)
	if err != nil {
		return err
	}
	return db.change(ctx, "recording the datasets of a job", func(c *change) {
		c.own(l, "stage = $3, publishing = $4", JobPublishing, string(text))
	})
}

// CheckLease checks that this process still has the job. Call it within the transaction
// that publishes a dataset: a process that takes the job later finds the dataset.
func (db *DB) CheckLease(ctx context.Context, l Lease) error {
	var one int
	err := db.db.QueryRowContext(ctx, "SELECT 1 FROM job"+ownJob, l.job, l.fence).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return errLeaseLost
	}
	return reading(err, "the lease of a job")
}

// ReturnJob makes a job wait until due, because this process cannot finish it. The attempt
// does not count.
func (db *DB) ReturnJob(ctx context.Context, l Lease, due time.Time) error {
	return db.change(ctx, "returning a job", func(c *change) {
		c.own(l, "status = 'waiting', stage = '', bytes = 0, attempts = attempts - 1, due = $3", millis(due))
	})
}

// JobEnd is how a job ended.
type JobEnd struct {
	At      time.Time
	Bytes   int64
	Dataset int // 0: it failed
	Version string
	Fault   JobFault
	Error   string

	// Item is the dataset's item, which is watched from now on, unless it is watched
	// already (its ID is not 0) or Ref is empty.
	Item Item
}

// FinishJob records the end of a job together with the results of its import, all or
// nothing.
func (db *DB) FinishJob(ctx context.Context, l Lease, end JobEnd, results []Result) error {
	status := JobDone
	if end.Dataset == 0 {
		status = JobFailed
	}
	return db.change(ctx, "recording the end of a job", func(c *change) {
		c.own(l, "status = $3, stage = '', bytes = $4, finished = $5, dataset = $6, version = $7, fault = $8, error = $9",
			status, end.Bytes, millis(end.At), end.Dataset, end.Version, end.Fault, end.Error)
		c.writeResults(results)
		if end.Dataset != 0 && end.Item.ID == 0 && end.Item.Ref != "" {
			c.watchItem(end, results)
		}
	})
}

// watchItem adds a watch of a single dataset with its item as it was fetched. Versions
// without a log entry get theirs when the item is next recorded.
func (c *change) watchItem(end JobEnd, results []Result) {
	it := end.Item
	c.exec("INSERT INTO watch (ref, every, added) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING", it.Ref, millis(end.At))
	c.exec(`INSERT INTO item (ref, office, state, dataset, checked, changed, tried, due) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
		it.Ref, it.Office, []byte(it.State), end.Dataset, millis(it.Checked), millis(it.Changed), millis(it.Tried), millis(it.Due))
	c.exec(`INSERT INTO wanted (watch, item) SELECT watch.id, item.id FROM watch JOIN item ON item.ref = watch.ref WHERE watch.ref = $1 ON CONFLICT DO NOTHING`, it.Ref)
	c.exec("INSERT INTO office (id) VALUES ($1) ON CONFLICT DO NOTHING", it.Office)
	c.exec("UPDATE watch SET expanded = $1, items = (SELECT count(*) FROM wanted WHERE wanted.watch = watch.id) WHERE ref = $2", millis(end.At), it.Ref)
	datasets := []Dataset{{ID: end.Dataset}}
	for _, r := range results {
		datasets = append(datasets, r.Datasets...)
	}
	for _, d := range datasets {
		c.exec(`INSERT INTO dataset (id, item, version) VALUES ($1, (SELECT id FROM item WHERE ref = $2), '')
			ON CONFLICT (id) DO UPDATE SET item = coalesce(dataset.item, excluded.item)`, d.ID, it.Ref)
	}
}
