package api

import (
	"bufio"
	"container/list"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"almanac/internal/encode/json"
)

// answerCache keeps rendered answers in files, each under its ETag, and drops the
// least recently used when there is no room. Since an ETag stands for the same
// bytes for ever, nothing in it becomes wrong. The list of files lives in memory; a
// file that somebody removed is a miss. A nil *answerCache keeps nothing.
type answerCache struct {
	dir   string
	bytes int64 // at most

	mu      sync.Mutex
	used    int64
	recent  *list.List // of *cachedAnswer, the last used first
	byKey   map[string]*list.Element
	filling map[string]bool // keys that are being written
}

type cachedAnswer struct {
	key  string
	size int64
}

// Endings of the files in the folder.
const (
	answerEnding  = ".body"
	partialEnding = ".partial"
)

// openAnswerCache opens the cache in a folder, which is created if need be and
// emptied of what an earlier process left.
func openAnswerCache(dir string, bytes int64) (*answerCache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cache of rendered responses: %w", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cache of rendered responses: %w", err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), answerEnding) || strings.HasSuffix(f.Name(), partialEnding) {
			if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
				return nil, fmt.Errorf("cache of rendered responses: %w", err)
			}
		}
	}
	return &answerCache{dir: dir, bytes: bytes, recent: list.New(), byKey: map[string]*list.Element{}, filling: map[string]bool{}}, nil
}

func (c *answerCache) path(key string) string { return filepath.Join(c.dir, key+answerEnding) }

// open returns the answer with a key and its length, nil if there is none. The
// caller closes it.
func (c *answerCache) open(key string) (*os.File, int64) {
	if c == nil {
		return nil, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return nil, 0
	}
	size := e.Value.(*cachedAnswer).size
	file, err := os.Open(c.path(key))
	if err == nil {
		if info, err := file.Stat(); err == nil && info.Size() == size {
			c.recent.MoveToFront(e)
			return file, size
		}
		file.Close()
	}
	c.forget(e)
	return nil, 0
}

func (c *answerCache) forget(e *list.Element) {
	a := c.recent.Remove(e).(*cachedAnswer)
	delete(c.byKey, a.key)
	c.used -= a.size
}

// create begins to keep an answer. It returns nil if nothing is kept, or if
// somebody is writing the same answer already.
func (c *answerCache) create(key string) *answerFile {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.filling[key] || c.byKey[key] != nil {
		return nil
	}
	file, err := os.CreateTemp(c.dir, "*"+partialEnding)
	if err != nil {
		return nil // a cache that cannot be written must not fail the answer
	}
	c.filling[key] = true
	return &answerFile{cache: c, key: key, file: file, buffer: bufio.NewWriterSize(file, json.ChunkSize)}
}

// keep ends the writing of an answer and makes room for it.
func (c *answerCache) keep(f *answerFile) {
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
	if f.file.Close() != nil || os.Rename(f.file.Name(), c.path(f.key)) != nil {
		os.Remove(f.file.Name())
		return
	}
	c.byKey[f.key] = c.recent.PushFront(&cachedAnswer{f.key, f.size})
	c.used += f.size
	for c.used > c.bytes {
		oldest := c.recent.Back()
		os.Remove(c.path(oldest.Value.(*cachedAnswer).key))
		c.forget(oldest)
	}
}

// answerFile is an answer that is being written. A nil *answerFile takes
// everything and keeps nothing.
type answerFile struct {
	cache  *answerCache
	key    string
	file   *os.File
	buffer *bufio.Writer // remembers the first error
	size   int64
}

func (f *answerFile) write(bytes []byte) {
	if f == nil {
		return
	}
	f.size += int64(len(bytes))
	_, _ = f.buffer.Write(bytes) // keep looks at the error
}

func (f *answerFile) discard() {
	if f == nil {
		return
	}
	f.file.Close()
	os.Remove(f.file.Name())
	f.cache.mu.Lock()
	defer f.cache.mu.Unlock()
	delete(f.cache.filling, f.key)
}

// tagCache remembers the tags of query strings that callers repeat, as they were
// written. A tag stands for the same answer for ever, so nothing in it becomes
// wrong. When it is full, the older half is dropped.
type tagCache struct {
	mu             sync.RWMutex
	recent, before map[tagKey]tag
}

type tagKey struct {
	vintage *vintageInfo
	query   string
}

// Bounds of the cache of tags: some megabytes.
const (
	maxTags        = 16 << 10 // in each of the two maps
	maxTaggedQuery = 512      // bytes
)

func (c *tagCache) get(key tagKey) (t tag, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if t, ok = c.recent[key]; !ok {
		t, ok = c.before[key]
	}
	return t, ok
}

func (c *tagCache) put(key tagKey, t tag) {
	if len(key.query) > maxTaggedQuery {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.recent) >= maxTags || c.recent == nil {
		c.recent, c.before = make(map[tagKey]tag), c.recent
	}
	c.recent[key] = t
}
