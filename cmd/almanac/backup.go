package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"almanac/internal/access"
	"almanac/internal/backup"
	"almanac/internal/people"
	"almanac/internal/store"
)

// secretFiles are the files of a data directory that are kept apart from its databases.
var secretFiles = []string{access.PepperFile, people.KeyFile}

type backupCmd struct {
	folder
	WithSecrets bool   `env:"-" help:"Also copy access.pepper and people.key, which are otherwise to be kept apart."`
	To          string `arg:"" placeholder:"TO" help:"New folder for the backup, or new file whose name ends with .tar."`
}

// backupLine is a backup in JSON.
type backupLine struct {
	Backup  string    `json:"backup"`
	Created time.Time `json:"created"`
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Without []string  `json:"without,omitempty"` // files of secrets that it does not have
	Blobs   string    `json:"blobs,omitempty"`   // where the files of the store are that it does not have
}

// needsFiles returns an error if the databases are not files in the data directory.
func (s services) needsFiles() error {
	if s.Database == "" {
		return nil
	}
	return errors.New("the databases are in PostgreSQL, of which pg_dump makes a consistent backup; without --database, this command copies a data directory with its databases")
}

// Run copies the data directory, also while servers use it.
func (c *backupCmd) Run(ctx context.Context, p printer) error {
	if err := c.needsFiles(); err != nil {
		return err
	}
	o := backup.Options{Dir: c.Data, To: c.To, Version: version(), Now: time.Now()}
	if !c.WithSecrets {
		o.Without = existing(c.Data)
	}
	place, err := store.PlaceOf(c.Data)
	if err != nil {
		return err
	}
	m, err := backup.Create(ctx, o)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("backup %s: %s, %s", c.To, countOf(len(m.Files), "file"), humanize.Bytes(uint64(m.Bytes())))
	if o.Without != nil {
		text += "\nnot in the backup: " + strings.Join(o.Without, ", ") + "; keep a copy apart from it"
	}
	if place != "" {
		text += "\nnot in the backup: the files in " + place + "; use versions or replication of that store"
	}
	return p.result(backupLine{c.To, m.Created, len(m.Files), m.Bytes(), o.Without, place}, text)
}

// existing returns which files of secrets a data directory has.
func existing(dir string) (names []string) {
	for _, name := range secretFiles {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			names = append(names, name)
		}
	}
	return names
}

type restoreBackupCmd struct {
	folder
	From string `arg:"" placeholder:"FROM" help:"Folder or .tar file that almanac backup made."`
}

// Run restores a backup into an empty data directory, and reads all versions in it.
func (c *restoreBackupCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	if err := c.needsFiles(); err != nil {
		return err
	}
	m, err := backup.Restore(ctx, c.From, c.Data)
	if err != nil {
		return err
	}
	line := backupLine{Backup: c.From, Created: m.Created, Files: len(m.Files), Bytes: m.Bytes(), Without: missing(c.Data)}
	text := fmt.Sprintf("restored the backup of %s: %s, %s", m.Created.Format(time.DateTime), countOf(len(m.Files), "file"), humanize.Bytes(uint64(m.Bytes())))
	if line.Without != nil {
		text += "\nnot in the backup: " + strings.Join(line.Without, ", ") + "; copy it into " + c.Data + " before you start a server"
	}
	if err := p.result(line, text); err != nil {
		return err
	}
	s, err := createStore(ctx, atExit, c.in(c.Data).store())
	if err != nil {
		return err
	}
	return (&checkCmd{folder: c.folder}).Run(ctx, s, atExit, p)
}

// missing returns which files of secrets a data directory needs and does not have.
func missing(dir string) (names []string) {
	for database, name := range map[string]string{"access.db": access.PepperFile, "people.db": people.KeyFile} {
		_, err := os.Stat(filepath.Join(dir, database))
		if _, noSecret := os.Stat(filepath.Join(dir, name)); err == nil && noSecret != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
