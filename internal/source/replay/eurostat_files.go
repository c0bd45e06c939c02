package replay

import (
	"io"
	"slices"
	"strings"
)

// has reports whether a path is published.
func (f *Files) has(path string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.content[path] != nil
}

// paths returns the published paths below a path, sorted.
func (f *Files) paths(below string) []string {
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

// body returns the content of a path.
func (f *Files) body(path string) ([]byte, error) {
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
