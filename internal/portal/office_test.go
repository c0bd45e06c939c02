package portal_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/store"
)

const somePassword = "seven grey herons at noon"

// office is a service with people, whose clock a test moves.
type office struct {
	base   string
	access *access.Access
	people *people.People
	clock  atomic.Int64 // nanoseconds after published
}

func (o *office) now() time.Time { return published.Add(time.Duration(o.clock.Load())) }

// openOffice serves the sample datasets with people. change, if not nil, changes the options of
// the pages.
func openOffice(t testing.TB, change func(*portal.Options)) *office {
	t.Helper()
	return openOfficeOver(t, sampleStore(t), func(_ *api.Options, p *portal.Options) {
		if change != nil {
			change(p)
		}
	})
}

// openOfficeOver is openOffice with another store, where change also has the options of the interface.
func openOfficeOver(t testing.TB, s *store.Store, change func(*api.Options, *portal.Options)) *office {
	t.Helper()
	o := &office{}
	var err error
	if o.people, err = people.Open(context.Background(), people.Options{Dir: t.TempDir(), Now: o.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.people.Close() })
	o.base = serve(t, s, func(a *api.Options, p *portal.Options) {
		o.access, p.People = a.Access, o.people
		change(a, p)
	})
	return o
}

// invite returns the path of an invitation to an organisation, which is created if needed.
func (o *office) invite(t testing.TB, mail, organisation string, role people.Role) string {
	t.Helper()
	org, err := o.access.CreateOrganisationAccount(context.Background(), organisation)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := o.people.Invite(context.Background(), people.Invitation{Mail: mail, Organisation: org.ID, Role: role})
	if err != nil {
		t.Fatal(err)
	}
	return "/join/" + token
}

// reader is a browser without scripts: it keeps cookies and follows redirects.
type reader struct {
	t      testing.TB
	base   string
	client *http.Client
	path   string // of the page that is shown
	status int
	header http.Header
	root   *html.Node
	factor string // secret of the second factor that was set up
}

func (o *office) newReader(t testing.TB) *reader {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &reader{t: t, base: o.base, client: &http.Client{Jar: jar}}
}

// member returns the browser of a new member who is signed in.
func (o *office) member(t testing.TB, mail, organisation string, role people.Role) *reader {
	t.Helper()
	r := o.newReader(t)
	r.post(o.invite(t, mail, organisation, role), "name", "Somebody", "password", somePassword)
	r.want(200, "/account")
	return r
}

// open opens a page of the service.
func (r *reader) open(path string) *reader {
	r.t.Helper()
	request, err := http.NewRequest("GET", r.base+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.send(request)
}

// post sends a form as its page does; fields follow one another by name and value.
func (r *reader) post(path string, fields ...string) *reader {
	r.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	request, err := http.NewRequest("POST", r.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", r.base)
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	return r.send(request)
}

func (r *reader) send(request *http.Request) *reader {
	r.t.Helper()
	request.Header.Set("Accept", "text/html")
	request.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	response, err := r.client.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	r.path, r.status, r.header, r.root = response.Request.URL.RequestURI(), response.StatusCode, response.Header, parse(r.t, string(body))
	return r
}

// want checks the status of the page and that its path begins as given, and that it has texts.
func (r *reader) want(status int, path string, texts ...string) {
	r.t.Helper()
	if r.status != status || !strings.HasPrefix(r.path, path) {
		r.t.Fatalf("%d at %s: %.600s; want %d at %s", r.status, r.path, r.text(), status, path)
	}
	for _, text := range texts {
		if !strings.Contains(r.text(), text) {
			r.t.Errorf("%s has no text %q:\n%.1500s", r.path, text, r.text())
		}
	}
}

func (r *reader) text() string {
	if mains := elements(r.root, "main"); len(mains) > 0 {
		return textOf(mains[0])
	}
	return textOf(r.root)
}

// find returns the first match of a pattern in the text of the page.
func (r *reader) find(pattern string) string {
	r.t.Helper()
	found := regexp.MustCompile(pattern).FindString(r.text())
	if found == "" {
		r.t.Fatalf("%s has nothing like %s:\n%.1500s", r.path, pattern, r.text())
	}
	return found
}

// value returns the value of a field of the page.
func (r *reader) value(name string) string {
	r.t.Helper()
	for _, field := range elements(r.root, "input", "name="+name) {
		value, _ := attribute(field, "value")
		return value
	}
	r.t.Fatalf("%s has no field %s:\n%.800s", r.path, name, r.text())
	return ""
}

// status returns the status of a request of the interface with a key.
func (o *office) status(t testing.TB, key string) int {
	t.Helper()
	return ask(t, "GET", o.base+"/api/datasets", "X-API-Key: "+key).StatusCode
}
