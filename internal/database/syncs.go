package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"

	sqlitelib "modernc.org/sqlite/lib"
)

// errNotOnDisk is what a process gets for each change after the disk failed to keep one.
var errNotOnDisk = errors.New("the disk failed to keep what was written; nothing is written until the program is started again")

var (
	notKept     = make(chan struct{})
	keepNothing = sync.OnceFunc(func() { close(notKept) })
)

// NotOnDisk is closed when a sync of a file of this process has failed. The operating system then takes what it could not write for
// written: a later sync would say that it is on disk. From then on every change is refused. A program that closes its databases
// copies what they have to their files, and can go on when it is started again.
func NotOnDisk() <-chan struct{} { return notKept }

// afterSync returns the error of a commit, and ends all changes if it could not be synced.
func afterSync(err error) error {
	switch extendedCodeOf(err) {
	case sqlitelib.SQLITE_IOERR_FSYNC, sqlitelib.SQLITE_IOERR_DIR_FSYNC:
		keepNothing()
		return fmt.Errorf("%w: %w", errNotOnDisk, err)
	}
	return err
}

func checkDisk() error {
	select {
	case <-notKept:
		return errNotOnDisk
	default:
		return nil
	}
}

// fileConnector makes connections to a file of SQLite that notice failed syncs.
type fileConnector struct{ driver.Connector }

// Connect implements [driver.Connector].
func (c fileConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return fileConnection{conn.(sqlConn)}, nil
}

// fileConnection is a connection to a file of SQLite. Changes outside of transactions are made with Exec.
type fileConnection struct{ sqlConn }

// ExecContext implements [driver.ExecerContext].
func (c fileConnection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := checkDisk(); err != nil {
		return nil, err
	}
	result, err := c.sqlConn.ExecContext(ctx, query, args)
	return result, afterSync(err)
}

// BeginTx implements [driver.ConnBeginTx].
func (c fileConnection) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.sqlConn.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	return fileTransaction{tx, o.ReadOnly}, nil
}

// fileTransaction is a transaction of a file of SQLite.
type fileTransaction struct {
	driver.Tx
	isReading bool
}

// Commit implements [driver.Tx].
func (t fileTransaction) Commit() error {
	if err := checkDisk(); err != nil && !t.isReading {
		return errors.Join(err, t.Rollback())
	}
	return afterSync(t.Tx.Commit())
}
