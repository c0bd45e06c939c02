package watch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// locks are the items that are taken, by this process in memory and by all on
// one machine through a file: each item is one byte of it, at the item's
// number, and the system keeps a lock of that byte until it is released or the
// process has ended.
//
// The system takes all locks of a file from a process that closes any handle
// of it, so a process has one handle for each file, however often the database
// is open, and what it took is released with the last of them at the latest.
type locks struct {
	path string
	file *os.File

	mu    sync.Mutex
	taken map[int64]bool
	users int // under opening
}

// opened are the locks of this process, by path.
var (
	opening sync.Mutex
	opened  = map[string]*locks{}
)

// openLocks opens the file of locks at path, or shares the handle of it that
// this process has.
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

// Lock takes an item for this process, so that it is never fetched twice at
// once: by this process or by another of the machine. Any number from 1 may
// be taken; those of items are their IDs. ok is false if it is taken. The lock
// goes with unlock, or with the process, however that ends.
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

func (l *locks) release(item int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// A byte that cannot be released stays taken by this process only, and goes
	// with it.
	if err := freeByte(l.file, item); err == nil || errors.Is(err, os.ErrClosed) {
		delete(l.taken, item)
	}
}
