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

// serveAndSync answers requests until ctx ends. With --sync it also keeps the
// watched datasets up to date.
func (c *serveCmd) serveAndSync(ctx context.Context, open *closers, o api.Options, stderr io.Writer) error {
	table, err := c.table(c.Data, string(c.BaseURL), o.Log)
	if err != nil {
		return err
	}
	updater, using, err := c.openUpdater(ctx, open, c.Data, update.Options{Store: o.Store, Sources: table, Log: o.Log, Notify: logEvents(o.Log)})
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
		// A failure leaves the server running: it still serves what is stored.
		if err := updater.Run(syncing); err != nil && syncing.Err() == nil {
			o.Log.Error("updates have stopped; restart the server to resume them", "error", err)
		}
	})
	defer running.Wait()
	defer stop() // the server may have failed
	return c.serve(ctx, o, stderr)
}

// logEvents logs each finished item, unless nothing changed. The updater itself
// logs that an office is unavailable.
func logEvents(log *slog.Logger) func(update.Event) {
	return func(e update.Event) {
		if e.Stage != update.Finished || e.Entry == nil || e.Entry.Status == "unchanged" {
			return
		}
		attributes := []any{"ref", e.Ref, "status", e.Entry.Status, "took", e.Entry.Took.Round(time.Millisecond).String()}
		if e.Entry.Error != "" {
			log.Warn("updating a dataset failed", append(attributes, "error", e.Entry.Error)...)
			return
		}
		log.Info("dataset updated", append(attributes, "dataset", e.Entry.Dataset, "version", e.Entry.Version,
			"added", e.Entry.Added, "revised", e.Entry.Revised, "removed", e.Entry.Removed)...)
	}
}
