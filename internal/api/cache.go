package api

import (
	"bufio"
	"container/list"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"almanac/internal/encode/json"
)

// responseCache stores rendered responses in files by ETag and evicts the least recently
// used. An ETag always means the same bytes, so no entry becomes stale. A deleted file is a
// miss. A nil *responseCache stores nothing.
type responseCache struct {
	dir   string
	bytes int64 // at most

	mu      sync.Mutex
	used    int64
	hits    uint64     // responses that were open
	misses  uint64     // responses that were not there
	recent  *list.List // of *cachedResponse, the most recently used first
	byKey   map[string]*list.Element
	filling map[string]bool          // keys of responses that are being sent and written
	making  map[string]chan struct{} // keys that are locked, closed when they are free
}

type cachedResponse struct {
	key     string
	size    int64
	notices []string // the header X-Notice
}

// File name extensions in the folder.
const (
	responseSuffix = ".body"
	partialSuffix  = ".partial"
)

// openResponseCache opens the cache in a folder, which it creates or clears.
func openResponseCache(dir string, bytes int64) (*responseCache, error) {
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
	return &responseCache{dir: dir, bytes: bytes, recent: list.New(), byKey: map[string]*list.Element{}, filling: map[string]bool{}, making: map[string]chan struct{}{}}, nil
}

func (c *responseCache) path(key string) string { return filepath.Join(c.dir, key+responseSuffix) }

// open returns the response with a key and what is known of it, or nil if there is none. The
// caller closes it.
func (c *responseCache) open(key string) (*os.File, cachedResponse) {
	if c == nil {
		return nil, cachedResponse{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		c.misses++
		return nil, cachedResponse{}
	}
	known := *e.Value.(*cachedResponse)
	file, err := os.Open(c.path(key))
	if err == nil {
		if info, err := file.Stat(); err == nil && info.Size() == known.size {
			c.recent.MoveToFront(e)
			c.hits++
			return file, known
		}
		file.Close()
	}
	c.forget(e)
	c.misses++
	return nil, cachedResponse{}
}

func (c *responseCache) forget(e *list.Element) {
	a := c.recent.Remove(e).(*cachedResponse)
	delete(c.byKey, a.key)
	c.used -= a.size
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

// begin starts to store a response that may be in the cache already when it is kept. It returns
// nil if the cache cannot be written.
func (c *responseCache) begin(key string) *responseFile {
	file, err := os.CreateTemp(c.dir, "*"+partialSuffix)
	if err != nil {
		return nil // a response must not fail because the cache cannot be written
	}
	return &responseFile{cache: c, key: key, file: file, buffer: bufio.NewWriterSize(file, json.ChunkSize)}
}

// keep completes a response and evicts others if necessary.
func (c *responseCache) keep(f *responseFile) {
	if f == nil {
		return
	}
	if f.buffer.Flush() != nil || f.size > c.bytes {
		f.discard()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.filling, f.key)
	if f.file.Close() != nil || c.byKey[f.key] != nil || os.Rename(f.file.Name(), c.path(f.key)) != nil {
		os.Remove(f.file.Name())
		return
	}
	c.byKey[f.key] = c.recent.PushFront(&cachedResponse{f.key, f.size, f.notices})
	c.used += f.size
	for c.used > c.bytes {
		oldest := c.recent.Back()
		os.Remove(c.path(oldest.Value.(*cachedResponse).key))
		c.forget(oldest)
	}
}

// responseFile is a response that is being written to the cache. A nil *responseFile
// discards everything.
type responseFile struct {
	cache  *responseCache
	key    string
	file   *os.File
	buffer *bufio.Writer // keeps the first error
	size   int64

	notices []string // the header X-Notice
}

func (f *responseFile) write(bytes []byte) {
	if f == nil {
		return
	}
	f.size += int64(len(bytes))
	_, _ = f.buffer.Write(bytes) // keep checks the error
}

func (f *responseFile) discard() {
	if f == nil {
		return
	}
	f.file.Close()
	os.Remove(f.file.Name())
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	delete(f.cache.filling, f.key)
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
