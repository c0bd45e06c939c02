package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"almanac/internal/api"
	"almanac/internal/format/office"
	"almanac/internal/stat"
	"almanac/internal/update"
)

// serveAndSync answers from what o has opened until ctx ends, and knows of what
// is watched; with --sync it keeps that up to date meanwhile.
func (c *serveCmd) serveAndSync(ctx context.Context, open *closers, o api.Options, stderr io.Writer) error {
	table, err := c.table(c.Data, string(c.BaseURL), o.Log)
	if err != nil {
		return err
	}
	keeper, using, err := c.openKeeper(ctx, open, c.Data, update.Options{Store: o.Store, Sources: table, Log: o.Log, Tell: logEvents(o.Log)})
	if err != nil {
		return err
	}
	o.Watches, o.Offices = using.Watches, map[string]stat.Source{}
	for _, row := range table.Offices() {
		o.Offices[row.ID] = office.Find(row.Name)
	}
	if !c.Sync {
		return c.serve(ctx, o, stderr)
	}
	syncing, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		// A failure leaves the server running: what it has it goes on serving.
		if err := keeper.Run(syncing); err != nil && syncing.Err() == nil {
			o.Log.Error("nothing is kept up to date any more; to begin again, restart the server", "error", err)
		}
	})
	defer running.Wait()
	defer stop() // the server may have failed by itself
	return c.serve(ctx, o, stderr)
}

// logEvents writes a line of the log for each item that is finished, unless
// nothing changed. That an office is out the keeper logs itself.
func logEvents(log *slog.Logger) func(update.Event) {
	return func(e update.Event) {
		if e.Stage != update.Finished || e.Entry == nil || e.Entry.Status == "unchanged" {
			return
		}
		attributes := []any{"ref", e.Ref, "status", e.Entry.Status, "took", e.Entry.Took.Round(time.Millisecond).String()}
		if e.Entry.Error != "" {
			log.Warn("a dataset could not be brought up to date", append(attributes, "error", e.Entry.Error)...)
			return
		}
		log.Info("brought up to date", append(attributes, "dataset", e.Entry.Dataset, "version", e.Entry.Version,
			"added", e.Entry.Added, "revised", e.Entry.Revised, "removed", e.Entry.Removed)...)
	}
}
