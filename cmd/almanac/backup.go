package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"almanac/internal/access"
	"almanac/internal/backup"
	"almanac/internal/database"
	"almanac/internal/people"
	"almanac/internal/store"
)

// secretFiles are the files of a data directory that are kept apart from its databases.
var secretFiles = []string{access.PepperFile, people.KeyFile}

type backupCmd struct {
	folder
	WithSecrets bool   `env:"-" help:"Also copy access.pepper and people.key, which are otherwise to be kept apart."`
	To          string `arg:"" placeholder:"TO" help:"New folder for the backup, new file whose name ends with .tar, or s3://BUCKET/PREFIX; see docs/operations.md."`
}

// backupLine is a backup in JSON.
type backupLine struct {
	Backup  string    `json:"backup"`
	Created time.Time `json:"created"`
	Files   int       `json:"files"`
	Bytes   int64     `json:"bytes"`
	Without []string  `json:"without,omitempty"` // files of secrets that it does not have
}

// Run copies the installation, also while servers use it.
func (c *backupCmd) Run(ctx context.Context, p printer) error {
	from := c.in(c.Data)
	if err := checkExists(ctx, from); err != nil {
		return err
	}
	o := backup.Options{Dir: c.Data, To: c.To, Version: version(), Now: time.Now()}
	if !c.WithSecrets {
		o.Without = existing(c.Data)
	}
	if from.databases().IsServer() {
		o.CopyDatabases = func(ctx context.Context, folder string) error {
			return copyDatabases(ctx, from.databases(), database.Location{Dir: folder}, silently)
		}
	}
	place, err := store.PlaceOf(c.Data)
	if err == nil && (place != "" || c.Blobs != "") {
		o.Files, err = store.OpenFiles(from.store())
	}
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
	return p.result(backupLine{c.To, m.Created, len(m.Files), m.Bytes(), o.Without}, text)
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
	From string `arg:"" placeholder:"FROM" help:"Folder, .tar file or s3://BUCKET/PREFIX that almanac backup made."`
}

// Run restores a backup into an empty installation, and reads all versions in it.
func (c *restoreBackupCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	m, err := c.restore(ctx)
	if err != nil {
		return err
	}
	line := backupLine{Backup: c.From, Created: m.Created, Files: len(m.Files), Bytes: m.Bytes(), Without: missing(c.Data, m)}
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

// restoredFolder is a folder in the new one for a backup whose databases or files are then copied elsewhere.
const restoredFolder = ".restored"

// restore restores the backup as a data directory, or in PostgreSQL and an S3 store.
func (c *restoreBackupCmd) restore(ctx context.Context) (*backup.Manifest, error) {
	if c.Database == "" && c.Blobs == "" {
		return backup.Restore(ctx, c.From, c.Data)
	}
	to, from := c.in(c.Data), installation{dir: filepath.Join(c.Data, restoredFolder)}
	if err := checkEmpty(ctx, to); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(from.dir); err != nil { // of an interrupted command
		return nil, err
	}
	defer os.RemoveAll(from.dir)
	m, err := backup.Restore(ctx, c.From, from.dir)
	if err == nil {
		err = begin(ctx, to)
	}
	if err == nil {
		err = copyInstallation(ctx, from, to, silently)
	}
	if err != nil {
		return nil, err
	}
	return m, finish(to)
}

// missing returns which files of secrets the databases of a backup need that a data directory does not have.
func missing(dir string, m *backup.Manifest) (names []string) {
	for database, name := range map[string]string{"access.db": access.PepperFile, "people.db": people.KeyFile} {
		needs := slices.ContainsFunc(m.Files, func(f backup.File) bool { return f.Path == database })
		if _, err := os.Stat(filepath.Join(dir, name)); needs && err != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
