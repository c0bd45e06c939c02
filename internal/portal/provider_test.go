package portal_test

import (
	"context"
	"net/url"
	"testing"
	"time"

	"almanac/internal/people"
	"almanac/internal/people/provider"
	"almanac/internal/people/provider/providertest"
	"almanac/internal/portal"
)

// openWithProvider serves the pages with another service at which people sign in. Whoever comes from
// example.org joins the Example Times.
func openWithProvider(t *testing.T) (*office, *providertest.Server) {
	t.Helper()
	var o *office
	now := func() time.Time { return o.now() }
	server := providertest.New(t, now)
	o = openOffice(t, func(p *portal.Options) {
		one, err := provider.New(provider.Options{
			Issuer: server.Address, ClientID: providertest.ClientID, Secret: providertest.Secret, Return: p.BaseURL + portal.ReturnPath, Life: people.SessionLife,
			Now: now,
		})
		if err != nil {
			t.Fatal(err)
		}
		p.SignIn = portal.SignInService{Provider: one, Name: "Staff login", Organisations: map[string]string{"example.org": "Example Times"}}
	})
	return o, server
}

// user is what the provider says of somebody.
func user(subject, mail string) map[string]any {
	return map[string]any{"sub": subject, "email": mail, "email_verified": true, "name": "Somebody " + subject}
}

// Somebody invited joins with the provider, signs in with it, and sets a password before the link is
// removed.
func TestJoinWithProvider(t *testing.T) {
	o, server := openWithProvider(t)
	r := o.newReader(t)
	invitation := o.invite(t, "Ann@other.example", "Other Paper", people.Owner)
	r.open(invitation).want(200, invitation, "Join with Staff login")
	for _, wrong := range []map[string]any{user("1", "eve@other.example"), {"sub": "1", "email": "ann@other.example"}} {
		server.Claims = wrong
		r.open("/signin/provider?to="+invitation).want(409, portal.ReturnPath, "has not verified that this address is yours")
	}
	server.Claims = user("1", "ann@other.example")
	r.open("/signin/provider?to="+invitation).want(200, "/account", "Other Paper", "Staff login", "ann@other.example")
	r.post("/signout")
	server.Claims = user("1", "new@elsewhere.example") // the subject counts, not the address
	r.open("/signin").want(200, "/signin", "Sign in with Staff login")
	r.open("/signin/provider?to=/account/keys/new").want(200, "/account/keys/new", "Other Paper")
	o.newReader(t).post("/signin", "mail", "ann@other.example", "password", "").want(400, "/signin", "password is wrong")

	r.open("/account/provider").want(200, "/account/provider", "ann@other.example", "Unlink")
	issuer, subject := r.value("issuer"), r.value("subject")
	r.post("/account/provider", "do", "unlink", "issuer", issuer, "subject", subject).want(409, "/account/provider", "could sign in no more")
	r.post("/account/password", "new", "short").want(400, "/account/password", "at least 15")
	r.post("/account/password", "new", somePassword).want(200, "/account?", "The password was changed")
	r.post("/account/password", "new", "eight blue herons at noon").want(400, "/account/password", "password is wrong")
	r.open("/account/export").want(200, "/account/export", `"subject": "1"`)
	r.post("/account/provider", "do", "unlink", "issuer", issuer, "subject", subject).want(200, "/account/provider?", "The links were changed", "not linked to Staff login yet")
	o.newReader(t).open("/signin/provider").want(400, portal.ReturnPath, "No account is linked")
}

// Whoever has a verified address of a domain joins its organisation, unless somebody has the address.
func TestJoinByDomain(t *testing.T) {
	o, server := openWithProvider(t)
	o.member(t, "ann@example.org", "Example Times", people.Owner)
	for _, c := range []struct {
		claims map[string]any
		status int
		path   string
		text   string
	}{
		{user("1", "ANN@example.org"), 409, portal.ReturnPath, "There is an account with this mail address"},
		{user("2", "bob@sub.example.org"), 400, portal.ReturnPath, "No account is linked"},
		{map[string]any{"sub": "2", "email": "bob@example.org"}, 400, portal.ReturnPath, "No account is linked"},
		{user("2", "bob@example.org"), 200, "/account", "Example Times"},
		{user("2", "bob@example.org"), 200, "/account", "Example Times"},
	} {
		server.Claims = c.claims
		r := o.newReader(t)
		r.open("/signin/provider").want(c.status, c.path, c.text)
	}
	members, err := o.people.All(context.Background())
	if err != nil || len(members) != 2 {
		t.Errorf("%+v, %v", members, err)
	}
}

// An account is linked by whoever is signed in to it, after a question, and never to a second one.
// The second factor is asked for as after a password.
func TestLinkProvider(t *testing.T) {
	o, server := openWithProvider(t)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	server.Claims = user("1", "a@elsewhere.example")
	ann.open("/account/provider").want(200, "/account/provider", "not linked to Staff login yet")
	ann.open("/signin/provider?again=yes&to=/account/provider").want(200, portal.ReturnPath, "signed in as a@elsewhere.example", "Link this account?")
	sealed := ann.value("secret")
	bob := o.member(t, "bob@example.org", "Example Times", people.MemberOnly)
	bob.post("/account/provider", "secret", sealed).want(400, "/account/provider", "used or has expired")
	bob.open("/signin/provider?again=yes&to=/account/provider")
	theirs := bob.value("secret")
	ann.post("/account/provider", "secret", sealed).want(200, "/account/provider?", "The links were changed", "a@elsewhere.example")
	ann.post("/account/provider", "secret", sealed).want(400, "/account/provider", "used or has expired")
	bob.post("/account/provider", "secret", theirs).want(409, "/account/provider", "linked to an account already")

	ann.setFactor(o)
	r := o.newReader(t)
	r.open("/signin/provider?to=/account/delete").want(200, "/signin/code")
	r.open("/account").want(200, "/signin")
	o.clock.Add(int64(time.Minute))
	r.post("/signin/code", "code", o.code(t, ann.factor), "remember", "yes", "to", "/account/delete").want(200, "/account/delete")
	r.post("/signout")
	r.open("/signin/provider").want(200, "/account") // the browser is known
	r.open("/account/delete").want(200, "/signin?again=yes", "Sign in with Staff login")
	r.open("/signin/provider?again=yes&to=/account/delete").want(200, "/signin/code")
}

// What needs a fresh check needs one at the provider, too.
func TestProviderAgain(t *testing.T) {
	o, server := openWithProvider(t)
	server.Claims = user("1", "ann@example.org")
	r := o.newReader(t)
	r.open("/signin/provider").want(200, "/account")
	server.Claims["auth_time"] = o.now().Unix()
	o.clock.Add(int64(people.CheckLife))
	r.open("/account/keys/new").want(200, "/signin?again=yes", "Sign in with Staff login")
	if len(elements(r.root, "input", "name=password")) != 0 {
		t.Error("a password is asked for, which there is not")
	}
	r.open("/signin/provider?to=/account/keys/new").want(200, "/signin?again=yes") // signed in there some time ago
	r.open("/signin/provider?again=yes&to=/account/keys/new").want(400, portal.ReturnPath, "was not accepted")
	server.Claims["auth_time"] = o.now().Unix()
	r.open("/signin/provider?again=yes&to=/account/keys/new").want(200, "/account/keys/new")
}

// An answer belongs to the browser that began, once and in time. Nothing leads to another host.
func TestProviderAnswers(t *testing.T) {
	o, server := openWithProvider(t)
	server.Claims = user("1", "ann@example.org")
	begin := func(to string) (attempt, state string) {
		got := ask(t, "GET", o.base+"/signin/provider?to="+url.QueryEscape(to))
		address, err := url.Parse(got.Header.Get("Location"))
		if err != nil || len(got.Cookies()) != 1 || !got.Cookies()[0].HttpOnly {
			t.Fatalf("%d to %v (%v), cookies %v", got.StatusCode, address, err, got.Cookies())
		}
		return got.Cookies()[0].Value, ask(t, "GET", address.String()).Header.Get("Location")
	}
	attempt, back := begin("//elsewhere.example/")
	_, others := begin("/account")
	for name, c := range map[string]struct{ address, attempt string }{
		"no attempt":      {back, ""},
		"another attempt": {others, attempt},
		"another cookie":  {back, "x" + attempt},
	} {
		if got := ask(t, "GET", c.address, "Cookie: almanac-attempt="+c.attempt); got.StatusCode != 400 {
			t.Errorf("%s: %d", name, got.StatusCode)
		}
	}
	attempt, back = begin("//elsewhere.example/")
	got := ask(t, "GET", back, "Cookie: almanac-attempt="+attempt)
	if to := got.Header.Get("Location"); got.StatusCode != 303 || to != "/account" {
		t.Errorf("%d to %q, want the account", got.StatusCode, to)
	}
	if got := ask(t, "GET", back, "Cookie: almanac-attempt="+attempt); got.StatusCode != 400 {
		t.Errorf("the answer counts twice: %d", got.StatusCode)
	}
	attempt, back = begin("/account")
	o.clock.Add(int64(10 * time.Minute))
	if got := ask(t, "GET", back, "Cookie: almanac-attempt="+attempt); got.StatusCode != 400 {
		t.Errorf("after ten minutes: %d", got.StatusCode)
	}
	for change, text := range map[string]string{"nonce": "was not accepted", "aud": "was not accepted", "exp": "was not accepted"} {
		server.Claims = user("1", "ann@example.org")
		server.Claims[change] = map[string]any{"nonce": "other", "aud": "other", "exp": o.now().Add(-time.Second).Unix()}[change]
		r := o.newReader(t)
		r.open("/signin/provider").want(400, portal.ReturnPath, text)
		r.open("/account").want(200, "/signin")
	}
	server.Refuses = true
	o.newReader(t).open("/signin/provider").want(400, portal.ReturnPath, "Staff login did not sign you in")
}
