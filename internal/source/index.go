package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"time"

	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// Index says how a JSON list of datasets is read: where its records are, and which of
// their members contain what. Members of objects are separated by dots.
type Index struct {
	// Records is the list of datasets: "Datasets.Dataset"; empty: the document itself. The
	// lists of a member that occurs in several objects are one list.
	Records string `json:"records"`
	Code    string `json:"code"`
	Title   string `json:"title,omitempty"`
	Updated string `json:"updated,omitempty"`
	// File is the address of the dataset's file. If Then is stated, it is the address of
	// a JSON document whose member Then is the address of the file.
	File string `json:"file,omitempty"`
	Then string `json:"then,omitempty"`
}

// index is a server with a JSON list of datasets and one file for each.
type index struct {
	Office
	client *fetch.Client
	files  Server // saves the files
}

// NewIndex returns the server of an office.
func NewIndex(o Office, c *fetch.Client) Server {
	files := o
	files.Contents = "" // the titles are in the index
	return &index{o, c, NewPlain(files, c)}
}

// Limits of an index and of the documents that it names.
const (
	indexBytes    = 64 << 20
	indexDocument = 4 << 20
)

// indexRecord is a record of the list.
type indexRecord struct {
	Entry
	file string
}

// records requests the list.
func (s *index) records(ctx context.Context) ([]indexRecord, error) {
	list := s.Office.Index
	body, _, err := s.client.Read(ctx, fetch.Request{Address: s.Office.Contents, Accept: "application/json", Pause: time.Duration(s.Pause)}, indexBytes)
	if IsMissing(err) {
		return nil, s.NoList("", err)
	}
	if err != nil {
		return nil, err
	}
	var document any
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &document); err != nil {
		return nil, stat.Errorf(stat.Unavailable, "the response of %s cannot be read as a list of datasets: %v", s.Office.Contents, err)
	}
	items, ok := memberOf(document, list.Records).([]any)
	if !ok {
		return nil, stat.Errorf(stat.Unavailable, "the response of %s has no list %q", s.Office.Contents, list.Records)
	}
	var records []indexRecord
	for _, item := range items {
		r := indexRecord{file: textOf(item, list.File)}
		r.Code, r.Title, r.Updated = textOf(item, list.Code), textOf(item, list.Title), ParseTime(textOf(item, list.Updated))
		if r.Code != "" {
			r.Title = cmp.Or(r.Title, r.Code)
			records = append(records, r)
		}
	}
	return records, nil
}

func (s *index) Contents(ctx context.Context, _ Filter) iter.Seq2[Entry, error] {
	return Entries(func(add func(Entry) error) error {
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
func (s *index) Fetch(ctx context.Context, r Request) (*Download, error) {
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
	d.State.Updated = StorableTime(record.Updated, s.client.Now(), LastMidnight)
	return d, nil
}

// find returns the record of a dataset.
func (s *index) find(ctx context.Context, code string) (indexRecord, error) {
	records, err := s.records(ctx)
	if err != nil {
		return indexRecord{}, err
	}
	for _, r := range records {
		if strings.EqualFold(r.Code, code) {
			return r, nil
		}
	}
	return indexRecord{}, s.NoDataset(code, nil)
}

// addressOf returns the address of the file.
func (s *index) addressOf(ctx context.Context, r indexRecord) (string, error) {
	address := r.file
	if s.Office.Index.File == "" {
		address = strings.ReplaceAll(s.Data, "{code}", url.PathEscape(r.Code))
	}
	if s.Office.Index.Then == "" || address == "" {
		return s.checkAddress(r, address)
	}
	body, _, err := s.client.Read(ctx, fetch.Request{Address: address, Accept: "application/json", Pause: time.Duration(s.Pause)}, indexDocument)
	if err != nil {
		return "", err
	}
	var document any
	if err := json.Unmarshal(body, &document); err != nil {
		return "", stat.Errorf(stat.Unavailable, "the response of %s cannot be read: %v", address, err)
	}
	return s.checkAddress(r, textOf(document, s.Office.Index.Then))
}

func (s *index) checkAddress(r indexRecord, address string) (string, error) {
	if !isAddress(address) {
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
