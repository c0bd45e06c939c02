package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// worldbank is the World Bank's API v2: indicators in pages.
//
// An indicator is a dataset: SP.POP.TOTL. It belongs to one of the Bank's
// databases, and some stand in others too, as they were at another time: 57/SP.POP.TOTL
// is that of database 57, and a dataset of its own.
//
// The Bank dates databases and not indicators, to the day. A day is remembered
// when it is over everywhere.
type worldbank struct {
	Office
	client *fetch.Client
}

func newWorldbank(o Office, c *fetch.Client) Server { return &worldbank{o, c} }

// The pages of data: the server refuses 50,000 records with an HTML page, and
// 32,500 do; no indicator comes near the bound of records.
const (
	worldbankRecords = 20_000
	worldbankMost    = 20_000_000
	worldbankPages   = 2000
)

// plainCode is a code without anything that an address, a reference or a query
// could take for something else.
const plainCode = `[A-Za-z0-9_][^/;?#'"\\\s[:cntrl:]]{0,199}`

// worldbankCodes are codes of indicators, with or without a database.
var worldbankCodes = regexp.MustCompile(`^(?:([0-9]{1,6})/)?(` + plainCode + `)$`)

// Fetch brings the pages of an indicator.
func (s *worldbank) Fetch(ctx context.Context, r Request) (*Download, error) {
	parts := worldbankCodes.FindStringSubmatch(r.Code)
	if parts == nil {
		return nil, stat.Errorf(stat.NotFound, "%s has no indicator %q: codes are like SP.POP.TOTL, or 57/SP.POP.TOTL for that of another database", s.Name, r.Code)
	}
	if t := r.Told; t != nil && !t.Updated.IsZero() && t.Updated.Equal(r.Known.Updated) {
		return &Download{Unchanged: true, State: r.Known}, nil
	}
	database, code := parts[1], parts[2]
	if database == "" && r.Told != nil && len(r.Told.Folders) > 0 {
		database = r.Told.Folders[0]
	}
	for again := 0; ; again++ {
		address, now, err := s.question(ctx, code, database)
		if err != nil {
			return nil, err
		}
		updated := now.updated()
		if !updated.IsZero() && updated.Equal(r.Known.Updated) {
			return &Download{Unchanged: true, State: r.Known}, nil
		}
		files, err := s.pages(ctx, address, now, r.Folder)
		if errors.Is(err, errShifted) && again == 0 {
			continue
		}
		if errors.Is(err, errShifted) {
			return nil, stat.Errorf(stat.Refused, "%s changed while it was fetched, twice: try again later", address)
		}
		if err != nil {
			return nil, err
		}
		d := &Download{Data: files, State: State{Updated: settled(updated, s.client.Now(), lastMidnight)}, Source: s.Name}
		if parts[1] != "" {
			d.Code = r.Code
		}
		if s.Website != "" {
			d.SourceURL = s.Website + "/indicator/" + url.PathEscape(code)
		}
		return d, nil
	}
}

// address is that of something in the API, in the office's language.
func (s *worldbank) address(path, query string) string {
	language := ""
	if s.Language != "" && s.Language != "en" {
		language = "/" + url.PathEscape(s.Language)
	}
	return s.Address + language + path + "?format=json" + query
}

// question asks for a single record of an indicator, whose header tells how many
// there are and when they were changed. An indicator that the API does not find
// by itself is looked for in the database that lists it.
func (s *worldbank) question(ctx context.Context, code, database string) (address string, now worldbankHeader, err error) {
	address = s.data(code, database)
	now, err = s.header(ctx, address+"&per_page=1&page=1")
	if database == "" && stat.KindOf(err) == stat.NotFound {
		if database = s.home(ctx, code); database != "" {
			address = s.data(code, database)
			now, err = s.header(ctx, address+"&per_page=1&page=1")
		}
	}
	if stat.KindOf(err) == stat.NotFound {
		err = stat.Errorf(stat.NotFound, "%s has no indicator %s: `almanac source datasets %s --search WORDS` shows those that there are", s.Name, code, s.ID)
	}
	if err == nil && now.total == 0 {
		err = stat.Errorf(stat.Refused, "%s: the indicator has no data", address)
	}
	if err == nil && now.total > worldbankMost {
		err = stat.Errorf(stat.Refused, "%s: the indicator has %d records, more than the %d that are fetched", address, now.total, worldbankMost)
	}
	return address, now, err
}

// data is the address of an indicator's records.
func (s *worldbank) data(code, database string) string {
	query := ""
	if database != "" {
		query = "&source=" + url.QueryEscape(database)
	}
	return s.address("/country/all/indicator/"+url.PathEscape(code), query)
}

// header asks for a page that is of no use but for its header.
func (s *worldbank) header(ctx context.Context, address string) (worldbankHeader, error) {
	body, _, err := s.client.Read(ctx, fetch.Request{Address: address, Pause: time.Duration(s.Pause)}, 1<<20)
	if isMissing(err) {
		return worldbankHeader{}, stat.Errorf(stat.NotFound, "%s: %s has nothing there", address, s.Name)
	}
	if err != nil {
		return worldbankHeader{}, err
	}
	return readWorldbankHeader(address, body)
}

// home is the database that an indicator belongs to; empty where none is told.
func (s *worldbank) home(ctx context.Context, code string) string {
	address := s.address("/indicator/"+url.PathEscape(code), "")
	body, _, err := s.client.Read(ctx, fetch.Request{Address: address, Pause: time.Duration(s.Pause)}, 1<<20)
	if err != nil {
		return ""
	}
	home := ""
	_, err = readWorldbankList(body, func(e worldbankEntry) error {
		if strings.EqualFold(e.ID, code) {
			home = e.Source.ID
		}
		return nil
	})
	if err != nil {
		return ""
	}
	return home
}

// pages saves all pages of an indicator, or none. The error is errShifted where
// they do not belong together.
func (s *worldbank) pages(ctx context.Context, address string, now worldbankHeader, folder string) (files []string, err error) {
	defer func() {
		if err != nil {
			dropFiles(files)
			files = nil
		}
	}()
	pages, perPage := 1, 0
	for page := 1; page <= pages; page++ {
		file := filepath.Join(folder, fmt.Sprintf("page-%04d.json", page))
		asked := fmt.Sprintf("%s&per_page=%d&page=%d", address, worldbankRecords, page)
		if _, err := s.client.Save(ctx, fetch.Request{Address: asked, Pause: time.Duration(s.Pause)}, file); err != nil {
			return files, err
		}
		files = append(files, file)
		h, records, err := lookAtWorldbank(file)
		if err != nil {
			return files, notUnderstood(stat.Refused, asked, err)
		}
		if page == 1 {
			pages, perPage = h.pages, h.perPage
		}
		switch {
		case h.page != page || pages < 1 || pages > worldbankPages:
			return files, stat.Errorf(stat.Refused, "%s: the answer says that it is page %d of %d", asked, h.page, h.pages)
		case h.total != now.total || h.day != now.day || h.pages != pages || h.perPage != perPage:
			return files, errShifted
		case records != min(perPage, h.total-(page-1)*perPage):
			return files, stat.Errorf(stat.Refused, "%s: the answer has %d records, and as page %d of %d with %d a page, of %d, it is to have more or fewer", asked, records, page, pages, perPage, h.total)
		}
	}
	return files, nil
}
