package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"almanac/internal/access"
	"almanac/internal/database"
	"almanac/internal/diskreserve"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// folder holds the flags --data and --json. Its Provide methods give kong the
// parameters of the commands' Run methods.
type folder struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	services
	jsonFlag
}

// services are the flags of what an installation may use besides its folder.
type services struct {
	Database  string `placeholder:"URL" help:"PostgreSQL database for the catalogue, accounts, counts, watches and notices, such as postgres://almanac@db.example.org/almanac; default: files in --data. State a password in ALMANAC_DATABASE or in a password file, because others can see flags."`
	Blobs     string `placeholder:"URL" help:"Where the files of the store are, if not in the folder of --data: s3://BUCKET/PREFIX; see docs/operations.md."`
	BlobCache size   `default:"10GiB" placeholder:"SIZE" help:"Space in the folder of --data for copies of files of --blobs (${default})."`
}

// in returns the installation with a folder.
func (s services) in(dir string) installation { return installation{dir, s} }

// installation says where everything of an installation is.
type installation struct {
	dir string // of files; empty: none
	services
}

func (i installation) databases() database.Location {
	return database.Location{Dir: i.dir, URL: i.Database}
}

// store returns the options to open the store.
func (i installation) store() store.Options {
	return store.Options{Dir: i.dir, DatabaseURL: i.Database, Blobs: i.Blobs, BlobCache: int64(i.BlobCache)}
}

// cleanups are called when a command ends, the last added first: they close what it
// has opened.
type cleanups []func() error

func (c *cleanups) add(cleanup func() error) { *c = append(*c, cleanup) }

func (c *cleanups) run() error {
	var errs []error
	for _, cleanup := range slices.Backward(*c) {
		errs = append(errs, cleanup())
	}
	return errors.Join(errs...)
}

func (f *folder) ProvideFolder() *folder { return f }

func (f *folder) ProvideStore(ctx context.Context, atExit *cleanups) (*store.Store, error) {
	return openStore(ctx, atExit, f.in(f.Data))
}

// freeingStore is the store for a command that frees room: it also works on a full disk.
type freeingStore struct{ *store.Store }

// ProvideFreeingStore gives up the reserve of the disk and opens the store.
func (f *folder) ProvideFreeingStore(ctx context.Context, atExit *cleanups) (freeingStore, error) {
	f.giveUpReserve(atExit)
	s, err := f.ProvideStore(ctx, atExit)
	return freeingStore{s}, err
}

// giveUpReserve frees the reserve of the disk until the command ends. It is called before anything
// is opened, because opening a database writes.
func (f *folder) giveUpReserve(atExit *cleanups) {
	takeBack := diskreserve.GiveUp(f.Data)
	atExit.add(func() error { takeBack(); return nil })
}

// openStore opens an existing store. A folder without one is most likely a
// mistake, and nothing is created in it.
func openStore(ctx context.Context, atExit *cleanups, at installation) (*store.Store, error) {
	exists, err := store.Exists(ctx, at.store())
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, fmt.Errorf("there is no store in %s; almanac import %s FILE creates one", at.dir, flagText("--data", at.dir))
	}
	return createStore(ctx, atExit, at.store())
}

func createStore(ctx context.Context, atExit *cleanups, o store.Options) (*store.Store, error) {
	s, err := store.Open(ctx, o)
	return closeAtExit(atExit, s, err)
}

// closeAtExit closes what was opened without an error when the command ends.
func closeAtExit[T io.Closer](atExit *cleanups, opened T, err error) (T, error) {
	if err == nil {
		atExit.add(opened.Close)
	}
	return opened, err
}

func temporaryFolder(atExit *cleanups, pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("creating a temporary folder: %w", err)
	}
	atExit.add(func() error { return os.RemoveAll(dir) })
	return dir, nil
}

// newAccess is an account database that is created if needed.
type newAccess struct{ *access.Access }

// ProvideNewAccess opens the account database and creates it if needed.
func (f *folder) ProvideNewAccess(ctx context.Context, atExit *cleanups) (newAccess, error) {
	// Only the server counts requests, so the limits do not matter here.
	a, err := access.Open(ctx, access.Options{Dir: f.Data, DatabaseURL: f.Database, Limits: access.DefaultLimits})
	a, err = closeAtExit(atExit, a, err)
	return newAccess{a}, err
}

// ProvideAccess opens an existing account database.
func (f *folder) ProvideAccess(ctx context.Context, atExit *cleanups) (*access.Access, error) {
	exists, err := access.Exists(ctx, f.in(f.Data).databases())
	if err != nil {
		return nil, err
	}
	if !exists {
		return nil, fmt.Errorf("there are no accounts in %s; almanac key create %s --account NAME creates one with a key", f.Data, flagText("--data", f.Data))
	}
	a, err := f.ProvideNewAccess(ctx, atExit)
	return a.Access, err
}

// revokingAccess is the account database for a command that takes rights away: it also works on a
// full disk.
type revokingAccess struct{ *access.Access }

// ProvideRevokingAccess gives up the reserve of the disk and opens the account database.
func (f *folder) ProvideRevokingAccess(ctx context.Context, atExit *cleanups) (revokingAccess, error) {
	f.giveUpReserve(atExit)
	a, err := f.ProvideAccess(ctx, atExit)
	return revokingAccess{a}, err
}

// ProvideWatches opens an existing database of watches.
func (f *folder) ProvideWatches(ctx context.Context, atExit *cleanups) (*watch.DB, error) {
	db, err := openWatches(ctx, atExit, f.in(f.Data))
	if err == nil && db == nil {
		err = errNothingWatched(f.Data)
	}
	return db, err
}

// openWatches opens the database of watches, if it exists.
func openWatches(ctx context.Context, atExit *cleanups, at installation) (*watch.DB, error) {
	if exists, err := at.databases().Exists(ctx, watch.Name); err != nil || !exists {
		return nil, err
	}
	return createWatches(ctx, atExit, at)
}

func createWatches(ctx context.Context, atExit *cleanups, at installation) (*watch.DB, error) {
	db, err := watch.Open(ctx, at.databases())
	return closeAtExit(atExit, db, err)
}

func errNothingWatched(dir string) error {
	return fmt.Errorf("nothing is watched in %s; to watch a dataset: almanac watch add %s eurostat:une_rt_m", dir, flagText("--data", dir))
}
