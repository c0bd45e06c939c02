package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/source"
	"almanac/internal/watch"
)

type sourceCheckCmd struct {
	IDs []string `arg:"" optional:"" name:"id" help:"The offices to ask; default: all."`
}

// checkLine is the result of a check in JSON.
type checkLine struct {
	ID    string  `json:"id"`
	List  string  `json:"list"`
	Data  string  `json:"data"`
	Code  string  `json:"code,omitempty"`
	Took  float64 `json:"took_seconds"`
	Error string  `json:"error,omitempty"`
}

// maxChecks is how many offices are asked at once.
const maxChecks = 8

// Run asks each office for the beginning of its list and for a small dataset, and prints
// what works.
func (c *sourceCheckCmd) Run(ctx context.Context, s *sourceCmd, atExit *cleanups, table *source.Table, p printer) error {
	ids, err := c.offices(table)
	if err != nil {
		return err
	}
	var watches *watch.DB
	if s.Data != "" {
		if watches, err = createWatches(ctx, atExit, s.Data); err != nil {
			return err
		}
	}
	checks := make([]source.Check, len(ids))
	var offices errgroup.Group
	offices.SetLimit(maxChecks)
	for i, id := range ids {
		offices.Go(func() error {
			checks[i] = table.Check(ctx, id)
			if watches == nil || ctx.Err() != nil {
				return nil
			}
			return watches.RecordProbe(ctx, watch.Probe{Office: id, At: time.Now(), Error: errorText(checks[i].Err)})
		})
	}
	if err := offices.Wait(); err != nil || ctx.Err() != nil {
		return cmp.Or(err, errors.New("interrupted: not all offices were asked"))
	}
	return printChecks(p, checks)
}

// offices returns the IDs of the offices to ask.
func (c *sourceCheckCmd) offices(table *source.Table) (ids []string, err error) {
	for _, id := range c.IDs {
		o, err := findOffice(table, id)
		if err != nil {
			return nil, err
		}
		ids = append(ids, o.ID)
	}
	if len(ids) == 0 {
		for _, o := range table.Offices() {
			ids = append(ids, o.ID)
		}
	}
	return ids, nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return oneLine(err.Error())
}

func printChecks(p printer, checks []source.Check) error {
	lines := make([]checkLine, len(checks))
	for i, c := range checks {
		lines[i] = checkLine{c.Office, c.List, c.Data, c.Code, c.Took.Seconds(), errorText(c.Err)}
	}
	err := printList(p, "ID\tLIST\tDATA\tTIME\tWHAT WAS WRONG", lines, func(l checkLine) string {
		took := time.Duration(l.Took * float64(time.Second)).Round(10 * time.Millisecond)
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s", l.ID, l.List, l.Data, took, cmp.Or(printable(l.Error), "-"))
	})
	failed := slices.ContainsFunc(checks, func(c source.Check) bool { return c.Err != nil })
	if err == nil && failed {
		err = errReported
	}
	return err
}

// lastChecks returns the results of the last checks of the installation in dir; none if
// there is no installation.
func lastChecks(ctx context.Context, atExit *cleanups, dir string) (map[string]watch.Probe, error) {
	if dir == "" {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Join(dir, watch.File)); err != nil {
		return nil, nil
	}
	watches, err := createWatches(ctx, atExit, dir)
	if err != nil {
		return nil, err
	}
	return watches.Probes(ctx)
}
