package watch

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// Job is the work of bringing a dataset that an office offers into the store, because a
// caller wants it.
//
// A process that works on a job has a lease, which it renews. Each time that a process
// takes the job, its fence number grows, and every change names the number that the
// process took it with. So a process that was stopped for longer than its lease can no
// longer change the job, and with [DB.CheckLease] it does not publish either.
type Job struct {
	ID       int64     `json:"job"`
	Ref      string    `json:"reference"` // "eurostat:une_rt_m"
	Office   string    `json:"-"`
	Title    string    `json:"title,omitempty"` // in the office's list, or empty
	IsListed bool      `json:"-"`               // the office's list is known to have it
	Status   JobStatus `json:"status"`
	Stage    JobStage  `json:"stage,omitempty"` // of a running job
	Bytes    int64     `json:"bytes"`           // fetched so far
	Created  time.Time `json:"created"`
	Started  time.Time `json:"started,omitzero"`  // the last attempt; zero: not yet
	Finished time.Time `json:"finished,omitzero"` // zero: not yet
	Attempts int       `json:"attempts"`
	Dataset  int       `json:"dataset,omitempty"` // ID in the store of a job that is done
	Version  string    `json:"version,omitempty"` // of this dataset
	Fault    JobFault  `json:"fault,omitempty"`
	Error    string    `json:"error,omitempty"` // of a failed job, for the operator

	// Publishing names the datasets that an attempt was about to publish; nil: unknown.
	Publishing []DatasetName `json:"-"`

	fence    int64
	lease    time.Time // its end
	isLocked bool      // the process that took it has its lock, until it ends
}

// JobStatus is the state of a job.
type JobStatus string

// The states of a job.
const (
	JobWaiting JobStatus = "waiting"
	JobRunning JobStatus = "running"
	JobDone    JobStatus = "done"
	JobFailed  JobStatus = "failed"
)

// JobStage is what a running job does.
type JobStage string

// The stages of a running job.
const (
	JobListing    JobStage = "listing"    // looks for the dataset in the office's list
	JobFetching   JobStage = "fetching"   // downloads, or waits for its turn at the office
	JobReading    JobStage = "reading"    // reads and checks the download
	JobPublishing JobStage = "publishing" // stores the dataset
)

// JobFault is why a job failed.
type JobFault string

// The faults of a failed job.
const (
	FaultMissing JobFault = "missing" // the office does not have the dataset
	FaultRefused JobFault = "refused" // the office's answer cannot be imported
	FaultFailed  JobFault = "failed"  // it could not be fetched or stored

	FaultUnlisted    JobFault = "unlisted"    // the office's server does not send it, and its list cannot be read
	FaultKeyless     JobFault = "keyless"     // the office's key is needed and not known
	FaultContested   JobFault = "contested"   // another reference has the dataset
	FaultInterrupted JobFault = "interrupted" // the process ended in too many attempts
)

// DatasetName identifies a dataset that may have no ID yet.
type DatasetName struct {
	Source string `json:"source"`
	Code   string `json:"code"`
}

const jobColumns = `id, ref, office, title, listed, status, stage, bytes, created, started, finished, attempts,
	dataset, version, fault, error, publishing, fence, lease, locked`

func scanJob(row database.Row) (j Job, err error) {
	var created, started, finished, lease int64
	var publishing string
	err = row.Scan(&j.ID, &j.Ref, &j.Office, &j.Title, &j.IsListed, &j.Status, &j.Stage, &j.Bytes, &created, &started, &finished, &j.Attempts,
		&j.Dataset, &j.Version, &j.Fault, &j.Error, &publishing, &j.fence, &lease, &j.isLocked)
	j.Created, j.Started, j.Finished, j.lease = moment(created), moment(started), moment(finished), moment(lease)
	if err == nil && publishing != "" {
		err = json.Unmarshal([]byte(publishing), &j.Publishing)
	}
	return j, err
}

func (db *DB) jobs(ctx context.Context, what, condition string, args ...any) ([]Job, error) {
	rows, err := db.db.QueryContext(ctx, "SELECT "+jobColumns+" FROM job "+condition, args...)
	list, err := database.Collect(rows, err, scanJob)
	return list, reading(err, what)
}

// Job returns a job; ok is false if there is none with this ID, or if it was trimmed.
func (db *DB) Job(ctx context.Context, id int64) (j Job, ok bool, err error) {
	list, err := db.jobs(ctx, "a job", "WHERE id = $1", id)
	if len(list) == 0 {
		return Job{}, false, err
	}
	return list[0], true, err
}

// Jobs returns the newest jobs, newest first, at most limit.
func (db *DB) Jobs(ctx context.Context, limit int) ([]Job, error) {
	return db.jobs(ctx, "the jobs", "ORDER BY id DESC LIMIT $1", limit)
}

// UnfinishedJobs returns the jobs that are due at a time or that a process works on, the
// oldest first.
func (db *DB) UnfinishedJobs(ctx context.Context, now time.Time) ([]Job, error) {
	return db.jobs(ctx, "the unfinished jobs", "WHERE status IN ('waiting', 'running') AND (status = 'running' OR due <= $1 OR due > $2) ORDER BY id",
		millis(now), millis(now.Add(farAhead)))
}

// TrimJobs deletes the jobs that finished before a time.
func (db *DB) TrimJobs(ctx context.Context, before time.Time) error {
	return db.exec(ctx, "trimming the jobs", "DELETE FROM job WHERE status IN ('done', 'failed') AND finished < $1", millis(before))
}

// JobRequest is the request for a job.
type JobRequest struct {
	Ref      string
	Office   string
	Title    string
	IsListed bool
	Subject  string // who wants it, as limits count them

	Limit, LimitOfAll int64 // new jobs a UTC day, of the subject and of all; below 0: no limit

	Now time.Time
	// Since is when the caller found that the store lacks the dataset: a job that was
	// done after it is the result.
	Since time.Time
}

// AddedJob is the result of a request for a job.
type AddedJob struct {
	Job
	IsNew bool
	// UsedUp says which limit refuses a new job; then there is no job.
	UsedUp UsedUp
}

// UsedUp is a limit that is used up.
type UsedUp int

// The limits of jobs.
const (
	NoLimit      UsedUp = iota
	SubjectLimit        // of one account or address
	LimitOfAll          // of all together
	MissingLimit        // of datasets that the offices turned out not to have
)

// MissingPerLimit is how many jobs for datasets that the offices turned out not to have there
// may be for each job of a limit.
const MissingPerLimit = 10

// AddJob adds a job, unless there is an unfinished one for the same dataset, which it
// returns. It counts new jobs and adds none above the limits, however many callers and
// processes add jobs at once. Jobs for datasets that the office turned out not to have are
// counted apart, with MissingPerLimit times the limits: a mistake costs nobody a dataset, and
// the offices few requests.
func (db *DB) AddJob(ctx context.Context, r JobRequest) (added AddedJob, err error) {
	err = db.change(ctx, "adding a job", func(c *change) {
		added = AddedJob{}
		added.Job, c.err = scanJob(c.tx.QueryRowContext(ctx, "SELECT "+jobColumns+` FROM job WHERE lower(ref) = lower($1)
			AND (status IN ('waiting', 'running') OR status = 'done' AND finished >= $2) ORDER BY id DESC LIMIT 1`, r.Ref, millis(r.Since)))
		if !errors.Is(c.err, sql.ErrNoRows) {
			return
		}
		day := r.Now.UTC().Unix() / int64((24 * time.Hour).Seconds())
		if added.UsedUp = c.usedUp(ctx, day, r); c.err != nil || added.UsedUp != NoLimit {
			return
		}
		added.IsNew = true
		added.Job, c.err = scanJob(c.tx.QueryRowContext(ctx, `INSERT INTO job (ref, office, title, listed, subject, day, status, created)
			VALUES ($1, $2, $3, $4, $5, $6, 'waiting', $7) RETURNING `+jobColumns, r.Ref, r.Office, r.Title, r.IsListed, r.Subject, day, millis(r.Now)))
	})
	return added, err
}

// usedUp returns the limit that refuses a new job.
func (c *change) usedUp(ctx context.Context, day int64, r JobRequest) UsedUp {
	var own, all, ownMissing, allMissing int64
	c.err = c.tx.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE subject = $2 AND fault NOT IN ($3, $4)), count(*) FILTER (WHERE fault NOT IN ($3, $4)),
			count(*) FILTER (WHERE subject = $2 AND fault IN ($3, $4)), count(*) FILTER (WHERE fault IN ($3, $4))
		FROM job WHERE day = $1`, day, r.Subject, FaultMissing, FaultUnlisted).Scan(&own, &all, &ownMissing, &allMissing)
	isUsed := func(limit, used int64) bool { return 0 <= limit && limit <= used }
	switch {
	case c.err != nil:
	case isUsed(r.Limit, own):
		return SubjectLimit
	case isUsed(r.LimitOfAll, all):
		return LimitOfAll
	case isUsed(r.Limit, ownMissing/MissingPerLimit), isUsed(r.LimitOfAll, allMissing/MissingPerLimit):
		return MissingLimit
	}
	return NoLimit
}

// errLeaseLost is the error of a process that no longer has a job.
var errLeaseLost = stat.Errorf(stat.Conflict, "another process has taken the job")

// IsLeaseLost reports whether an error says that another process has taken a job.
func IsLeaseLost(err error) bool { return errors.Is(err, errLeaseLost) }
