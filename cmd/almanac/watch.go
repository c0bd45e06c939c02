package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
func (c *watchAddCmd) Run(ctx context.Context, w *watchCmd, out streams) (err error) {
	k, err := c.openKeeping(ctx, w.Data, update.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, k.close()) }()
	failed := false
	for _, ref := range c.Refs {
		datasets, err := k.keeper.Watch(ctx, ref, time.Duration(c.Every))
		if ctx.Err() != nil {
			return errors.New("interrupted: the references that are left are not watched")
		}
		if err != nil {
			failed = true
			tellError(out.stderr, errors.New(printable(err.Error())))
			continue
		}
		if err := c.tell(w, out, watch.Watch{Ref: ref, Items: datasets, Every: time.Duration(c.Every)}); err != nil {
			return err
		}
	}
	if failed {
		return errReported
	}
	fmt.Fprintf(out.stderr, "to bring them now: almanac sync %s; by themselves: almanac serve %[1]s --sync\n", flagText("--data", w.Data))
	return nil
}

func (c *watchAddCmd) tell(w *watchCmd, out streams, added watch.Watch) error {
	return printMade(&w.folder, out, struct {
		Ref      string `json:"ref"`
		Datasets int    `json:"datasets"`
		Every    string `json:"every,omitempty"`
	}{added.Ref, added.Items, everyText(added.Every)}, fmt.Sprintf("%s: watched, %s", printable(added.Ref), countOf(added.Items, "dataset")))
}

// withWatches runs do on the watches in a folder. Whoever looks for watches
// where none are has mistaken the folder, and nothing is to be made in it.
func withWatches(ctx context.Context, dir string, do func(*watch.DB) error) (err error) {
	if _, err := os.Stat(filepath.Join(dir, watch.File)); err != nil {
		return errNothingWatched(dir)
	}
	db, err := watch.Open(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return do(db)
}

type watchListCmd struct{}

// Run lists the watches.
func (*watchListCmd) Run(ctx context.Context, w *watchCmd, out streams) error {
	return withWatches(ctx, w.Data, func(db *watch.DB) error {
		watches, err := db.List(ctx)
		if err != nil {
			return err
		}
		listed := make([]listedWatch, len(watches))
		for i, one := range watches {
			listed[i] = listedWatch{one, everyText(one.Every)}
		}
		err = printList(&w.folder, out, "REF\tDATASETS\tEVERY\tADDED", listed, func(l listedWatch) string {
			return fmt.Sprintf("%s\t%d\t%s\t%s", oneLine(l.Ref), l.Items, cmp.Or(l.Rhythm, "-"), toSecond(l.Added))
		})
		for _, l := range listed {
			if l.Error != "" && !w.JSON {
				fmt.Fprintf(out.stderr, "%s goes on standing for what it did: %s\n", oneLine(l.Ref), printable(l.Error))
			}
		}
		return err
	})
}

// listedWatch is a watch with how often it looks, as people write it.
type listedWatch struct {
	watch.Watch
	Rhythm string `json:"every,omitempty"`
}

type watchRemoveCmd struct {
	Refs []string `arg:"" name:"ref" help:"What is not to be watched any more, as watch list has it."`
}

// Run takes watches away.
func (c *watchRemoveCmd) Run(ctx context.Context, w *watchCmd, out streams) error {
	return withWatches(ctx, w.Data, func(db *watch.DB) error {
		failed := false
		for _, ref := range c.Refs {
			if err := db.Remove(ctx, ref); err != nil {
				failed = true
				tellError(out.stderr, err)
				continue
			}
			if err := printMade(&w.folder, out, struct {
				Ref    string `json:"ref"`
				Status string `json:"status"`
			}{ref, "removed"}, printable(ref)+": watched no longer; its datasets stay"); err != nil {
				return err
			}
		}
		if failed {
			return errReported
		}
		return nil
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
