package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// rebuild creates the catalogue's rows from the vintage files if the catalogue has no
// vintages. It cannot restore what is not in the files: dictionaries, remembered
// options and folders, and rejections.
func (s *Store) rebuild(ctx context.Context) error {
	keys, err := s.blobs.List("")
	if err != nil || len(keys) == 0 {
		return err
	}
	current := map[int]*vintageInfo{} // by dataset
	return s.catalog.Change(ctx, s.now(), func(ch *catalog.Change) error {
		// Another process may have been faster. While this one holds the lock, the
		// files do not change.
		if empty, err := ch.IsEmpty(ctx); err != nil || !empty {
			return err
		}
		if keys, err = s.blobs.List(""); err != nil {
			return err
		}
		s.log.Warn("the catalogue is empty: rebuilding it from the vintage files", "files", len(keys))
		for _, key := range keys { // sorted: the vintages of a dataset from old to new
			switch {
			case strings.HasPrefix(key, tombstoneFolder):
				err = s.rebuildRemoved(ctx, ch, key)
			case strings.HasPrefix(key, settingsFolder):
				err = s.rebuildSetting(ctx, ch, key)
			default:
				err = s.rebuildVintage(ctx, ch, key, current)
			}
			if err != nil {
				return fmt.Errorf("rebuilding the catalogue from %s: %w; to continue without the file, move it out of the folder of vintages", key, err)
			}
		}
		return s.rebuildQuarantine(ctx, ch, current)
	})
}

func (s *Store) rebuildVintage(ctx context.Context, ch *catalog.Change, key string, current map[int]*vintageInfo) error {
	f, err := openVintageFile(s.blobs, key, blob.Part)
	if err != nil {
		return err
	}
	defer f.blob.Close()
	row, err := catalogRow(f.dataset, f.info)
	if err != nil {
		return err
	}
	current[f.dataset.ID] = f.info
	return ch.AddVintage(ctx, listing(f.dataset, f.info), row)
}

// rebuildQuarantine creates the rows of each dataset's newest quarantined vintage
// unless accepted. It skips unreadable files: the next update replaces them.
func (s *Store) rebuildQuarantine(ctx context.Context, ch *catalog.Change, current map[int]*vintageInfo) error {
	keys, err := s.quarantine.List("")
	if err != nil {
		return err
	}
	since := map[int]time.Time{}
	for _, key := range keys {
		f, err := openVintageFile(s.quarantine, key, blob.Part)
		if err == nil {
			f.blob.Close()
			if f.info.Quarantine == nil {
				err = errors.New("the file does not state why it was quarantined")
			}
		}
		if err != nil {
			s.log.Warn("skipping an unreadable file in quarantine", "file", key, "error", err)
			continue
		}
		d, info := f.dataset, f.info
		if now := current[d.ID]; now == nil || now.Digest == info.Digest || info.Imported.Before(now.Imported) || info.Imported.Before(since[d.ID]) {
			continue
		}
		since[d.ID] = info.Imported
		row, err := newQuarantined(d, info).row(info.Digest, key)
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
	var t tombstone
	if err := s.readJSON(key, &t); err != nil {
		return err
	}
	return ch.ReserveID(ctx, catalog.Dataset{ID: t.ID, Source: t.Source, Code: t.Code})
}
