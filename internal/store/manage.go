package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/internal/stat"
	"almanac/internal/store/catalog"
)

func (s *Store) current(ctx context.Context, id int) (*Entry, error) {
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	if e := s.Catalog().Entry(id); e != nil {
		return e, nil
	}
	return nil, s.noDataset(ctx, id)
}

// noDataset returns the error for an ID without a dataset. It says what a removed one was.
func (s *Store) noDataset(ctx context.Context, id int) error {
	was, ok, err := s.catalog.Removed(ctx, id)
	switch {
	case err != nil:
		return err
	case !ok:
		return stat.Errorf(stat.NotFound, "there is no dataset %d", id)
	}
	return stat.Errorf(stat.NotFound, "dataset %d was removed; it was %s of %s", id, was.Code, was.Source)
}

// Vintages lists the vintages of a dataset, oldest first.
func (s *Store) Vintages(ctx context.Context, id int) ([]stat.Vintage, error) {
	if _, err := s.current(ctx, id); err != nil {
		return nil, err
	}
	rows, err := s.catalog.Vintages(ctx, id)
	if err != nil {
		return nil, err
	}
	list := make([]stat.Vintage, len(rows))
	for i, r := range rows {
		list[i] = r.Vintage
	}
	return list, nil
}

// Restore publishes an earlier vintage as a new version. Labels of later vintages still
// match, and what a curator has set since, such as the licence, stays.
func (s *Store) Restore(ctx context.Context, id int, version string) (Result, error) {
	e, err := s.current(ctx, id)
	if err != nil {
		return Result{}, err
	}
	rows, err := s.catalog.Vintages(ctx, id)
	if err != nil {
		return Result{}, err
	}
	i := slices.IndexFunc(rows, func(r catalog.Vintage) bool { return r.Version == version })
	if i < 0 {
		var have []string
		for _, r := range rows {
			have = append(have, r.Version)
		}
		return Result{}, stat.Errorf(stat.NotFound, "dataset %d has no version %s; it has %s", id, version, strings.Join(have, ", "))
	}
	current, err := s.openVintage(ctx, id, e.seq)
	if err != nil {
		return Result{}, err
	}
	return s.republish(ctx, id, rows[i].Seq, func(d *stat.Dataset) error {
		keepCurated(d, current.Dataset)
		return nil
	})
}

// Edit publishes the current vintage as a new version with metadata changed by
// edit, such as a curator's name, description or default code.
func (s *Store) Edit(ctx context.Context, id int, edit func(*stat.Dataset) error) (Result, error) {
	e, err := s.current(ctx, id)
	if err != nil {
		return Result{}, err
	}
	return s.republish(ctx, id, e.seq, edit)
}

func (s *Store) republish(ctx context.Context, id, seq int, edit func(*stat.Dataset) error) (Result, error) {
	v, err := s.openVintage(ctx, id, seq)
	if err != nil {
		return Result{}, err
	}
	o, err := v.observations()
	if err != nil {
		return Result{}, err
	}
	d, err := v.whole(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := edit(d); err != nil {
		return Result{}, err
	}
	if err := checkComplete(d); err != nil {
		return Result{}, err
	}
	return s.publish(ctx, publication{contents: contents{Dataset: d, observations: o, parts: v.parts}, by: person})
}

// copyOf returns a deep copy of a dataset, because requests read the original.
func copyOf(d *stat.Dataset) (*stat.Dataset, error) {
	body, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	var c stat.Dataset
	return &c, json.Unmarshal(body, &c)
}

// Prune deletes all but the newest vintages of a dataset and returns how many it
// deleted. The current vintage is the newest.
func (s *Store) Prune(ctx context.Context, id, keep int) (pruned int, err error) {
	if keep < 1 {
		return 0, stat.Errorf(stat.Invalid, "the number of vintages to keep must be at least 1, not %d", keep)
	}
	if _, err := s.current(ctx, id); err != nil {
		return 0, err
	}
	err = s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) (err error) {
		pruned, err = ch.Prune(ctx, id, keep)
		return err
	})
	if err != nil {
		return 0, err
	}
	return pruned, errors.Join(s.sweep(ctx, id), s.refresh(ctx))
}

// sweep deletes the dataset's files that the catalogue no longer names.
func (s *Store) sweep(ctx context.Context, id int) error {
	return s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) error { return s.deleteOrphans(ctx, ch, id) })
}

// tombstone remains of a removed dataset, so that a rebuilt catalogue does not reuse its ID.
type tombstone struct {
	ID     int    `json:"id"`
	Source string `json:"source"`
	Code   string `json:"code"`
}

const tombstoneFolder = "removed/"

func tombstoneOf(id int) string { return fmt.Sprintf("%s%d.json", tombstoneFolder, id) }

// Remove deletes a dataset and its vintages. Its ID is never reused for another
// dataset; importing the same code again restores the ID.
func (s *Store) Remove(ctx context.Context, id int) error {
	e, err := s.current(ctx, id)
	if err != nil {
		return err
	}
	stone, err := s.blobs.Stage(func(to io.Writer) error {
		return json.NewEncoder(to).Encode(tombstone{ID: id, Source: e.Source, Code: e.Code})
	})
	if err != nil {
		return fmt.Errorf("removing dataset %d: %w", id, err)
	}
	defer stone.Discard()
	err = s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) error {
		_, err := ch.Prune(ctx, id, 0)
		if err := errors.Join(err, ch.DropQuarantined(ctx, id), ch.Remove(ctx, id)); err != nil {
			return err
		}
		return stone.SaveAs(tombstoneOf(id))
	})
	if err != nil {
		return err
	}
	if err := s.sweep(ctx, id); err != nil {
		return err
	}
	if err := s.deleteCharts(id); err != nil {
		return err
	}
	s.cache.forget(id)
	return s.refresh(ctx)
}
