package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	accessdb "almanac/internal/access/register"
	"almanac/internal/database"
	"almanac/internal/demand"
	"almanac/internal/notice"
	"almanac/internal/offer"
	peopledb "almanac/internal/people/register"
	"almanac/internal/store"
	"almanac/internal/store/catalog"
	"almanac/internal/watch"
)

type migrateCmd struct {
	folder
	ToData     string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the new installation; empty, or of an interrupted migration."`
	ToDatabase string `placeholder:"URL" env:"-" help:"PostgreSQL database of the new installation; default: files in --to-data."`
	ToBlobs    string `placeholder:"URL" env:"-" help:"Where the files of the new store are, such as s3://BUCKET/PREFIX; default: in --to-data."`
}

// Help describes the command.
func (migrateCmd) Help() string {
	return "Stop all servers of both installations first. The old one is only read. If the migration is interrupted, " +
		"the same command continues it: what was copied is compared by digest and not copied again."
}

// databases are those of an installation with what copies them, the catalogue last: an installation
// without one is not complete.
var databases = []struct {
	name string
	copy func(ctx context.Context, from, to database.Location) (database.Copied, error)
}{
	{accessdb.Name, accessdb.Copy}, {peopledb.Name, peopledb.Copy}, {watch.Name, watch.Copy}, {notice.Name, notice.Copy},
	{offer.Name, offer.Copy}, {demand.Name, demand.Copy}, {catalog.Name, catalog.Copy},
}

// keptFiles are the files in the data directory that an installation has besides its store and databases.
var keptFiles = append([]string{sourcesFile}, secretFiles...)

// migrationFile is in the folder of a new installation until everything is copied to it.
const migrationFile = "migration.txt"

// migrateLine is a part of a migration in JSON.
type migrateLine struct {
	Part   string `json:"part"` // files, or the name of a database
	Rows   int    `json:"rows,omitempty"`
	Files  int    `json:"files,omitempty"`
	Copied bool   `json:"copied"` // false: it was there already
	Digest string `json:"digest,omitempty"`
}

// Run copies an installation to another place.
func (c *migrateCmd) Run(ctx context.Context, p printer) error {
	from, to := c.in(c.Data), services{Database: c.ToDatabase, Blobs: c.ToBlobs, BlobCache: c.BlobCache}.in(c.ToData)
	if err := checkExists(ctx, from); err != nil {
		return err
	}
	if err := begin(ctx, to); err != nil {
		return err
	}
	if err := copyInstallation(ctx, from, to, p.migrated); err != nil {
		return err
	}
	return finish(to)
}

// copyInstallation copies everything of an installation: the files that are kept in its folder, those of the
// store, and the databases.
func copyInstallation(ctx context.Context, from, to installation, report func(migrateLine) error) error {
	for _, name := range keptFiles {
		if err := copyFile(filepath.Join(from.dir, name), filepath.Join(to.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("copying %s: %w", name, err)
		}
	}
	files, err := store.CopyFiles(ctx, from.store(), to.store())
	if err != nil {
		return err
	}
	if err := report(migrateLine{Part: "files", Files: files.Files, Copied: files.Copied > 0}); err != nil {
		return err
	}
	return copyDatabases(ctx, from.databases(), to.databases(), report)
}

// copyDatabases copies the databases of an installation, each as it is at one moment, the catalogue last.
func copyDatabases(ctx context.Context, from, to database.Location, report func(migrateLine) error) error {
	for _, db := range databases {
		exists, err := from.Exists(ctx, db.name)
		if err != nil {
			return err
		}
		if !exists {
			continue
		}
		d, err := db.copy(ctx, from, to)
		if err != nil {
			return err
		}
		if err := report(migrateLine{Part: d.Name, Rows: d.Rows, Copied: !d.IsUnchanged, Digest: d.Digest}); err != nil {
			return err
		}
	}
	return nil
}

// silently reports nothing.
func silently(migrateLine) error { return nil }

// syncNames makes the names of the files in a folder durable.
func syncNames(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// begin notes in the folder of the new installation that copying to it has begun. The error says that
// there is another installation.
func begin(ctx context.Context, to installation) error {
	if err := checkEmpty(ctx, to); err != nil {
		return err
	}
	if err := os.MkdirAll(to.dir, 0o750); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to.dir, migrationFile), []byte("This installation is not complete; the command that began to copy it here continues it.\n"), 0o640)
}

// checkExists returns an error if there is no installation.
func checkExists(ctx context.Context, at installation) error {
	exists, err := store.Exists(ctx, at.store())
	if err == nil && !exists {
		err = fmt.Errorf("there is no store in %s", at.dir)
	}
	return err
}

// checkEmpty returns an error if there is an installation, unless it is one that is being copied.
func checkEmpty(ctx context.Context, to installation) error {
	if _, err := os.Stat(filepath.Join(to.dir, migrationFile)); err == nil {
		return nil
	}
	exists, err := store.Exists(ctx, to.store())
	if err == nil && exists {
		err = fmt.Errorf("there is an installation in %s already; the new one must be empty", to.dir)
	}
	return err
}

// finish notes that the new installation is complete.
func finish(to installation) error {
	if err := os.Remove(filepath.Join(to.dir, migrationFile)); err != nil {
		return err
	}
	return errors.Join(syncNames(to.dir), syncNames(filepath.Dir(to.dir)))
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

func (p printer) migrated(l migrateLine) error {
	what := countOf(l.Rows, "row")
	if l.Part == "files" {
		what = countOf(l.Files, "file")
	}
	state := "copied"
	if !l.Copied {
		state = "there already"
	}
	return p.result(l, fmt.Sprintf("%s: %s, %s, compared by digest", l.Part, what, state))
}
