package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/internal/store/catalog"
)

// repair writes the file of the current vintage again, if it is damaged, from a publication of the
// same data. It reports whether it did.
func (s *Store) repair(ctx context.Context, p publication) (bool, error) {
	v := p.previous
	if err := v.verify(); !errors.Is(err, ErrDamaged) {
		return false, err
	}
	row, ok, err := s.catalog.Vintage(ctx, p.ID, v.seq)
	if err != nil || !ok {
		return false, err
	}
	var packed structure
	if err := json.Unmarshal(row.Structure, &packed); err != nil {
		return false, fmt.Errorf("reading the structure of dataset %d, version %s: %w", p.ID, v.Version, err)
	}
	d, err := copyOf(v.Dataset)
	if err != nil {
		return false, err
	}
	if d.Translations, err = v.Translations(ctx); err != nil {
		return false, err
	}
	again := publication{contents: contents{Dataset: d, observations: p.observations, parts: v.parts}, info: packed.Info}
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
		if current, err := ch.Current(ctx, p.ID); err != nil || current != v.seq {
			return errors.Join(err, errOvertaken)
		}
		if err := ch.SetStructure(ctx, p.ID, v.seq, row.Structure); err != nil {
			return err
		}
		return staged.Replace(row.File)
	})
	if err != nil {
		return false, fmt.Errorf("writing the damaged file of dataset %d, version %s, again: %w", p.ID, v.Version, err)
	}
	s.damages.end(damageKey(v))
	s.cache.forget(p.ID)
	s.log.Info("the damaged file of a version was written again", "dataset", p.ID, "version", v.Version)
	return true, nil
}
