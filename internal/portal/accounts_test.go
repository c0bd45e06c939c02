package portal_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
	"golang.org/x/net/html"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/stattest"
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
	o := &office{}
	var err error
	if o.people, err = people.Open(context.Background(), people.Options{Dir: t.TempDir(), Now: o.now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.people.Close() })
	o.base = serve(t, sampleStore(t), func(a *api.Options, p *portal.Options) {
		o.access, p.People = a.Access, o.people
		if change != nil {
			change(p)
		}
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

const keyPattern = `alm_[0-9A-Za-z]{46}`

// From an invitation to a password, a second factor, a key, its use, and its end.
func TestWalkFromInvitationToKey(t *testing.T) {
	o := openOffice(t, nil)
	r := o.newReader(t)
	r.open("/account").want(200, "/signin?to=", "Sign in")
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	r.open(invitation).want(200, invitation, "Join Example Times")
	r.post(invitation, "name", "Ann", "password", "short").want(400, invitation, "at least 15 characters")
	if got := r.value("name"); got != "Ann" {
		t.Errorf("the form lost the name: %q", got)
	}
	r.post(invitation, "name", "Ann", "password", somePassword).want(200, "/account", "Example Times", "0 of 100 requests", "There is no key yet")
	o.newReader(t).open(invitation).want(404, invitation, "cannot be used")

	r.open("/account/factor").want(200, "/account/factor", "authenticator app")
	secret, sealed := r.find(`\b[A-Z2-7]{32}\b`), r.value("secret")
	r.post("/account/factor", "secret", sealed, "code", "12345").want(400, "/account/factor", "not right")
	if again := r.find(`\b[A-Z2-7]{32}\b`); again != secret {
		t.Error("a wrong code changes the secret, which the app already has")
	}
	r.post("/account/factor", "secret", sealed, "code", o.code(t, secret)).want(200, "/account/factor", "shown only now")
	recovery := r.find(`[2-9a-z]{5}-[2-9a-z]{5}`)

	r.post("/signout").want(200, "/")
	r.open("/account/keys/new?expires=2027-01-31").want(200, "/signin")
	r.post("/signin", "mail", "Ann@example.org", "password", somePassword, "to", r.value("to")).want(200, "/signin/code", "Six figures")
	r.open("/account").want(200, "/signin") // the password alone opens nothing
	o.clock.Add(int64(time.Minute))
	r.open("/signin/code?to=" + url.QueryEscape("/account/keys/new?expires=2027-01-31"))
	r.post("/signin/code", "code", "000000", "to", r.value("to")).want(400, "/signin/code", "not right")
	r.post("/signin/code", "code", o.code(t, secret), "to", r.value("to")).want(200, "/account/keys/new")
	if got := r.value("expires"); got != "2027-01-31" {
		t.Errorf("the form came back with %q, want the day that was typed", got)
	}

	r.post("/account/keys/new", "expires", "2020-01-31").want(400, "/account/keys/new", "in the past")
	r.post("/account/keys/new", "expires", "soon").want(400, "/account/keys/new", "not a day")
	r.post("/account/keys/new", "expires", "").want(201, "/account/keys/new", "shown only now")
	key := r.find(keyPattern)
	if got := r.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("the page with the key has Cache-Control %q", got)
	}
	for range 3 {
		if status := o.status(t, key); status != 200 {
			t.Fatalf("a request with the key: %d", status)
		}
	}
	r.open("/account").want(200, "/account", "3 of 100 requests", key[4:12], "valid", "10 recovery codes are left")
	if strings.Contains(r.text(), key) {
		t.Error("the key is shown again")
	}

	r.post("/account/keys/"+key[4:12], "do", "rotate", "overlap", "1").want(201, "/account/keys/", "shown only now")
	second := r.find(keyPattern)
	r.post("/account/keys/"+key[4:12], "do", "revoke").want(200, "/account?", "The key was changed", "revoked")
	stattest.Eventually(t, func() error {
		if one, two := o.status(t, key), o.status(t, second); one != 401 || two != 200 {
			return fmt.Errorf("the revoked key has status %d, its successor %d", one, two)
		}
		return nil
	})
	r.open("/account/keys/"+key[4:12]).want(200, "/account/keys/", "was revoked")

	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/signin/code")
	r.post("/signin/code", "code", recovery, "with", "recovery", "remember", "yes").want(200, "/account", "9 recovery codes are left")
	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account") // the browser is known
}

// code returns the code of a second factor.
func (o *office) code(t testing.TB, secret string) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, o.now())
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// Guesses are limited, and an unknown address is answered like a wrong password.
func TestSignInGuesses(t *testing.T) {
	o := openOffice(t, nil)
	o.member(t, "ann@example.org", "Example Times", people.Owner)
	r := o.newReader(t)
	var texts []string
	for _, mail := range []string{"ann@example.org", "nobody@example.org"} {
		r.post("/signin", "mail", mail, "password", "wrong", "to", "/account").want(400, "/signin", "do not belong together")
		texts = append(texts, strings.ReplaceAll(textOf(r.root), mail, ""))
		if got := r.value("mail"); got != mail {
			t.Errorf("the form lost the address: %q", got)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("an unknown address is told apart:\n%s\n%s", texts[0], texts[1])
	}
	for range 4 {
		r.post("/signin", "mail", "ann@example.org", "password", "wrong")
	}
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(429, "/signin", "Too many attempts. Try again in 1 second.")
	if got := r.header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %q", got)
	}
	o.clock.Add(int64(2 * time.Second))
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account")
}

// A session ends after its time, by its owner from another browser, and by a new password. What
// was typed into a form comes back after signing in again.
func TestSessionsEnd(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	other := o.newReader(t).post("/signin", "mail", "ann@example.org", "password", somePassword)
	other.want(200, "/account", "Firefox, Linux")
	r.open("/account").want(200, "/account", "Sign out everywhere else")
	r.post("/account", "do", "end-session", "session", r.value("session")).want(200, "/account?", "The session has ended")
	other.open("/account").want(200, "/signin")
	other.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account")
	r.post("/account/password", "password", "wrong", "new", "eight blue herons at noon").want(400, "/account/password", "do not belong together")
	r.post("/account/password", "password", somePassword, "new", "eight blue herons at noon").want(200, "/account?", "The password was changed")
	other.open("/account").want(200, "/signin")

	o.clock.Add(int64(people.SessionIdle))
	r.post("/account", "do", "invite", "mail", "bob@example.org").want(200, "/signin")
	r.post("/signin", "mail", "ann@example.org", "password", "eight blue herons at noon", "to", r.value("to")).want(200, "/account")
	if got := r.value("mail"); got != "bob@example.org" {
		t.Errorf("the form came back with %q", got)
	}
}

// Owners invite and remove members; members cannot, and nobody sees another organisation.
func TestMembers(t *testing.T) {
	o := openOffice(t, nil)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	eve := o.member(t, "eve@example.org", "Other Paper", people.Owner)
	ann.post("/account", "do", "invite", "mail", "bob", "role", "member").want(400, "/account", "not a mail address")
	ann.post("/account", "do", "invite", "mail", "bob@example.org", "role", "member").want(200, "/account", "Send this address", "invited, until")
	link := strings.TrimPrefix(ann.find(`http\S+/join/\S+`), o.base)
	bob := o.newReader(t).post(link, "name", "Bob", "password", somePassword)
	bob.want(200, "/account", "Example Times", "ann@example.org", "Leave")
	for _, do := range []string{"invite", "remove", "set-role", "withdraw"} {
		bob.post("/account", "do", do, "mail", "x@example.org", "person", "x").want(403, "/account", "Only an owner")
	}
	ann.post("/account/keys/new").want(201, "/account/keys/new")
	id := ann.find(keyPattern)[4:12]
	eve.open("/account/keys/"+id).want(404, "/account/keys/", "None of your accounts")
	eve.post("/account/keys/"+id, "do", "revoke").want(404, "/account/keys/")
	eve.open("/account?account=Example+Times").want(404, "/account")
	eve.post("/account", "account", "Example Times", "do", "invite", "mail", "eve2@example.org").want(404, "/account")
	ann.post("/account", "do", "leave").want(409, "/account", "needs an owner", "Account of the organisation Example Times")
	// Bob is invited by the other organisation, too.
	second := o.invite(t, "BOB@example.org", "Other Paper", people.MemberOnly)
	ann.open(second).want(200, second, "Sign in with it")
	bob.open(second).want(200, second, "Join Other Paper")
	bob.post(second).want(200, "/account")
	bob.open("/account?account=other+paper").want(200, "/account", "Other Paper", "eve@example.org")
	bob.open("/account").want(200, "/account", "Example Times")
	bob.post("/account", "account", "Example Times", "do", "leave").want(200, "/account")
	bob.open("/account").want(200, "/account", "Other Paper")
}

// What the organisation follows is listed with what changed, and unfollowed.
func TestFollowedOnAccount(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.open("/account").want(200, "/account", "You follow nothing yet")
	r.post("/account/keys/new")
	request, err := http.NewRequest("PUT", o.base+"/api/followed/1", strings.NewReader(`{"country":["Germany"]}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", r.find(keyPattern))
	request.Header.Set("Content-Type", "application/json")
	if r.send(request).status != 200 {
		t.Fatalf("following: %d %s", r.status, r.text())
	}
	r.open("/account").want(200, "/account", "Germany", "no change since 21 Nov 2025", "Unfollow")
	for _, a := range elements(r.root, "a") {
		if address, _ := attribute(a, "href"); strings.HasPrefix(address, "/datasets/1/") && !strings.Contains(address, "country=") {
			t.Errorf("the link %s does not lead to the followed part", address)
		}
	}
	r.post("/account", "do", "unfollow", "dataset", "1").want(200, "/account?", "You follow nothing yet")
	r.post("/account", "do", "unfollow", "dataset", "1").want(404, "/account", "does not follow")
}

// The data of a person can be exported, and deleted together with the keys that nobody is left for.
func TestExportAndDeletion(t *testing.T) {
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account/keys/new")
	key := r.find(keyPattern)
	r.open("/account/export").want(200, "/account/export", `"mail": "ann@example.org"`, `"organisation": "Example Times"`)
	if got := r.header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("Content-Disposition is %q", got)
	}
	r.open("/account/delete").want(200, "/account/delete", "only member of Example Times")
	r.post("/account/delete", "revoke", "yes").want(200, "/account/delete", "Nothing of you is stored")
	r.open("/account").want(200, "/signin")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(400, "/signin", "do not belong together")
	stattest.Eventually(t, func() error {
		if status := o.status(t, key); status != 401 {
			return fmt.Errorf("the key of nobody has status %d", status)
		}
		return nil
	})
}

// Forms from pages of others are refused; cookies are for this service only; nothing is accepted
// over plain HTTP where the service is public; addresses lead only to this service.
func TestFormsAndCookies(t *testing.T) {
	proxies := access.Proxies{Trusted: access.Networks{}}
	if err := proxies.Trusted.UnmarshalText([]byte("127.0.0.1")); err != nil {
		t.Fatal(err)
	}
	o := openOffice(t, func(p *portal.Options) { p.Public, p.Proxies = true, proxies })
	o.newReader(t).open("/signin").want(403, "/signin", "only over HTTPS")
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	form := url.Values{"name": {"Ann"}, "password": {somePassword}, "to": {"//elsewhere.example"}}
	post := func(path, site string) *http.Response {
		request, err := http.NewRequest("POST", o.base+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set("Sec-Fetch-Site", site)
		request.Header.Set("X-Forwarded-Proto", "https")
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response
	}
	for _, site := range []string{"cross-site", "same-site"} {
		if got := post(invitation, site); got.StatusCode != 403 || len(got.Cookies()) != 0 {
			t.Errorf("a form from a page of another service (%s): %d, %v", site, got.StatusCode, got.Cookies())
		}
	}
	got := post(invitation, "same-origin")
	if len(got.Cookies()) != 1 {
		t.Fatalf("%d, cookies %v", got.StatusCode, got.Cookies())
	}
	c := got.Cookies()[0]
	if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("cookie %+v", c)
	}
	form = url.Values{"mail": {"ann@example.org"}, "password": {somePassword}, "to": {"https://elsewhere.example/"}}
	got = post("/signin", "same-origin")
	if to := got.Header.Get("Location"); got.StatusCode != 303 || to != "/account" {
		t.Errorf("signing in leads to %q (%d)", to, got.StatusCode)
	}
	if next := got.Cookies()[0]; next.Value == c.Value {
		t.Error("the session is not renewed")
	}
	if policy := got.Header.Get("Cache-Control"); policy != "no-store" {
		t.Errorf("Cache-Control is %q", policy)
	}
}
