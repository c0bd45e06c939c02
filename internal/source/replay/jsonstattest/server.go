// Package jsonstattest replays JSON-stat servers for tests.
package jsonstattest

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"almanac/internal/source/replay"
)

// Server replays two JSON-stat servers: the samples of the standard with their
// collection, and PxStat, the software of Ireland and Northern Ireland. The embedded
// Files can change what they serve.
type Server struct {
	*replay.Files
	collection string // text of the real collection
}

const (
	samples = "/samples/"
	base    = "/public/api.restful/PxStat.Data.Cube_API."
)

// New serves each real file in dir as /samples/NAME.json, and those of Ireland also
// at the addresses of PxStat.
func New(dir string) *Server {
	s := &Server{Files: replay.NewFiles(nil)}
	files, _ := filepath.Glob(filepath.Join(dir, "jsonstat", "*.json"))
	for _, file := range files {
		s.Set(samples+filepath.Base(file), file)
		if code, ok := strings.CutPrefix(filepath.Base(file), "cso-"); ok {
			s.Set(PxStatPath(strings.TrimSuffix(code, ".json")), file)
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "jsonstat", "collection.json")) // empty if missing
	s.collection = string(text)
	return s
}

// PxStatPath returns the path of a dataset in PxStat.
func PxStatPath(code string) string { return base + "ReadDataset/" + code + "/JSON-stat/2.0/en" }

// ServeHTTP implements [http.Handler]. Collections contain the addresses of datasets, so
// they are written for the host of the request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case samples + "collection.json":
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(strings.ReplaceAll(s.collection, "json-stat.org", r.Host)))
	case base + "ReadCollection":
		s.pxstat(w, r.Host)
	default:
		s.Files.ServeHTTP(w, r)
	}
}

// pxstat sends PxStat's collection of the published datasets, with the titles and times of
// updates in the datasets.
func (s *Server) pxstat(w http.ResponseWriter, host string) {
	type matrix struct {
		Matrix string `json:"matrix"`
	}
	type item struct {
		Extension matrix `json:"extension"`
		Href      string `json:"href"`
		Label     string `json:"label"`
		Updated   string `json:"updated,omitempty"`
		Class     string `json:"class"`
	}
	items := []item{}
	for _, path := range s.Paths(base + "ReadDataset/") {
		code, _, _ := strings.Cut(strings.TrimPrefix(path, base+"ReadDataset/"), "/")
		var dataset struct {
			Label, Updated string
			Dataset        struct{ Label, Updated string }
		}
		if body, err := s.Body(path); err == nil && json.Unmarshal(body, &dataset) == nil {
			items = append(items, item{matrix{code}, "https://" + host + path, dataset.Label + dataset.Dataset.Label, dataset.Updated + dataset.Dataset.Updated, "dataset"})
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"class": "collection", "version": "2.0", "link": map[string]any{"item": items}})
}
