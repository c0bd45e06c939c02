package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"

	"almanac/internal/offer"
	"almanac/internal/source/offices"
	"almanac/internal/stat"
	"almanac/internal/update"
)

// sourceRefreshCmd reads what offices offer, from their servers or from a table.
type sourceRefreshCmd struct {
	From       string   `placeholder:"FILE" help:"Read a table of datasets instead, with tabs or commas, also compressed with gzip. Its first line names the columns: source, code, title, description, topic, language, frequency, first_period, last_period, last_update."`
	AcceptLoss bool     `help:"Accept a list that has lost more than half of its datasets."`
	IDs        []string `arg:"" optional:"" name:"id" help:"Only these offices, or sources of the table; default: all."`
}

// refreshLine is the result of reading a list in JSON.
type refreshLine struct {
	Source   string    `json:"source"`
	Status   string    `json:"status"` // created, updated, unchanged, failed
	Datasets int       `json:"datasets"`
	Entries  int       `json:"entries"` // a dataset has one for each language
	Before   int       `json:"before"`  // datasets of the list before
	Listed   time.Time `json:"listed,omitzero"`
	Took     float64   `json:"took_seconds"`
	Error    string    `json:"error,omitempty"`
}

// Run reads the lists, stores them and prints a line for each source.
func (c *sourceRefreshCmd) Run(ctx context.Context, s *sourceCmd, atExit *cleanups, p printer) error {
	if s.Data == "" {
		return usageError{errors.New("missing --data with the folder of the store")}
	}
	offers, err := createOffers(ctx, atExit, s.in(s.Data))
	if err != nil {
		return err
	}
	var listings iter.Seq[update.Listing]
	progress := newListProgress(p.stderr)
	if c.From != "" {
		listings, err = c.fromTable(ctx, offers, p)
	} else {
		listings, err = c.fromOffices(ctx, s, atExit, offers, progress)
	}
	if err != nil {
		return err
	}
	sources, failures, datasets := 0, 0, 0
	for l := range listings {
		progress.clear()
		if ctx.Err() != nil {
			return errors.New("interrupted: the lists that were not read are as before")
		}
		if err := printListing(p, s.Data, l); err != nil {
			return err
		}
		datasets += l.After.Datasets
		if !l.After.Listed.IsZero() {
			sources++
		}
		if l.Err != nil {
			failures++
		}
		progress.finished(l.Office)
	}
	progress.clear()
	if ctx.Err() != nil {
		return errors.New("interrupted: the lists that were not read are as before")
	}
	fmt.Fprintf(p.stderr, "stored: %s of %s\n", countOf(datasets, "dataset"), countOf(sources, "source"))
	if failures > 0 {
		fmt.Fprintf(p.stderr, "%s could not be read; earlier ones stay\n", countOf(failures, "list"))
		return errReported
	}
	return nil
}

// openOffers opens the database of offers, if it exists.
func openOffers(ctx context.Context, atExit *cleanups, at installation) (*offer.DB, error) {
	if exists, err := at.databases().Exists(ctx, offer.Name); err != nil || !exists {
		return nil, err
	}
	return createOffers(ctx, atExit, at)
}

func createOffers(ctx context.Context, atExit *cleanups, at installation) (*offer.DB, error) {
	db, err := offer.Open(ctx, at.databases())
	return closeAtExit(atExit, db, err)
}

// fromOffices reads the lists of offices.
func (c *sourceRefreshCmd) fromOffices(ctx context.Context, s *sourceCmd, atExit *cleanups, offers *offer.DB, progress *listProgress) (iter.Seq[update.Listing], error) {
	table, err := s.ProvideTable()
	if err != nil {
		return nil, err
	}
	ids, err := c.offices(table, progress.w)
	if err != nil {
		return nil, err
	}
	updater, _, err := s.openUpdater(ctx, atExit, s.in(s.Data), update.Options{Sources: table, Offers: offers})
	if err != nil {
		return nil, err
	}
	progress.start(len(ids))
	return updater.RefreshOffers(ctx, update.Refresh{Offices: ids, AcceptLoss: c.AcceptLoss, Notify: progress.note}), nil
}

// offices returns the IDs of the offices to ask: those that were named, or all that have
// a list.
func (c *sourceRefreshCmd) offices(table *offices.Table, stderr io.Writer) (ids []string, err error) {
	if len(c.IDs) > 0 {
		return (&sourceCheckCmd{IDs: c.IDs}).offices(table)
	}
	var others []string
	for _, o := range table.Offices() {
		if table.CanList(o.ID) {
			ids = append(ids, o.ID)
		} else {
			others = append(others, o.ID)
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(stderr, "not read, because they have no list, need a key or may not be contacted: %s\n", strings.Join(others, ", "))
	}
	return ids, nil
}

// fromTable reads a table, which is correct as a whole or not stored at all.
func (c *sourceRefreshCmd) fromTable(ctx context.Context, offers *offer.DB, p printer) (iter.Seq[update.Listing], error) {
	file, err := os.Open(c.From)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	only := ""
	if len(c.IDs) == 1 {
		only = c.IDs[0]
	}
	table, err := offer.ReadTable(file, only)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.From, err)
	}
	if len(table.Unknown) > 0 {
		fmt.Fprintf(p.stderr, "%s: these columns are not read: %s\n", c.From, printable(strings.Join(table.Unknown, ", ")))
	}
	if table.Undated > 0 {
		fmt.Fprintf(p.stderr, "%s: %s with a last_update that is not a date such as 2026-11-02, stored as it is; the first one is in line %d\n",
			c.From, countOf(table.Undated, "row"), table.UndatedLine)
	}
	if table.Unperiodic > 0 {
		fmt.Fprintf(p.stderr, "%s: %s with a first_period or last_period without a year such as 2024 or 2024-03, which is left out; the first one is in line %d\n",
			c.From, countOf(table.Unperiodic, "row"), table.UnperiodicLine)
	}
	for _, id := range c.IDs {
		if table.Offers[id] == nil {
			return nil, stat.Errorf(stat.NotFound, "%s has no datasets of the source %q; it has those of %s", c.From, id, strings.Join(table.Sources, ", "))
		}
	}
	return c.storeTable(ctx, offers, table), nil
}

// storeTable replaces the list of each source of the table.
func (c *sourceRefreshCmd) storeTable(ctx context.Context, offers *offer.DB, table *offer.Table) iter.Seq[update.Listing] {
	return func(yield func(update.Listing) bool) {
		for _, id := range table.Sources {
			if len(c.IDs) > 0 && !slices.Contains(c.IDs, id) {
				continue
			}
			began := time.Now()
			change, err := offers.ReplaceList(ctx, offer.List{Source: id, Origin: filepath.Base(c.From), Offers: func(yield func(offer.Offer, error) bool) {
				for _, o := range table.Offers[id] {
					if !yield(o, nil) {
						return
					}
				}
			}})
			if !yield(update.Listing{Office: id, Change: change, Took: time.Since(began), Err: err}) {
				return
			}
		}
	}
}

// printListing prints the result of a list.
func printListing(p printer, dir string, l update.Listing) error {
	line := refreshLine{
		Source: l.Office, Datasets: l.After.Datasets, Entries: l.After.Entries, Before: l.Before.Datasets,
		Listed: l.After.Listed, Took: l.Took.Seconds(), Error: errorText(l.Err),
	}
	switch {
	case l.Err != nil:
		line.Status = "failed"
		if _, isLoss := errors.AsType[*update.ListLossError](l.Err); isLoss {
			line.Error += fmt.Sprintf("; to accept it: almanac source refresh %s --accept-loss %s", flagText("--data", dir), l.Office)
		}
		return p.outcome(line, fmt.Sprintf("%s: failed: %s\n", l.Office, line.Error), true)
	case !l.Changed():
		line.Status = "unchanged"
	case l.Before.Listed.IsZero():
		line.Status = "created"
	default:
		line.Status = "updated"
	}
	text := fmt.Sprintf("%s: %s, %s in %s", l.Office, line.Status, countOf(line.Datasets, "dataset"), tookText(l.Took))
	if line.Status == "updated" {
		text = fmt.Sprintf("%s: %s, %s (%d before) in %s", l.Office, line.Status, countOf(line.Datasets, "dataset"), line.Before, tookText(l.Took))
	}
	return p.result(line, text)
}

// listProgress shows on a terminal which lists are read and how far. Elsewhere it shows
// nothing.
type listProgress struct {
	w io.Writer

	mu      sync.Mutex
	running map[string]int // datasets so far, by office
	shown   *progressbar.ProgressBar
}

func newListProgress(w io.Writer) *listProgress {
	return &listProgress{w: w, running: map[string]int{}}
}

func (l *listProgress) start(lists int) {
	if terminalOf(l.w) == nil {
		return
	}
	l.shown = progressbar.NewOptions(lists, progressbar.OptionSetWriter(l.w), progressbar.OptionShowCount(),
		progressbar.OptionThrottle(redrawInterval), progressbar.OptionClearOnFinish())
}

func (l *listProgress) note(office string, datasets int) {
	if l.shown == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[office] = datasets
	if datasets%100 == 1 {
		l.describe()
	}
}

func (l *listProgress) describe() {
	var parts []string
	for office, n := range l.running {
		parts = append(parts, office+" "+humanize.Comma(int64(n)))
	}
	slices.Sort(parts)
	l.shown.Describe(strings.Join(parts, ", "))
}

func (l *listProgress) finished(office string) {
	if l.shown == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.running, office)
	l.describe()
	_ = l.shown.Add(1) // the lists are read without the bar, too
}

func (l *listProgress) clear() {
	if l.shown != nil {
		_ = l.shown.Clear()
	}
}
