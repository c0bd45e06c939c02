package replay

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Files serves files under fixed paths, with ETag and Last-Modified, and with 304 for
// unchanged ones. The files can be changed while the server runs, as when an office
// publishes an update. Files is safe for concurrent use.
//
// A path with a query ("/data?format=TSV") matches only that exact query; a path
// without one matches all queries. Files are served as stored: a file that ends in .gz
// has a content coding only if a header of the path states it.
type Files struct {
	mu      sync.Mutex
	content map[string]*content
	changes int
}

// content is the content of a path.
type content struct {
	file    string // read at each request; empty: body is served
	body    string
	header  http.Header
	changed time.Time
	tag     string // computed at the first request
}

// firstPublished is the time of the first publication. Each change is an hour later, so
// that no two have the same Last-Modified.
var firstPublished = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// NewFiles serves local files, given by their path on the server.
func NewFiles(files map[string]string) *Files {
	f := &Files{content: map[string]*content{}}
	for path, file := range files {
		f.content[path] = &content{file: file, header: http.Header{}, changed: firstPublished}
	}
	return f
}

// Set makes a path serve a local file. The headers of the path stay.
func (f *Files) Set(path, file string) { f.change(path, file, "") }

// SetBody makes a path serve a text. The headers of the path stay.
func (f *Files) SetBody(path, body string) { f.change(path, "", body) }

func (f *Files) change(path, file, body string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	header := http.Header{}
	if old := f.content[path]; old != nil {
		header = old.header
	}
	f.content[path] = &content{file: file, body: body, header: header, changed: firstPublished.Add(time.Duration(f.changes) * time.Hour)}
}

// Remove removes a path. Requests for it receive 404.
func (f *Files) Remove(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.content, path)
}

// Header sets a header of an existing path. An empty value omits the header, such as
// ETag and Last-Modified.
func (f *Files) Header(path, name, value string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.content[path]; c != nil {
		c.header.Set(name, value)
	}
}

// ServeHTTP implements [http.Handler].
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	c := f.content[r.URL.RequestURI()]
	if c == nil {
		c = f.content[r.URL.Path]
	}
	if c == nil {
		f.mu.Unlock()
		http.Error(w, "nothing is published at "+r.URL.RequestURI(), http.StatusNotFound)
		return
	}
	// SetBody and Set create a new content; only Header changes an existing one.
	now := *c
	now.header = c.header.Clone()
	f.mu.Unlock()

	data, err := now.open()
	if err != nil {
		http.Error(w, fmt.Sprintf("cannot read the test file: %v", err), http.StatusInternalServerError)
		return
	}
	defer func() { _ = data.Close() }()
	if now.tag == "" {
		if now.tag, err = tagOf(data); err != nil {
			http.Error(w, fmt.Sprintf("cannot read the test file: %v", err), http.StatusInternalServerError)
			return
		}
		f.mu.Lock()
		c.tag = now.tag
		f.mu.Unlock()
	}
	now.send(w, r, data)
}

func (c *content) send(w http.ResponseWriter, r *http.Request, data io.ReadSeeker) {
	w.Header().Set("ETag", c.tag)
	w.Header().Set("Content-Type", mediaType(r.URL.Path))
	for name, values := range c.header {
		w.Header()[name] = values
		if values[0] == "" {
			w.Header().Del(name)
		}
	}
	changed := c.changed
	if _, set := c.header["Last-Modified"]; set {
		changed = time.Time{}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		// Only GET has conditions and ranges.
		_, _ = io.Copy(w, data)
		return
	}
	http.ServeContent(w, r, "", changed, data)
}

type readSeekCloser struct{ *bytes.Reader }

func (readSeekCloser) Close() error { return nil }

func (c *content) open() (io.ReadSeekCloser, error) {
	if c.file == "" {
		return readSeekCloser{bytes.NewReader([]byte(c.body))}, nil
	}
	return os.Open(c.file)
}

// tagOf computes an ETag from the content and rewinds it.
func tagOf(data io.ReadSeeker) (string, error) {
	digest := sha256.New()
	if _, err := io.Copy(digest, data); err != nil {
		return "", err
	}
	if _, err := data.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	return `"` + hex.EncodeToString(digest.Sum(nil)[:16]) + `"`, nil
}

// mediaType returns the usual Content-Type for a file extension.
func mediaType(path string) string {
	for extension, media := range mediaTypes {
		if strings.HasSuffix(path, extension) {
			return media
		}
	}
	return "application/octet-stream"
}

var mediaTypes = map[string]string{
	".csv":  "text/csv",
	".gz":   "application/gzip",
	".json": "application/json",
	".tsv":  "text/tab-separated-values",
	".txt":  "text/plain",
	".xml":  "application/xml",
	".zip":  "application/zip",
}

// Has reports whether a path is published.
func (f *Files) Has(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.content[path] != nil
}

// Paths returns the published paths below a path, sorted.
func (f *Files) Paths(below string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []string
	for path := range f.content {
		if strings.HasPrefix(path, below) {
			found = append(found, path)
		}
	}
	slices.Sort(found)
	return found
}

// Body returns the content of a path.
func (f *Files) Body(path string) ([]byte, error) {
	f.mu.Lock()
	c := *f.content[path]
	f.mu.Unlock()
	data, err := c.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = data.Close() }()
	return io.ReadAll(data)
}

// Gzip returns a text as gzip.
func Gzip(text []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(text) // writing to a buffer does not fail
	_ = w.Close()
	return out.Bytes()
}
