package pxweb

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	jsonstatformat "almanac/internal/format/jsonstat"
	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// v2 is version 2 of the interface:
//
//	GET  base/config              the limits of the server
//	GET  base/tables?query=WORDS  tables, in pages
//	GET  base/tables/ID           one table: its last update
//	GET  base/tables/ID/metadata  the metadata of a table, as JSON-stat without values
//	POST base/tables/ID/data      cells of a table
type v2 struct{ *caller }

func newV2(o source.Office, c *fetch.Client) v2 {
	return v2{&caller{Office: o, client: c, base: o.Address, config: o.Address + "/config"}}
}

// v2Table is a table in the list.
type v2Table struct {
	ID      string      `json:"id"`
	Label   string      `json:"label"`
	Updated string      `json:"updated"`
	Paths   [][]v2Level `json:"paths"` // of its folders

	Description string   `json:"description"`
	First       string   `json:"firstPeriod"`
	Last        string   `json:"lastPeriod"`
	TimeUnit    string   `json:"timeUnit"`
	Variables   []string `json:"variableNames"`
}

// v2Frequencies are the codes of SDMX for the units of time. Others have none.
var v2Frequencies = map[string]string{"Annual": "A", "HalfYear": "S", "Quarterly": "Q", "Monthly": "M", "Weekly": "W", "Daily": "D"}

type v2Level struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// entry converts a table. Its folders are those of the first path, or of one that leads
// to the requested folder.
func (t *v2Table) entry(under string) source.Entry {
	e := source.Entry{
		Code: t.ID, Title: plainText(t.Label, t.ID), Updated: source.ParseTime(t.Updated),
		Description: cmp.Or(source.Description(t.Description), strings.Join(t.Variables, ", ")),
		Frequency:   v2Frequencies[t.TimeUnit], First: t.First, Last: t.Last,
	}
	for i, levels := range t.Paths {
		var path source.Entry
		var names []string
		for _, level := range levels {
			path.Folders, names = append(path.Folders, level.ID), append(names, plainText(level.Label, level.ID))
		}
		path.Theme = strings.Join(names, " / ")
		if i == 0 || under != "" && (source.Filter{Under: under}).IsUnder(path) {
			e.Folders, e.Theme = path.Folders, path.Theme
		}
	}
	return e
}

// inLanguage adds a query and the language to an address.
func (s v2) inLanguage(address string, query url.Values) string {
	return inLanguage(address, query, s.language())
}

func inLanguage(address string, query url.Values, language string) string {
	query.Set("lang", language)
	return address + "?" + query.Encode()
}

// Limits of the list of tables.
const (
	v2PageSize = 500
	v2MaxPages = 20_000
)

// contents reads the whole list in pages of 500 tables and searches it itself, because the
// server's search also returns tables with other forms of the words or only some of them.
func (s v2) contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		limits, err := s.limits(ctx)
		if err != nil {
			return err
		}
		others := otherTexts{}
		if f.Languages {
			for _, language := range otherLanguages(limits.languages, s.language()) {
				err := s.tables(ctx, language, func(t v2Table) error {
					e := t.entry("")
					others.add(t.ID, source.Text{Language: language, Title: plainText(t.Label, ""), Description: e.Description, Theme: e.Theme})
					return nil
				})
				if err != nil {
					return err
				}
			}
		}
		return s.tables(ctx, s.language(), func(t v2Table) error {
			e := t.entry(f.Under)
			e.Language, e.Others = s.language(), others[t.ID]
			return add(e)
		})
	})
}

// tables reads the list in a language, each table once.
func (s v2) tables(ctx context.Context, language string, use func(v2Table) error) error {
	seen, read, first := source.CodeSet{}, 0, v2Count{}
	for number := 1; ; number++ {
		address := inLanguage(s.base+"/tables", url.Values{
			"pageNumber": {strconv.Itoa(number)}, "pageSize": {strconv.Itoa(v2PageSize)}, "includeDiscontinued": {"true"},
		}, language)
		body, _, err := s.read(ctx, address, nil)
		if err != nil {
			return err
		}
		isNew := false
		count, err := readPage(body, func(t v2Table) error {
			read++
			if t.ID == "" || !seen.Add(t.ID) {
				return nil
			}
			isNew = true
			return use(t)
		})
		if number == 1 {
			first = count
		}
		if err == nil {
			err = count.check(first, number, read)
		}
		switch {
		case errors.Is(err, source.ErrStop):
			return err
		case err != nil:
			return s.unreadable(address, "a list of tables", err)
		case number == count.Pages:
			return nil
		case !isNew || number == v2MaxPages:
			return stat.Errorf(stat.Unavailable, "the list of %s does not end: page %d of %d (%s) has no new table", s.Name, number, count.Pages, address)
		}
	}
}

// v2Count is the position of a page in the list.
type v2Count struct {
	Number int  `json:"pageNumber"` // 0: not stated
	Pages  int  `json:"totalPages"`
	Tables *int `json:"totalElements"`
}

// check returns an error for a page whose counts are missing or contradict the first page
// or the number of tables read so far: tables in the rest of the list would seem to be
// removed.
func (c *v2Count) check(first v2Count, number, read int) error {
	switch {
	case c.Pages < 1 || c.Pages < number:
		return fmt.Errorf("page %d states %d pages", number, c.Pages)
	case c.Number != 0 && c.Number != number:
		return fmt.Errorf("page %d states that it is page %d", number, c.Number)
	case c.Pages != first.Pages:
		return fmt.Errorf("page %d states %d pages, the first page stated %d", number, c.Pages, first.Pages)
	case c.Tables != nil && number == c.Pages && source.IsShort(read, *c.Tables):
		return fmt.Errorf("found %d tables on %d pages, but the list states %d", read, number, *c.Tables)
	}
	return nil
}

// readPage reads a page of the list, table by table, and returns its position.
func readPage(body []byte, use func(v2Table) error) (count v2Count, err error) {
	in, found := jsonstream.New(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))), false
	err = in.Object(func(field string) (bool, error) {
		switch field {
		case "tables":
			found = true
			return true, in.List(func() error {
				var t v2Table
				if err := in.Decode(&t); err != nil {
					return err
				}
				return use(t)
			})
		case "page":
			return true, in.Decode(&count)
		}
		return false, nil
	})
	if err == nil {
		err = in.End()
	}
	if err == nil && !found {
		err = errors.New("missing tables")
	}
	return count, err
}

// updated requests the table's entry in the list. Without one the time is unknown, and the
// metadata tell whether the table exists.
func (s v2) updated(ctx context.Context, code string) (time.Time, error) {
	address := s.inLanguage(s.address("tables/"+code), url.Values{})
	var t v2Table
	_, err := s.decode(ctx, address, "a table", &t)
	if source.IsMissing(err) {
		return time.Time{}, nil
	}
	return source.ParseTime(t.Updated), err
}

func (s v2) table(ctx context.Context, code string) (tableInfo, error) {
	address := s.inLanguage(s.address("tables/"+code+"/metadata"), url.Values{})
	body, answer, err := s.read(ctx, address, nil)
	if err != nil {
		return tableInfo{}, err
	}
	t, err := readStat(body)
	if err != nil {
		return t, s.unreadable(address, "the metadata of a table", err)
	}
	t.digest = answer.Validators.Digest
	return t, nil
}

// readStat reads the dimensions of a JSON-stat text.
func readStat(body []byte) (tableInfo, error) {
	variables, err := jsonstatformat.Variables(body)
	if err != nil {
		return tableInfo{}, err
	}
	var t tableInfo
	for _, v := range variables {
		t.variables = append(t.variables, variable{code: v.ID, values: v.Codes, isMeasure: v.IsMetric})
	}
	return t, t.check()
}

func (s v2) query(code string, part []variable) fetch.Request {
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
		Body:    encodeQuery(message),
	}
}

func (s v2) dataset(code string) string { return path.Base(code) }
