package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
)

// The queries of the case (a): one series, five areas, twenty periods.
const (
	queryAreas   = 5
	queryPeriods = 20
	bigShare     = 20 // one query in so many goes to the large dataset
)

func dataURI(id int, parameters url.Values) string {
	return fmt.Sprintf("/api/datasets/%d/data?%s", id, parameters.Encode())
}

// seriesOf returns the parameters of a random series.
func (s *shape) seriesOf(random *rand.Rand) url.Values {
	p := url.Values{}
	for i, n := range s.counts {
		p.Set(fmt.Sprintf("dim%d", i+1), fmt.Sprintf(dimensions[i].code, random.IntN(n)))
	}
	return p
}

// query is one random read.
func (s *shape) query(random *rand.Rand) string {
	p := s.seriesOf(random)
	for _, i := range random.Perm(len(s.areas))[:queryAreas] {
		p.Add("country", s.areas[i].Label)
	}
	slices.Sort(p["country"])
	from := random.IntN(s.nPeriods - queryPeriods + 1)
	p.Set("period_from", s.period(from).String())
	p.Set("period_to", s.period(from+queryPeriods-1).String())
	return dataURI(s.id, p)
}

// seriesQueries returns n distinct queries; the first ones visit every small
// dataset, and every twentieth the large one.
func (s *mainStore) seriesQueries(random *rand.Rand, n int) []string {
	seen := make(map[string]bool, n)
	var list []string
	for i := 0; len(list) < n; i++ {
		from := &s.small[i%len(s.small)]
		if i%bigShare == bigShare-1 {
			from = &s.big
		}
		if uri := from.query(random); !seen[uri] {
			seen[uri] = true
			list = append(list, uri)
		}
	}
	return list
}

// everyDataset returns an address for each generated dataset.
func (s *mainStore) everyDataset(format string) (list []string) {
	for id := range 1 + len(s.million) + len(s.small) {
		list = append(list, fmt.Sprintf(format, id+1))
	}
	return list
}

// latestQueries request the newest values of a selected series.
func (s *mainStore) latestQueries(random *rand.Rand, n int) (list []string) {
	for i := range n {
		d := &s.small[i%len(s.small)]
		p := d.seriesOf(random)
		p.Set("country", d.areas[random.IntN(len(d.areas))].Label)
		list = append(list, fmt.Sprintf("/api/datasets/%d/latest?%s", d.id, p.Encode()))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// catalogPages returns the pages of a hundred datasets, with further parameters.
func catalogPages(datasets int, more string) (list []string) {
	for page := range (datasets + 99) / 100 {
		list = append(list, fmt.Sprintf("/api/datasets?page=%d&limit=100%s", page, more))
	}
	return list
}

// sparseQueries reads a dataset and requests parts of its series. Partner data
// fill a small part of their cube, so random keys would all be empty.
func (h *harness) sparseQueries(p *process, id int, random *rand.Rand) (list []string) {
	w := h.workload("sparse dataset", 0, fmt.Sprintf("/api/datasets/%d", id))
	h.capture(p, w)
	var dataset struct {
		Data []struct {
			Key       map[string]string         `json:"series_key"`
			Countries []string                  `json:"countries"`
			Rows      []struct{ Period string } `json:"rows"`
		}
	}
	check(json.Unmarshal(w.list[0].Body, &dataset))
	for range h.queries {
		series := dataset.Data[random.IntN(len(dataset.Data))]
		p := url.Values{}
		for _, name := range slices.Sorted(maps.Keys(series.Key)) {
			p.Set(strings.TrimSuffix(name, "_value"), series.Key[name])
		}
		for _, i := range random.Perm(len(series.Countries))[:min(queryAreas, len(series.Countries))] {
			p.Add("country", series.Countries[i])
		}
		from := random.IntN(max(len(series.Rows)-queryPeriods, 0) + 1)
		p.Set("period_from", series.Rows[from].Period)
		p.Set("period_to", series.Rows[min(from+queryPeriods, len(series.Rows))-1].Period)
		list = append(list, dataURI(id, p))
	}
	slices.Sort(list)
	return slices.Compact(list)
}
