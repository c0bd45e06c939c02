package api

import (
	"bufio"
	"container/list"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// bodies keeps rendered answers in files, each under its ETag, the least
// recently used of them going when there is no room. Since an ETag stands for
// the same bytes for ever, nothing in it becomes wrong. The list of what is
// kept lives in memory; a file that somebody removed is a miss. A nil *bodies
// keeps nothing.
type bodies struct {
	dir   string
	bytes int64 // at most

	mu      sync.Mutex
	used    int64
	recent  *list.List // of *keptBody, the last used first
	byKey   map[string]*list.Element
	filling map[string]bool // keys that are being written
}

type keptBody struct {
	key  string
	size int64
}

// Endings of the files in the folder.
const (
	bodyEnding    = ".body"
	partialEnding = ".partial"
)

// openBodies opens the cache in a folder, which is created if need be and
// emptied of what an earlier process left.
func openBodies(dir string, bytes int64) (*bodies, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cache of rendered answers: %w", err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cache of rendered answers: %w", err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), bodyEnding) || strings.HasSuffix(f.Name(), partialEnding) {
			if err := os.Remove(filepath.Join(dir, f.Name())); err != nil {
				return nil, fmt.Errorf("cache of rendered answers: %w", err)
			}
		}
	}
	return &bodies{dir: dir, bytes: bytes, recent: list.New(), byKey: map[string]*list.Element{}, filling: map[string]bool{}}, nil
}

func (b *bodies) path(key string) string { return filepath.Join(b.dir, key+bodyEnding) }

// open returns the kept body with a key and its length, nil if there is none.
// The caller closes it.
func (b *bodies) open(key string) (*os.File, int64) {
	if b == nil {
		return nil, 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.byKey[key]
	if e == nil {
		return nil, 0
	}
	file, err := os.Open(b.path(key))
	if err != nil {
		b.forget(e)
		return nil, 0
	}
	if info, err := file.Stat(); err != nil || info.Size() != e.Value.(*keptBody).size {
		file.Close()
		b.forget(e)
		return nil, 0
	}
	b.recent.MoveToFront(e)
	return file, e.Value.(*keptBody).size
}

// forget takes a body out of the list.
func (b *bodies) forget(e *list.Element) {
	kept := b.recent.Remove(e).(*keptBody)
	delete(b.byKey, kept.key)
	b.used -= kept.size
}

// create begins to keep a body. It is nil if nothing is kept, or if somebody
// is writing the same body already.
func (b *bodies) create(key string) *newFile {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.filling[key] || b.byKey[key] != nil {
		return nil
	}
	file, err := os.CreateTemp(b.dir, "*"+partialEnding)
	if err != nil {
		return nil // a cache that cannot be written must not fail the answer
	}
	b.filling[key] = true
	return &newFile{bodies: b, key: key, file: file, buffer: bufio.NewWriterSize(file, chunk)}
}

// keep ends the writing of a body and makes room for it.
func (b *bodies) keep(f *newFile) {
	if f == nil {
		return
	}
	if f.buffer.Flush() != nil || f.size > b.bytes {
		f.discard()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.filling, f.key)
	if f.file.Close() != nil || os.Rename(f.file.Name(), b.path(f.key)) != nil {
		os.Remove(f.file.Name())
		return
	}
	b.byKey[f.key] = b.recent.PushFront(&keptBody{f.key, f.size})
	b.used += f.size
	for b.used > b.bytes {
		oldest := b.recent.Back()
		os.Remove(b.path(oldest.Value.(*keptBody).key))
		b.forget(oldest)
	}
}

// newFile is a body that is being written. A nil *newFile takes everything and
// keeps nothing.
type newFile struct {
	bodies *bodies
	key    string
	file   *os.File
	buffer *bufio.Writer // remembers the first error
	size   int64
}

func (f *newFile) write(bytes []byte) {
	if f == nil {
		return
	}
	f.size += int64(len(bytes))
	_, _ = f.buffer.Write(bytes) // keep looks at the error
}

// discard drops what was written.
func (f *newFile) discard() {
	if f == nil {
		return
	}
	f.file.Close()
	os.Remove(f.file.Name())
	f.bodies.mu.Lock()
	defer f.bodies.mu.Unlock()
	delete(f.bodies.filling, f.key)
}
