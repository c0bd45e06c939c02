package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/update"
	"almanac/internal/watch"
)

type watchCmd struct {
	folder

	Add    watchAddCmd    `cmd:"" help:"Keep datasets of an office up to date."`
	List   watchListCmd   `cmd:"" help:"List what is watched."`
	Remove watchRemoveCmd `cmd:"" help:"Stop watching. The datasets stay in the store."`
}

type watchAddCmd struct {
	network
	Every every    `placeholder:"SPAN" help:"How often to check for updates, such as 6h or 7d; default: as the office updates the data."`
	Refs  []string `arg:"" name:"ref" help:"What to watch: a dataset (eurostat:une_rt_m), a pattern (eurostat:nama_*), a theme or folder (eurostat:theme/na10, scb:BE/*), or the URL of a file."`
}

// Run adds watches. A failure does not stop the others.
func (c *watchAddCmd) Run(ctx context.Context, f *folder, atExit *cleanups, p printer) error {
	updater, o, err := c.openUpdater(ctx, atExit, f.in(f.Data), update.Options{})
	if err != nil {
		return err
	}
	err = p.each(ctx, o.Sources.JoinParts(c.Refs), func(ref string) error { return c.add(ctx, updater, o.Watches, ref, p) })
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "to update them now: almanac sync %s; to update them in the background: almanac serve %[1]s --sync\n", flagText("--data", f.Data))
	return nil
}

// add watches a reference, together with the watched parts of the same dataset.
func (c *watchAddCmd) add(ctx context.Context, updater *update.Updater, watches *watch.DB, ref string, p printer) error {
	ref, parts, err := updater.JoinWatched(ctx, ref)
	if err != nil {
		return err
	}
	every, joined := time.Duration(c.Every), ""
	for _, part := range parts {
		every = cmp.Or(every, part.Every)
		joined += "; joined with " + printable(part.Ref) + ", whose dataset stays in the store as it is"
	}
	datasets, err := updater.Watch(ctx, ref, every)
	for _, part := range parts {
		if err == nil {
			err = watches.Remove(ctx, part.Ref)
		}
	}
	if err != nil {
		return err
	}
	return p.result(struct {
		Ref      string `json:"ref"`
		Datasets int    `json:"datasets"`
		Every    string `json:"every,omitempty"`
	}{ref, datasets, spanText(every)}, fmt.Sprintf("%s: watched, %s%s", printable(ref), countOf(datasets, "dataset"), joined))
}

type watchListCmd struct{}

func (*watchListCmd) Run(ctx context.Context, watches *watch.DB, p printer) error {
	list, err := watches.List(ctx)
	if err != nil {
		return err
	}
	lines := make([]watchLine, len(list))
	for i, w := range list {
		lines[i] = watchLine{w, spanText(w.Every)}
	}
	err = printList(p, "REF\tDATASETS\tEVERY\tADDED", lines, func(l watchLine) string {
		return fmt.Sprintf("%s\t%d\t%s\t%s", oneLine(l.Ref), l.Items, cmp.Or(l.Interval, "-"), toSecond(l.Added))
	})
	for _, l := range lines {
		if l.Error != "" && !p.json {
			fmt.Fprintf(p.stderr, "the datasets of %s are as before: %s\n", oneLine(l.Ref), printable(l.Error))
		}
	}
	return err
}

type watchLine struct {
	watch.Watch
	Interval string `json:"every,omitempty"`
}

type watchRemoveCmd struct {
	Refs []string `arg:"" name:"ref" help:"What to stop watching, as shown by watch list."`
}

func (c *watchRemoveCmd) Run(ctx context.Context, watches *watch.DB, p printer) error {
	return p.each(ctx, c.Refs, func(ref string) error {
		if err := watches.Remove(ctx, ref); err != nil {
			return err
		}
		return p.result(change{Ref: ref, Status: "removed"}, printable(ref)+": no longer watched; its datasets stay")
	})
}

type every time.Duration

// minEvery protects offices from too frequent requests.
const minEvery = time.Minute

// UnmarshalText reads a duration such as 6h, 90m or 7d.
func (e *every) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if days, isDays := strings.CutSuffix(string(text), "d"); isDays {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		span = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || span < minEvery {
		return fmt.Errorf("invalid interval %q; use a duration such as 90m, 6h or 7d, at least %s", text, spanText(minEvery))
	}
	*e = every(span)
	return nil
}
