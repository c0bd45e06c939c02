package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/source/offices"
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
func (c *sourceCheckCmd) Run(ctx context.Context, s *sourceCmd, atExit *cleanups, table *offices.Table, p printer) error {
	ids, err := c.offices(table)
	if err != nil {
		return err
	}
	var watches *watch.DB
	if s.Data != "" {
		if watches, err = createWatches(ctx, atExit, s.in(s.Data)); err != nil {
			return err
		}
	}
	works := 0
	for c := range checkAll(ctx, table, ids) {
		if ctx.Err() != nil {
			return errors.New("interrupted: not all offices were asked")
		}
		if watches != nil {
			err = watches.RecordProbe(ctx, watch.Probe{Office: c.Office, At: time.Now(), Error: errorText(c.Err)})
		}
		if c.Err == nil {
			works++
		}
		if err = errors.Join(err, printCheck(p, c)); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.stderr, "%d of %s work\n", works, countOf(len(ids), "office"))
	if works < len(ids) {
		return errReported
	}
	return nil
}

// checkAll asks several offices at once and yields the results in the order of the offices,
// each as soon as it is there.
func checkAll(ctx context.Context, table *offices.Table, ids []string) iter.Seq[offices.Check] {
	return func(yield func(offices.Check) bool) {
		results := make([]chan offices.Check, len(ids))
		for i := range results {
			results[i] = make(chan offices.Check, 1)
		}
		go func() {
			var offices errgroup.Group
			offices.SetLimit(maxChecks)
			for i, id := range ids {
				offices.Go(func() error {
					results[i] <- table.Check(ctx, id)
					return nil
				})
			}
		}()
		for _, result := range results {
			if !yield(<-result) {
				return
			}
		}
	}
}

// offices returns the IDs of the offices to ask.
func (c *sourceCheckCmd) offices(table *offices.Table) (ids []string, err error) {
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

// printCheck prints a line with what works, and below it what does not.
func printCheck(p printer, c offices.Check) error {
	if p.json {
		return p.object(checkLine{c.Office, c.List, c.Data, c.Code, c.Took.Seconds(), errorText(c.Err)})
	}
	text := fmt.Sprintf("%-16s  list %-6s  data %-9s  %v\n", c.Office, c.List, c.Data, c.Took.Round(10*time.Millisecond))
	if c.Err != nil {
		text += "  " + errorText(c.Err) + "\n"
	}
	_, err := fmt.Fprint(p.stdout, printable(text))
	return err
}

// lastChecks returns the results of the last checks of an installation; none if
// there is no installation. An office has also worked when it last sent a usable response
// to an update.
func lastChecks(ctx context.Context, atExit *cleanups, at installation) (map[string]watch.Probe, error) {
	if at.dir == "" {
		return nil, nil
	}
	watches, err := openWatches(ctx, atExit, at)
	if watches == nil || err != nil {
		return nil, err
	}
	probes, err := watches.Probes(ctx)
	if err != nil {
		return nil, err
	}
	states, err := watches.Offices(ctx)
	for _, o := range states {
		if last := probes[o.ID]; o.LastSuccess.After(last.Worked) {
			last.Worked = o.LastSuccess
			probes[o.ID] = last
		}
	}
	return probes, err
}
