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
	f, err := openVintageFile(s.blobs, file)
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
