package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/internal/store/catalog"
)

// rebuild makes the catalog's rows from the vintage files alone. It is called
// by Open when the catalog has no generation yet but files are there. What a
// curator or an office set is in the files; only the remembered dictionary
// folders and what was rejected are not.
func (s *Store) rebuild(ctx context.Context) error {
	keys, err := s.blobs.List("")
	if err != nil || len(keys) == 0 {
		return err
	}
	current := map[int]*vintageInfo{} // by dataset
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
				err = s.rebuildVintage(ctx, ch, key, current)
			}
			if err != nil {
				return fmt.Errorf("rebuilding the catalog from %s: %w; to go on without it, take the file out of the folder of vintages", key, err)
			}
		}
		return s.rebuildQuarantine(ctx, ch, current)
	})
}

func (s *Store) rebuildVintage(ctx context.Context, ch *catalog.Change, key string, current map[int]*vintageInfo) error {
	f, err := openVintageFile(s.blobs, key)
	if err != nil {
		return err
	}
	defer f.close()
	row, lists, err := catalogRow(f.dataset, f.info)
	if err != nil {
		return err
	}
	current[f.dataset.ID] = f.info
	return addVintage(ctx, ch, f.dataset, row, lists)
}

// rebuildQuarantine makes the rows of what waits in quarantine: of each dataset
// what was held last. What is current has been accepted. A file that cannot be
// read is left out: the office's next update takes its place.
func (s *Store) rebuildQuarantine(ctx context.Context, ch *catalog.Change, current map[int]*vintageInfo) error {
	keys, err := s.quarantine.List("")
	if err != nil {
		return err
	}
	since := map[int]time.Time{}
	for _, key := range keys {
		f, err := openVintageFile(s.quarantine, key)
		if err == nil {
			f.close()
			if f.info.Held == nil {
				err = errors.New("it does not say why it is held")
			}
		}
		if err != nil {
			s.log.Warn("a file in quarantine cannot be read and is left out", "file", key, "error", err)
			continue
		}
		d, info := f.dataset, f.info
		if serves := current[d.ID]; serves == nil || serves.Digest == info.Digest || info.Imported.Before(serves.Imported) || info.Imported.Before(since[d.ID]) {
			continue
		}
		since[d.ID] = info.Imported
		row, err := newHeld(d, info).row(info.Digest, key)
		if err != nil {
			return err
		}
		if err := ch.PutQuarantined(ctx, row); err != nil {
			return err
		}
	}
	return nil
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
