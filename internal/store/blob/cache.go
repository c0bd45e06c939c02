package blob

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// cache keeps copies of blobs on the local disk. A copy has the bytes of the blob, their SHA-256
// and copyMagic. It gets its name when it is complete. The time of a copy is that of its last use.
// Several processes may use one folder.
type cache struct {
	root     string
	limit    int64
	now      func() time.Time
	added    atomic.Int64 // bytes since the last shrinking
	mu       sync.Mutex   // held while shrinking
	verified sync.Map     // names of copies whose digests were compared
}

const (
	copyMagic = "ALMCOPY1"
	endSize   = sha256.Size + len(copyMagic)
	// A cache is shrunk to nine tenths whenever a twentieth of it was added, so that also two
	// processes stay below the limit.
	shrunkTo    = 0.9
	shrunkAfter = 0.05
	// usedEvery is how often the time of a copy is set at most.
	usedEvery = time.Minute
)

func openCache(root string, limit int64, now func() time.Time) (*cache, error) {
	c := &cache{root: root, limit: limit, now: now}
	return c, c.shrink()
}

// writeCopy writes a blob in the form of the cache.
func writeCopy(f *os.File, write func(io.Writer) error) (size int64, digest []byte, err error) {
	hash := sha256.New()
	if err := write(io.MultiWriter(f, hash)); err != nil {
		return 0, nil, err
	}
	if size, err = f.Seek(0, io.SeekCurrent); err != nil {
		return 0, nil, err
	}
	digest = hash.Sum(nil)
	_, err = f.Write(append(slices.Clone(digest), copyMagic...))
	return size, digest, err
}

func (c *cache) path(name string) string { return filepath.Join(c.root, filepath.FromSlash(name)) }

// hasRoomFor reports whether a blob may be in the cache.
func (c *cache) hasRoomFor(size int64) bool { return size <= c.limit/4 }

// put moves a copy into the cache, or deletes it. The blob is in the object store, so
// that an error is none for the caller.
func (c *cache) put(name, path string, size int64) {
	c.verified.Delete(name)
	target := c.path(name)
	if !c.hasRoomFor(size) || os.MkdirAll(filepath.Dir(target), 0o750) != nil || os.Rename(path, target) != nil {
		os.Remove(path)
		os.Remove(target)
		return
	}
	if float64(c.added.Add(size)) > shrunkAfter*float64(c.limit) {
		_ = c.shrink() // the next one tries again
	}
}

// open opens a copy. It returns nil if there is none or if it is damaged.
func (c *cache) open(name string) *Blob {
	f, err := os.Open(c.path(name))
	if err != nil {
		return nil
	}
	b, err := c.check(f, name)
	if err != nil {
		f.Close()
		c.drop(name)
		return nil
	}
	return b
}

func (c *cache) check(f *os.File, name string) (*Blob, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	size := info.Size() - int64(endSize)
	end := make([]byte, endSize)
	if size < 0 {
		return nil, errors.New("the copy is cut off")
	}
	if _, err := f.ReadAt(end, size); err != nil {
		return nil, err
	}
	digest, magic := end[:sha256.Size], string(end[sha256.Size:])
	if _, known := c.verified.Load(name); !known || magic != copyMagic {
		hash := sha256.New()
		if _, err := io.Copy(hash, io.NewSectionReader(f, 0, size)); err != nil {
			return nil, err
		}
		if got := hash.Sum(nil); magic != copyMagic || !bytes.Equal(got, digest) {
			return nil, fmt.Errorf("the copy has the digest %x, not %x", got, digest)
		}
		c.verified.Store(name, true)
	}
	if now := c.now(); now.Sub(info.ModTime()) > usedEvery {
		_ = os.Chtimes(f.Name(), time.Time{}, now) // it is then dropped earlier
	}
	return &Blob{ReaderAt: f, Size: size, Digest: digest, close: f.Close}, nil
}

// doubt has the digest of a copy compared again.
func (c *cache) doubt(name string) { c.verified.Delete(name) }

// drop deletes a copy.
func (c *cache) drop(name string) {
	c.verified.Delete(name)
	_ = os.Remove(c.path(name))
}

// shrink deletes the copies that were not used for the longest time, if the cache is
// too large.
func (c *cache) shrink() error {
	if !c.mu.TryLock() {
		return nil
	}
	defer c.mu.Unlock()
	c.added.Store(0)
	type file struct {
		path string
		size int64
		used time.Time
	}
	var files []file
	var sum int64
	err := filepath.WalkDir(c.root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case e.IsDir() && e.Name() == stagingName:
			return fs.SkipDir
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, file{path, info.Size(), info.ModTime()})
			sum += info.Size()
		}
		return nil
	})
	if err != nil || float64(sum) <= shrunkTo*float64(c.limit) {
		return err
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.used.UnixNano(), b.used.UnixNano()) })
	for _, f := range files {
		if float64(sum) <= shrunkTo*float64(c.limit) {
			break
		}
		if name, err := filepath.Rel(c.root, f.path); err == nil {
			c.drop(filepath.ToSlash(name))
			sum -= f.size
		}
	}
	return nil
}
