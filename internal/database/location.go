// Package database opens the databases of an installation: durable commits, readers that never
// wait, and a schema that grows by migrations. They are files of SQLite in the data directory,
// which several processes share, or schemas of a PostgreSQL database, which several machines share.
//
// Statements are written once, in the SQL that both have: numbered parameters ($1), ON CONFLICT
// with its columns, CASE in place of functions that only one has. Integers are 64 bits wide and
// hold truth values as 0 and 1; texts are compared byte by byte.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Location says where the databases of an installation are.
type Location struct {
	Dir string // the data directory
	URL string // of a PostgreSQL database, such as postgres://almanac@db.example.org/almanac; empty: files in Dir
}

// IsServer reports whether the databases are in PostgreSQL.
func (l Location) IsServer() bool { return l.URL != "" }

// File returns the path of the file of a database with a name, such as "catalog".
func (l Location) File(name string) string { return filepath.Join(l.Dir, name+".db") }

// Options configures a database.
type Options struct {
	// Migrations contains a folder migrations with the SQL files that create the
	// schema, in goose's format. Each file name begins with a version
	// (00002_labels.sql). A released file never changes.
	Migrations fs.FS
	Wait       time.Duration // for changes by other processes; 0: defaultWait
	// IsPrivate has a file created so that other users of the machine cannot read it.
	// SQLite gives its other files the same mode.
	IsPrivate bool
}

const defaultWait = 20 * time.Second

// Open opens the database with a name, such as "catalog", and creates it if needed. It runs the
// missing migrations, all or none; a database of a newer program is an error. Transactions that are
// not read-only wait until no other one of the same database is open: so a transaction reads what
// it changes as it is. A committed change is on disk. References between tables are checked.
func (l Location) Open(ctx context.Context, name string, o Options) (*sql.DB, error) {
	if err := l.check(name); err != nil {
		return nil, err
	}
	if !l.IsServer() {
		return openFile(ctx, l.File(name), o)
	}
	db, err := openSchema(ctx, l.URL, name, o)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(l.noteFile(), []byte(note), 0o640); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// NoteFile is a file in the data directory of an installation whose databases are in PostgreSQL, so
// that nobody opens new databases there by forgetting the address.
const NoteFile = "database.txt"

const note = "The databases of this installation are in PostgreSQL.\n"

func (l Location) noteFile() string { return filepath.Join(l.Dir, NoteFile) }

// check returns an error if the databases of the installation are elsewhere.
func (l Location) check(name string) error {
	_, noteErr := os.Stat(l.noteFile())
	_, fileErr := os.Stat(l.File(name))
	switch {
	case !l.IsServer() && noteErr == nil:
		return fmt.Errorf("the databases of the installation in %s are in PostgreSQL; state its address with --database or ALMANAC_DATABASE", l.Dir)
	case l.IsServer() && fileErr == nil:
		return fmt.Errorf("the databases of the installation in %s are files in it, such as %s.db; almanac migrate copies them to PostgreSQL", l.Dir, name)
	}
	return nil
}

// Exists reports whether the database with a name was created. The error says that the databases are elsewhere.
func (l Location) Exists(ctx context.Context, name string) (bool, error) {
	if err := l.check(name); err != nil {
		return false, err
	}
	if l.IsServer() {
		return schemaExists(ctx, l.URL, name)
	}
	_, err := os.Stat(l.File(name))
	return err == nil, nil
}

// IsTemporary reports whether a later try may succeed: other processes are changing the database,
// its disk is full, or its server cannot be reached.
func IsTemporary(err error) bool {
	return err != nil && (isTemporaryOfFile(err) || isTemporaryOfServer(err))
}
