package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/internal/stat"
)

// At chooses a version of a dataset. The zero At is the current one.
type At struct {
	Version string    // such as "1.3"; empty: by time
	Time    time.Time // the version that was current at this time; zero: by number
}

// Version describes a version of a dataset that is kept.
type Version struct {
	stat.Vintage
	LastUpdate time.Time // by the source, else of the import; in the time zone for display
	seq        int
}

// Versions lists the versions of a dataset that are kept, oldest first. The caller must not
// change the slice. The error is [stat.NotFound] for an unknown or removed ID.
func (s *Store) Versions(ctx context.Context, id int) ([]Version, error) {
	type versionsKey struct{ id int }
	c := s.Catalog()
	if list, ok := c.values.Load(versionsKey{id}); ok {
		return list.([]Version), nil
	}
	if c.Entry(id) == nil {
		return nil, s.noDataset(ctx, id)
	}
	rows, err := s.catalog.Vintages(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 { // it was removed after the catalogue was read
		return nil, s.noDataset(ctx, id)
	}
	list := make([]Version, len(rows))
	for i, r := range rows {
		list[i] = Version{Vintage: r.Vintage, seq: r.Seq}
		if list[i].LastUpdate, err = time.Parse(time.RFC3339, r.LastUpdate); err != nil {
			return nil, fmt.Errorf("reading the time of update of dataset %d, version %s: %w", id, r.Version, err)
		}
	}
	c.values.Store(versionsKey{id}, list)
	return list, nil
}

// VintageAt opens a version of a dataset. The error is [stat.NotFound] if there is no such
// dataset or version; it names the versions that there are.
func (s *Store) VintageAt(ctx context.Context, id int, at At) (*Vintage, error) {
	if at == (At{}) {
		return s.Vintage(ctx, id)
	}
	v, err := s.tryVintageAt(ctx, id, at)
	if stat.KindOf(err) == stat.Unavailable { // it was deleted after the catalogue was read
		if err := s.refresh(ctx); err != nil {
			return nil, err
		}
		v, err = s.tryVintageAt(ctx, id, at)
	}
	return v, err
}

func (s *Store) tryVintageAt(ctx context.Context, id int, at At) (*Vintage, error) {
	list, err := s.Versions(ctx, id)
	if err != nil {
		return nil, err
	}
	chosen, err := chooseVersion(id, list, at)
	if err != nil {
		return nil, err
	}
	return s.openVersion(ctx, id, chosen)
}

// Before opens the version before a vintage, nil if none is kept.
func (s *Store) Before(ctx context.Context, v *Vintage) (*Vintage, error) {
	list, err := s.Versions(ctx, v.Dataset.ID)
	if err != nil {
		return nil, err
	}
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].seq < v.seq {
			return s.openVersion(ctx, v.Dataset.ID, &list[i])
		}
	}
	return nil, nil
}

// Description returns the description of the version.
func (v *Vintage) Description() *Version {
	return &Version{Vintage: v.Vintage, LastUpdate: v.LastUpdate, seq: v.seq}
}

// IsBefore reports whether v is an earlier version of its dataset than w.
func (v *Vintage) IsBefore(w *Vintage) bool { return v.seq < w.seq }

// openVersion opens a version of [Store.Versions]. The current one is that of
// [Store.Vintage].
func (s *Store) openVersion(ctx context.Context, id int, chosen *Version) (*Vintage, error) {
	if e := s.Catalog().Entry(id); e != nil && e.seq == chosen.seq {
		if v, err := s.Vintage(ctx, id); err != nil || v.seq == chosen.seq && v.Imported.Equal(chosen.Imported) {
			return v, err
		}
	}
	if v := s.cache.vintage(cacheKey{id, chosen.seq, chosen.Imported.UnixNano(), chosen.LastUpdate.Unix(), true}); v != nil {
		return v, nil
	}
	v, err := s.openVintage(ctx, id, chosen.seq)
	if stat.KindOf(err) == stat.NotFound { // pruned or removed after the list was read
		return nil, stat.Errorf(stat.Unavailable, "dataset %d has just changed; try again", id)
	}
	if err != nil {
		return nil, err
	}
	v.isEarlier = true
	return s.cache.add(v), nil
}

// chooseVersion returns the version that at chooses of a list, oldest first.
func chooseVersion(id int, list []Version, at At) (*Version, error) {
	first := &list[0]
	if at.Version == "" {
		chosen := versionBefore(list, at.Time.Add(1))
		switch {
		case chosen != nil:
			return chosen, nil
		case first.seq > 1:
			return nil, stat.Errorf(stat.NotFound, "the version of dataset %d at %s was deleted; the oldest one that is kept is %s, published here at %s",
				id, at.Time.UTC().Format(time.RFC3339), first.Version, first.Imported.Format(time.RFC3339))
		}
		return nil, stat.Errorf(stat.NotFound, "dataset %d had no version at %s; its first one, %s, was published here at %s",
			id, at.Time.UTC().Format(time.RFC3339), first.Version, first.Imported.Format(time.RFC3339))
	}
	i := slices.IndexFunc(list, func(v Version) bool { return v.Version == at.Version })
	if i >= 0 {
		return &list[i], nil
	}
	if isOlderVersion(at.Version, first.Version) {
		return nil, stat.Errorf(stat.NotFound, "version %s of dataset %d was deleted; it has %s", at.Version, id, listVersions(list))
	}
	return nil, stat.Errorf(stat.NotFound, "dataset %d has no version %.20q; it has %s", id, at.Version, listVersions(list))
}

// versionBefore returns the version of a list, oldest first, that was current just before a
// time; nil if there was none.
func versionBefore(list []Version, t time.Time) *Version {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Imported.Before(t) {
			return &list[i]
		}
	}
	return nil
}

// isOlderVersion reports whether a text is the number of a version before another one. Numbers
// start at 1.0 and skip none (see nextVersion).
func isOlderVersion(text, than string) bool {
	var number, other [2]int
	for into, from := range map[*[2]int]string{&number: text, &other: than} {
		if _, err := fmt.Sscanf(from, "%d.%d", &into[0], &into[1]); err != nil || fmt.Sprintf("%d.%d", into[0], into[1]) != from {
			return false
		}
	}
	return number[0] >= 1 && number[1] >= 0 && number[1] <= 9 && slices.Compare(number[:], other[:]) < 0
}

// maxListedVersions bounds the versions that a message lists.
const maxListedVersions = 12

// listVersions lists versions for a message: "1.0, 1.1, 1.2" or "1.0 to 3.4".
func listVersions(list []Version) string {
	if len(list) > maxListedVersions {
		return list[0].Version + " to " + list[len(list)-1].Version
	}
	var numbers []string
	for _, v := range list {
		numbers = append(numbers, v.Version)
	}
	return strings.Join(numbers, ", ")
}
