// Package genesis is a client of GENESIS, the database of German offices.
package genesis

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server is the web service of GENESIS, the database of Destatis and of German regions:
//
//	POST base/catalogue/tables   the tables
//	POST base/data/tablefile     a table as flat CSV (ffcsv)
//
// Parameters are a form. The account, or a token in its place, is in headers. A response
// that is JSON is a message with a status. A code may be followed by parameters of the
// service, which select a part: 12411-0015?startyear=2015&regionalkey=11*.
type server struct {
	source.Office
	client *fetch.Client
}

// New returns the server of an office.
func New(o source.Office, c *fetch.Client) source.Server { return &server{o, c} }

var codePattern = regexp.MustCompile(`^[0-9A-Za-z]+(-[0-9A-Za-z]+)+$`)

// Limits of the lists and of messages.
const (
	maxListBytes = 64 << 20
	listSize     = "20000" // tables of a list
)

// request returns a request with a form.
func (s *server) request(method string, form url.Values) fetch.Request {
	form.Set("language", "de")
	if s.Language != "" {
		form.Set("language", s.Language)
	}
	return fetch.Request{
		Address: s.Address + "/" + method, Form: form, Pause: time.Duration(s.Pause),
	}
}

// statusMessage is the status of a message.
type statusMessage struct {
	Status struct {
		Code    int
		Content string
		Type    string
	}
}

// The codes of statuses that mean more than an error.
const (
	statusTooBig  = 98
	statusJob     = 99
	statusNothing = 104
)

// fault returns the error of a message; nil if it has none.
func (s *server) fault(code string, message statusMessage) error {
	switch text := message.Status.Content; {
	case message.Status.Code == statusNothing:
		return s.NoDataset(code, nil)
	case message.Status.Code == statusJob:
		return stat.Errorf(stat.Refused, "%s prepares %s as a job, which Almanac does not wait for; fetch a part of it, such as %s:%s?startyear=2015: %s", s.Name, code, s.ID, code, text)
	case message.Status.Code == statusTooBig:
		return stat.Errorf(stat.Refused, "%s does not return %s in one response; fetch a part of it, such as %s:%s?startyear=2015: %s", s.Name, code, s.ID, code, text)
	case message.Status.Code != 0 && message.Status.Code != 22 || strings.HasPrefix(message.Status.Type, "Fehler"):
		return stat.Errorf(stat.Refused, "%s refused the request: %s (%d)", s.Name, text, message.Status.Code)
	}
	return nil
}

func (s *server) Contents(ctx context.Context, _ source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		form := url.Values{"selection": {"*"}, "area": {"all"}, "pagelength": {listSize}}
		body, _, err := s.client.Read(ctx, s.request("catalogue/tables", form), maxListBytes)
		if err != nil {
			return err
		}
		var list struct {
			statusMessage
			List []struct{ Code, Content string }
		}
		if err := json.Unmarshal(body, &list); err != nil {
			return stat.Errorf(stat.Unavailable, "the list of %s cannot be read: %v", s.Name, err)
		}
		err = s.fault("*", list.statusMessage)
		if err == nil && list.List == nil {
			err = stat.Errorf(stat.Unavailable, "%s returned no list of tables: %.200q", s.Name, fetch.MessageIn(body))
		}
		for _, t := range list.List {
			if err == nil {
				err = add(source.Entry{Code: t.Code, Title: strings.Join(strings.Fields(t.Content), " ")})
			}
		}
		return err
	})
}

// Fetch saves a table.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	code, query, _ := strings.Cut(r.Code, "?")
	form, err := url.ParseQuery(query)
	if err != nil || !codePattern.MatchString(code) {
		return nil, stat.Errorf(stat.Invalid, "invalid code %q of a dataset of %s: must look like 12411-0015 or 12411-0015?startyear=2015", r.Code, s.Name)
	}
	for name, value := range map[string]string{"name": code, "area": "all", "compress": "false", "format": "ffcsv", "job": "false"} {
		form.Set(name, value)
	}
	request := s.request("data/tablefile", form)
	address := request.Address + "?" + form.Encode()
	request.Known = fetch.Validators{Digest: r.Known.Answers[address].Digest}
	path := filepath.Join(r.Folder, source.FileName(code+".csv"))
	answer, err := s.client.Save(ctx, request, path)
	if err != nil {
		return nil, err
	}
	d := &source.Download{
		Unchanged: answer.NotModified, Source: s.Name, Code: r.Code, SourceURL: s.Website, Name: r.Known.Title,
		State: source.State{Answers: map[string]fetch.Validators{address: answer.Validators}},
	}
	if r.Listed != nil {
		d.Name = r.Listed.Title
	}
	d.State.Title = d.Name
	if answer.NotModified {
		return d, nil
	}
	if err := s.refusal(code, answer); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(answer.Head, []byte("PK")) { // the service packs even what should not be
		packed := strings.TrimSuffix(path, ".csv") + ".zip"
		d.Data = []string{packed}
		return d, os.Rename(path, packed)
	}
	d.Data = []string{path}
	return d, nil
}

// refusal returns the error of a response that is a message in place of a table.
func (s *server) refusal(code string, answer fetch.Answer) error {
	head := bytes.TrimSpace(answer.Head)
	switch {
	case bytes.HasPrefix(head, []byte("PK")), head[0] != '{' && bytes.ContainsRune(head, ';'):
		return nil
	case head[0] != '{':
		return stat.Errorf(stat.Unavailable, "%s returned no table for %s: %.200q", s.Name, code, head)
	}
	var message statusMessage
	if err := json.Unmarshal(head, &message); err != nil {
		return stat.Errorf(stat.Unavailable, "%s returned a message that cannot be read in place of %s: %.200q", s.Name, code, head)
	}
	if err := s.fault(code, message); err != nil {
		return err
	}
	return stat.Errorf(stat.Unavailable, "%s returned a message in place of %s: %.200s", s.Name, code, fetch.MessageIn(head))
}
