package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Contents yields what the office's collection lists:
//
//	{"class": "collection", "link": {"item": [{"class": "dataset", "href": …, "label": …}, …]}}
//
// An item may carry a dataset's dimensions too; it is read and let go one by one.
func (s *jsonstat) Contents(ctx context.Context, w Wanted) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		if s.Office.Contents == "" {
			yield(Entry{}, stat.Errorf(stat.Refused, "%s gives no list of its datasets", s.Name))
			return
		}
		file, answer, err := save(ctx, s.client, fetch.Request{Address: s.Office.Contents, Accept: s.Accept, Pause: time.Duration(s.Pause)})
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer func() { _ = file.Close() }()
		seen := map[string]bool{}
		for item, err := range jsonstatItems(ctx, file) {
			if err != nil {
				if ctx.Err() == nil {
					err = &stat.Error{Kind: stat.Unavailable, Message: s.Office.Contents + " is no collection of JSON-stat", Err: err}
				}
				yield(Entry{}, err)
				return
			}
			e, ok := s.entry(item, answer.Address)
			if ok && !seen[e.Code] && w.takes(e) {
				seen[e.Code] = true
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// jsonstatItem is a link of a collection. PxStat puts the dataset's code beside it.
type jsonstatItem struct {
	Class     string `json:"class"`
	Href      string `json:"href"`
	Label     string `json:"label"`
	Updated   string `json:"updated"`
	Extension struct {
		Matrix string `json:"matrix"`
	} `json:"extension"`
}

// entry is an item as an entry; ok is false where it is no dataset that can be
// asked for. in is the collection's own address.
func (s *jsonstat) entry(item jsonstatItem, in string) (e Entry, ok bool) {
	base, err := url.Parse(in)
	if err != nil || item.Class != "" && item.Class != "dataset" {
		return Entry{}, false
	}
	to, err := base.Parse(strings.TrimSpace(item.Href))
	if err != nil || item.Href == "" || to.Host == "" {
		return Entry{}, false
	}
	if to.Host == base.Host {
		to.Scheme = base.Scheme // collections are older than https
	}
	e = Entry{Code: to.String(), Title: strings.Join(strings.Fields(item.Label), " "), Updated: jsonstatTime(item.Updated)}
	if before, after, found := strings.Cut(s.Data, "{code}"); found {
		rest, isHere := strings.CutPrefix(e.Code, before)
		code, isWhole := strings.CutSuffix(rest, after)
		plain, err := url.PathUnescape(code)
		switch {
		case isHere && isWhole && err == nil && plain != "" && !strings.Contains(code, "/"):
			e.Code = plain
		case item.Extension.Matrix != "":
			e.Code = item.Extension.Matrix
		}
	}
	return e, true
}

// jsonstatTime reads a time of update, which the standard leaves to JavaScript.
func jsonstatTime(text string) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(form, strings.TrimSpace(text)); err == nil {
			return t
		}
	}
	return time.Time{}
}

// jsonstatItemSize bounds one item, and all that stands between two.
const jsonstatItemSize = 16 << 20

// jsonstatLimited ends in an error after too many bytes; each item allows as
// many again.
type jsonstatLimited struct {
	in   io.Reader
	left int
}

func (l *jsonstatLimited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("an item is too long")
	}
	n, err := l.in.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// jsonstatItems reads the items of a collection, one after another.
func jsonstatItems(ctx context.Context, in io.Reader) iter.Seq2[jsonstatItem, error] {
	return func(yield func(jsonstatItem, error) bool) {
		limited := &jsonstatLimited{in, jsonstatItemSize}
		text := json.NewDecoder(limited)
		err := jsonstatEnter(text, "link", "item")
		for err == nil && text.More() {
			if limited.left = jsonstatItemSize; ctx.Err() != nil {
				err = ctx.Err()
				break
			}
			var item jsonstatItem
			if err = text.Decode(&item); err == nil && !yield(item, nil) {
				return
			}
		}
		if err == nil {
			_, err = text.Token() // the end of the list; what follows does not matter
		}
		if err != nil {
			yield(jsonstatItem{}, fmt.Errorf("at byte %d: %w", text.InputOffset(), err))
		}
	}
}

// jsonstatEnter goes into the objects of some names, one in another, and then
// into the list in the last.
func jsonstatEnter(text *json.Decoder, names ...string) error {
	for _, name := range names {
		if err := jsonstatExpect(text, '{'); err != nil {
			return err
		}
		for {
			key, err := text.Token()
			if err != nil {
				return err
			}
			if key == json.Delim('}') {
				return fmt.Errorf("there is no %q", name)
			}
			if key == name {
				break
			}
			var other json.RawMessage
			if err := text.Decode(&other); err != nil {
				return err
			}
		}
	}
	return jsonstatExpect(text, '[')
}

// jsonstatExpect reads the beginning of an object or list.
func jsonstatExpect(text *json.Decoder, want json.Delim) error {
	token, err := text.Token()
	switch {
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	case token != want:
		return fmt.Errorf("it has %v where %v is right", token, want)
	}
	return nil
}
