package worldbank

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// Limits of a page of a list of indicators.
const (
	listSize     = 1000
	maxListBytes = 64 << 20
)

// listEntry is an indicator or a database in a list of the API.
type listEntry struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Note    string `json:"sourceNote"`
	Updated string `json:"lastupdated"` // of a database
	Source  struct {
		ID   string `json:"id"`
		Name string `json:"value"`
	} `json:"source"`
	Topics []struct {
		Name string `json:"value"`
	} `json:"topics"`
}

// Contents yields the indicators of all databases. Under is the number or name of a
// database, or a topic.
func (s *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		days := map[string]time.Time{}
		err := s.list(ctx, "/source", func(e listEntry) error {
			days[e.ID] = parseDay(e.Updated)
			return nil
		})
		if err != nil {
			return err
		}
		return s.list(ctx, "/indicator", func(e listEntry) error { return add(e.entry(days)) })
	})
}

// entry converts an indicator.
func (e *listEntry) entry(days map[string]time.Time) source.Entry {
	theme := strings.TrimSpace(e.Source.Name)
	for _, topic := range e.Topics {
		if name := strings.TrimSpace(topic.Name); name != "" {
			theme += " / " + name
		}
	}
	entry := source.Entry{Code: e.ID, Title: strings.TrimSpace(e.Name), Theme: theme, Updated: days[e.Source.ID], Language: "en", Description: source.Description(e.Note)}
	if e.Source.ID != "" {
		entry.Folders = []string{e.Source.ID}
	}
	if !codePattern.MatchString(e.ID) {
		entry.Code = ""
	}
	return entry
}

// list reads all pages of a list of the API.
func (s *server) list(ctx context.Context, path string, use func(listEntry) error) error {
	pages, total, read := 1, 0, 0
	for page := 1; page <= pages; page++ {
		address := s.address(path, fmt.Sprintf("&per_page=%d&page=%d", listSize, page))
		body, _, err := s.client.Read(ctx, s.Request(address), maxListBytes)
		if err != nil {
			return err
		}
		entries := 0
		h, err := readList(body, func(e listEntry) error {
			entries++
			return use(e)
		})
		if err = source.UnexpectedResponse(stat.Unavailable, address, err); err != nil {
			return err
		}
		if page == 1 {
			pages, total = h.pages, h.total
		}
		if h.page != page || h.pages < 1 || h.pages > maxPages || h.pages != pages || h.total != total || entries == 0 {
			return stat.Errorf(stat.Unavailable, "%s: the response is page %d of %d with %d entries of %d; the first page stated %d pages and %d entries", address, h.page, h.pages, entries, h.total, pages, total)
		}
		read += entries
	}
	if source.IsShort(read, total) {
		return stat.Errorf(stat.Unavailable, "%s: the list should have %d entries but has %d", s.address(path, ""), total, read)
	}
	return nil
}

// pageHeader is the header of a response.
type pageHeader struct {
	page, pages, perPage, total int
	day                         string // of the last change of the database
}

// updated returns the day of the last update; zero if unknown.
func (h *pageHeader) updated() time.Time { return parseDay(h.day) }

func parseDay(text string) time.Time {
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}
	}
	return day
}

// readList reads a response with a list of entries.
func readList(body []byte, use func(listEntry) error) (pageHeader, error) {
	in := jsonstream.New(bytes.NewReader(body))
	return readAnswer(in, func() error {
		var e listEntry
		if err := in.Decode(&e); err != nil {
			return err
		}
		return use(e)
	})
}

// scanPage reads a page to its end and counts its records.
func scanPage(file string) (h pageHeader, records int, err error) {
	err = jsonstream.ReadFile(file, func(in *jsonstream.Stream) error {
		h, err = readAnswer(in, func() error {
			records++
			return in.SkipEntry()
		})
		return err
	})
	return h, records, err
}

// readAnswer reads a whole response: its header, and a list whose items use
// reads.
func readAnswer(s *jsonstream.Stream, use func() error) (pageHeader, error) {
	h, err := readHeader(s)
	if err == nil {
		err = s.List(use)
	}
	if err == nil {
		err = s.Delimiter(']')
	}
	if err == nil {
		err = s.End()
	}
	return h, err
}

// readHeader reads the header, which is the first of the two values of a
// response. Errors of the API come in its place, with status 200.
func readHeader(s *jsonstream.Stream) (pageHeader, error) {
	if err := s.Delimiter('['); err != nil {
		return pageHeader{}, err
	}
	var h struct {
		Page     json.Number `json:"page"`
		Pages    json.Number `json:"pages"`
		PerPage  json.Number `json:"per_page"`
		Total    json.Number `json:"total"`
		Updated  string      `json:"lastupdated"`
		Messages []struct {
			ID    string `json:"id"`
			Key   string `json:"key"`
			Value string `json:"value"`
		} `json:"message"`
	}
	if err := s.Decode(&h); err != nil {
		return pageHeader{}, jsonstream.UnexpectedEnd(err)
	}
	if len(h.Messages) > 0 {
		m := h.Messages[0]
		kind := stat.Refused
		switch m.ID {
		case "105": // the service is not available
			kind = stat.Unavailable
		case "120", "175": // an invalid value, a deleted indicator
			kind = stat.NotFound
		}
		return pageHeader{}, stat.Errorf(kind, "the World Bank returned an error: %.200s: %.500s", m.Key, m.Value)
	}
	read := pageHeader{day: h.Updated}
	for _, n := range []struct {
		text json.Number
		into *int
	}{{h.Page, &read.page}, {h.Pages, &read.pages}, {h.PerPage, &read.perPage}, {h.Total, &read.total}} {
		number, err := strconv.Atoi(string(n.text))
		if err != nil || number < 0 {
			return read, fmt.Errorf("the header has %q in place of a number", n.text)
		}
		*n.into = number
	}
	return read, nil
}
