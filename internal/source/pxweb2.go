package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	jsonstatformat "almanac/internal/format/jsonstat"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// pxweb2 is version 2 of the interface:
//
//	GET  base/config              the limits of the server
//	GET  base/tables?query=WORDS  tables, in pages
//	GET  base/tables/ID           one table: its last update
//	GET  base/tables/ID/metadata  the metadata of a table, as JSON-stat without values
//	POST base/tables/ID/data      cells of a table
type pxweb2 struct{ *pxwebCaller }

func newPxweb2(o Office, c *fetch.Client) pxweb2 {
	return pxweb2{&pxwebCaller{Office: o, client: c, base: o.Address, config: o.Address + "/config"}}
}

// pxweb2Table is a table in the list.
type pxweb2Table struct {
	ID      string          `json:"id"`
	Label   string          `json:"label"`
	Updated string          `json:"updated"`
	Paths   [][]pxweb2Level `json:"paths"` // of its folders
}

type pxweb2Level struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// entry converts a table. Its theme is made from the first of its paths.
func (t *pxweb2Table) entry() Entry {
	e := Entry{Code: t.ID, Title: pxwebText(t.Label, t.ID), Updated: pxwebTime(t.Updated)}
	if len(t.Paths) > 0 {
		var names []string
		for _, level := range t.Paths[0] {
			e.Folders = append(e.Folders, level.ID)
			names = append(names, pxwebText(level.Label, level.ID))
		}
		e.Theme = strings.Join(names, " / ")
	}
	return e
}

// isUnder reports whether a table is in a folder, which is named by its code, its title,
// or the codes from the top: BE/BE0101.
func (t *pxweb2Table) isUnder(folder string) bool {
	folder = strings.Trim(folder, "/")
	for _, levels := range t.Paths {
		var codes []string
		for _, level := range levels {
			codes = append(codes, level.ID)
			if strings.EqualFold(level.ID, folder) || strings.EqualFold(level.Label, folder) || strings.EqualFold(strings.Join(codes, "/"), folder) {
				return true
			}
		}
	}
	return folder == ""
}

// inLanguage adds a query and the language to an address.
func (s pxweb2) inLanguage(address string, query url.Values) string {
	query.Set("lang", s.language())
	return address + "?" + query.Encode()
}

func (s pxweb2) language() string {
	if s.Language != "" {
		return s.Language
	}
	return "en"
}

// Limits of the list of tables.
const (
	pxweb2PageSize = 500
	pxweb2MaxPages = 20_000
)

// contents reads the whole list in pages of 500 tables and searches it itself, because the
// server's search also returns tables with other forms of the words or only some of them.
func (s pxweb2) contents(ctx context.Context, f Filter) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if _, err := s.limits(ctx); err != nil {
			yield(Entry{}, err)
			return
		}
		filter := listFilter{Filter: f}
		seen, read, first := map[string]bool{}, 0, pxweb2Count{}
		for number := 1; ; number++ {
			address := s.inLanguage(s.base+"/tables", url.Values{
				"pageNumber": {strconv.Itoa(number)}, "pageSize": {strconv.Itoa(pxweb2PageSize)}, "includeDiscontinued": {"true"},
			})
			body, _, err := s.read(ctx, address, nil)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			isNew, more := false, true
			count, err := pxweb2Page(body, func(t pxweb2Table) bool {
				read++
				if t.ID == "" || seen[t.ID] {
					return true
				}
				seen[t.ID], isNew = true, true
				if t.isUnder(f.Under) {
					filter.folderSeen = true
					if e := t.entry(); f.isFound(e) {
						more = yield(e, nil)
					}
				}
				return more
			})
			if number == 1 {
				first = count
			}
			if err == nil && more {
				err = count.check(first, number, read)
			}
			switch {
			case !more:
				return
			case err != nil:
				yield(Entry{}, s.unreadable(address, "a list of tables", err))
				return
			case number == count.Pages:
				if err := filter.folderError(s.Office); err != nil {
					yield(Entry{}, err)
				}
				return
			case !isNew || number == pxweb2MaxPages:
				yield(Entry{}, stat.Errorf(stat.Unavailable, "the list of %s does not end: page %d of %d (%s) has no new table", s.Name, number, count.Pages, address))
				return
			}
		}
	}
}

// pxweb2Count is the position of a page in the list.
type pxweb2Count struct {
	Number int  `json:"pageNumber"` // 0: not stated
	Pages  int  `json:"totalPages"`
	Tables *int `json:"totalElements"`
}

// check returns an error for a page whose counts are missing or contradict the first page
// or the number of tables read so far: tables in the rest of the list would seem to be
// removed.
func (c *pxweb2Count) check(first pxweb2Count, number, read int) error {
	switch {
	case c.Pages < 1 || c.Pages < number:
		return fmt.Errorf("page %d states %d pages", number, c.Pages)
	case c.Number != 0 && c.Number != number:
		return fmt.Errorf("page %d states that it is page %d", number, c.Number)
	case c.Pages != first.Pages:
		return fmt.Errorf("page %d states %d pages, the first page stated %d", number, c.Pages, first.Pages)
	case c.Tables != nil && number == c.Pages && isShort(read, *c.Tables):
		return fmt.Errorf("found %d tables on %d pages, but the list states %d", read, number, *c.Tables)
	}
	return nil
}

// pxweb2Page reads a page of the list, table by table, and returns its position.
func pxweb2Page(body []byte, each func(pxweb2Table) bool) (count pxweb2Count, err error) {
	in := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	if start, err := in.Token(); err != nil {
		return count, err
	} else if start != json.Delim('{') {
		return count, errors.New("not a page of tables")
	}
	found := false
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return count, err
		}
		switch name {
		case "tables":
			found = true
			if more, err := pxweb2Tables(in, each); err != nil || !more {
				return count, err
			}
		case "page":
			if err := in.Decode(&count); err != nil {
				return count, err
			}
		default:
			var other json.RawMessage
			if err := in.Decode(&other); err != nil {
				return count, err
			}
		}
	}
	if _, err := in.Token(); err != nil {
		return count, err
	}
	if _, err := in.Token(); err != io.EOF {
		return count, errors.New("unexpected content after the page")
	}
	if !found {
		return count, errors.New("missing tables")
	}
	return count, nil
}

func pxweb2Tables(in *json.Decoder, each func(pxweb2Table) bool) (more bool, err error) {
	if start, err := in.Token(); err != nil {
		return false, err
	} else if start != json.Delim('[') {
		return false, errors.New("tables is not a list")
	}
	for in.More() {
		var t pxweb2Table
		if err := in.Decode(&t); err != nil {
			return false, err
		}
		if !each(t) {
			return false, nil
		}
	}
	_, err = in.Token()
	return err == nil, err
}

// updated requests the table's entry in the list. Without one the time is unknown, and the
// metadata tell whether the table exists.
func (s pxweb2) updated(ctx context.Context, code string) (time.Time, error) {
	address := s.inLanguage(s.address("tables/"+code), url.Values{})
	body, _, err := s.read(ctx, address, nil)
	if isMissing(err) {
		return time.Time{}, nil
	}
	if err != nil {
		return time.Time{}, err
	}
	var t pxweb2Table
	if err := json.Unmarshal(body, &t); err != nil {
		return time.Time{}, s.unreadable(address, "a table", err)
	}
	return pxwebTime(t.Updated), nil
}

func (s pxweb2) table(ctx context.Context, code string) (pxwebTable, error) {
	address := s.inLanguage(s.address("tables/"+code+"/metadata"), url.Values{})
	body, answer, err := s.read(ctx, address, nil)
	if err != nil {
		return pxwebTable{}, err
	}
	t, err := pxwebReadStat(body)
	if err != nil {
		return t, s.unreadable(address, "the metadata of a table", err)
	}
	t.digest = answer.Validators.Digest
	return t, nil
}

// pxwebReadStat reads the dimensions of a JSON-stat text.
func pxwebReadStat(body []byte) (pxwebTable, error) {
	variables, err := jsonstatformat.Variables(body)
	if err != nil {
		return pxwebTable{}, err
	}
	var t pxwebTable
	for _, v := range variables {
		t.variables = append(t.variables, pxwebVariable{code: v.ID, values: v.Codes, isMeasure: v.IsMetric})
	}
	return t, t.check()
}

func (s pxweb2) query(code string, part []pxwebVariable) fetch.Request {
	type selection struct {
		Variable string   `json:"variableCode"`
		Values   []string `json:"valueCodes"`
	}
	var message struct {
		Selection []selection `json:"selection"`
	}
	for _, v := range part {
		message.Selection = append(message.Selection, selection{v.code, v.values})
	}
	// The request is a POST because an address is limited to 2100 characters.
	return fetch.Request{
		Address: s.inLanguage(s.address("tables/"+code+"/data"), url.Values{"outputFormat": {"px"}}),
		Body:    pxwebJSON(message),
	}
}

func (s pxweb2) dataset(code string) string { return path.Base(code) }
