package portal_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/internal/mail"
	"almanac/internal/mail/mailtest"
	"almanac/internal/people"
	"almanac/internal/portal"
)

// openWithMail serves the pages with a mail server, and lets people make accounts.
func openWithMail(t *testing.T) (*office, *mailtest.Server) {
	t.Helper()
	server := mailtest.New(t)
	sender, err := mail.New(mail.Options{Server: server.Address, From: "almanac@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	return openOffice(t, func(p *portal.Options) { p.Mail, p.FreeAccounts = sender, 5 }), server
}

// linkIn returns the path of the link in a mail, whose lines may be folded.
func linkIn(t *testing.T, m mailtest.Mail) string {
	t.Helper()
	found := regexp.MustCompile(`/join/alm_[0-9A-Za-z]+`).FindString(strings.ReplaceAll(m.Text, "=\n", ""))
	if found == "" {
		t.Fatalf("the mail has no link:\n%s", m.Text)
	}
	return found
}

// A lost password is replaced through a link by mail; the second factor stays. The page says the
// same for an address that nobody has.
func TestPasswordByMail(t *testing.T) {
	o, server := openWithMail(t)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	ann.setFactor(o)
	r := o.newReader(t)
	r.open("/signin").want(200, "/signin", "Forgot the password", "Make an account")
	r.post("/signin/reset", "mail", "nobody@example.org").want(200, "/signin/reset", "If nobody@example.org can be used here")
	r.post("/signin/reset", "mail", "Ann@example.org").want(200, "/signin/reset", "If Ann@example.org can be used here")
	m := server.Next(t)
	if m.To != "ann@example.org" || server.Sent() != 0 {
		t.Errorf("a mail to %s, and %d more", m.To, server.Sent())
	}
	link := linkIn(t, m)
	r.open(link).want(200, link, "Set a new password")
	r.post(link, "password", "eight blue herons at noon").want(200, "/signin/code", "Six-digit code")
	r.open(link).want(404, link, "cannot be used")
	ann.open("/account").want(200, "/signin")
	ann.post("/signin", "mail", "ann@example.org", "password", somePassword).want(400, "/signin")
	ann.post("/signin", "mail", "ann@example.org", "password", "eight blue herons at noon").want(200, "/signin/code")
	for range 2 {
		r.post("/signin/reset", "mail", "ann@example.org")
	}
	r.post("/signin/reset", "mail", "ann@example.org").want(429, "/signin/reset", "Try again in 10 minutes")
	r.post("/signin/reset", "mail", "ann").want(400, "/signin/reset", "not a mail address")
	o.clock.Add(int64(2 * time.Hour))
	r.open(linkIn(t, server.Next(t))).want(404, "/join/", "expired")
}

// People make an account with a link by mail, with an organisation whose name nobody has. Their
// number is limited for each address and day.
func TestSignUpByMail(t *testing.T) {
	o, server := openWithMail(t)
	o.member(t, "ann@example.org", "Example Times", people.Owner)
	r := o.newReader(t)
	r.post("/signup", "mail", "bob@example.org").want(200, "/signup", "a mail is on its way")
	link := linkIn(t, server.Next(t))
	r.open(link).want(200, link, "Make an account")
	r.post(link, "organisation", "Daily Bob", "name", "Bob", "password", "short").want(400, link, "at least 15")
	r.post(link, "organisation", "EXAMPLE times", "name", "Bob", "password", somePassword).want(409, link, "is taken")
	r.post(link, "organisation", "Daily Bob", "name", "Bob", "password", somePassword).want(200, "/account", "Daily Bob", "owner")
	other := o.newReader(t)
	other.post("/signup", "mail", "ann@example.org").want(200, "/signup", "a mail is on its way")
	other.open(linkIn(t, server.Next(t))).want(200, "/join/", "Set a new password") // she has one
	for range 3 {
		other.post("/signup", "mail", "x@example.org").want(200, "/signup")
	}
	other.post("/signup", "mail", "y@example.org").want(429, "/signup", "Too many attempts")
}

// Invitations of owners are sent.
func TestInvitationByMail(t *testing.T) {
	o, server := openWithMail(t)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	ann.post("/account", "do", "invite", "mail", "bob@example.org", "role", "member").want(200, "/account", "A mail with this address")
	m := server.Next(t)
	o.newReader(t).post(linkIn(t, m), "name", "Bob", "password", somePassword).want(200, "/account", "Example Times")
	if m.To != "bob@example.org" {
		t.Errorf("sent to %s", m.To)
	}
}

// Whoever changes the password is told by mail.
func TestChangedPasswordIsTold(t *testing.T) {
	o, server := openWithMail(t)
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	ann.post("/account/password", "password", somePassword, "new", "eight blue herons at noon").want(200, "/account")
	if m := server.Next(t); m.To != "ann@example.org" || !strings.Contains(m.Text, "was changed at") {
		t.Errorf("a mail to %s: %s", m.To, m.Text)
	}
}
