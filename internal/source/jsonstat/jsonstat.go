// Package jsonstat is a client of servers with one JSON-stat response for each dataset.
package jsonstat

import (
	"bytes"
	"context"
	"encoding/json"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
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
