// Package jsonstat is a client of servers with one JSON-stat response for each dataset.
package jsonstat

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/source/plain"
	"almanac/internal/stat"
)

// server is a server that returns each dataset as JSON-stat at a separate address and
// lists the datasets as a JSON-stat collection. The code of a dataset is the part of its
// address in place of {code} in Office.Data, or the whole address if that has another
// form.
type server struct {
	source.Office
	client *fetch.Client
	files  source.Server // saves the datasets
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server {
	files := o
	files.Contents = "" // the titles are in the collection
	return &server{o, c, plain.NewChecked(files, c, refusal)}
}

// Fetch saves a dataset.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	d, err := s.files.Fetch(ctx, r)
	if err != nil {
		return nil, err
	}
	if !plain.IsAddress(r.Code) {
		d.Code = r.Code
	}
	d.SourceURL, d.Updated = s.Website, r.ListedUpdated()
	d.State.Updated = source.StorableTime(d.Updated, s.client.Now(), source.LastMidnight)
	if d.Unchanged {
		d.State.Updated = r.UnchangedTime(d.Updated, s.client.Now(), source.LastMidnight)
	}
	return d, nil
}

// refusal returns the error for a response with status 200 that contains no data:
// text, or the error of a remote procedure call.
func refusal(address string, a fetch.Answer) error {
	head := bytes.TrimSpace(bytes.TrimPrefix(a.Head, []byte("\ufeff")))
	if !bytes.HasPrefix(head, []byte("{")) {
		return stat.Errorf(stat.Unavailable, "%s: the response is not JSON-stat; it begins with %.60q", address, head)
	}
	var response struct {
		Error json.RawMessage `json:"error"`
	}
	if a.Size <= int64(len(a.Head)) && json.Unmarshal(head, &response) == nil && response.Error != nil {
		return stat.Errorf(stat.Refused, "%s: the server returned the error %.200s", address, response.Error)
	}
	return nil
}

// Contents yields the datasets of the office's collection:
//
//	{"class": "collection", "link": {"item": [{"class": "dataset", "href": …, "label": …}, …]}}
//
// Items may contain the dimensions of a dataset, so they are read one at a time.
func (s *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		if s.Office.Contents == "" {
			return stat.Errorf(stat.Refused, "%s has no list of datasets", s.Name)
		}
		request := s.Request(s.Office.Contents)
		request.Accept = s.Accept
		return source.ReadList(ctx, s.client, request, func(list io.Reader, address string) error {
			err := readItems(list, func(item linkItem) error {
				if e, ok := s.entry(item, address); ok {
					return errors.Join(ctx.Err(), add(e))
				}
				return ctx.Err()
			})
			if err == nil || errors.Is(err, source.ErrStop) || ctx.Err() != nil {
				return err
			}
			return &stat.Error{Kind: stat.Unavailable, Message: s.Office.Contents + " is not a JSON-stat collection", Err: err}
		})
	})
}

// linkItem is a link of a collection. PxStat adds the dataset's code.
type linkItem struct {
	Class     string `json:"class"`
	Href      string `json:"href"`
	Label     string `json:"label"`
	Updated   string `json:"updated"`
	Extension struct {
		Matrix string `json:"matrix"`
	} `json:"extension"`
}

// entry converts an item of the collection at an address; ok is false if it is not a
// dataset that can be requested.
func (s *server) entry(item linkItem, collection string) (e source.Entry, ok bool) {
	base, err := url.Parse(collection)
	if err != nil || item.Class != "" && item.Class != "dataset" {
		return source.Entry{}, false
	}
	to, err := base.Parse(strings.TrimSpace(item.Href))
	if err != nil || item.Href == "" || to.Host == "" {
		return source.Entry{}, false
	}
	if to.Host == base.Host {
		to.Scheme = base.Scheme // some collections still state http
	}
	e = source.Entry{Code: to.String(), Title: strings.Join(strings.Fields(item.Label), " "), Updated: source.ParseTime(item.Updated)}
	if before, after, found := strings.Cut(s.Data, "{code}"); found {
		rest, hasPrefix := strings.CutPrefix(e.Code, before)
		code, hasSuffix := strings.CutSuffix(rest, after)
		plain, err := url.PathUnescape(code)
		switch {
		case hasPrefix && hasSuffix && err == nil && plain != "" && !strings.Contains(code, "/"):
			e.Code = plain
		case item.Extension.Matrix != "":
			e.Code = item.Extension.Matrix
		}
	}
	return e, true
}

// readItems reads the items of a collection.
func readItems(list io.Reader, use func(linkItem) error) error {
	in, lists := jsonstream.New(list), 0
	items := func(field string) (bool, error) {
		if field != "item" {
			return false, nil
		}
		lists++
		return true, in.List(func() error {
			var item linkItem
			if err := in.Decode(&item); err != nil {
				return err
			}
			return use(item)
		})
	}
	err := in.Object(func(field string) (bool, error) {
		if field != "link" {
			return false, nil
		}
		return true, in.Object(items)
	})
	if err == nil {
		err = in.End()
	}
	if err == nil && lists == 0 {
		err = errors.New(`missing "link" with a list "item"`)
	}
	if err != nil {
		err = fmt.Errorf("at byte %d: %w", in.InputOffset(), err)
	}
	return err
}
