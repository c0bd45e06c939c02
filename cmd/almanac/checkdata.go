package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"almanac/internal/store"
	"almanac/internal/watch"
)

type checkCmd struct {
	folder
	Repair bool `env:"-" help:"Have the damaged datasets that are watched fetched again."`
}

// damageLine is a damaged version in JSON.
type damageLine struct {
	ID      int    `json:"id"`
	Code    string `json:"code"`
	Version string `json:"version"`
	Status  string `json:"status"` // damaged, or refetched: a sync will fetch it
	Error   string `json:"error"`
}

// Run reads the files of all versions and prints the damaged ones.
func (c *checkCmd) Run(ctx context.Context, s *store.Store, atExit *cleanups, p printer) error {
	var watches *watch.DB
	if c.Repair {
		var err error
		if watches, err = openWatches(ctx, atExit, c.in(c.Data)); err != nil {
			return err
		}
	}
	versions, damaged := 0, 0
	for v, err := range s.Check(ctx) {
		if err != nil {
			return fmt.Errorf("interrupted after %s: %w", countOf(versions, "version"), err)
		}
		if versions++; v.Err == nil {
			continue
		}
		damaged++
		line, text, err := c.damage(ctx, watches, &v)
		if err != nil {
			return err
		}
		if err := p.outcome(line, text, true); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.stderr, "%s read, %d damaged\n", countOf(versions, "version"), damaged)
	if damaged > 0 {
		return errReported
	}
	return nil
}

// damage returns what is printed of a damaged version. With --repair, it has the dataset fetched again.
func (c *checkCmd) damage(ctx context.Context, watches *watch.DB, v *store.Checked) (line damageLine, text string, err error) {
	line = damageLine{v.ID, v.Code, v.Version, "damaged", v.Err.Error()}
	then := "; the version before is served until the same data are imported again"
	switch {
	case !v.IsCurrent:
		then = "; it is an earlier version, which no import brings back"
	case watches != nil:
		isWatched, err := watches.Refetch(ctx, v.ID)
		if err != nil {
			return line, "", err
		}
		if isWatched {
			line.Status, then = "refetched", "; the next sync fetches it again"
		}
	}
	return line, fmt.Sprintf("dataset %d (%s), version %s: %s%s\n", v.ID, v.Code, v.Version, line.Error, then), nil
}

// How a server looks for damage: one file after the other, with pauses that leave the disk and
// the processor to callers.
const (
	checkAfter = 10 * time.Minute // the first round, since the start of a server is busy
	checkEvery = 24 * time.Hour   // from the start of a round to that of the next
	checkPause = 200 * time.Millisecond
	checkShare = 100 // a pause is at least so many times as long as reading took
)

// findDamage reads the files of all versions again and again, and has damaged datasets that are
// watched fetched again, until ctx ends.
func findDamage(ctx context.Context, s *store.Store, watches *watch.DB, log *slog.Logger) {
	wait(ctx, checkAfter)
	for ctx.Err() == nil {
		began, at := time.Now(), time.Now()
		for v, err := range s.Check(ctx) {
			if err != nil {
				if ctx.Err() == nil {
					log.Error("looking for damaged versions", "error", err)
				}
				break
			}
			if v.Err != nil && v.IsCurrent && watches != nil {
				if _, err := watches.Refetch(ctx, v.ID); err != nil {
					log.Error("fetching a damaged dataset again", "dataset", v.ID, "error", err)
				}
			}
			if !wait(ctx, max(checkPause, checkShare*time.Since(at))) {
				return
			}
			at = time.Now()
		}
		wait(ctx, time.Until(began.Add(checkEvery)))
	}
}

// wait waits. It reports false if ctx has ended.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
