package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"almanac/internal/stat"
	"almanac/internal/store/blob"
)

// A version is damaged if its file is lost, or has other bytes than those that were written. The
// version before it is served instead, until the file is there again: an import of the same data
// writes it. Pages of a file have checksums, so damage is found when they are read; [Store.Check]
// reads whole files.

// ErrDamaged is the cause of the error of a damaged version, which is [stat.Unavailable].
var ErrDamaged = errors.New("the file of the version is damaged")

// Damage describes a damaged version of a dataset.
type Damage struct {
	ID      int
	Version string
	Reason  string
	Since   time.Time // when it was found
}

// damages are the damaged versions that are known.
type damages struct {
	count atomic.Int32
	mu    sync.Mutex
	known map[cacheKey]Damage

	verified time.Time // when the store last read them again
}

func damageKey(v *Vintage) cacheKey {
	key := v.cacheKey()
	key.isEarlier = false
	return key
}

// has reports whether a version is known to be damaged.
func (d *damages) has(key cacheKey) bool {
	if d.count.Load() == 0 {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.known[key]
	return ok
}

// set notes that a version is damaged. It reports whether that is new.
func (d *damages) set(key cacheKey, found Damage) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.known[key]; ok {
		return false
	}
	if d.known == nil {
		d.known = map[cacheKey]Damage{}
	}
	d.known[key] = found
	d.count.Store(int32(len(d.known)))
	return true
}

// end notes that a version is no longer damaged. It reports whether it was.
func (d *damages) end(key cacheKey) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.known[key]
	delete(d.known, key)
	d.count.Store(int32(len(d.known)))
	return ok
}

// Damages lists the damaged versions that this process has found, by dataset.
func (s *Store) Damages() []Damage {
	s.damages.mu.Lock()
	defer s.damages.mu.Unlock()
	var list []Damage
	for _, d := range s.damages.known {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b Damage) int { return a.ID - b.ID })
	return list
}

// IsInstead reports whether the vintage is served instead of the current one, which is damaged.
func (v *Vintage) IsInstead() bool {
	if v.store.damages.count.Load() == 0 {
		return false
	}
	e := v.store.Catalog().Entry(v.Dataset.ID)
	return e != nil && e.seq > v.seq && v.store.damages.has(e.cacheKey())
}

// damaged returns the error of a vintage that could not be read, and notes that it is damaged, if
// it is. Other errors, such as too many open files, pass.
func (v *Vintage) damaged(err error) error {
	if err == nil || !isDamage(err) || v.isHeld {
		return err
	}
	if wrong := v.compareDigest(); wrong == nil {
		return &stat.Error{Kind: stat.Unavailable, Err: err, Message: fmt.Sprintf("version %s of dataset %d could not be read; try again", v.Version, v.Dataset.ID)}
	} else if !isDamage(wrong) {
		return wrong
	}
	return v.noteDamage(err)
}

// noteDamage notes that a vintage is damaged, as an error of reading it says, and returns the error for callers.
func (v *Vintage) noteDamage(err error) error {
	s := v.store
	row, ok, readErr := s.catalog.Vintage(context.Background(), v.Dataset.ID, v.seq)
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	if !ok || row.File != v.file || !row.Imported.Equal(v.Imported) { // pruned or removed since it was opened
		return stat.Errorf(stat.Unavailable, "dataset %d has just changed; try again", v.Dataset.ID)
	}
	e := s.Catalog().Entry(v.Dataset.ID)
	isCurrent := e != nil && e.seq == v.seq
	if s.damages.set(damageKey(v), Damage{ID: v.Dataset.ID, Version: v.Version, Reason: err.Error(), Since: s.now()}) {
		what := "an earlier version is damaged; a backup may have its file"
		if isCurrent {
			what = "a version is damaged; the one before is served until the same data are imported again"
		}
		s.log.Error(what, "dataset", v.Dataset.ID, "version", v.Version, "file", v.file, "error", err)
	}
	return damagedError(v.Dataset.ID, v.Version, isCurrent, err)
}

func damagedError(id int, version string, isCurrent bool, err error) error {
	text := fmt.Sprintf("version %s of dataset %d cannot be read, since its file is damaged", version, id)
	if isCurrent {
		text += "; it is there again once the same data are imported"
	}
	return &stat.Error{Kind: stat.Unavailable, Err: errors.Join(ErrDamaged, err), Message: text}
}

// isDamage reports whether an error of reading a file tells that it is lost or has other bytes.
func isDamage(err error) bool {
	var number syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.EIO):
		return true
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, fs.ErrClosed), errors.As(err, &number):
		return false
	}
	return stat.KindOf(err) == stat.Internal
}

// verify reads the whole file of a vintage. It returns an error if the vintage is damaged.
func (v *Vintage) verify() error {
	_, err := v.check()
	return err
}

// check reads the whole file of a vintage. It returns what is wrong with the file, and the error for
// callers.
func (v *Vintage) check() (wrong, err error) {
	if wrong = v.compareDigest(); wrong != nil {
		if !isDamage(wrong) || v.isHeld {
			return wrong, wrong
		}
		err = v.noteDamage(wrong)
		if errors.Is(err, ErrDamaged) && v.store.repairFromMemory(context.Background(), v) {
			return nil, nil
		}
		return wrong, err
	}
	if v.store.damages.end(damageKey(v)) {
		v.store.cache.forget(v.Dataset.ID) // the digest may be another one
		v.store.log.Info("a version can be read again", "dataset", v.Dataset.ID, "version", v.Version)
	}
	return nil, nil
}

// compareDigest returns an error if the file has not the digest that was stored when it was
// written. A file from before digests were stored must be readable.
func (v *Vintage) compareDigest() error {
	b, err := v.openFile(context.Background(), blob.Original)
	if err != nil {
		return err
	}
	defer b.Close()
	want := v.fileDigest.Load()
	if want == nil {
		_, err := readColumns(b, v.Dataset, v.Periods, nil)
		return err
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, b.Reader()); err != nil {
		return err
	}
	if got := hash.Sum(nil); !bytes.Equal(got, want[:]) {
		return fmt.Errorf("the file has the digest %x, not %x", got, *want)
	}
	return nil
}

// verifyEvery is how long a damaged version is not read again.
const verifyEvery = 5 * time.Second

// verifyDamaged reads the damaged versions again, which another process may have repaired.
func (s *Store) verifyDamaged(ctx context.Context) {
	if s.damages.count.Load() == 0 || s.now().Sub(s.damages.verified) < verifyEvery {
		return
	}
	s.damages.mu.Lock()
	known := maps.Clone(s.damages.known)
	s.damages.mu.Unlock()
	for key := range known {
		row, ok, err := s.catalog.Vintage(ctx, key.dataset, key.seq)
		switch {
		case err != nil:
		case !ok || row.Imported.UnixNano() != key.imported: // pruned or removed
			s.damages.end(key)
		default:
			if v, err := s.newVintage(ctx, row.File, row.Structure); err == nil {
				_ = v.verify() // its error was in the log when it was found
			}
		}
	}
	s.damages.verified = s.now()
}

// readableBefore returns the newest version before a seq that can be read, nil if there is none.
func (s *Store) readableBefore(ctx context.Context, id, seq int) (*Vintage, error) {
	rows, err := s.catalog.Vintages(ctx, id)
	if err != nil {
		return nil, err
	}
	for i := len(rows) - 1; i >= 0; i-- {
		updated, err := time.Parse(time.RFC3339, rows[i].LastUpdate)
		if err != nil {
			return nil, fmt.Errorf("reading the time of update of dataset %d, version %s: %w", id, rows[i].Version, err)
		}
		key := cacheKey{id, rows[i].Seq, rows[i].Imported.UnixNano(), updated.Unix(), false}
		if rows[i].Seq >= seq || s.damages.has(key) { // which verifyDamaged reads again
			continue
		}
		key.isEarlier = true
		v := s.cache.vintage(key)
		if v != nil {
			return v, nil // it was read before
		}
		if v, err = s.openVintage(ctx, id, rows[i].Seq); err != nil {
			return nil, err
		}
		if err := v.verify(); err == nil {
			v.isEarlier = true
			return s.cache.add(v), nil
		} else if !errors.Is(err, ErrDamaged) {
			return nil, err
		}
	}
	return nil, nil
}

// Checked is a version whose file was read.
type Checked struct {
	ID        int
	Code      string
	Version   string
	IsCurrent bool
	Err       error // what is wrong with the file; nil: it has the bytes that were written
}

// Check reads the files of all versions of all datasets, one after the other.
func (s *Store) Check(ctx context.Context) iter.Seq2[Checked, error] {
	return func(yield func(Checked, error) bool) {
		for _, e := range s.Catalog().Entries {
			rows, err := s.catalog.Vintages(ctx, e.ID)
			if err != nil {
				yield(Checked{}, err)
				return
			}
			for _, row := range rows {
				v, err := s.openVintage(ctx, e.ID, row.Seq)
				if stat.KindOf(err) == stat.NotFound {
					continue // pruned meanwhile
				}
				if err == nil {
					err, _ = v.check()
				}
				if stat.KindOf(err) == stat.Unavailable { // the object store cannot be reached
					yield(Checked{}, err)
					return
				}
				if !yield(Checked{ID: e.ID, Code: e.Code, Version: row.Version, IsCurrent: row.Seq == e.seq, Err: err}, ctx.Err()) {
					return
				}
			}
		}
	}
}
