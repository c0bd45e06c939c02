package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"almanac/internal/store/catalog"
)

// rebuild makes the catalog's rows from the vintage files alone. It is called
// by Open when the catalog has no generation yet but files are there. What a
// curator or an office set is in the files; only the remembered dictionary
// folders are not.
func (s *Store) rebuild(ctx context.Context) error {
	keys, err := s.blobs.List("")
	if err != nil || len(keys) == 0 {
		return err
	}
	return s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) error {
		// Another process may have been first; it cannot go on while this one
		// holds the lock, so the files are those of the rows.
		if empty, err := ch.Empty(ctx); err != nil || !empty {
			return err
		}
		if keys, err = s.blobs.List(""); err != nil {
			return err
		}
		s.log.Warn("the catalog is empty: rebuilding it from the vintage files", "files", len(keys))
		for _, key := range keys { // in order: a dataset's vintages from old to new
			if strings.HasPrefix(key, tombstoneFolder) {
				err = s.rebuildRemoved(ctx, ch, key)
			} else {
				err = s.rebuildVintage(ctx, ch, key)
			}
			if err != nil {
				return fmt.Errorf("rebuilding the catalog from %s: %w; to go on without it, take the file out of the folder of vintages", key, err)
			}
		}
		return nil
	})
}

func (s *Store) rebuildVintage(ctx context.Context, ch *catalog.Change, key string) error {
	b, err := s.blobs.Open(key)
	if err != nil {
		return err
	}
	defer b.Close()
	f, err := openFile(b, b.Size)
	if err != nil {
		return err
	}
	d, info, err := readInfo(f)
	if err != nil {
		return err
	}
	row, lists, err := catalogRow(d, info)
	if err != nil {
		return err
	}
	for digest, codes := range lists {
		if err := ch.PutCodeList(ctx, digest, codes); err != nil {
			return err
		}
	}
	if err := ch.SetCurrent(ctx, listing(d), row); err != nil {
		return err
	}
	return ch.AddVintage(ctx, d.ID, row)
}

func (s *Store) rebuildRemoved(ctx context.Context, ch *catalog.Change, key string) error {
	b, err := s.blobs.Open(key)
	if err != nil {
		return err
	}
	defer b.Close()
	var t tombstone
	if err := json.NewDecoder(b).Decode(&t); err != nil {
		return err
	}
	return ch.Removed(ctx, catalog.Dataset{ID: t.ID, Source: t.Source, Code: t.Code})
}
