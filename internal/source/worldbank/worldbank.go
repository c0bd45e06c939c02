// Package worldbank is a client of the World Bank's API of indicators.
package worldbank

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// server is the World Bank's API v2, which returns indicators in pages.
//
// An indicator is a dataset: SP.POP.TOTL. It belongs to one of the Bank's databases. Some
// are in several databases, in different versions: 57/SP.POP.TOTL is the one in database
// 57, and a separate dataset.
//
// The Bank states the last update of databases, not of indicators, and only the day. The
// day is stored when it is over everywhere.
type server struct {
	source.Office
	client *fetch.Client
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server { return &server{o, c} }

// Limits of the pages. The server refuses 50,000 records with an HTML page and
// accepts 32,500. No indicator comes near the limit of records.
const (
	pageSize   = 20_000
	maxRecords = 20_000_000
	maxPages   = 2000
)

// codePattern matches codes of indicators, with or without a database.
var codePattern = regexp.MustCompile(`^(?:([0-9]{1,6})/)?(` + source.CodePattern + `)$`)

// Fetch saves the pages of an indicator.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	parts := codePattern.FindStringSubmatch(r.Code)
	if parts == nil {
		return nil, stat.Errorf(stat.NotFound, "%s has no indicator %q; codes look like SP.POP.TOTL, or 57/SP.POP.TOTL for the one of another database", s.Name, r.Code)
	}
	database, code := parts[1], parts[2]
	if database == "" && r.Listed != nil && len(r.Listed.Folders) > 0 {
		database = r.Listed.Folders[0]
	}
	return source.OfOneRelease(s.ID+":"+code, func() (*source.Download, error) {
		address, now, err := s.probe(ctx, code, database)
		if err != nil {
			return nil, err
		}
		updated := now.updated()
		if !updated.IsZero() && updated.Equal(r.Known.Updated) {
			return &source.Download{Unchanged: true, State: r.Known}, nil
		}
		files, err := s.pages(ctx, address, now, r.Folder)
		if err != nil {
			return nil, err
		}
		d := &source.Download{Data: files, State: source.State{Updated: source.StorableTime(updated, s.client.Now(), source.LastMidnight)}, Source: s.Name}
		if parts[1] != "" {
			d.Code = r.Code
		}
		if s.Website != "" {
			d.SourceURL = s.Website + "/indicator/" + url.PathEscape(code)
		}
		return d, nil
	})
}

// address returns an address in the API, in the office's language.
func (s *server) address(path, query string) string {
	language := ""
	if s.Language != "" && s.Language != "en" {
		language = "/" + url.PathEscape(s.Language)
	}
	return s.Address + language + path + "?format=json" + query
}

// probe requests a single record of an indicator, whose header states the number of
// records and the day of the update. An indicator that the API does not find by
// itself is requested from the database that lists it.
func (s *server) probe(ctx context.Context, code, database string) (address string, now pageHeader, err error) {
	address = s.data(code, database)
	now, err = s.header(ctx, address+"&per_page=1&page=1")
	if database == "" && stat.KindOf(err) == stat.NotFound {
		if database = s.databaseOf(ctx, code); database != "" {
			address = s.data(code, database)
			now, err = s.header(ctx, address+"&per_page=1&page=1")
		}
	}
	if stat.KindOf(err) == stat.NotFound {
		err = stat.Errorf(stat.NotFound, "%s has no indicator %s; `almanac source datasets %s --search WORDS` lists them", s.Name, code, s.ID)
	}
	if err == nil && now.total == 0 {
		err = stat.Errorf(stat.Refused, "%s: the indicator has no data", address)
	}
	if err == nil && now.total > maxRecords {
		err = stat.Errorf(stat.Refused, "%s: the indicator has %d records, more than the limit of %d", address, now.total, maxRecords)
	}
	return address, now, err
}

// data returns the address of an indicator's records.
func (s *server) data(code, database string) string {
	query := ""
	if database != "" {
		query = "&source=" + url.QueryEscape(database)
	}
	return s.address("/country/all/indicator/"+url.PathEscape(code), query)
}

// header requests a page for its header only.
func (s *server) header(ctx context.Context, address string) (pageHeader, error) {
	body, _, err := s.client.Read(ctx, s.Request(address), 1<<20)
	if source.IsMissing(err) {
		return pageHeader{}, stat.Errorf(stat.NotFound, "%s: not found at %s", address, s.Name)
	}
	if err != nil {
		return pageHeader{}, err
	}
	h, err := readHeader(jsonstream.New(bytes.NewReader(body)))
	return h, source.UnexpectedResponse(stat.Refused, address, err)
}

// databaseOf returns the database of an indicator; empty if unknown.
func (s *server) databaseOf(ctx context.Context, code string) string {
	address := s.address("/indicator/"+url.PathEscape(code), "")
	body, _, err := s.client.Read(ctx, s.Request(address), 1<<20)
	if err != nil {
		return ""
	}
	database := ""
	_, _ = readList(body, func(e listEntry) error { // the request for the data reports an error
		if strings.EqualFold(e.ID, code) {
			database = e.Source.ID
		}
		return nil
	})
	return database
}

// pages saves all pages of an indicator, or none. The error is ErrReleaseChanged if they
// belong to different releases.
func (s *server) pages(ctx context.Context, address string, now pageHeader, folder string) (files []string, err error) {
	pages, perPage := 1, 0
	for page := 1; page <= pages; page++ {
		file := filepath.Join(folder, fmt.Sprintf("page-%04d.json", page))
		pageAddress := fmt.Sprintf("%s&per_page=%d&page=%d", address, pageSize, page)
		if _, err := s.client.Save(ctx, s.Request(pageAddress), file); err != nil {
			return files, err
		}
		files = append(files, file)
		h, records, err := scanPage(file)
		if err = source.UnexpectedResponse(stat.Refused, pageAddress, err); err != nil {
			return files, err
		}
		if page == 1 {
			pages, perPage = h.pages, h.perPage
		}
		switch {
		case h.page != page || pages < 1 || pages > maxPages:
			return files, stat.Errorf(stat.Refused, "%s: the response states that it is page %d of %d", pageAddress, h.page, h.pages)
		case h.total != now.total || h.day != now.day || h.pages != pages || h.perPage != perPage:
			return files, source.ErrReleaseChanged
		case records != min(perPage, h.total-(page-1)*perPage):
			return files, stat.Errorf(stat.Refused, "%s: the response has %d records, which does not fit page %d of %d with %d records per page and %d in all", pageAddress, records, page, pages, perPage, h.total)
		}
	}
	return files, nil
}
