package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
	"almanac/internal/store/catalog"
)

// repair writes the file of the current vintage again, if it is damaged, from a publication of the
// same data. It reports whether it did.
func (s *Store) repair(ctx context.Context, p publication) (bool, error) {
	if err := p.previous.verify(); !errors.Is(err, ErrDamaged) {
		return false, err
	}
	return s.rewriteDamaged(ctx, p.previous, p.observations)
}

// repairFromMemory writes the file of a damaged vintage again, if its observations are in memory. It
// reports whether it did.
func (s *Store) repairFromMemory(ctx context.Context, v *Vintage) bool {
	var c *columns
	for _, isEarlier := range []bool{false, true} {
		key := damageKey(v)
		key.isEarlier = isEarlier
		if open := s.cache.vintage(key); c == nil && open != nil {
			c = open.columns.Load()
		}
	}
	if c == nil {
		return false
	}
	o := inMemory(c)
	if digest, err := v.digestWith(ctx, o); err != nil || digest != v.Digest {
		return false // it is not sure that these are the data
	}
	isRepaired, err := s.rewriteDamaged(ctx, v, o)
	if err != nil {
		s.log.Error("repairing a version from memory", "error", err)
	}
	return isRepaired
}

// rewriteDamaged writes the file of a damaged vintage again from its observations.
func (s *Store) rewriteDamaged(ctx context.Context, v *Vintage, o *observations) (bool, error) {
	ok, err := s.rewrite(ctx, v, o, v.Dataset.Updated)
	if err != nil {
		return false, fmt.Errorf("writing the damaged file of dataset %d, version %s, again: %w", v.Dataset.ID, v.Version, err)
	}
	if ok {
		s.log.Info("the damaged file of a version was written again", "dataset", v.Dataset.ID, "version", v.Version)
	}
	return ok, nil
}

// Undate removes a time of update that is not that of the data from the versions of a dataset that
// have it, and returns these versions. Their data and digests stay.
func (s *Store) Undate(ctx context.Context, id int, updated time.Time) (versions []string, err error) {
	rows, err := s.catalog.Vintages(ctx, id)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if at, err := time.Parse(time.RFC3339, row.LastUpdate); err != nil || !at.Equal(updated) {
			continue
		}
		v, err := s.openVintage(ctx, id, row.Seq)
		if err != nil {
			return versions, err
		}
		if !v.Dataset.Updated.Equal(updated) {
			continue // imported at that time
		}
		o, err := v.observations()
		if err != nil {
			return versions, err
		}
		if ok, err := s.rewrite(ctx, v, o, time.Time{}); err != nil {
			return versions, fmt.Errorf("removing the time of update of dataset %d, version %s: %w", id, v.Version, err)
		} else if ok {
			versions = append(versions, v.Version)
		}
	}
	if versions != nil {
		s.published.Add(1)
	}
	return versions, nil
}

// rewrite writes the file of a vintage again from its observations, with a time of update. It
// returns false if there is no such vintage.
func (s *Store) rewrite(ctx context.Context, v *Vintage, o *observations, updated time.Time) (bool, error) {
	id := v.Dataset.ID
	row, ok, err := s.catalog.Vintage(ctx, id, v.seq)
	if err != nil || !ok {
		return false, err
	}
	var packed structure
	if err := json.Unmarshal(row.Structure, &packed); err != nil {
		return false, fmt.Errorf("reading the structure of dataset %d, version %s: %w", id, v.Version, err)
	}
	d, err := v.whole(ctx)
	if err != nil {
		return false, err
	}
	d.Updated, packed.Dataset.Updated = updated, updated
	packed.Info.LastUpdate = lastUpdate(d, packed.Info.Imported)
	row.LastUpdate = packed.Info.LastUpdate.Format(time.RFC3339)
	again := publication{contents: contents{Dataset: d, observations: o, parts: v.parts}, info: packed.Info}
	staged, err := again.stage(s.blobs)
	if err != nil {
		return false, err
	}
	defer staged.Discard()
	packed.FileDigest = again.info.fileDigest // another one, if another version of the program wrote the file
	if row.Structure, err = json.Marshal(packed); err != nil {
		return false, err
	}
	err = s.catalog.Change(ctx, s.timestamp(), func(ch *catalog.Change) error {
		if now, ok, err := ch.Vintage(ctx, id, v.seq); err != nil || !ok || now.File != row.File {
			return errors.Join(err, errOvertaken)
		}
		if err := ch.SetStructure(ctx, id, row); err != nil {
			return err
		}
		return staged.Replace(row.File)
	})
	if err != nil {
		return false, err
	}
	s.damages.end(damageKey(v))
	s.cache.forget(id)
	return true, nil
}

// digestWith returns the digest of the vintage with observations.
func (v *Vintage) digestWith(ctx context.Context, o *observations) (string, error) {
	d, err := v.whole(ctx)
	if err != nil {
		return "", err
	}
	return digestOf(d, o)
}

// whole returns a copy of the dataset with its texts in all languages.
func (v *Vintage) whole(ctx context.Context) (*stat.Dataset, error) {
	d, err := copyOf(v.Dataset)
	if err != nil {
		return nil, err
	}
	d.Translations, err = v.Translations(ctx)
	return d, err
}

// readList returns the JSON of a code list of the vintage with a file. If the one in the catalogue is
// damaged, it stores the lists of the file again.
func (s *Store) readList(ctx context.Context, file, digest string) ([]byte, error) {
	list, err := s.catalog.CodeList(ctx, digest)
	if errors.Is(err, catalog.ErrDamagedList) {
		if err := s.repairLists(ctx, file); err != nil {
			return nil, err
		}
		list, err = s.catalog.CodeList(ctx, digest)
	}
	return list, err
}

func (s *Store) repairLists(ctx context.Context, file string) error {
	f, err := openVintageFile(s.blobs, file, blob.Part)
	if err != nil {
		return fmt.Errorf("repairing code lists: %w", err)
	}
	defer f.blob.Close()
	row, err := catalogRow(f.dataset, f.info)
	if err != nil {
		return err
	}
	s.log.Error("code lists in the catalogue are damaged; they are stored again from the file of the version", "dataset", f.dataset.ID, "version", f.info.Version)
	return s.catalog.ChangeQuietly(ctx, func(ch *catalog.Change) error { return ch.SetCodeLists(ctx, row.CodeLists) })
}
