package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"almanac/internal/watch"
)

type syncJobsCmd struct {
	Limit int `default:"50" placeholder:"N" help:"Maximum number of jobs (${default})."`
}

func (c *syncJobsCmd) Run(ctx context.Context, f *folder, atExit *cleanups, p printer) error {
	if c.Limit < 1 {
		return usageError{fmt.Errorf("--limit must be at least 1, not %d", c.Limit)}
	}
	watches, err := f.ProvideWatches(ctx, atExit)
	if err != nil {
		return err
	}
	jobs, err := watches.Jobs(ctx, c.Limit)
	if err != nil {
		return err
	}
	if !p.json {
		return printJobs(p.stdout, jobs)
	}
	for _, j := range jobs {
		if err := p.object(j); err != nil {
			return err
		}
	}
	return nil
}

// printJobs prints jobs as a table. The error of a job follows below its line.
func printJobs(w io.Writer, jobs []watch.Job) error {
	var lines strings.Builder
	table := newTable(&lines)
	fmt.Fprintln(table, "JOB\tCREATED\tREF\tSTATUS\tATTEMPTS\tDATASET\tVERSION\tSIZE")
	for _, j := range jobs {
		dataset, status := "-", string(j.Status)
		if j.Dataset != 0 {
			dataset = fmt.Sprint(j.Dataset)
		}
		if j.Stage != "" {
			status += ": " + string(j.Stage)
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", j.ID, toSecond(j.Created), printable(j.Ref), status, j.Attempts,
			dataset, cmp.Or(j.Version, "-"), humanize.Bytes(uint64(j.Bytes)))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return writeWithErrors(w, lines.String(), func(i int) string { return jobs[i].Error })
}
