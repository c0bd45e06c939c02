package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// pxweb1 is the first version of the interface (version 0 is like it):
//
//	GET  base?config        what the server allows
//	GET  base/FOLDER        what stands in a folder
//	GET  base?query=WORDS   tables that are about something, on servers that can search
//	GET  base/FOLDER/TABLE  what a table is made of
//	POST base/FOLDER/TABLE  cells of a table
type pxweb1 struct{ *pxwebCaller }

func newPxweb1(o Office, base string, c *fetch.Client) pxweb1 {
	return pxweb1{&pxwebCaller{Office: o, client: c, base: base, config: base + "?config"}}
}

// pxwebItem is an entry of a folder, of the list of databases (Dbid), or of what
// a search finds (Path, Title, Published).
type pxwebItem struct {
	ID        string `json:"id"`
	Dbid      string `json:"dbid"`
	Type      string `json:"type"` // l: folder; t: table; others are headings
	Text      string `json:"text"`
	Updated   string `json:"updated"`
	Path      string `json:"path"`
	Title     string `json:"title"`
	Published string `json:"published"`
}

// errPxwebNoList: an answer is no list; a table's metadata perhaps.
var errPxwebNoList = errors.New("this is no list")

// pxwebItems reads a list, one entry after another.
func pxwebItems(body []byte, each func(pxwebItem) bool) error {
	in := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))))
	if start, err := in.Token(); err != nil {
		return err
	} else if start != json.Delim('[') {
		return errPxwebNoList
	}
	for in.More() {
		var item pxwebItem
		if err := in.Decode(&item); err != nil {
			return err
		}
		if !each(item) {
			return nil
		}
	}
	if _, err := in.Token(); err != nil {
		return err
	}
	if _, err := in.Token(); err != io.EOF {
		return errors.New("something follows the list")
	}
	return nil
}

// updated looks a table up in its folder. A table may be asked for without its
// folder, on newer servers: then nothing is known of its update.
func (s pxweb1) updated(ctx context.Context, code string) (time.Time, error) {
	folder, id := path.Split(code)
	address := s.address(folder)
	body, _, err := s.read(ctx, address, nil)
	if err != nil {
		return time.Time{}, err
	}
	var at time.Time
	err = pxwebItems(body, func(item pxwebItem) bool {
		if item.ID == id && item.Type == "t" {
			at = pxwebTime(item.Updated)
			return false
		}
		return true
	})
	if err != nil {
		return time.Time{}, s.unreadable(address, "a list of tables", err)
	}
	return at, nil
}

// table reads a table's metadata.
func (s pxweb1) table(ctx context.Context, code string) (pxwebTable, error) {
	address := s.address(code)
	body, answer, err := s.read(ctx, address, nil)
	if err != nil {
		return pxwebTable{}, err
	}
	t, err := pxwebReadTable(body)
	if errors.Is(err, errPxwebNoTable) {
		return t, stat.Errorf(stat.NotFound, "%s:%s is a folder: `almanac source datasets %s --under %s` shows its tables", s.ID, code, s.ID, code)
	} else if err != nil {
		return t, s.unreadable(address, "what a table is made of", err)
	}
	t.digest = answer.Validators.Digest
	return t, s.complete(ctx, code, &t)
}

var errPxwebNoTable = errors.New("this is a list")

// pxwebReadTable reads metadata of the first version.
func pxwebReadTable(body []byte) (pxwebTable, error) {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if len(body) > 0 && body[0] == '[' {
		return pxwebTable{}, errPxwebNoTable
	}
	var told struct {
		Variables []struct {
			Code   string   `json:"code"`
			Values []string `json:"values"`
		} `json:"variables"`
	}
	if err := json.Unmarshal(body, &told); err != nil {
		return pxwebTable{}, err
	}
	var t pxwebTable
	for _, v := range told.Variables {
		t.variables = append(t.variables, pxwebVariable{code: v.Code, values: v.Values, contents: pxweb1Contents[v.Code]})
	}
	return t, t.check()
}

// pxweb1Contents are codes of the variable of measures, which this version does
// not mark: that of servers with a database, and that of Finland's offices.
var pxweb1Contents = map[string]bool{"ContentsCode": true, "Tiedot": true}

// check refuses metadata that cannot be asked for. A variable without values is
// one whose values the server did not list.
func (t *pxwebTable) check() error {
	if len(t.variables) == 0 {
		return errors.New("there are no variables")
	}
	seen := map[string]bool{}
	for _, v := range t.variables {
		if v.code == "" || seen[v.code] {
			return fmt.Errorf("two variables have the code %q, or one has none", v.code)
		}
		seen[v.code] = true
		values := make(map[string]bool, len(v.values))
		for _, value := range v.values {
			if values[value] {
				return fmt.Errorf("the variable %q has the value %q twice", v.code, value)
			}
			values[value] = true
		}
	}
	return nil
}

// complete asks for the values that the metadata left out: servers do so with
// variables of very many values (maxValues). The cells of one value of each of
// the others name them.
func (s pxweb1) complete(ctx context.Context, code string, t *pxwebTable) error {
	for i, v := range t.variables {
		if len(v.values) > 0 {
			continue
		}
		query := pxweb1Query{Format: "json-stat2"}
		for j, other := range t.variables {
			switch {
			case j == i:
				query.Selections = append(query.Selections, pxweb1Selection{other.code, "all", []string{"*"}})
			case len(other.values) > 0:
				query.Selections = append(query.Selections, pxweb1Selection{other.code, "item", other.values[:1]})
			default:
				query.Selections = append(query.Selections, pxweb1Selection{other.code, "top", []string{"1"}})
			}
		}
		address := s.address(code)
		body, _, err := s.read(ctx, address, query.body())
		if err != nil {
			return err
		}
		told, err := pxwebReadStat(body)
		if err != nil {
			return s.unreadable(address, "the values of "+v.code, err)
		}
		for _, other := range told.variables {
			if other.code == v.code {
				t.variables[i].values = other.values
			}
		}
		if len(t.variables[i].values) == 0 {
			return stat.Errorf(stat.Refused, "%s:%s: the server does not tell the values of the variable %q", s.ID, code, v.code)
		}
	}
	return nil
}

// pxweb1Query is a question as the first version reads it.
type pxweb1Query struct {
	Selections []pxweb1Selection
	Format     string
}

type pxweb1Selection struct {
	code, filter string
	values       []string
}

func (q pxweb1Query) body() []byte {
	type selection struct {
		Filter string   `json:"filter"`
		Values []string `json:"values"`
	}
	type of struct {
		Code      string    `json:"code"`
		Selection selection `json:"selection"`
	}
	var asked struct {
		Query    []of              `json:"query"`
		Response map[string]string `json:"response"`
	}
	for _, s := range q.Selections {
		asked.Query = append(asked.Query, of{s.code, selection{s.filter, s.values}})
	}
	asked.Response = map[string]string{"format": q.Format}
	return pxwebJSON(asked)
}

// pxwebJSON writes a question, which is made of texts alone.
func pxwebJSON(v any) []byte {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		panic(err) // no text fails
	}
	return bytes.TrimSpace(b.Bytes())
}

func (s pxweb1) query(code string, part []pxwebVariable) fetch.Request {
	q := pxweb1Query{Format: "px"}
	for _, v := range part {
		q.Selections = append(q.Selections, pxweb1Selection{v.code, "item", v.values})
	}
	return fetch.Request{Address: s.address(code), Body: q.body()}
}

// dataset is the table's own name, without its folders: it is what its files
// call it too (TABLEID, MATRIX). An office that gives the same name in several
// folders has its tables' whole paths as codes.
func (s pxweb1) dataset(code string) string {
	if !pxwebWholePaths[s.ID] {
		code = path.Base(code)
	}
	if ending := len(code) - len(".px"); ending > 0 && strings.EqualFold(code[ending:], ".px") {
		return code[:ending]
	}
	return code
}
