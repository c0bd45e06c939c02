package replay

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

// Dbnomics is the service of DBnomics with one dataset, CEPII/CHELEM-TRADE-CHEL,
// cut down to the 1,000 series that the real file has of it.
type Dbnomics struct {
	mu       sync.Mutex
	answer   map[string]json.RawMessage // of the real file, but for its series
	series   []json.RawMessage
	codes    []map[string]string // of the series, by dimension
	indexed  string
	most     int // series a page
	datasets int // that the list of the provider has beside the real one
	whole    int // how many series there are said to be; 0: as many as there are
}

// NewDbnomics reads the real answer below a folder of the offices' files.
func NewDbnomics(dir string) (*Dbnomics, error) {
	text, err := os.ReadFile(filepath.Join(dir, "dbnomics", "CEPII-CHELEM-TRADE-CHEL.json"))
	if err != nil {
		return nil, err
	}
	d := &Dbnomics{most: 1000}
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

// Index takes the dataset in anew, at a time, without its first few series.
func (d *Dbnomics) Index(at string, without int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.indexed, d.series, d.codes = at, d.series[without:], d.codes[without:]
}

// Most bounds how many series a page may have.
func (d *Dbnomics) Most(series int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.most = series
}

// Datasets gives the provider's list more datasets, which have no series.
func (d *Dbnomics) Datasets(more int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.datasets = more
}

// Whole lets the service say that the dataset has more series than it gives, as
// the real one has.
func (d *Dbnomics) Whole(series int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.whole = series
}

// ServeHTTP answers a request.
func (d *Dbnomics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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

// dataset is what the service says of the dataset.
func (d *Dbnomics) dataset() json.RawMessage {
	var fields map[string]any
	_ = json.Unmarshal(d.answer["dataset"], &fields) // it did before
	fields["indexed_at"], fields["nb_series"] = d.indexed, d.found(len(d.series))
	text, _ := json.Marshal(fields)
	return text
}

func (d *Dbnomics) found(series int) int {
	if d.whole > 0 {
		return d.whole
	}
	return series
}

// list is the list of the provider's datasets.
func (d *Dbnomics) list() []json.RawMessage {
	list := []json.RawMessage{d.dataset()}
	for i := range d.datasets {
		list = append(list, json.RawMessage(fmt.Sprintf(`{"code":"D%d","name":"Dataset %d","provider_code":"CEPII","indexed_at":"2023-05-02T10:00:00Z","nb_series":0}`, i, i)))
	}
	return list
}

// send writes a page of a list.
func (d *Dbnomics) send(w http.ResponseWriter, r *http.Request, name string, entries []json.RawMessage) {
	limit, offset := span(r, 50, 500)
	page := append([]json.RawMessage{}, entries[min(offset, len(entries)):min(offset+limit, len(entries))]...)
	text, _ := json.Marshal(map[string]any{name: map[string]any{"docs": page, "limit": limit, "num_found": len(entries), "offset": offset}})
	_, _ = w.Write(text)
}

// span is the part of a list that a request asks for.
func span(r *http.Request, usual, most int) (limit, offset int) {
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit < 1 {
		limit = usual
	}
	offset, err = strconv.Atoi(r.URL.Query().Get("offset"))
	if err != nil || offset < 0 {
		offset = 0
	}
	return min(limit, most), offset
}

// sendSeries writes a page of series, of those that have the wanted codes.
func (d *Dbnomics) sendSeries(w http.ResponseWriter, r *http.Request) {
	chosen := map[string][]string{}
	if text := r.URL.Query().Get("dimensions"); text != "" {
		if err := json.Unmarshal([]byte(text), &chosen); err != nil {
			http.Error(w, `{"errors":[{"message":"dimensions is no JSON"}]}`, http.StatusBadRequest)
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
	limit, offset := span(r, d.most, d.most)
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
