// Package genesis is a client of GENESIS, the database of German offices.
package genesis

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/internal/source"
	"almanac/internal/source/fetch"
	"almanac/internal/stat"
)

// server is the web service of GENESIS, the database of Destatis and of German regions:
//
//	POST base/catalogue/tables       the tables
//	POST base/data/tablefile         a table as flat CSV (ffcsv)
//	POST base/data/tablefile job     an order of a table that is too large for a response
//	POST base/data/resultfile        what was ordered
//	POST base/profile/removeResult   removes it from the account
//
// Parameters are a form. The account, or a token in its place, is in headers; only an
// account with its password can order. A response that is JSON is a message with a status. A
// code may be followed by parameters of the service, which select a part:
// 12411-0015?startyear=2015&regionalkey=11*.
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
	if !form.Has("language") {
		form.Set("language", s.language())
	}
	r := s.Request(s.Address + "/" + method)
	r.Form = form
	return r
}

func (s *server) language() string { return cmp.Or(s.Language, "de") }

// languages are those of the service.
var languages = []string{"de", "en"}

// status is the outcome of a request.
type status struct {
	Code          json.Number
	Content, Type string
}

// message is a response in JSON. The status of a login that failed is not in a member.
type message struct {
	status
	Status status
	List   []struct{ Code, Content string }
}

func readMessage(body []byte) (m message, err error) {
	err = json.Unmarshal(body, &m)
	m.Status = cmp.Or(m.Status, m.status)
	return m, err
}

// statusIn returns the status in an error: a wrong password is 404, too.
func statusIn(err error) (of status, isStatus bool) {
	var failed *fetch.Error
	if errors.As(err, &failed) && failed.Status == http.StatusNotFound {
		m, _ := readMessage(failed.Body)
		of = m.Status
	}
	return of, of.Code != ""
}

// The codes of statuses that mean more than an error.
const (
	statusTooBig  = "98"
	statusOrdered = "99"
)

// fault returns the error of a status; nil if it is none.
func (s *server) fault(code string, of status) error {
	switch {
	case of.Code == "104", of.Code == "90":
		return s.NoDataset(code, nil)
	case of.Code == statusTooBig, of.Code == "18054": // 18054 is too large even for an order
		return stat.Errorf(stat.Refused, "%s does not return %s in one response; fetch a part of it, such as %s:%s?startyear=2015, or use an account with its password: %s", s.Name, code, s.ID, code, of.Content)
	case !slices.Contains([]json.Number{"", "0", "22"}, of.Code), strings.HasPrefix(of.Type, "Fehler"):
		return stat.Errorf(stat.Refused, "%s refused the request: %s (%s)", s.Name, of.Content, of.Code)
	}
	return nil
}

// Contents yields the tables.
func (s *server) Contents(ctx context.Context, f source.Filter) iter.Seq2[source.Entry, error] {
	return source.Entries(func(add func(source.Entry) error) error {
		others := map[string][]source.Text{}
		for _, language := range languages {
			if !f.Languages || language == s.language() {
				continue
			}
			err := s.tables(ctx, language, func(code, title string) error {
				others[code] = append(others[code], source.Text{Language: language, Title: title})
				return nil
			})
			if err != nil {
				return err
			}
		}
		return s.tables(ctx, s.language(), func(code, title string) error {
			return add(source.Entry{Code: code, Title: title, Language: s.language(), Others: others[code]})
		})
	})
}

// tables reads the list in a language.
func (s *server) tables(ctx context.Context, language string, use func(code, title string) error) error {
	form := url.Values{"selection": {"*"}, "area": {"all"}, "pagelength": {listSize}, "language": {language}}
	body, _, err := s.client.Read(ctx, s.request("catalogue/tables", form), maxListBytes)
	if of, isStatus := statusIn(err); isStatus {
		return s.fault("*", of)
	}
	if err != nil {
		return err
	}
	list, err := readMessage(body)
	if err != nil {
		return stat.Errorf(stat.Unavailable, "the list of %s cannot be read: %v", s.Name, err)
	}
	err = s.fault("*", list.Status)
	if err == nil && list.List == nil {
		err = stat.Errorf(stat.Unavailable, "%s returned no list of tables: %.200q", s.Name, fetch.MessageIn(body))
	}
	for _, t := range list.List {
		if err == nil {
			err = use(t.Code, strings.Join(strings.Fields(t.Content), " "))
		}
	}
	return err
}

// Fetch saves a table.
func (s *server) Fetch(ctx context.Context, r source.Request) (*source.Download, error) {
	code, query, _ := strings.Cut(r.Code, "?")
	form, err := url.ParseQuery(query)
	if err != nil || !codePattern.MatchString(code) {
		return nil, stat.Errorf(stat.Invalid, "invalid code %q of a dataset of %s: must look like 12411-0015 or 12411-0015?startyear=2015", r.Code, s.Name)
	}
	form.Set("name", code)
	form.Set("compress", "false")
	form.Set("job", "false")
	path := filepath.Join(r.Folder, source.FileName(code+".csv"))
	address := s.Address + "/data/tablefile?" + form.Encode()
	digest := r.Known.Answers[address].Digest
	answer, of, err := s.save(ctx, "data/tablefile", form, digest, path)
	if name := ""; err == nil && (of.Code == statusTooBig || of.Code == statusOrdered) {
		if name, err = s.order(ctx, form, of); name != "" {
			answer, of, err = s.collect(ctx, name, digest, path)
		}
	}
	if err = cmp.Or(err, s.fault(code, of)); err != nil {
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
	d.Data = []string{path}
	if bytes.HasPrefix(answer.Head, []byte("PK")) { // the service packs even what should not be
		d.Data[0] = strings.TrimSuffix(path, ".csv") + ".zip"
		err = os.Rename(path, d.Data[0])
	}
	return d, err
}

// save saves a table, or returns the status of the message in its place.
func (s *server) save(ctx context.Context, method string, form url.Values, digest, path string) (answer fetch.Answer, of status, err error) {
	form.Set("area", "all")
	form.Set("format", "ffcsv")
	request := s.request(method, form)
	request.Known.Digest = digest
	answer, err = s.client.Save(ctx, request, path)
	if of, isStatus := statusIn(err); isStatus {
		return answer, of, nil
	}
	head := bytes.TrimSpace(answer.Head)
	isMessage := bytes.HasPrefix(head, []byte("{")) || !bytes.HasPrefix(head, []byte("PK")) && !bytes.ContainsRune(head, ';')
	if err != nil || answer.NotModified || !isMessage {
		return answer, of, err
	}
	m, err := readMessage(head)
	if err != nil || s.fault(form.Get("name"), m.Status) == nil {
		err = stat.Errorf(stat.Unavailable, "%s returned no table for %s: %.200s", s.Name, form.Get("name"), fetch.MessageIn(head))
	}
	return answer, m.Status, errors.Join(err, os.Remove(path))
}

// resultName matches the name of what was ordered: 12411-0015_001597503.
var resultName = regexp.MustCompile(`[0-9A-Z]+(-[0-9A-Z]+)*_[0-9]{3,}`)

// order orders a table that is too large for a response. It returns the name under which
// it can be collected, or "" if the caller may not order it.
func (s *server) order(ctx context.Context, form url.Values, of status) (name string, err error) {
	if of.Code == statusTooBig {
		form.Set("job", "true")
		body, _, err := s.client.Read(ctx, s.request("data/tablefile", form), maxListBytes)
		if source.IsOutage(err) {
			return "", err
		}
		m, _ := readMessage(body) // whatever it is, the table is too large
		of = m.Status
	}
	return resultName.FindString(of.Content), nil
}

// maxWait limits how long the client waits for what it ordered.
const maxWait = time.Hour

// collect saves what was ordered as soon as it is ready, and removes it from the account,
// which holds few.
func (s *server) collect(ctx context.Context, name, digest, path string) (answer fetch.Answer, of status, err error) {
	result := url.Values{"name": {name}, "compress": {"false"}}
	isReady, err := s.client.Poll(ctx, maxWait, func() (bool, error) {
		answer, of, err = s.save(ctx, "data/resultfile", result, digest, path)
		return of.Code != "104", err
	})
	if err == nil && !isReady {
		err = stat.Errorf(stat.Unavailable, "%s has not prepared %s after %v", s.Name, name, maxWait)
	}
	if err == nil && of.Code == "" {
		_, _, _ = s.client.Read(ctx, s.request("profile/removeResult", url.Values{"name": {name}, "area": {"Meine"}}), maxListBytes)
	}
	return answer, of, err
}
