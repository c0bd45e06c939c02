package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"almanac/internal/api"
	"almanac/internal/update"
)

// serveAndSync answers from what o has opened until ctx ends, and knows of what
// is watched; with --sync it keeps that up to date meanwhile.
func (c *serveCmd) serveAndSync(ctx context.Context, o api.Options, stderr io.Writer) error {
	table, err := c.table(c.Data, string(c.BaseURL), o.Log)
	if err != nil {
		return err
	}
	k, err := c.openKeeping(ctx, c.Data, update.Options{Store: o.Store, Sources: table, Log: o.Log, Tell: logEvents(o.Log)})
	if err != nil {
		return err
	}
	o.Watches, o.Offices = k.watches, sourcesOf(table)
	syncing, stop := context.WithCancel(ctx)
	ended := c.startSync(syncing, k, o.Log)
	err = c.serve(ctx, o, stderr)
	stop() // the server may have failed by itself
	<-ended
	return errors.Join(err, k.close())
}

// startSync keeps what is watched up to date until ctx ends, if --sync asks for
// it. The channel is closed when nothing is done any more. A failure leaves the
// server running: what it has it goes on serving.
func (c *serveCmd) startSync(ctx context.Context, k *keeping, log *slog.Logger) <-chan struct{} {
	ended := make(chan struct{})
	if !c.Sync {
		close(ended)
		return ended
	}
	go func() {
		defer close(ended)
		if err := k.keeper.Run(ctx); err != nil && ctx.Err() == nil {
			log.Error("nothing is kept up to date any more; to begin again, restart the server", "error", err)
		}
	}()
	return ended
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
