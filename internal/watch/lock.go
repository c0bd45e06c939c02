package watch

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"almanac/internal/database"
	"almanac/internal/stat"
)

// locker locks numbers against other goroutines and processes. A lock ends when it is released, or
// with its process.
type locker interface {
	lock(number int64) (unlock func(), ok bool, err error)
	isLocked(number int64) (bool, error)
	holds(number int64) (bool, error) // whether this process still has a lock that it took
	// keepsOut says that a lock keeps out other processes.
	keepsOut() bool
	close() error
}

func openLocks(db *sql.DB, at database.Location) (locker, error) {
	if at.IsServer() {
		return &sessionLocks{db: db, taken: map[int64]bool{}}, nil
	}
	return openFileLocks(filepath.Join(at.Dir, lockName))
}

// Lock locks an item, so that no two goroutines or processes fetch it at once. Any number from 1 can
// be locked; those of items are their IDs. ok is false if it is already locked. The lock ends with
// unlock, or with the process, however that ends.
func (db *DB) Lock(item int64) (unlock func(), ok bool, err error) {
	unlock, ok, err = db.locks.lock(item)
	if err != nil {
		err = fmt.Errorf("locking an item: %w", err)
	}
	return unlock, ok, err
}

// CheckLock checks that this process still has the lock of an item, which ends with its session if
// the database is in PostgreSQL. Call it within the transaction that publishes a dataset.
func (db *DB) CheckLock(item int64) error {
	isHeld, err := db.locks.holds(item)
	if err != nil {
		return fmt.Errorf("checking the lock of an item: %w", err)
	}
	if !isHeld {
		return stat.Errorf(stat.Conflict, "the lock of the dataset was lost with the connection to the database; the next update fetches it again")
	}
	return nil
}

const lockName = "sync.lock" // one locked byte for each item

// fileLocks holds the locked items: those of this process in memory, and those of
// all processes on the machine as locked bytes of a file, one byte for each
// item. The system keeps a byte locked until it is released or the process ends.
//
// Closing any handle of a file releases all locks that the process has on it.
// So a process has one handle for each file, however often the database is open.
type fileLocks struct {
	path string
	file *os.File

	mu    sync.Mutex
	taken map[int64]bool
	users int // guarded by opening
}

// opened holds the locks of this process, by path.
var (
	opening sync.Mutex
	opened  = map[string]*fileLocks{}
)

// openFileLocks opens the lock file at path, or shares the handle that this process
// has.
func openFileLocks(path string) (*fileLocks, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(real, filepath.Base(path))
	}
	opening.Lock()
	defer opening.Unlock()
	if l := opened[path]; l != nil {
		l.users++
		return l, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	l := &fileLocks{path: path, file: file, taken: map[int64]bool{}, users: 1}
	opened[path] = l
	return l, nil
}

func (l *fileLocks) close() error {
	opening.Lock()
	defer opening.Unlock()
	if l.users--; l.users > 0 {
		return nil
	}
	delete(opened, l.path)
	return l.file.Close()
}

func (l *fileLocks) lock(item int64) (unlock func(), ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[item] {
		return nil, false, nil
	}
	if ok, err := takeByte(l.file, item); err != nil || !ok {
		return nil, false, err
	}
	l.taken[item] = true
	return sync.OnceFunc(func() { l.release(item) }), true, nil
}

func (l *fileLocks) holds(item int64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.taken[item], nil
}

func (l *fileLocks) keepsOut() bool { return locksProcesses }

// isLocked reports whether an item is locked, without locking it.
func (l *fileLocks) isLocked(item int64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[item] {
		return true, nil
	}
	isTaken, err := isByteTaken(l.file, item)
	if err != nil {
		err = fmt.Errorf("reading the lock of an item: %w", err)
	}
	return isTaken, err
}

func (l *fileLocks) release(item int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// A byte that cannot be released stays locked until the process ends.
	if err := freeByte(l.file, item); err == nil || errors.Is(err, os.ErrClosed) {
		delete(l.taken, item)
	}
}
