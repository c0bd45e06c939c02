package pxweb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// v1 is version 1 of the interface, which includes version 0:
//
//	GET  base?config        the limits of the server
//	GET  base/FOLDER        the content of a folder
//	GET  base?query=WORDS   tables that match words, on servers with a search
//	GET  base/FOLDER/TABLE  the metadata of a table
//	POST base/FOLDER/TABLE  cells of a table
type v1 struct{ *caller }

func newV1(o source.Office, base string, c *fetch.Client) v1 {
	return v1{&caller{Office: o, client: c, base: base, config: base + "?config"}}
}

// listItem is an entry of a folder, of the list of databases (Dbid), or of the
// results of a search (Path, Title, Published).
type listItem struct {
	ID        string `json:"id"`
	Dbid      string `json:"dbid"`
	Type      string `json:"type"` // l: folder; t: table; otherwise a heading
	Text      string `json:"text"`
	Updated   string `json:"updated"`
	Path      string `json:"path"`
	Title     string `json:"title"`
	Published string `json:"published"`
}

// errNotList reports a response that is not a list; it may be a table's metadata.
var errNotList = errors.New("not a list")

// readItems reads a list entry by entry.
func readItems(body []byte, use func(listItem) error) error {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if bytes.HasPrefix(body, []byte("{")) {
		return errNotList
	}
	in := jsonstream.New(bytes.NewReader(body))
	err := in.List(func() error {
		var item listItem
		if err := in.Decode(&item); err != nil {
			return err
		}
		return use(item)
	})
	if err == nil {
		err = in.End()
	}
	return err
}

// updated finds the time in the table's folder. Newer servers also accept a table without
// its folder; the time is then unknown.
func (s v1) updated(ctx context.Context, code string) (time.Time, error) {
	folder, id := path.Split(code)
	address := s.address(folder)
	body, _, err := s.read(ctx, address, nil)
	if err != nil {
		return time.Time{}, err
	}
	var at time.Time
	err = readItems(body, func(item listItem) error {
		if item.ID == id && item.Type == "t" {
			at = source.ParseTime(item.Updated)
		}
		return nil
	})
	if err != nil {
		return time.Time{}, s.unreadable(address, "a list of tables", err)
	}
	return at, nil
}

func (s v1) table(ctx context.Context, code string) (tableInfo, error) {
	address := s.address(code)
	body, answer, err := s.read(ctx, address, nil)
	if err != nil {
		return tableInfo{}, err
	}
	t, err := readTable(body)
	if errors.Is(err, errNotTable) {
		return t, stat.Errorf(stat.NotFound, "%s:%s is a folder; `almanac source datasets %s --under %s` lists its tables", s.ID, code, s.ID, code)
	} else if err != nil {
		return t, s.unreadable(address, "the metadata of a table", err)
	}
	t.digest = answer.Validators.Digest
	return t, s.complete(ctx, code, &t)
}

var errNotTable = errors.New("this is a list")

// readTable reads metadata of version 1.
func readTable(body []byte) (tableInfo, error) {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if len(body) > 0 && body[0] == '[' {
		return tableInfo{}, errNotTable
	}
	var metadata struct {
		Variables []struct {
			Code   string   `json:"code"`
			Values []string `json:"values"`
		} `json:"variables"`
	}
	if err := json.Unmarshal(body, &metadata); err != nil {
		return tableInfo{}, err
	}
	var t tableInfo
	for _, v := range metadata.Variables {
		t.variables = append(t.variables, variable{code: v.Code, values: v.Values, isMeasure: v1Measures[strings.ToLower(v.Code)]})
	}
	return t, t.check()
}

// v1Measures are the codes of the variable of measures in lower case, which this
// version does not mark: that of servers with a database, and that of Finland's offices,
// which was Tiedot before it was contentscode.
var v1Measures = map[string]bool{"contentscode": true, "tiedot": true}

// check returns an error for metadata from which no query can be made. A variable may have
// no values, because servers omit very many.
func (t *tableInfo) check() error {
	if len(t.variables) == 0 {
		return errors.New("no variables")
	}
	seen := map[string]bool{}
	for _, v := range t.variables {
		if v.code == "" || seen[v.code] {
			return fmt.Errorf("the variable code %q is empty or occurs twice", v.code)
		}
		seen[v.code] = true
		values := make(map[string]bool, len(v.values))
		for _, value := range v.values {
			if values[value] {
				return fmt.Errorf("variable %q has the value %q twice", v.code, value)
			}
			values[value] = true
		}
	}
	return nil
}

// complete requests the values that the metadata omit, as servers do for variables with
// very many values (maxValues). It reads them from the cells for one value of each other
// variable.
func (s v1) complete(ctx context.Context, code string, t *tableInfo) error {
	for i, v := range t.variables {
		if len(v.values) > 0 {
			continue
		}
		query := v1Query{Format: "json-stat2"}
		for j, other := range t.variables {
			switch {
			case j == i:
				query.Selections = append(query.Selections, v1Selection{other.code, "all", []string{"*"}})
			case len(other.values) > 0:
				query.Selections = append(query.Selections, v1Selection{other.code, "item", other.values[:1]})
			default:
				query.Selections = append(query.Selections, v1Selection{other.code, "top", []string{"1"}})
			}
		}
		address := s.address(code)
		body, _, err := s.read(ctx, address, query.body())
		if err != nil {
			return err
		}
		answer, err := readStat(body)
		if err != nil {
			return s.unreadable(address, "the values of "+v.code, err)
		}
		for _, other := range answer.variables {
			if other.code == v.code {
				t.variables[i].values = other.values
			}
		}
		if len(t.variables[i].values) == 0 {
			return stat.Errorf(stat.Refused, "%s:%s: the server does not list the values of variable %q", s.ID, code, v.code)
		}
	}
	return nil
}

// v1Query is a query of version 1.
type v1Query struct {
	Selections []v1Selection
	Format     string
}

type v1Selection struct {
	code, filter string
	values       []string
}

func (q v1Query) body() []byte {
	type selection struct {
		Filter string   `json:"filter"`
		Values []string `json:"values"`
	}
	type of struct {
		Code      string    `json:"code"`
		Selection selection `json:"selection"`
	}
	var message struct {
		Query    []of              `json:"query"`
		Response map[string]string `json:"response"`
	}
	for _, s := range q.Selections {
		message.Query = append(message.Query, of{s.code, selection{s.filter, s.values}})
	}
	message.Response = map[string]string{"format": q.Format}
	return encodeQuery(message)
}

// encodeQuery encodes a query, which consists of strings only.
func encodeQuery(v any) []byte {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		panic(err) // strings can always be encoded
	}
	return bytes.TrimSpace(b.Bytes())
}

func (s v1) query(code string, part []variable) fetch.Request {
	q := v1Query{Format: "px"}
	for _, v := range part {
		q.Selections = append(q.Selections, v1Selection{v.code, "item", v.values})
	}
	return fetch.Request{Address: s.address(code), Body: q.body()}
}

// dataset returns the table's name without its folders, which its files also contain
// (TABLEID, MATRIX). For an office with equal names in several folders, it returns the
// whole path.
func (s v1) dataset(code string) string {
	if !wholePaths[s.ID] {
		code = path.Base(code)
	}
	if dot := len(code) - len(".px"); dot > 0 && strings.EqualFold(code[dot:], ".px") {
		return code[:dot]
	}
	return code
}
