// Package dbnomicstest replays DBnomics for tests.
package dbnomicstest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Server replays DBnomics with one dataset, CEPII/CHELEM-TRADE-CHEL, reduced to
// the 1,000 series in the real file.
type Server struct {
	mu       sync.Mutex
	answer   map[string]json.RawMessage // the real file without its series
	series   []json.RawMessage
	codes    []map[string]string // of each series, by dimension
	indexed  string
	limit    int // series per page
	datasets int // additional datasets in the provider's list
	whole    int // stated number of series; 0: the actual number
}

// New reads the real response in dir.
func New(dir string) (*Server, error) {
	text, err := os.ReadFile(filepath.Join(dir, "dbnomics", "CEPII-CHELEM-TRADE-CHEL.json"))
	if err != nil {
		return nil, err
	}
	d := &Server{limit: 1000}
	if err := json.Unmarshal(text, &d.answer); err != nil {
		return nil, err
	}
	var series struct {
		Docs []json.RawMessage `json:"docs"`
	}
	var dataset struct {
		Indexed string `json:"indexed_at"`
	}
	if err := json.Unmarshal(d.answer["series"], &series); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(d.answer["dataset"], &dataset); err != nil {
		return nil, err
	}
	d.series, d.indexed = series.Docs, dataset.Indexed
	for _, doc := range d.series {
		var codes struct {
			Dimensions map[string]string `json:"dimensions"`
		}
		if err := json.Unmarshal(doc, &codes); err != nil {
			return nil, err
		}
		d.codes = append(d.codes, codes.Dimensions)
	}
	return d, nil
}

// Index makes the service import the dataset again at a time, without its first series.
func (d *Server) Index(at string, without int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.indexed, d.series, d.codes = at, d.series[without:], d.codes[without:]
}

// Most limits the number of series per page.
func (d *Server) Most(series int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = series
}

// Datasets adds datasets without series to the provider's list.
func (d *Server) Datasets(more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.datasets = more
}

// Whole makes the service state another number of series than it returns, like the real one.
func (d *Server) Whole(series int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.whole = series
}

// ServeHTTP implements [http.Handler].
func (d *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	q := r.URL.Query()
	switch r.URL.Path {
	case "/v22/providers":
		d.send(w, r, "providers", []json.RawMessage{d.answer["provider"], json.RawMessage(`{"code":"AMECO","name":"Annual macro-economic database"}`)})
	case "/v22/datasets/AMECO":
		d.send(w, r, "datasets", []json.RawMessage{json.RawMessage(`{"code":"UDGG","name":"General government consolidated gross debt","indexed_at":"2023-05-02T10:00:00Z"}`)})
	case "/v22/datasets/CEPII":
		d.send(w, r, "datasets", d.list())
	case "/v22/datasets/CEPII/CHELEM-TRADE-CHEL":
		d.send(w, r, "datasets", d.list()[:1])
	case "/v22/search":
		found := d.list()[:1]
		if !strings.Contains(strings.ToLower(q.Get("q")), "trade") {
			found = nil
		}
		d.send(w, r, "results", found)
	case "/v22/series/CEPII/CHELEM-TRADE-CHEL":
		d.sendSeries(w, r)
	default:
		http.Error(w, `{"errors":[{"message":"not found"}]}`, http.StatusNotFound)
	}
}

// dataset returns the description of the dataset.
func (d *Server) dataset() json.RawMessage {
	var fields map[string]any
	_ = json.Unmarshal(d.answer["dataset"], &fields) // New has parsed it
	fields["indexed_at"], fields["nb_series"] = d.indexed, d.found(len(d.series))
	text, _ := json.Marshal(fields)
	return text
}

func (d *Server) found(series int) int {
	if d.whole > 0 {
		return d.whole
	}
	return series
}

// list returns the provider's datasets.
func (d *Server) list() []json.RawMessage {
	list := []json.RawMessage{d.dataset()}
	for i := range d.datasets {
		list = append(list, json.RawMessage(fmt.Sprintf(`{"code":"D%d","name":"Dataset %d","provider_code":"CEPII","indexed_at":"2023-05-02T10:00:00Z","nb_series":0}`, i, i)))
	}
	return list
}

// send writes a page of a list.
func (d *Server) send(w http.ResponseWriter, r *http.Request, name string, entries []json.RawMessage) {
	limit, offset := span(r, 50, 500)
	page := append([]json.RawMessage{}, entries[min(offset, len(entries)):min(offset+limit, len(entries))]...)
	text, _ := json.Marshal(map[string]any{name: map[string]any{"docs": page, "limit": limit, "num_found": len(entries), "offset": offset}})
	_, _ = w.Write(text)
}

// span returns the limit and offset of a request.
func span(r *http.Request, usual, maximum int) (limit, offset int) {
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit < 1 {
		limit = usual
	}
	offset, err = strconv.Atoi(r.URL.Query().Get("offset"))
	if err != nil || offset < 0 {
		offset = 0
	}
	return min(limit, maximum), offset
}

// sendSeries writes a page of the series with the requested codes.
func (d *Server) sendSeries(w http.ResponseWriter, r *http.Request) {
	chosen := map[string][]string{}
	if text := r.URL.Query().Get("dimensions"); text != "" {
		if err := json.Unmarshal([]byte(text), &chosen); err != nil {
			http.Error(w, `{"errors":[{"message":"dimensions is not JSON"}]}`, http.StatusBadRequest)
			return
		}
	}
	var found []json.RawMessage
	for i, doc := range d.series {
		has := true
		for dimension, codes := range chosen {
			has = has && slices.Contains(codes, d.codes[i][dimension])
		}
		if has {
			found = append(found, doc)
		}
	}
	limit, offset := span(r, d.limit, d.limit)
	docs := found[min(offset, len(found)):min(offset+limit, len(found))]
	text, _ := json.Marshal(map[string]any{
		"_meta":    map[string]any{"args": map[string]any{"provider_code": "CEPII", "dataset_code": "CHELEM-TRADE-CHEL", "dimensions": chosen, "limit": limit, "offset": offset}, "version": "22.1.17"},
		"dataset":  d.dataset(),
		"errors":   nil,
		"provider": d.answer["provider"],
		"series":   map[string]any{"docs": docs, "limit": limit, "num_found": d.found(len(found)), "offset": offset},
	})
	_, _ = w.Write(text)
}
