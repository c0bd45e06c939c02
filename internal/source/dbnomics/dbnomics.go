// Package dbnomics is a client of DBnomics, which redistributes the datasets of many
// providers.
package dbnomics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// server is DBnomics, which redistributes the datasets of many providers as pages
// of series.
//
// A code includes the provider: AMECO/UDGG. A part of a dataset is selected by codes,
// CEPII/CHELEM-TRADE-CHEL?exporter=FRA,DEU&secgroup=TOT, and is a separate dataset. The
// source of a dataset is its provider, as for files imported by hand.
type server struct {
	source.Office
	client *fetch.Client
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server { return &server{o, c} }

// Limits of the pages of series. DBnomics returns at most a thousand series per page. Some
// datasets have millions of series. One with more than maxSeries must be fetched
// in parts: at a hundred values per series the limit is 20 million values, about as many
// as an import of several files can keep in memory (70 bytes each).
const (
	pageSize  = 1000
	maxSeries = 200_000
)

// codePattern matches codes of providers and datasets.
var codePattern = regexp.MustCompile(`^` + source.CodePattern + `$`)

// datasetRef names a dataset or a part of it.
type datasetRef struct {
	provider, dataset string
	part              map[string][]string // codes by dimension; empty: all of it
}

// parseRef parses PROVIDER/DATASET?DIMENSION=CODE,CODE&…
func parseRef(code string) (ref datasetRef, err error) {
	name, query, isPart := strings.Cut(code, "?")
	var found bool
	ref.provider, ref.dataset, found = strings.Cut(name, "/")
	if !found || !codePattern.MatchString(ref.provider) || !codePattern.MatchString(ref.dataset) {
		return ref, stat.Errorf(stat.NotFound, "DBnomics has no dataset %q: write PROVIDER/DATASET, as in AMECO/UDGG", code)
	}
	chosen, err := url.ParseQuery(query)
	if err != nil || isPart && len(chosen) == 0 {
		return ref, stat.Errorf(stat.Invalid, "%q does not name a part of a dataset: write PROVIDER/DATASET?DIMENSION=CODE,CODE&DIMENSION=CODE", code)
	}
	ref.part = map[string][]string{}
	for dimension, values := range chosen {
		var codes []string
		for _, value := range values {
			codes = append(codes, strings.Split(value, ",")...)
		}
		slices.Sort(codes)
		if codes = slices.Compact(codes); codes[0] == "" || dimension == "" {
			return ref, stat.Errorf(stat.Invalid, "%q: the dimension %q has no code; write ?DIMENSION=CODE,CODE", code, dimension)
		}
		ref.part[dimension] = codes
	}
	return ref, nil
}

// code returns the dataset code of a part; empty for a whole dataset.
func (r *datasetRef) code() string {
	var parts []string
	for dimension, codes := range r.part {
		part := url.QueryEscape(dimension) + "="
		for i, c := range codes {
			if i > 0 {
				part += ","
			}
			part += url.QueryEscape(c)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	slices.Sort(parts)
	return r.dataset + "?" + strings.Join(parts, "&")
}

// path returns the dataset's path in addresses of the service.
func (r *datasetRef) path() string {
	return url.PathEscape(r.provider) + "/" + url.PathEscape(r.dataset)
}

// Fetch saves the pages of a dataset's series.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	ref, err := parseRef(r.Code)
	if err != nil {
		return nil, err
	}
	return source.OfOneRelease(ref.provider+"/"+ref.dataset, func() (*source.Download, error) {
		now, err := s.dataset(ctx, ref)
		if err != nil {
			return nil, err
		}
		updated := now.updated()
		if !updated.IsZero() && updated.Equal(r.Known.Updated) {
			return &source.Download{Unchanged: true, State: r.Known}, nil
		}
		if len(ref.part) == 0 && now.Series > maxSeries {
			return nil, s.tooMany(ref, now, now.Series)
		}
		files, err := s.pages(ctx, ref, now, r.Folder)
		if err != nil {
			return nil, err
		}
		return &source.Download{Data: files, State: source.State{Updated: updated}, Code: ref.code()}, nil
	})
}

// tooMany returns the error for a dataset that is too large, which shows how to fetch a
// part.
func (s *server) tooMany(ref datasetRef, now description, series int) error {
	dimension := "DIMENSION"
	if len(now.Dimensions) > 0 {
		dimension = now.Dimensions[0]
	}
	return stat.Errorf(stat.Refused, "%s:%s/%s has %d series, more than the limit of %d; fetch a part of it, such as %s:%s/%s?%s=CODE,CODE; its dimensions are %s",
		s.ID, ref.provider, ref.dataset, series, maxSeries, s.ID, ref.provider, ref.dataset, dimension, strings.Join(now.Dimensions, ", "))
}

// dataset requests the description of a dataset.
func (s *server) dataset(ctx context.Context, ref datasetRef) (now description, err error) {
	address := s.Address + "/datasets/" + ref.path()
	body, _, err := s.client.Read(ctx, s.Request(address), maxBytes)
	missing := stat.Errorf(stat.NotFound, "DBnomics has no dataset %s/%s; `almanac source datasets %s --under %s` lists the provider's datasets", ref.provider, ref.dataset, s.ID, ref.provider)
	if source.IsMissing(err) {
		return now, missing
	}
	if err != nil {
		return now, err
	}
	found := false
	_, err = readList(body, "datasets", func(d description) error {
		if strings.EqualFold(d.Code, ref.dataset) {
			now, found = d, true
		}
		return nil
	})
	if err == nil && !found {
		return now, missing
	}
	return now, source.UnexpectedResponse(stat.Refused, address, err)
}

// pages saves all pages of a dataset's series, or none. The error is ErrReleaseChanged if
// they belong to different releases.
func (s *server) pages(ctx context.Context, ref datasetRef, now description, folder string) (files []string, err error) {
	address := s.Address + "/series/" + ref.path() + "?observations=1"
	if len(ref.part) > 0 {
		chosen, err := json.Marshal(ref.part)
		if err != nil {
			return nil, err
		}
		address += "&dimensions=" + url.QueryEscape(string(chosen))
	}
	total := -1
	for offset := 0; total < 0 || offset < total; {
		pageAddress := fmt.Sprintf("%s&limit=%d&offset=%d", address, pageSize, offset)
		file := filepath.Join(folder, fmt.Sprintf("page-%04d.json", len(files)+1))
		_, err := s.client.Save(ctx, s.Request(pageAddress), file)
		if err != nil {
			return files, err
		}
		files = append(files, file)
		var page pageInfo
		err = jsonstream.ReadFile(file, func(in *jsonstream.Stream) error {
			page, err = readPage(in)
			return err
		})
		if err = source.UnexpectedResponse(stat.Refused, pageAddress, err); err != nil {
			return files, err
		}
		if total < 0 {
			total = page.found
		}
		switch {
		case page.found != total || page.indexed != "" && page.indexed != now.Indexed:
			return files, source.ErrReleaseChanged
		case total == 0:
			return files, stat.Errorf(stat.Refused, "%s: the dataset has no such series; its dimensions are %s", pageAddress, strings.Join(now.Dimensions, ", "))
		case total > maxSeries:
			return files, s.tooMany(ref, now, total)
		case page.offset != offset || page.series == 0 || page.series > total-offset:
			return files, stat.Errorf(stat.Refused, "%s: the response has %d series from number %d of %d, want those from number %d", pageAddress, page.series, page.offset, total, offset)
		}
		offset += page.series
	}
	return files, nil
}

// pageInfo describes a page of series.
type pageInfo struct {
	found, offset, series int
	indexed               string // when DBnomics imported the dataset, according to the page
}

// readPage reads a page and skips the content of its series.
func readPage(s *jsonstream.Stream) (page pageInfo, err error) {
	found := -1
	series := func(field string) (bool, error) {
		switch field {
		case "num_found":
			return true, s.Decode(&found)
		case "offset":
			return true, s.Decode(&page.offset)
		case "docs":
			return true, s.List(func() error {
				page.series++
				return s.SkipEntry()
			})
		}
		return false, nil
	}
	dataset := func(field string) (bool, error) {
		if field != "indexed_at" {
			return false, nil
		}
		return true, s.Decode(&page.indexed)
	}
	err = s.Object(func(field string) (bool, error) {
		switch field {
		case "dataset":
			return true, s.Object(dataset)
		case "series":
			return true, s.Object(series)
		}
		return false, nil
	})
	if err == nil {
		err = s.End()
	}
	if err == nil && found < 0 {
		err = errors.New("missing number of series")
	}
	page.found = found
	return page, err
}
