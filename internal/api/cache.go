package api

import (
	"container/list"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// responseCache stores rendered responses in files by ETag, and pictures by their digest, and
// evicts the least recently used. The bound is one for both and includes files that are being
// written. A key always means the same bytes, so no entry becomes stale. A deleted file is a
// miss, and so is one whose bytes are not those that were written. A nil *responseCache stores
// nothing.
type responseCache struct {
	dir   string
	bytes int64 // at most
	log   *slog.Logger

	mu      sync.Mutex
	used    int64
	hits    uint64     // responses that were open
	misses  uint64     // responses that were not there
	damaged uint64     // files with other bytes than were written
	recent  *list.List // of *cachedResponse, the most recently used first
	byKey   map[string]*list.Element
	filling map[string]bool          // keys of responses that are being sent and written
	making  map[string]chan struct{} // keys that are locked, closed when they are free
}

type cachedResponse struct {
	key     string
	size    int64
	sums    checksums
	notices []string // the header X-Notice
}

// File name extensions in the folder.
const (
	responseSuffix = ".body"
	partialSuffix  = ".partial"
)

// openResponseCache opens the cache in a folder, which it creates or clears.
func openResponseCache(dir string, bytes int64, log *slog.Logger) (*responseCache, error) {
	err := os.MkdirAll(dir, 0o750)
	var files []os.DirEntry
	if err == nil {
		files, err = os.ReadDir(dir)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), responseSuffix) || strings.HasSuffix(f.Name(), partialSuffix) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, f.Name())))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cache of rendered responses: %w", err)
	}
	return &responseCache{
		dir: dir, bytes: bytes, log: log, recent: list.New(),
		byKey: map[string]*list.Element{}, filling: map[string]bool{}, making: map[string]chan struct{}{},
	}, nil
}

func (c *responseCache) path(key string) string { return filepath.Join(c.dir, key+responseSuffix) }

// open returns the response with a key, or nil if there is none. Its bytes are checked when
// they are read. The caller closes it.
func (c *responseCache) open(key string) *cachedFile {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		c.misses++
		return nil
	}
	file, err := os.Open(c.path(key))
	if err != nil {
		c.forget(e)
		c.misses++
		return nil
	}
	c.recent.MoveToFront(e)
	c.hits++
	return &cachedFile{cachedResponse: e.Value.(*cachedResponse), cache: c, file: file}
}

// openChecked returns the response with a key, all of whose bytes were checked, or nil if there
// is none or it is damaged.
func (c *responseCache) openChecked(key string) *cachedFile {
	file := c.open(key)
	if file == nil {
		return nil
	}
	if err := file.check(); err != nil {
		file.Close()
		return nil
	}
	return file
}

// drop removes a response whose file is damaged.
func (c *responseCache) drop(a *cachedResponse, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[a.key]
	if e == nil || e.Value != a {
		return // dropped or evicted meanwhile
	}
	c.damaged++
	c.forget(e)
	os.Remove(c.path(a.key))
	c.log.Warn("a cached response is damaged; it is made again", "file", c.path(a.key), "err", err)
}

func (c *responseCache) forget(e *list.Element) {
	a := c.recent.Remove(e).(*cachedResponse)
	delete(c.byKey, a.key)
	c.used -= a.size
}

// reserve makes room for more bytes of a file that is being written, and evicts others if
// necessary. It reports whether there is room.
func (c *responseCache) reserve(bytes int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used += bytes
	for c.used > c.bytes {
		oldest := c.recent.Back()
		if oldest == nil {
			c.used -= bytes
			return false
		}
		os.Remove(c.path(oldest.Value.(*cachedResponse).key))
		c.forget(oldest)
	}
	return true
}

// create starts to store a response with its notices. It returns nil if there is no cache, or if the
// response is stored or being written already.
func (c *responseCache) create(key string, notices []string) *responseFile {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.filling[key] || c.byKey[key] != nil {
		return nil
	}
	f := c.begin(key)
	if c.filling[key] = f != nil; f != nil {
		f.notices = notices
	}
	return f
}

// release gives back what was reserved.
func (c *responseCache) release(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used -= bytes
}

// keep completes a response.
func (c *responseCache) keep(f *responseFile) {
	if f == nil {
		return
	}
	if f.buffer.Flush() != nil || f.isTooLarge {
		f.discard()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.filling, f.key)
	if f.file.Close() != nil || c.byKey[f.key] != nil || os.Rename(f.file.Name(), c.path(f.key)) != nil {
		os.Remove(f.file.Name())
		c.used -= f.size
		return
	}
	c.byKey[f.key] = c.recent.PushFront(f.cachedResponse)
}

// tagCache stores the tags of repeated query strings. A tag always means the same
// response, so no entry becomes stale. A full cache is emptied.
type tagCache struct {
	mu   sync.RWMutex
	tags map[tagKey]tag
}

type tagKey struct {
	vintage *replyBase
	query   string
}

// Bounds of the cache of tags: some megabytes.
const (
	maxTags        = 32 << 10
	maxTaggedQuery = 512 // bytes
)

func (c *tagCache) get(key tagKey) (t tag, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	t, ok = c.tags[key]
	return t, ok
}

func (c *tagCache) put(key tagKey, t tag) {
	if len(key.query) > maxTaggedQuery {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.tags) >= maxTags || c.tags == nil {
		c.tags = map[tagKey]tag{}
	}
	c.tags[key] = t
}
