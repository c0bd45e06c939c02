package database

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlitelib "modernc.org/sqlite/lib"
)

// openFile opens the database in a file of SQLite: write-ahead logging, so that readers never wait,
// synced commits, and transactions that take the write lock when they begin.
func openFile(ctx context.Context, path string, o Options) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if o.IsPrivate {
		if err := createPrivate(path); err != nil {
			return nil, err
		}
	}
	wait := cmp.Or(o.Wait, defaultWait)
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: url.Values{
		"_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)"},
		"_txlock": {"immediate"},
	}.Encode()}
	connector, err := sqlite.NewConnector(dsn.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(traced(fileConnector{connector}, "sqlite", strings.TrimSuffix(filepath.Base(path), ".db")))
	if err := migrateInTurn(ctx, db, o.Migrations); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, errors.Join(err, db.Close()))
	}
	return db, nil
}

// Erase removes what was deleted from a database's file, which keeps deleted rows in its free pages
// and in the write-ahead log: the file is written anew, and the log emptied. A server of PostgreSQL
// does so by itself (autovacuum). Copies, such as backups, stay as they are.
func (l Location) Erase(ctx context.Context, db *sql.DB) error {
	if l.IsServer() {
		return nil
	}
	if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
		return err
	}
	var isBusy, inLog, moved int
	if err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&isBusy, &inLog, &moved); err != nil {
		return err
	}
	if isBusy != 0 {
		return errors.New("the write-ahead log is in use")
	}
	return nil
}

func createPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

// How long processes that open a new file at once wait for each other.
const (
	openingTime  = 20 * time.Second
	openingPause = 20 * time.Millisecond
)

var ofFile = dialect{begin: "BEGIN IMMEDIATE", read: "PRAGMA user_version", write: "PRAGMA user_version ="}

// migrateInTurn retries migrate while the database is busy, because switching a
// new file to write-ahead logging does not wait by itself.
func migrateInTurn(ctx context.Context, db *sql.DB, migrations fs.FS) error {
	late := time.After(openingTime)
	for {
		err := migrate(ctx, db, migrations, ofFile)
		if codeOf(err) != sqlitelib.SQLITE_BUSY {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-late:
			return err
		case <-time.After(openingPause):
		}
	}
}

// codeOf returns SQLite's code of an error, 0 for other errors.
func codeOf(err error) int { return extendedCodeOf(err) & 0xff }

// extendedCodeOf returns SQLite's extended code of an error, which says what failed, 0 for other errors.
func extendedCodeOf(err error) int {
	var known *sqlite.Error
	if !errors.As(err, &known) {
		return 0
	}
	return known.Code()
}

func isTemporaryOfFile(err error) bool {
	switch codeOf(err) {
	case sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED, sqlitelib.SQLITE_FULL, sqlitelib.SQLITE_IOERR:
		return true
	}
	return false
}
