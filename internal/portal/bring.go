package portal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"almanac/internal/access"
	"almanac/internal/people"
)

// bringing says whether the reader may have datasets of offices brought.
type bringing struct {
	May     bool
	Advice  string          // what readers who may not can do; empty: nobody may
	SignIn  string          // where they sign in; empty: they have, or nobody can
	account *access.Account // of the reader, in whose name a dataset is brought; nil: none
}

// bringing reads who may have datasets brought: everyone, or who is signed in and belongs to an account that may.
func (p *page) bringing() (*bringing, error) {
	var status struct{ Bringing string }
	err := p.read("/api/status", nil, &status)
	if isRefused(err) || isUnavailable(err) || err == nil && status.Bringing == "none" {
		return &bringing{}, nil
	}
	if err != nil {
		return nil, err
	}
	b := &bringing{May: status.Bringing == "everyone", Advice: p.lang.text("bring.accounts")}
	if p.opts.People == nil {
		return b, nil
	}
	v, err := p.visitor()
	if err != nil {
		return nil, err
	}
	if v == nil || v.Stage != people.SignedIn {
		b.SignIn = "/signin?to=" + url.QueryEscape(p.Here())
		return b, nil
	}
	b.Advice = p.lang.text("bring.ask")
	all := &accountPage{}
	if err := p.chooseAccount(v, all); err != nil {
		return nil, err
	}
	for i := range all.Accounts {
		if one := &all.Accounts[i]; one.MayBring || b.May && b.account == nil {
			b.May, b.account = true, one
			if one.MayBring {
				break
			}
		}
	}
	return b, nil
}

// job is the work of bringing a dataset.
type job struct {
	Job       int
	Reference string
	Status    string
	Stage     string
	Bytes     int
	Dataset   int
	Error     string
}

// maxReference is the length of a reference to a dataset, in bytes.
const maxReference = 1000

// bring asks the interface to bring the dataset of a form in the name of the reader, and leads to the page of its progress.
func (p *page) bring() error {
	p.r.Body = http.MaxBytesReader(p.w, p.r.Body, maxReference)
	body, err := json.Marshal(map[string]string{"reference": p.r.FormValue("reference")})
	if err != nil {
		return err
	}
	who, err := p.bringing()
	if err != nil {
		return err
	}
	if !who.May && who.SignIn != "" { // the session has ended
		return p.leadTo("/signin?to=" + url.QueryEscape("/search?"+url.Values{"q": {p.r.FormValue("reference")}}.Encode()))
	}
	one := &job{}
	if who.account == nil {
		err = p.postAsReader("/api/datasets", body, one)
	} else {
		err = p.postAsAccount(who.account, "/api/datasets", body, one)
	}
	if err != nil {
		return err
	}
	to := "/jobs/" + strconv.Itoa(one.Job)
	if one.Dataset != 0 {
		to = "/datasets/" + strconv.Itoa(one.Dataset)
	}
	http.Redirect(p.w, p.r, to, http.StatusSeeOther)
	return nil
}

// postAsAccount sends a body to the interface in the name of an account, and reads the JSON of its response.
func (p *page) postAsAccount(account *access.Account, address string, body []byte, into any) error {
	var answer bytes.Buffer
	status, err := p.opts.InterfaceOf(p.opts.Access.CallerOf(*account)).Read(p.r.Context(), address, body, &answer)
	if err != nil {
		return err
	}
	if status >= http.StatusBadRequest {
		return newRefusal(status, answer.Bytes())
	}
	return json.Unmarshal(answer.Bytes(), into)
}

// postAsReader sends a body to the interface in the name of the reader, whose address and key count, and reads the JSON of its
// response.
func (p *page) postAsReader(address string, body []byte, into any) error {
	r := p.r.Clone(p.r.Context())
	r.URL, r.RequestURI = &url.URL{Path: address}, address
	r.Header.Set("Content-Type", "application/json")
	r.Header.Del("Accept-Encoding")
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	p.opts.Else.ServeHTTP(answer, r)
	if answer.status >= http.StatusBadRequest {
		return newRefusal(answer.status, answer.body.Bytes())
	}
	if err := json.Unmarshal(answer.body.Bytes(), into); err != nil {
		return fmt.Errorf("reading the response to POST %s: %w", address, err)
	}
	return nil
}

// recorder keeps a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header                { return w.header }
func (w *recorder) WriteHeader(status int)             { w.status = status }
func (w *recorder) Write(text []byte) (n int, _ error) { return w.body.Write(text) }

// refreshSeconds is after how long the page of a job is read again.
const refreshSeconds = "2"

// job is the page of the progress of a dataset that is brought. When it is here, it leads to its page.
func (p *page) job() error {
	one := &job{}
	if err := p.read("/api/jobs/"+url.PathEscape(p.r.PathValue("job")), nil, one); err != nil {
		return err
	}
	if one.Dataset != 0 {
		http.Redirect(p.w, p.r, "/datasets/"+strconv.Itoa(one.Dataset), http.StatusSeeOther)
		return nil
	}
	if one.Status != "failed" {
		p.w.Header().Set("Refresh", refreshSeconds)
	}
	p.template, p.Section, p.Content = "job", "datasets", one
	p.Title = p.lang.text("job."+one.Status, "dataset", one.Reference)
	p.Trail = []link{{p.lang.text("nav.datasets"), "/search"}, {one.Reference, ""}}
	return nil
}

// Read is how much was read from the office.
func (j *job) Read(p *page) string { return p.lang.bytes(j.Bytes) }

// Sentence writes why the work failed.
func (p *page) Sentence(message string) string { return p.sentence(strings.TrimSuffix(message, ".")) }
