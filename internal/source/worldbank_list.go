package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// Limits of a page of a list of indicators.
const (
	worldbankEntries = 1000
	worldbankBytes   = 64 << 20
)

// worldbankEntry is an indicator or a database in a list of the API.
type worldbankEntry struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
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
func (s *worldbank) Contents(ctx context.Context, _ Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
		days := map[string]time.Time{}
		err := s.list(ctx, "/source", func(e worldbankEntry) error {
			days[e.ID] = worldbankDay(e.Updated)
			return nil
		})
		if err != nil {
			return err
		}
		return s.list(ctx, "/indicator", func(e worldbankEntry) error { return add(e.entry(days)) })
	})
}

// entry converts an indicator.
func (e *worldbankEntry) entry(days map[string]time.Time) Entry {
	theme := strings.TrimSpace(e.Source.Name)
	for _, topic := range e.Topics {
		if name := strings.TrimSpace(topic.Name); name != "" {
			theme += " / " + name
		}
	}
	entry := Entry{Code: e.ID, Title: strings.TrimSpace(e.Name), Theme: theme, Updated: days[e.Source.ID]}
	if e.Source.ID != "" {
		entry.Folders = []string{e.Source.ID}
	}
	if !worldbankCodes.MatchString(e.ID) {
		entry.Code = ""
	}
	return entry
}

// list reads all pages of a list of the API.
func (s *worldbank) list(ctx context.Context, path string, use func(worldbankEntry) error) error {
	pages, total, read := 1, 0, 0
	for page := 1; page <= pages; page++ {
		address := s.address(path, fmt.Sprintf("&per_page=%d&page=%d", worldbankEntries, page))
		body, _, err := s.client.Read(ctx, fetch.Request{Address: address, Pause: time.Duration(s.Pause)}, worldbankBytes)
		if err != nil {
			return err
		}
		entries := 0
		h, err := readWorldbankList(body, func(e worldbankEntry) error {
			entries++
			return use(e)
		})
		if errors.Is(err, ErrStop) {
			return err
		}
		if err != nil {
			return UnexpectedResponse(stat.Unavailable, address, err)
		}
		if page == 1 {
			pages, total = h.pages, h.total
		}
		if h.page != page || h.pages < 1 || h.pages > worldbankMaxPages || h.pages != pages || h.total != total || entries == 0 {
			return stat.Errorf(stat.Unavailable, "%s: the response is page %d of %d with %d entries of %d; the first page stated %d pages and %d entries", address, h.page, h.pages, entries, h.total, pages, total)
		}
		read += entries
	}
	if IsShort(read, total) {
		return stat.Errorf(stat.Unavailable, "%s: the list should have %d entries but has %d", s.address(path, ""), total, read)
	}
	return nil
}

// worldbankHeader is the header of a response.
type worldbankHeader struct {
	page, pages, perPage, total int
	day                         string // of the last change of the database
}

// updated returns the day of the last update; zero if unknown.
func (h *worldbankHeader) updated() time.Time { return worldbankDay(h.day) }

func worldbankDay(text string) time.Time {
	day, err := time.Parse(time.DateOnly, strings.TrimSpace(text))
	if err != nil {
		return time.Time{}
	}
	return day
}

// readWorldbankList reads a response with a list of entries.
func readWorldbankList(body []byte, use func(worldbankEntry) error) (worldbankHeader, error) {
	in := jsonstream.New(bytes.NewReader(body))
	return readWorldbankAnswer(in, func() error {
		var e worldbankEntry
		if err := in.Decode(&e); err != nil {
			return err
		}
		return use(e)
	})
}

// scanWorldbank reads a page to its end and counts its records.
func scanWorldbank(file string) (h worldbankHeader, records int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return h, 0, err
	}
	defer func() { _ = f.Close() }()
	in := jsonstream.New(f)
	h, err = readWorldbankAnswer(in, func() error {
		records++
		return in.SkipEntry()
	})
	return h, records, err
}

// readWorldbankAnswer reads a whole response: its header, and a list whose items use
// reads.
func readWorldbankAnswer(s *jsonstream.Stream, use func() error) (worldbankHeader, error) {
	h, err := readWorldbankHeader(s)
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

// readWorldbankHeader reads the header, which is the first of the two values of a
// response. Errors of the API come in its place, with status 200.
func readWorldbankHeader(s *jsonstream.Stream) (worldbankHeader, error) {
	if err := s.Delimiter('['); err != nil {
		return worldbankHeader{}, err
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
		return worldbankHeader{}, jsonstream.UnexpectedEnd(err)
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
		return worldbankHeader{}, stat.Errorf(kind, "the World Bank returned an error: %.200s: %.500s", m.Key, m.Value)
	}
	read := worldbankHeader{day: h.Updated}
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
