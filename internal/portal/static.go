package portal

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed static
var staticFiles embed.FS

// static serves the styles, scripts and fonts of the pages. Their addresses have a digest, so that
// browsers may keep them.
type static struct {
	content map[string][]byte // by address: "/static/3f2a9c01/almanac.css"
	address map[string]string // by name: "almanac.css"
}

// digestLength is the length of the digest in an address.
const digestLength = 8

func readStatic() (*static, error) {
	s := &static{content: map[string][]byte{}, address: map[string]string{}}
	// The styles name the fonts beside them, so all files share the digest of all.
	all := sha256.New()
	err := fs.WalkDir(staticFiles, "static", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := staticFiles.ReadFile(name)
		if err != nil {
			return err
		}
		all.Write(content)
		s.content[name] = content
		return nil
	})
	if err != nil {
		return nil, err
	}
	colours := chartColours()
	all.Write(colours)
	s.content["static/charts.css"] = colours
	folder := "/static/" + hex.EncodeToString(all.Sum(nil))[:digestLength] + "/"
	byAddress := map[string][]byte{}
	for name, content := range s.content {
		name = strings.TrimPrefix(name, "static/")
		s.address[name] = folder + name
		byAddress[folder+name] = content
	}
	s.content = byAddress
	return s, nil
}

// ServeHTTP serves a file.
func (s *static) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, ok := s.content[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(r.URL.Path)))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	w.Write(content)
}
