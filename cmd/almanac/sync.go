package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"almanac/internal/update"
	"almanac/internal/watch"
)

// syncCmd is `almanac sync`, which updates once, `almanac sync log` and `almanac sync jobs`.
type syncCmd struct {
	folder

	Now    syncNowCmd    `cmd:"" default:"withargs" help:"Update watched datasets once; the default, so almanac sync is enough."`
	Log    syncLogCmd    `cmd:"" help:"Show the log of updates, newest first."`
	Import syncImportCmd `cmd:"" hidden:"" help:"Do one import for a server."`
	Jobs   syncJobsCmd   `cmd:"" help:"Show the datasets that callers had brought with POST /api/datasets, newest first."`
}

type syncNowCmd struct {
	network
	Refs []string `arg:"" optional:"" name:"ref" help:"Update only these, due or not: datasets, patterns, or an office (eurostat:*). Default: everything that is due."`
}

func (c *syncNowCmd) Run(ctx context.Context, f *folder, atExit *cleanups, watches *watch.DB, p printer) error {
	list, err := watches.List(ctx)
	if err == nil && len(list) == 0 {
		err = errNothingWatched(f.Data)
	}
	if err != nil {
		return err
	}
	display := newLive(p.stderr)
	reported := map[string]bool{}
	var writeErr error
	updater, using, err := c.openUpdater(ctx, atExit, f.in(f.Data), update.Options{Notify: func(e update.Event) {
		display.note(e)
		if e.Entry != nil {
			display.above(func() { writeErr = errors.Join(writeErr, reportEntry(p, e.Entry, reported)) })
		}
	}})
	if err != nil {
		return err
	}
	start := time.Now()
	display.start()
	summary, err := updater.Sync(ctx, c.Refs...)
	display.end()
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted: the store is consistent, and the next sync continues")
	case err != nil:
		return err
	case writeErr != nil:
		return writeErr
	}
	return c.report(ctx, f, using, p, roundResult{summary, time.Since(start).Seconds()})
}

type roundResult struct {
	update.Summary
	Took float64 `json:"took_seconds"`
}

// report prints the result of the round and when the next is due. The error
// says that something went wrong, which has already been printed.
func (c *syncNowCmd) report(ctx context.Context, f *folder, using update.Options, p printer, round roundResult) error {
	if err := p.result(round, summaryText(round)); err != nil {
		return err
	}
	if next, err := using.Watches.Next(ctx); err == nil && next.After(time.Now()) {
		fmt.Fprintf(p.stderr, "next update due at %s UTC\n", toMinute(next))
	}
	if held, err := using.Store.Quarantined(ctx); err == nil && len(held) > 0 {
		fmt.Fprintf(p.stderr, "updates in quarantine that need a decision: %d; to list them: almanac dataset quarantined %s\n", len(held), flagText("--data", f.Data))
	}
	if round.Refused+round.Quarantined+round.Failed > 0 {
		return errReported
	}
	return nil
}

func summaryText(f roundResult) string {
	if f.Items == 0 {
		return "nothing is due"
	}
	took := time.Duration(f.Took * float64(time.Second))
	counts := statusCounts(map[string]int{
		"created": f.Created, "updated": f.Updated, "unchanged": f.Unchanged, "quarantined": f.Quarantined,
		"refused": f.Refused, "failed": f.Failed, "postponed": f.Postponed,
	})
	return fmt.Sprintf("%s in %s: %s", countOf(f.Items, "dataset"), tookText(took), strings.Join(counts, ", "))
}

// statusCounts formats the statuses that occur: "2 created", "1 failed".
func statusCounts(counts map[string]int) (texts []string) {
	for _, status := range []string{"created", "updated", "unchanged", "quarantined", "refused", "failed", "postponed"} {
		if n := counts[status]; n > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", n, status))
		}
	}
	return texts
}

type entryLine struct {
	watch.Entry
	Took float64 `json:"took_seconds"`
}

// reportEntry prints a finished item. The text leaves out unchanged items and
// names an unavailable office once: reported holds the texts printed so far.
func reportEntry(p printer, e *watch.Entry, reported map[string]bool) error {
	line, text := entryLine{*e, e.Took.Seconds()}, entryText(e)
	if e.Status == "unchanged" || reported[text] {
		return p.object(line)
	}
	reported[text] = e.Status == string(update.Postponed)
	return p.outcome(line, text+"\n", e.Error != "")
}

func entryText(e *watch.Entry) string {
	if e.Status == string(update.Postponed) {
		return fmt.Sprintf("%s: postponed: %s", cmp.Or(e.Office, e.Ref), e.Error)
	}
	if e.Error != "" {
		return fmt.Sprintf("%s: %s: %s", e.Ref, e.Status, e.Error)
	}
	text := fmt.Sprintf("%s: %s, dataset %d, version %s", e.Ref, e.Status, e.Dataset, e.Version)
	if e.Status == "updated" {
		text += fmt.Sprintf(": %d added, %d revised, %d removed", e.Added, e.Revised, e.Removed)
	}
	return fmt.Sprintf("%s; %s in %s", text, humanize.Bytes(uint64(max(0, e.Bytes))), tookText(e.Took))
}

type syncLogCmd struct {
	Ref   string `arg:"" optional:"" name:"ref" help:"Only this dataset (eurostat:une_rt_m) or office (eurostat)."`
	Limit int    `default:"50" placeholder:"N" help:"Maximum number of lines (${default})."`
}

func (c *syncLogCmd) Run(ctx context.Context, f *folder, atExit *cleanups, p printer) error {
	if c.Limit < 1 {
		return usageError{fmt.Errorf("--limit must be at least 1, not %d", c.Limit)}
	}
	watches, err := f.ProvideWatches(ctx, atExit)
	if err != nil {
		return err
	}
	entries, err := watches.Log(ctx, c.Ref, c.Limit)
	if err != nil {
		return err
	}
	if !p.json {
		return printLog(p.stdout, entries)
	}
	for _, e := range entries {
		if err := p.object(entryLine{e, e.Took.Seconds()}); err != nil {
			return err
		}
	}
	return nil
}

// printLog prints lines of the log as a table. Errors are long, so each follows
// below its line; they are inserted after the columns are aligned.
func printLog(w io.Writer, entries []watch.Entry) error {
	var lines strings.Builder
	table := newTable(&lines)
	fmt.Fprintln(table, "TIME\tREF\tSTATUS\tDATASET\tVERSION\tADDED\tREVISED\tREMOVED\tSIZE\tTOOK")
	for _, e := range entries {
		dataset := "-"
		if e.Dataset > 0 {
			dataset = strconv.Itoa(e.Dataset)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\t%s\n", toSecond(e.At), oneLine(e.Ref), e.Status, dataset, cmp.Or(e.Version, "-"),
			e.Added, e.Revised, e.Removed, humanize.Bytes(uint64(max(0, e.Bytes))), tookText(e.Took))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return writeWithErrors(w, lines.String(), func(i int) string { return entries[i].Error })
}

// writeWithErrors writes a table and below each of its lines, except the heading, its error.
func writeWithErrors(w io.Writer, table string, errorOf func(i int) string) error {
	number := -1 // the first line is the heading
	for line := range strings.Lines(table) {
		if number >= 0 && errorOf(number) != "" {
			line += "  " + strings.ReplaceAll(printable(errorOf(number)), "\n", "\n  ") + "\n"
		}
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
		number++
	}
	return nil
}
