package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"almanac/internal/access"
	"almanac/internal/store"
	"almanac/internal/watch"
)

// folder says where a command works and how it answers. Its Provide methods
// give kong what the Run methods of the commands take as parameters.
type folder struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	JSON bool   `name:"json" help:"Print one JSON object a line."`
}

// closers close what a command has opened, when it has run.
type closers []func() error

func (c *closers) add(closing func() error) { *c = append(*c, closing) }

// close closes all, what was opened last first.
func (c *closers) close() error {
	var errs []error
	for _, closing := range slices.Backward(*c) {
		errs = append(errs, closing())
	}
	return errors.Join(errs...)
}

// ProvideFolder provides the flags.
func (f *folder) ProvideFolder() *folder { return f }

// ProvidePrinter provides where the command prints to.
func (f *folder) ProvidePrinter(out streams) printer { return printer{out, f.JSON} }

// ProvideStore opens the store.
func (f *folder) ProvideStore(ctx context.Context, open *closers) (*store.Store, error) {
	return openStore(ctx, open, f.Data)
}

// openStore opens a store, which must be there: whoever looks at datasets in a
// folder without any has mistaken the folder, and nothing is to be made in it.
func openStore(ctx context.Context, open *closers, dir string) (*store.Store, error) {
	for _, part := range []string{"catalog.db", "vintages"} {
		if _, err := os.Stat(filepath.Join(dir, part)); err == nil {
			return makeStore(ctx, open, store.Options{Dir: dir})
		}
	}
	return nil, fmt.Errorf("there is no store in %s: almanac import %s FILE makes one", dir, flagText("--data", dir))
}

// makeStore opens a store, which is made if it is not there.
func makeStore(ctx context.Context, open *closers, o store.Options) (*store.Store, error) {
	s, err := store.Open(ctx, o)
	if err == nil {
		open.add(s.Close)
	}
	return s, err
}

// newAccess is a register of callers that is made if it is not there.
type newAccess struct{ *access.Access }

// ProvideNewAccess opens the register of callers or makes it.
func (f *folder) ProvideNewAccess(ctx context.Context, open *closers) (newAccess, error) {
	// Limits are the server's: no command counts requests.
	a, err := makeAccess(ctx, open, access.Options{Dir: f.Data, Limits: access.DefaultLimits})
	return newAccess{a}, err
}

// ProvideAccess opens a register of callers that must be there, as openStore
// does.
func (f *folder) ProvideAccess(ctx context.Context, open *closers) (*access.Access, error) {
	if !access.Exists(f.Data) {
		return nil, fmt.Errorf("there are no accounts in %s: almanac key create %s --account NAME makes one and its key", f.Data, flagText("--data", f.Data))
	}
	a, err := f.ProvideNewAccess(ctx, open)
	return a.Access, err
}

func makeAccess(ctx context.Context, open *closers, o access.Options) (*access.Access, error) {
	a, err := access.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	open.add(func() error {
		if err := a.Close(); err != nil {
			return fmt.Errorf("closing the register of accounts: %w", err)
		}
		return nil
	})
	return a, nil
}

// ProvideWatches opens the watches, which must be there, as openStore does.
func (f *folder) ProvideWatches(ctx context.Context, open *closers) (*watch.DB, error) {
	if _, err := os.Stat(filepath.Join(f.Data, watch.File)); err != nil {
		return nil, errNothingWatched(f.Data)
	}
	return makeWatches(ctx, open, f.Data)
}

func makeWatches(ctx context.Context, open *closers, dir string) (*watch.DB, error) {
	db, err := watch.Open(ctx, dir)
	if err == nil {
		open.add(db.Close)
	}
	return db, err
}

// errNothingWatched says how watching is begun.
func errNothingWatched(dir string) error {
	return fmt.Errorf("nothing is watched in %s: almanac watch add %s eurostat:une_rt_m begins it", dir, flagText("--data", dir))
}

// printer prints what a command has to tell: text for people, or JSON to
// standard output and the text beside it to standard error.
type printer struct {
	streams
	json bool
}

// human is where text for people goes.
func (p printer) human() io.Writer {
	if p.json {
		return p.stderr
	}
	return p.stdout
}

// object prints v as JSON, if that is asked for.
func (p printer) object(v any) error {
	if !p.json {
		return nil
	}
	return writeJSON(p.stdout, v)
}

// result tells what was made or changed: in a sentence, and as JSON if that is
// asked for.
func (p printer) result(v any, sentence string) error {
	fmt.Fprintln(p.human(), sentence)
	return p.object(v)
}

// each does something for each argument. One that fails is reported and does not
// keep the others from it.
func (p printer) each(args []string, do func(string) error) (err error) {
	for _, arg := range args {
		if failure := do(arg); failure != nil {
			tellError(p.stderr, failure)
			err = errReported
		}
	}
	return err
}

// printList prints items as one JSON object a line, or as a table whose lines
// have the heading's columns, parted by tabs.
func printList[T any](p printer, heading string, items []T, line func(T) string) error {
	if p.json {
		for _, item := range items {
			if err := p.object(item); err != nil {
				return err
			}
		}
		return nil
	}
	table := newTable(p.stdout)
	fmt.Fprintln(table, heading)
	for _, item := range items {
		fmt.Fprintln(table, line(item))
	}
	return table.Flush()
}

// newTable aligns columns that are parted by tabs.
func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// writeJSON writes v on one line.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
