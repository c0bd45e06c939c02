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

// folder holds the flags --data and --json. Its Provide methods give kong the
// parameters of the commands' Run methods.
type folder struct {
	Data string `required:"" type:"folder" placeholder:"DIR" help:"Folder of the store."`
	JSON bool   `name:"json" help:"Print one JSON object a line."`
}

// closers close what a command has opened.
type closers []func() error

func (c *closers) add(closeOne func() error) { *c = append(*c, closeOne) }

// close closes everything, the last opened first.
func (c *closers) close() error {
	var errs []error
	for _, closeOne := range slices.Backward(*c) {
		errs = append(errs, closeOne())
	}
	return errors.Join(errs...)
}

func (f *folder) ProvideFolder() *folder { return f }

func (f *folder) ProvidePrinter(out streams) printer { return printer{out, f.JSON} }

func (f *folder) ProvideStore(ctx context.Context, open *closers) (*store.Store, error) {
	return openStore(ctx, open, f.Data)
}

// openStore opens an existing store. A folder without one is most likely a
// mistake, and nothing is created in it.
func openStore(ctx context.Context, open *closers, dir string) (*store.Store, error) {
	for _, part := range []string{"catalog.db", "vintages"} {
		if _, err := os.Stat(filepath.Join(dir, part)); err == nil {
			return createStore(ctx, open, store.Options{Dir: dir})
		}
	}
	return nil, fmt.Errorf("there is no store in %s; almanac import %s FILE creates one", dir, flagText("--data", dir))
}

// createStore opens a store and creates it if needed.
func createStore(ctx context.Context, open *closers, o store.Options) (*store.Store, error) {
	s, err := store.Open(ctx, o)
	return keepOpen(open, s, err)
}

// keepOpen lets open close what was opened without an error.
func keepOpen[T io.Closer](open *closers, opened T, err error) (T, error) {
	if err == nil {
		open.add(opened.Close)
	}
	return opened, err
}

// temporaryFolder creates a folder that open removes.
func temporaryFolder(open *closers, pattern string) (string, error) {
	dir, err := os.MkdirTemp("", pattern)
	if err != nil {
		return "", fmt.Errorf("creating a temporary folder: %w", err)
	}
	open.add(func() error { return os.RemoveAll(dir) })
	return dir, nil
}

// newAccess is an account database that is created if needed.
type newAccess struct{ *access.Access }

// ProvideNewAccess opens the account database and creates it if needed.
func (f *folder) ProvideNewAccess(ctx context.Context, open *closers) (newAccess, error) {
	// Only the server counts requests, so the limits do not matter here.
	a, err := access.Open(ctx, access.Options{Dir: f.Data, Limits: access.DefaultLimits})
	a, err = keepOpen(open, a, err)
	return newAccess{a}, err
}

// ProvideAccess opens an existing account database.
func (f *folder) ProvideAccess(ctx context.Context, open *closers) (*access.Access, error) {
	if !access.Exists(f.Data) {
		return nil, fmt.Errorf("there are no accounts in %s; almanac key create %s --account NAME creates one with a key", f.Data, flagText("--data", f.Data))
	}
	a, err := f.ProvideNewAccess(ctx, open)
	return a.Access, err
}

// ProvideWatches opens an existing database of watches.
func (f *folder) ProvideWatches(ctx context.Context, open *closers) (*watch.DB, error) {
	if _, err := os.Stat(filepath.Join(f.Data, watch.File)); err != nil {
		return nil, errNothingWatched(f.Data)
	}
	return createWatches(ctx, open, f.Data)
}

func createWatches(ctx context.Context, open *closers, dir string) (*watch.DB, error) {
	db, err := watch.Open(ctx, dir)
	return keepOpen(open, db, err)
}

func errNothingWatched(dir string) error {
	return fmt.Errorf("nothing is watched in %s; to watch a dataset: almanac watch add %s eurostat:une_rt_m", dir, flagText("--data", dir))
}

// printer prints the results of a command: text to standard output, or JSON to
// standard output and the text to standard error.
type printer struct {
	streams
	json bool
}

// human returns the stream for text.
func (p printer) human() io.Writer {
	if p.json {
		return p.stderr
	}
	return p.stdout
}

// object prints v if --json is given.
func (p printer) object(v any) error {
	if !p.json {
		return nil
	}
	return writeJSON(p.stdout, v)
}

// result prints a change as a sentence, and as JSON if --json is given.
func (p printer) result(v any, sentence string) error {
	fmt.Fprintln(p.human(), sentence)
	return p.object(v)
}

// outcome prints the outcome of a file or an item as text, and as JSON if --json
// is given. The text of a failure goes to standard error.
func (p printer) outcome(v any, text string, isFailure bool) error {
	w := p.human()
	if isFailure {
		w = p.stderr
	}
	_, err := fmt.Fprint(w, printable(text))
	return errors.Join(p.object(v), err)
}

// each calls do for each argument until ctx ends. A failure is printed and the next
// argument follows.
func (p printer) each(ctx context.Context, args []string, do func(string) error) (err error) {
	for _, arg := range args {
		failure := do(arg)
		if ctx.Err() != nil {
			return errors.New("interrupted: the remaining arguments were not processed")
		}
		if failure != nil {
			printError(p.stderr, errors.New(printable(failure.Error())))
			err = errReported
		}
	}
	return err
}

// change is the result of a command in JSON.
type change struct {
	ID     int    `json:"id,omitempty"`
	Code   string `json:"code,omitempty"`
	Ref    string `json:"ref,omitempty"`
	Status string `json:"status"`
}

// printList prints items as one JSON object a line, or as a table. heading and
// the lines separate their columns by tabs.
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

// printFields prints names and values in two columns; empty values are left out.
func printFields(table io.Writer, fields [][2]string) {
	for _, field := range fields {
		if field[1] != "" {
			fmt.Fprintf(table, "%s\t%s\n", field[0], printable(field[1]))
		}
	}
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
