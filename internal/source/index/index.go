// Package index is a client of servers with a JSON list of datasets and one file for each.
package index

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/url"
	"strings"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/source/plain"
	"almanac/internal/stat"
)

// server is a server with a JSON list of datasets and one file for each.
type server struct {
	source.Office
	client *fetch.Client
	files  source.Server // saves the files
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server {
	files := o
	files.Contents = "" // the titles are in the index
	return &server{o, c, plain.New(files, c)}
}

// Limits of an index and of the documents that it names.
const (
	maxIndexBytes    = 64 << 20
	maxDocumentBytes = 4 << 20
)

// record is a record of the list.
type record struct {
	source.Entry
	file string
}

// records requests the list.
func (s *server) records(ctx context.Context) ([]record, error) {
	list := s.Office.Index
	var document any
	_, err := source.ReadJSON(ctx, s.client, s.Request(s.Office.Contents), maxIndexBytes, &document)
	if source.IsMissing(err) {
		return nil, s.NoList("", err)
	}
	if err != nil {
		return nil, err
	}
	items, ok := memberOf(document, list.Records).([]any)
	if !ok {
		return nil, stat.Errorf(stat.Unavailable, "the response of %s has no list %q", s.Office.Contents, list.Records)
	}
	var records []record
	for _, item := range items {
		r := record{file: textOf(item, list.File)}
		r.Code, r.Title, r.Updated = textOf(item, list.Code), textOf(item, list.Title), source.ParseTime(textOf(item, list.Updated))
		r.Description, r.Theme = source.Description(textOf(item, list.Description)), textOf(item, list.Theme)
		r.First, r.Last = textOf(item, list.First), textOf(item, list.Last)
		if r.Code != "" {
			r.Title = cmp.Or(r.Title, r.Code)
			records = append(records, r)
		}
	}
	return records, nil
}

func (s *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		records, err := s.records(ctx)
		for _, r := range records {
			if err == nil {
				err = add(r.Entry)
			}
		}
		return err
	})
}

// Fetch finds the file of a dataset and saves it.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	record, err := s.find(ctx, r.Code)
	if err != nil {
		return nil, err
	}
	address, err := s.addressOf(ctx, record)
	if err != nil {
		return nil, err
	}
	r.Listed, r.Code = &record.Entry, address
	d, err := s.files.Fetch(ctx, r)
	if err != nil {
		return nil, err
	}
	d.Code, d.Source, d.SourceURL, d.Updated = record.Code, s.Name, s.Website, record.Updated
	d.State.Updated = source.StorableTime(record.Updated, s.client.Now(), source.LastMidnight)
	return d, nil
}

// find returns the record of a dataset.
func (s *server) find(ctx context.Context, code string) (record, error) {
	records, err := s.records(ctx)
	if err != nil {
		return record{}, err
	}
	for _, r := range records {
		if strings.EqualFold(r.Code, code) {
			return r, nil
		}
	}
	return record{}, s.NoDataset(code, nil)
}

// addressOf returns the address of the file.
func (s *server) addressOf(ctx context.Context, r record) (string, error) {
	address := r.file
	if s.Office.Index.File == "" {
		address = strings.ReplaceAll(s.Data, "{code}", url.PathEscape(r.Code))
	}
	if s.Office.Index.Then == "" || address == "" {
		return s.checkAddress(r, address)
	}
	var document any
	if _, err := source.ReadJSON(ctx, s.client, s.Request(address), maxDocumentBytes, &document); err != nil {
		return "", err
	}
	return s.checkAddress(r, textOf(document, s.Office.Index.Then))
}

func (s *server) checkAddress(r record, address string) (string, error) {
	if !plain.IsAddress(address) {
		return "", stat.Errorf(stat.Refused, "%s lists %s without a file", s.Name, r.Code)
	}
	return address, nil
}

// memberOf returns the member of a JSON document at a path; nil if there is none.
func memberOf(document any, path string) any {
	if path == "" {
		return document
	}
	name, rest, _ := strings.Cut(path, ".")
	switch document := document.(type) {
	case map[string]any:
		return memberOf(document[name], rest)
	case []any:
		var all []any
		for _, item := range document {
			if list, ok := memberOf(item, path).([]any); ok {
				all = append(all, list...)
			}
		}
		return all
	}
	return nil
}

// textOf returns a member as a text; empty if it is none.
func textOf(document any, path string) string {
	if path == "" {
		return ""
	}
	switch value := memberOf(document, path).(type) {
	case string:
		return strings.Join(strings.Fields(value), " ")
	case float64:
		return fmt.Sprint(value)
	}
	return ""
}
