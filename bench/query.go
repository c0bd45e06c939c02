package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
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

// dataURI is the address of a filtered read.
func dataURI(id int, parameters []string) string {
	return fmt.Sprintf("/api/datasets/%d/data?%s", id, strings.Join(parameters, "&"))
}

func parameter(name, value string) string { return name + "=" + url.QueryEscape(value) }

// query is one random read of a generated dataset.
func (s shape) query(random *rand.Rand) string {
	var p []string
	for axis, n := range s.Axes {
		p = append(p, parameter(fmt.Sprintf("dim%d", axis+1), label(axis, random.IntN(n))))
	}
	chosen := random.Perm(s.Areas)[:queryAreas]
	slices.Sort(chosen)
	for _, i := range chosen {
		p = append(p, parameter("country", area(i).Label))
	}
	from := random.IntN(s.Periods - queryPeriods + 1)
	p = append(p, parameter("period_from", s.period(from).String()), parameter("period_to", s.period(from+queryPeriods-1).String()))
	return dataURI(s.ID, p)
}

// seriesQueries are n distinct queries; the first ones visit every small
// dataset, and every twentieth the large one.
func (s *stores) seriesQueries(random *rand.Rand, n int) []string {
	seen := make(map[string]bool, n)
	var list []string
	for i := 0; len(list) < n; i++ {
		from := s.Small[i%len(s.Small)]
		if i%bigShare == bigShare-1 {
			from = s.Big
		}
		if uri := from.query(random); !seen[uri] {
			seen[uri] = true
			list = append(list, uri)
		}
	}
	return list
}

// everyDataset is one address for each generated dataset of the main store.
func (s *stores) everyDataset(format string) []string {
	list := []string{fmt.Sprintf(format, s.Big.ID)}
	for _, d := range slices.Concat(s.Million, s.Small) {
		list = append(list, fmt.Sprintf(format, d.ID))
	}
	return list
}

// latestQueries ask for the newest values of a series that is chosen.
func (s *stores) latestQueries(random *rand.Rand, n int) []string {
	var list []string
	for i := range n {
		d := s.Small[i%len(s.Small)]
		uri := fmt.Sprintf("/api/datasets/%d/latest?", d.ID)
		for axis, codes := range d.Axes {
			uri += parameter(fmt.Sprintf("dim%d", axis+1), label(axis, random.IntN(codes))) + "&"
		}
		list = append(list, uri+parameter("country", area(random.IntN(d.Areas)).Label))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// catalogPages are the pages of a hundred, all of them or those of an area.
func catalogPages(total int, country string) []string {
	var list []string
	for page := range (total + 99) / 100 {
		uri := fmt.Sprintf("/api/datasets?page=%d&limit=100", page)
		if country != "" {
			uri += "&country=" + country
		}
		list = append(list, uri)
	}
	return list
}

// block is what the answers hold of a series, as far as queries need it.
type block struct {
	Key       map[string]string `json:"series_key"`
	Countries []string          `json:"countries"`
	Rows      []struct {
		Period string `json:"period"`
	} `json:"rows"`
}

// sparseQueries read a dataset whole and ask for parts of series that it has:
// where partner data fill a small part of their cube, random keys would all
// be empty.
func sparseQueries(ctx context.Context, server string, id int, random *rand.Rand, n int) ([]string, error) {
	blocks, err := readBlocks(ctx, fmt.Sprintf("%s/api/datasets/%d", server, id))
	if err != nil {
		return nil, err
	}
	var list []string
	for range n {
		b := blocks[random.IntN(len(blocks))]
		var p []string
		for _, name := range slices.Sorted(maps.Keys(b.Key)) {
			p = append(p, parameter(strings.TrimSuffix(name, "_value"), b.Key[name]))
		}
		for _, i := range random.Perm(len(b.Countries))[:min(queryAreas, len(b.Countries))] {
			p = append(p, parameter("country", b.Countries[i]))
		}
		from := random.IntN(max(len(b.Rows)-queryPeriods, 0) + 1)
		to := min(from+queryPeriods, len(b.Rows)) - 1
		p = append(p, parameter("period_from", b.Rows[from].Period), parameter("period_to", b.Rows[to].Period))
		list = append(list, dataURI(id, p))
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func readBlocks(ctx context.Context, url string) ([]block, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var answer struct {
		Data []block `json:"data"`
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 300))
		return nil, fmt.Errorf("%s answers %s: %s", url, resp.Status, text)
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	if len(answer.Data) == 0 {
		return nil, fmt.Errorf("%s has no series", url)
	}
	return answer.Data, nil
}
