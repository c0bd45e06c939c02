package portal_test

import (
	"net/url"
	"testing"
	"time"

	"almanac/internal/people"
	"almanac/internal/portal"
)

// Where a second factor is required, people set one up before they see anything.
func TestFactorIsRequired(t *testing.T) {
	o := openOffice(t, func(p *portal.Options) { p.RequireFactor = true })
	r := o.newReader(t)
	r.post(o.invite(t, "ann@example.org", "Example Times", people.Owner), "name", "Ann", "password", somePassword).want(200, "/account/factor", "authenticator app")
	for _, path := range []string{"/account", "/account/keys/new", "/account/export", "/account/delete"} {
		r.open(path).want(200, "/account/factor")
	}
	r.post("/account/keys/new").want(200, "/account/factor")
	r.setFactor(o)
	r.open("/account").want(200, "/account", "Example Times")
	r.post("/account/factor").want(200, "/account/factor", "authenticator app") // removed, to set up another
}

// What could take over an account, new keys and the page of the operator need a check that is at most
// [people.CheckLife] old. What was typed comes back.
func TestSignInAgain(t *testing.T) {
	o, r := openHeld(t, nil)
	r.post("/account/keys/new")
	key := "/account/keys/" + r.find(keyPattern)[4:12]
	pages := []string{"/account/factor", "/account/password", "/account/delete", "/account/keys/new", key}
	for _, path := range pages {
		r.open(path).want(200, path)
	}
	r.setFactor(o)
	secret := r.factor
	pages = append(pages, "/admin")
	for range 2 { // in use all the time
		o.clock.Add(int64(people.CheckLife / 2))
		r.open("/account").want(200, "/account")
	}
	for _, path := range pages {
		r.open(path).want(200, "/signin?again=yes&to="+url.QueryEscape(path), "Sign in again", "needs a new one")
		r.post(path, "do", "accept", "dataset", "1", "code", "123456").want(200, "/signin?again=yes&to="+url.QueryEscape(path))
	}
	r.open("/account").want(200, "/account") // the session goes on
	r.post("/account/keys/new", "expires", "2027-01-31").want(200, "/signin?again=yes")
	if got := r.value("mail"); got != "ann@example.org" {
		t.Errorf("the page asks for the password of %q", got)
	}
	to := r.value("to")
	r.post("/signin", "again", "yes", "mail", "ann@example.org", "password", "wrong", "to", to).want(400, "/signin", "Sign in again", "password is wrong")
	r.post("/signin", "again", "yes", "password", somePassword, "to", to).want(200, "/signin/code")
	r.post("/signin/code", "code", o.code(t, secret), "remember", "yes", "to", r.value("to")).want(200, "/account/keys/new")
	if got := r.value("expires"); got != "2027-01-31" {
		t.Errorf("the form came back with %q", got)
	}
	r.open("/admin").want(200, "/admin")

	// A browser that is not asked for the second factor is asked for it here.
	r.post("/signout")
	r.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/account")
	r.open("/admin").want(200, "/signin?again=yes")
	r.post("/signin", "again", "yes", "password", somePassword, "to", "/admin").want(200, "/signin/code")
	r.open("/admin").want(200, "/signin?to=")
	o.clock.Add(int64(time.Minute))
	r.post("/signin/code", "code", o.code(t, secret), "to", "/admin").want(200, "/admin")
}
