// Package worldbanktest replays the World Bank for tests.
package worldbanktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Server replays the World Bank's API v2. One indicator has data: NY.GDP.MKTP.CD,
// with the first 10,000 records in the real file. The other listed indicators are deleted,
// like some in the real list.
type Server struct {
	mu       sync.Mutex
	records  []json.RawMessage
	day      string
	limit    int  // entries per page
	archived bool // the indicator is only in database 57
}

// New reads the real response in dir.
func New(dir string) (*Server, error) {
	text, err := os.ReadFile(filepath.Join(dir, "worldbank", "api-v2", "NY.GDP.MKTP.CD.json"))
	if err != nil {
		return nil, err
	}
	w := &Server{limit: 32_500}
	var header struct {
		Day string `json:"lastupdated"`
	}
	if err := json.Unmarshal(text, &[]any{&header, &w.records}); err != nil {
		return nil, err
	}
	w.day = header.Day
	return w, nil
}

// Release publishes the database again on a day, without the first records.
func (b *Server) Release(day string, without int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.day, b.records = day, b.records[without:]
}

// Most limits the entries per page.
func (b *Server) Most(entries int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.limit = entries
}

// Archive moves the indicator to a database that requests must name.
func (b *Server) Archive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.archived = true
}

// missing is the API's response for a missing indicator.
const missing = `[{"message":[{"id":"175","key":"Invalid format","value":"The indicator was not found. It may have been deleted or archived."}]}]`

// ServeHTTP implements [http.Handler].
func (b *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json;charset=utf-8")
	path, found := strings.CutPrefix(r.URL.Path, "/v2/")
	database, q := "2", r.URL.Query()
	if b.archived {
		database = "57"
	}
	switch {
	case !found || q.Get("format") != "json":
		http.Error(w, "the API returns XML here", http.StatusNotFound)
	case path == "source":
		b.send(w, r, "", []json.RawMessage{
			json.RawMessage(fmt.Sprintf(`{"id":"2","lastupdated":%q,"name":"World Development Indicators","code":"WDI"}`, b.day)),
			json.RawMessage(fmt.Sprintf(`{"id":"57","lastupdated":%q,"name":"WDI Database Archives","code":"WDA"}`, b.day)),
		})
	case path == "indicator":
		b.send(w, r, "", b.list(database))
	case path == "indicator/NY.GDP.MKTP.CD":
		b.send(w, r, "", b.list(database)[:1])
	case path != "country/all/indicator/NY.GDP.MKTP.CD" || b.archived && q.Get("source") != database:
		_, _ = fmt.Fprint(w, missing)
	default:
		b.send(w, r, fmt.Sprintf(`,"sourceid":%q,"lastupdated":%q`, database, b.day), b.records)
	}
}

// list returns the list of indicators.
func (b *Server) list(database string) []json.RawMessage {
	var list []json.RawMessage
	for _, i := range []struct{ id, name, topics string }{
		{"NY.GDP.MKTP.CD", "GDP (current US$)", `{"id":"3","value":"Economy & Growth"}`},
		{"SP.POP.TOTL", "Population, total", `{"id":"8","value":"Health "},{"id":"19","value":"Climate Change"}`},
		{"SP.DYN.TFRT.IN", "Fertility rate, total (births per woman)", `{"id":"8","value":"Health "},{}`},
	} {
		list = append(list, json.RawMessage(fmt.Sprintf(`{"id":%q,"name":%q,"unit":"","source":{"id":%q,"value":"World Development Indicators"},"sourceNote":"","sourceOrganization":"","topics":[%s]}`,
			i.id, i.name, database, i.topics)))
	}
	return list
}

// send sends a page of entries. more is the text of further fields of the header.
func (b *Server) send(w http.ResponseWriter, r *http.Request, more string, entries []json.RawMessage) {
	number := func(name string, fallback int) int {
		if n, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && n > 0 {
			return n
		}
		return fallback
	}
	page, perPage, total := number("page", 1), min(number("per_page", 50), b.limit), len(entries)
	pages := (total + perPage - 1) / perPage
	entries = entries[min((page-1)*perPage, total):min(page*perPage, total)]
	text, err := json.Marshal(entries)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	// Lists state per_page as a text, data as a number.
	size := strconv.Itoa(perPage)
	if more == "" {
		size = strconv.Quote(size)
	}
	_, _ = fmt.Fprintf(w, `[{"page":%d,"pages":%d,"per_page":%s,"total":%d%s},%s]`, page, pages, size, total, more, text)
}
