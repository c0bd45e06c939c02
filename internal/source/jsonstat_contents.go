package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/source/jsonstream"
	"almanac/internal/stat"
)

// Contents yields the datasets of the office's collection:
//
//	{"class": "collection", "link": {"item": [{"class": "dataset", "href": …, "label": …}, …]}}
//
// Items may contain the dimensions of a dataset, so they are read one at a time.
func (s *jsonstat) Contents(ctx context.Context, _ Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
		if s.Office.Contents == "" {
			return stat.Errorf(stat.Refused, "%s has no list of datasets", s.Name)
		}
		file, answer, err := SaveList(ctx, s.client, fetch.Request{Address: s.Office.Contents, Accept: s.Accept, Pause: time.Duration(s.Pause)})
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }()
		for item, err := range jsonstatItems(ctx, file) {
			if err != nil && ctx.Err() == nil {
				err = &stat.Error{Kind: stat.Unavailable, Message: s.Office.Contents + " is not a JSON-stat collection", Err: err}
			}
			if err != nil {
				return err
			}
			if e, ok := s.entry(item, answer.Address); ok {
				if err := add(e); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// jsonstatItem is a link of a collection. PxStat adds the dataset's code.
type jsonstatItem struct {
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
func (s *jsonstat) entry(item jsonstatItem, collection string) (e Entry, ok bool) {
	base, err := url.Parse(collection)
	if err != nil || item.Class != "" && item.Class != "dataset" {
		return Entry{}, false
	}
	to, err := base.Parse(strings.TrimSpace(item.Href))
	if err != nil || item.Href == "" || to.Host == "" {
		return Entry{}, false
	}
	if to.Host == base.Host {
		to.Scheme = base.Scheme // some collections still state http
	}
	e = Entry{Code: to.String(), Title: strings.Join(strings.Fields(item.Label), " "), Updated: ParseTime(item.Updated)}
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

// jsonstatItems yields the items of a collection.
func jsonstatItems(ctx context.Context, file io.Reader) iter.Seq2[jsonstatItem, error] {
	return func(yield func(jsonstatItem, error) bool) {
		in, lists := jsonstream.New(file), 0
		item := func() error {
			var item jsonstatItem
			if err := errors.Join(ctx.Err(), in.Decode(&item)); err != nil {
				return err
			}
			if !yield(item, nil) {
				return ErrStop
			}
			return nil
		}
		items := func(field string) (bool, error) {
			if field != "item" {
				return false, nil
			}
			lists++
			return true, in.List(item)
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
		if err != nil && !errors.Is(err, ErrStop) {
			yield(jsonstatItem{}, fmt.Errorf("at byte %d: %w", in.InputOffset(), err))
		}
	}
}
