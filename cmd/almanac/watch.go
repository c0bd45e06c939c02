package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"almanac/internal/update"
	"almanac/internal/watch"
)

// watchCmd is `almanac watch` with its commands.
type watchCmd struct {
	folder

	Add    watchAddCmd    `cmd:"" help:"Say which datasets of which office are to be kept up to date."`
	List   watchListCmd   `cmd:"" help:"List what is kept up to date."`
	Remove watchRemoveCmd `cmd:"" help:"Keep something up to date no longer. Its datasets stay in the store."`
}

type watchAddCmd struct {
	network
	Every every    `placeholder:"SPAN" help:"How often the office is asked, such as 6h or 7d; by the source's own rhythm if not given."`
	Refs  []string `arg:"" name:"ref" help:"What to watch: a dataset (eurostat:une_rt_m), a pattern (eurostat:nama_*), a theme or folder (eurostat:theme/na10, scb:BE/*), or an address of a file."`
}

// Run adds watches. One that cannot be added does not keep the others out.
func (c *watchAddCmd) Run(ctx context.Context, f *folder, open *closers, p printer) error {
	keeper, _, err := c.openKeeper(ctx, open, f.Data, update.Options{})
	if err != nil {
		return err
	}
	failed := false
	for _, ref := range c.Refs {
		datasets, err := keeper.Watch(ctx, ref, time.Duration(c.Every))
		if ctx.Err() != nil {
			return errors.New("interrupted: the references that are left are not watched")
		}
		if err != nil {
			failed = true
			tellError(p.stderr, errors.New(printable(err.Error())))
			continue
		}
		if err := p.result(struct {
			Ref      string `json:"ref"`
			Datasets int    `json:"datasets"`
			Every    string `json:"every,omitempty"`
		}{ref, datasets, everyText(time.Duration(c.Every))}, fmt.Sprintf("%s: watched, %s", printable(ref), countOf(datasets, "dataset"))); err != nil {
			return err
		}
	}
	if failed {
		return errReported
	}
	fmt.Fprintf(p.stderr, "to bring them now: almanac sync %s; by themselves: almanac serve %[1]s --sync\n", flagText("--data", f.Data))
	return nil
}

type watchListCmd struct{}

// Run lists the watches.
func (*watchListCmd) Run(ctx context.Context, watches *watch.DB, p printer) error {
	list, err := watches.List(ctx)
	if err != nil {
		return err
	}
	lines := make([]watchLine, len(list))
	for i, w := range list {
		lines[i] = watchLine{w, everyText(w.Every)}
	}
	err = printList(p, "REF\tDATASETS\tEVERY\tADDED", lines, func(l watchLine) string {
		return fmt.Sprintf("%s\t%d\t%s\t%s", oneLine(l.Ref), l.Items, cmp.Or(l.Rhythm, "-"), toSecond(l.Added))
	})
	for _, l := range lines {
		if l.Error != "" && !p.json {
			fmt.Fprintf(p.stderr, "%s goes on standing for what it did: %s\n", oneLine(l.Ref), printable(l.Error))
		}
	}
	return err
}

// watchLine is a watch with how often it looks, as people write it.
type watchLine struct {
	watch.Watch
	Rhythm string `json:"every,omitempty"`
}

type watchRemoveCmd struct {
	Refs []string `arg:"" name:"ref" help:"What is not to be watched any more, as watch list has it."`
}

// Run takes watches away.
func (c *watchRemoveCmd) Run(ctx context.Context, watches *watch.DB, p printer) error {
	return p.each(c.Refs, func(ref string) error {
		if err := watches.Remove(ctx, ref); err != nil {
			return err
		}
		return p.result(struct {
			Ref    string `json:"ref"`
			Status string `json:"status"`
		}{ref, "removed"}, printable(ref)+": watched no longer; its datasets stay")
	})
}

// every is a span of time between two questions to an office.
type every time.Duration

// leastEvery keeps installations from asking an office without end.
const leastEvery = time.Minute

// UnmarshalText reads a span such as 6h, 90m or 7d.
func (e *every) UnmarshalText(text []byte) error {
	span, err := time.ParseDuration(string(text))
	if days, isDays := strings.CutSuffix(string(text), "d"); isDays {
		var n uint64
		n, err = strconv.ParseUint(days, 10, 16)
		span = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || span < leastEvery {
		return fmt.Errorf("%q is no span between two questions: it is written as 90m, 6h or 7d, and is at least %s", text, spanText(leastEvery))
	}
	*e = every(span)
	return nil
}

// everyText writes a span as the flag takes it; empty for none.
func everyText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return spanText(d)
}

// spanText writes a span in its largest whole unit: 7d, 6h, 90m, 45s, 1m30s.
func spanText(d time.Duration) string {
	for _, unit := range []struct {
		span time.Duration
		name string
	}{{24 * time.Hour, "d"}, {time.Hour, "h"}, {time.Minute, "m"}, {time.Second, "s"}} {
		if d >= unit.span && d%unit.span == 0 {
			return fmt.Sprintf("%d%s", d/unit.span, unit.name)
		}
	}
	return d.String()
}
