package api

import (
	"context"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store"
)

// revisionDecimals sets how many decimals the values of revised series have in two versions.
type revisionDecimals struct {
	isWanted bool
	old, now seriesDecimals
	err      error // the first one
}

func newRevisionDecimals(old, now *store.Vintage, isWanted bool) *revisionDecimals {
	return &revisionDecimals{isWanted: isWanted, old: seriesDecimals{old, map[string]stat.Decimals{}}, now: seriesDecimals{now, map[string]stat.Decimals{}}}
}

// set sets those of a revision if they are wanted.
func (d *revisionDecimals) set(ctx context.Context, r *store.Revision) {
	if !d.isWanted || d.err != nil {
		return
	}
	if r.Old.Decimals, d.err = d.old.of(ctx, r); d.err == nil {
		r.New.Decimals, d.err = d.now.of(ctx, r)
	}
}

// seriesDecimals finds how many decimals the values of revised series have in a version.
type seriesDecimals struct {
	vintage *store.Vintage
	known   map[string]stat.Decimals // by the codes of the series
}

// of returns the decimals of the series of a revision, unknown if the version does not have it.
func (d *seriesDecimals) of(ctx context.Context, r *store.Revision) (stat.Decimals, error) {
	var ids []string
	for _, code := range r.Codes {
		ids = append(ids, code.ID)
	}
	key := strings.Join(ids, "\x00")
	known, ok := d.known[key]
	if ok {
		return known, nil
	}
	known, err := d.find(ctx, r)
	d.known[key] = known
	return known, err
}

func (d *seriesDecimals) find(ctx context.Context, r *store.Revision) (known stat.Decimals, err error) {
	axes := d.vintage.Dataset.Axes()
	q := stat.Query{Select: make([][]int32, len(axes)), LastN: 1}
	for axis, dimension := range r.Dataset.Axes() {
		if axis >= len(axes) || axes[axis].ID != dimension.ID {
			return 0, nil
		}
		position, ok := d.vintage.Position(axis, r.Codes[axis].ID)
		if !ok {
			return 0, nil
		}
		q.Select[axis] = []int32{position}
	}
	extract, err := d.vintage.Select(ctx, q)
	if err != nil {
		return 0, err
	}
	for block, err := range extract.Blocks {
		if err != nil {
			return 0, err
		}
		known = max(known, block.Decimals)
	}
	return known, nil
}
