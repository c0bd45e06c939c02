package pxweb

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
)

// statbank is the interface of Statistics Denmark's Statbank:
//
//	GET  base/tables?lang=en            all tables with the times of their updates
//	GET  base/tableinfo/TABLE?lang=en   the variables of a table with their values
//	POST base/data                      cells of a table as PX
//
// It limits the cells of a response as PxWeb does, so tables are split and joined like
// those of PxWeb.
type statbank struct{ *caller }

// NewStatbank returns the server of an office.
func NewStatbank(o source.Office, c *fetch.Client) source.Server {
	caller := &caller{Office: o, client: c, base: o.Address}
	caller.known.Store(&serverLimits{cells: o.Cells, pause: time.Duration(o.Pause)})
	return &server{protocol: statbank{caller}}
}

// statbankTable is an entry of the list, or the beginning of a table's information.
type statbankTable struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Updated string `json:"updated"`
}

// language returns the language of titles and labels.
func (s statbank) language() string {
	if s.Language == "" {
		return "en"
	}
	return s.Language
}

func (s statbank) contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		address := s.base + "/tables?lang=" + s.language()
		body, _, err := s.read(ctx, address, nil)
		if err != nil {
			return err
		}
		var tables []statbankTable
		if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &tables); err != nil {
			return s.unreadable(address, "a list of tables", err)
		}
		for _, t := range tables {
			if err := add(source.Entry{Code: t.ID, Title: plainText(t.Text, t.ID), Updated: source.ParseTime(t.Updated)}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s statbank) infoAddress(code string) string {
	return s.base + "/tableinfo/" + url.PathEscape(code) + "?lang=" + s.language()
}

func (s statbank) updated(ctx context.Context, code string) (time.Time, error) {
	body, _, err := s.read(ctx, s.infoAddress(code), nil)
	if err != nil {
		return time.Time{}, err
	}
	var t statbankTable
	if err := json.Unmarshal(body, &t); err != nil {
		return time.Time{}, s.unreadable(s.infoAddress(code), "a table", err)
	}
	return source.ParseTime(t.Updated), nil
}

func (s statbank) table(ctx context.Context, code string) (tableInfo, error) {
	body, answer, err := s.read(ctx, s.infoAddress(code), nil)
	if err != nil {
		return tableInfo{}, err
	}
	var info struct {
		Variables []struct {
			ID     string `json:"id"`
			Values []struct {
				ID string `json:"id"`
			} `json:"values"`
		} `json:"variables"`
	}
	err = json.Unmarshal(body, &info)
	t := tableInfo{digest: answer.Validators.Digest}
	for _, v := range info.Variables {
		of := variable{code: v.ID}
		for _, value := range v.Values {
			of.values = append(of.values, value.ID)
		}
		t.variables = append(t.variables, of)
	}
	if err == nil {
		err = t.check()
	}
	if err != nil {
		return t, s.unreadable(s.infoAddress(code), "the variables of a table", err)
	}
	return t, nil
}

func (s statbank) query(code string, part []variable) fetch.Request {
	type selection struct {
		Code   string   `json:"code"`
		Values []string `json:"values"`
	}
	message := struct {
		Table     string      `json:"table"`
		Format    string      `json:"format"`
		Language  string      `json:"lang"`
		Variables []selection `json:"variables"`
	}{code, "PX", s.language(), nil}
	for _, v := range part {
		message.Variables = append(message.Variables, selection{v.code, v.values})
	}
	return fetch.Request{Address: s.base + "/data", Body: encodeQuery(message)}
}

func (s statbank) dataset(code string) string { return strings.ToUpper(code) }
