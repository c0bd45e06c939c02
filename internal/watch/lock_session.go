package watch

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"sync"
	"time"
)

// sessionLocks holds the locked items as advisory locks of one PostgreSQL session, which the server
// releases when the connection or the process ends. A number locks the hash of its name in this
// schema, because advisory locks are those of the whole database.
//
// If the connection is lost, so are the locks, and others may take them. Whoever fetches under one
// asks [DB.CheckLock] before it publishes.
type sessionLocks struct {
	db *sql.DB

	mu    sync.Mutex
	conn  *sql.Conn // nil: not yet, or lost
	taken map[int64]bool
}

// lockTime bounds how long asking for a lock takes.
const lockTime = 10 * time.Second

const lockKey = "hashtextextended(current_schema() || ' ' || CAST($1 AS TEXT), 0)"

func (l *sessionLocks) keepsOut() bool { return true }

func (l *sessionLocks) lock(number int64) (unlock func(), ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[number] {
		return nil, false, nil
	}
	if err := l.ask("SELECT pg_try_advisory_lock("+lockKey+")", number, &ok); err != nil || !ok {
		return nil, false, err
	}
	l.taken[number] = true
	return sync.OnceFunc(func() { l.release(number) }), true, nil
}

// isLocked reports whether a number is locked, without keeping the lock that finds it out.
func (l *sessionLocks) isLocked(number int64) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken[number] {
		return true, nil
	}
	var isFree bool
	err := l.ask("SELECT pg_try_advisory_lock_shared("+lockKey+") AND pg_advisory_unlock_shared("+lockKey+")", number, &isFree)
	return !isFree, err
}

// holds reports whether this process still has the lock of a number.
func (l *sessionLocks) holds(number int64) (ok bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.taken[number] {
		return false, nil
	}
	err = l.ask("SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND (CAST(classid AS BIGINT) << 32) | CAST(objid AS BIGINT) = "+lockKey, number, &ok)
	return ok, err
}

func (l *sessionLocks) release(number int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.taken, number)
	var isReleased bool
	_ = l.ask("SELECT pg_advisory_unlock("+lockKey+")", number, &isReleased) // what cannot be released was lost with the connection
}

// ask queries the session, which it begins if there is none. A session that fails has ended with all its locks.
func (l *sessionLocks) ask(query string, number int64, answer *bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	if l.conn == nil {
		conn, err := l.db.Conn(ctx)
		if err != nil {
			return fmt.Errorf("connecting for locks: %w", err)
		}
		l.conn = conn
	}
	err := l.conn.QueryRowContext(ctx, query, fmt.Sprint(number)).Scan(answer)
	if err != nil {
		l.end()
	}
	return err
}

// end ends the session with its locks. The connection is not used again, because it would have them.
func (l *sessionLocks) end() {
	_ = l.conn.Raw(func(any) error { return driver.ErrBadConn })
	l.conn = nil
}

func (l *sessionLocks) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		l.end()
	}
	return nil
}
