package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// locks holds the locked items: those of this process in memory, and those of
// all processes on the machine as locked bytes of a file, one byte for each
// item. The system keeps a byte locked until it is released or the process ends.
//
// Closing any handle of a file releases all locks that the process has on it.
// So a process has one handle for each file, however often the database is open.
type locks struct {
	path string
	file *os.File

	mu    sync.Mutex
	taken map[int64]bool
	users int // guarded by opening
}

// opened holds the locks of this process, by path.
var (
	opening sync.Mutex
	opened  = map[string]*locks{}
)

// openLocks opens the lock file at path, or shares the handle that this process
// has.
func openLocks(path string) (*locks, error) {
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
	l := &locks{path: path, file: file, taken: map[int64]bool{}, users: 1}
	opened[path] = l
	return l, nil
}

func (l *locks) close() error {
	opening.Lock()
	defer opening.Unlock()
	if l.users--; l.users > 0 {
		return nil
	}
	delete(opened, l.path)
	return l.file.Close()
}

// Lock locks an item, so that no two goroutines or processes on this machine
// fetch it at once. Any number from 1 can be locked; those of items are their
// IDs. ok is false if it is already locked. The lock ends with unlock, or with
// the process, however that ends.
func (db *DB) Lock(item int64) (unlock func(), ok bool, err error) {
	l := db.locks
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[item] {
		return nil, false, nil
	}
	if ok, err := takeByte(l.file, item); err != nil || !ok {
		if err != nil {
			err = fmt.Errorf("locking an item: %w", err)
		}
		return nil, false, err
	}
	l.taken[item] = true
	return sync.OnceFunc(func() { l.release(item) }), true, nil
}

// isLocked reports whether an item is locked, without locking it.
func (db *DB) isLocked(item int64) (bool, error) {
	l := db.locks
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

func (l *locks) release(item int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// A byte that cannot be released stays locked until the process ends.
	if err := freeByte(l.file, item); err == nil || errors.Is(err, os.ErrClosed) {
		delete(l.taken, item)
	}
}
