package watch

// Task is what a process does for the service as long as it runs. Its value is the number of
// its lock, which one of the processes that do it has.
type Task int64

// The tasks.
const (
	BringsJobs     Task = jobLocks - 1 // works on jobs
	FetchesUpdates Task = jobLocks - 2 // fetches new versions of watched datasets
)

// Register registers this process for a task, until leave is called or the process ends. ok
// is false while another process is registered for it.
func (db *DB) Register(t Task) (leave func(), ok bool, err error) {
	leave, ok, err = db.Lock(int64(t))
	if !ok {
		leave = func() {}
	}
	return leave, ok, err
}

// IsDone reports whether a process does a task. If the system has no locks
// that processes share, it is true.
func (db *DB) IsDone(t Task) (bool, error) {
	if !db.locks.keepsOut() {
		return true, nil
	}
	return db.locks.isLocked(int64(t))
}
