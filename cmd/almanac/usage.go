package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"almanac/internal/access"
	"almanac/internal/demand"
)

type usageCmd struct {
	folder

	From     moment `placeholder:"DAY" help:"The first UTC day, such as 2026-01-31; default: six days before --to."`
	To       moment `placeholder:"DAY" help:"The last UTC day; default: today."`
	Days     int    `default:"7" placeholder:"N" help:"Number of days up to --to, if --from is not given (${default})."`
	Datasets bool   `help:"List the datasets that were asked for, and those that do not exist."`
	Searches bool   `help:"List the texts that were searched for, and how often nothing was found."`
	Limit    int    `default:"20" placeholder:"N" help:"Texts or datasets of a day, and as many for which nothing was found (${default})."`
}

// Validate checks the flags together.
func (c *usageCmd) Validate() error {
	var wrong []error
	if c.Days < 1 || c.Days > demand.KeepDays {
		wrong = append(wrong, fmt.Errorf("--days must be between 1 and %d, not %d", demand.KeepDays, c.Days))
	}
	if c.Limit < 1 {
		wrong = append(wrong, fmt.Errorf("--limit must be 1 or more, not %d", c.Limit))
	}
	return errors.Join(wrong...)
}

func (c *usageCmd) Run(ctx context.Context, atExit *cleanups, p printer) error {
	from, to := c.span(time.Now())
	if to.Before(from) {
		return usageError{fmt.Errorf("--from %s is after --to %s", from.Format(time.DateOnly), to.Format(time.DateOnly))}
	}
	if c.Datasets || c.Searches {
		return c.listDemand(ctx, atExit, p, from, to)
	}
	a, err := c.ProvideAccess(ctx, atExit)
	if err != nil {
		return err
	}
	used, err := a.Usage(ctx, from, to)
	if err != nil {
		return err
	}
	return printList(p, "DAY\tACCOUNT\tORGANISATION\tTIER\tREQUESTS", used, func(u access.Usage) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%d", u.Day, cmp.Or(u.Account, "-"), cmp.Or(u.Organisation, "-"), u.Tier, u.Requests)
	})
}

// span returns the first and the last day to list.
func (c *usageCmd) span(now time.Time) (from, to time.Time) {
	day := func(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
	from, to = day(c.From.Time), day(c.To.Time)
	if to.IsZero() {
		to = day(now)
	}
	if from.IsZero() {
		from = to.AddDate(0, 0, 1-c.Days)
	}
	return from, to
}

// listDemand lists what was asked for: the datasets, the searches, or both.
func (c *usageCmd) listDemand(ctx context.Context, atExit *cleanups, p printer, from, to time.Time) error {
	exists, err := c.in(c.Data).databases().Exists(ctx, demand.Name)
	if err != nil {
		return err
	}
	if !exists {
		return fmt.Errorf("nothing is counted in %s yet; a server counts what it is asked for: almanac serve %s", c.Data, flagText("--data", c.Data))
	}
	counts, err := demand.Open(ctx, demand.Options{Dir: c.Data, DatabaseURL: c.Database})
	if _, err := closeAtExit(atExit, counts, err); err != nil {
		return err
	}
	if c.Datasets {
		list, err := counts.Report(ctx, demand.Datasets, from, to, c.Limit)
		if err == nil {
			err = printDatasetDemand(p, list)
		}
		if err != nil {
			return err
		}
	}
	if !c.Searches {
		return nil
	}
	if c.Datasets && !p.json {
		fmt.Fprintln(p.stdout)
	}
	list, err := counts.Report(ctx, demand.Searches, from, to, c.Limit)
	if err != nil {
		return err
	}
	return printSearchDemand(p, list)
}

func printDatasetDemand(p printer, list []demand.Count) error {
	type row struct {
		Day      string `json:"day"`
		Dataset  string `json:"dataset"` // empty: those that are not kept
		Requests int64  `json:"requests"`
		NotFound int64  `json:"not_found"`
	}
	rows := make([]row, len(list))
	for i, c := range list {
		rows[i] = row{c.Day, c.Text, c.Times, c.Failed}
	}
	return printList(p, "DAY\tDATASET\tREQUESTS\tNOT FOUND", rows, func(r row) string {
		return fmt.Sprintf("%s\t%s\t%d\t%d", r.Day, cmp.Or(oneLine(r.Dataset), "(not kept)"), r.Requests, r.NotFound)
	})
}

func printSearchDemand(p printer, list []demand.Count) error {
	type row struct {
		Day           string `json:"day"`
		Search        string `json:"search"` // empty: those that are not kept
		Times         int64  `json:"times"`
		WithoutResult int64  `json:"without_result"`
	}
	rows := make([]row, len(list))
	for i, c := range list {
		rows[i] = row{c.Day, c.Text, c.Times, c.Failed}
	}
	return printList(p, "DAY\tSEARCH\tTIMES\tWITHOUT RESULT", rows, func(r row) string {
		return fmt.Sprintf("%s\t%s\t%d\t%d", r.Day, cmp.Or(oneLine(r.Search), "(not kept)"), r.Times, r.WithoutResult)
	})
}
