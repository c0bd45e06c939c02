package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
)

// Backup copies the database in a file to a new file: the state of one moment, while other
// processes read and write it. The copy is complete and checked for damage.
func Backup(ctx context.Context, from, to string) (err error) {
	if from, err = filepath.Abs(from); err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", address(from)+"?_pragma=busy_timeout(20000)")
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, db.Close()); err != nil {
			err = fmt.Errorf("copying the database %s: %w", from, err)
		}
	}()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	err = conn.Raw(func(driver any) error {
		backup, err := driver.(interface {
			NewBackup(to string) (*sqlite.Backup, error)
		}).NewBackup(address(to))
		if err != nil {
			return err
		}
		_, err = backup.Step(-1) // all pages, under one read lock
		return errors.Join(err, backup.Finish())
	})
	if err != nil {
		return err
	}
	return checkCopy(ctx, to)
}

// checkCopy checks a copy and leaves one file of it.
func checkCopy(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", address(path)+"?_pragma=journal_mode(DELETE)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var result string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return fmt.Errorf("the copy is damaged: %s", result)
	}
	return nil
}

// address returns the URI of an absolute path.
func address(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}
