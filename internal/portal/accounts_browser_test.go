package portal_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"almanac/internal/database"
	"almanac/internal/mail"
	"almanac/internal/notice"
	"almanac/internal/people"
	"almanac/internal/people/provider"
	"almanac/internal/portal"
)

// TestAccountPagesInBrowser opens the pages of people who sign in as TestPagesInBrowser opens the
// others.
func TestAccountPagesInBrowser(t *testing.T) {
	tabs := newInspectors(t)
	sender, err := mail.New(mail.Options{Server: "smtp://127.0.0.1:1", From: "almanac@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	notices, err := notice.Open(context.Background(), database.Location{Dir: t.TempDir()}, [notice.KeyLength]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { notices.Close() })
	elsewhere, err := provider.New(provider.Options{Issuer: "https://login.example.org", ClientID: "almanac", Secret: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	o, operator := openHeld(t, func(p *portal.Options) {
		p.SignIn = portal.SignInService{Provider: elsewhere, Name: "Staff login"}
		p.Mail, p.FreeAccounts, p.Notices = sender, 5, notices
		p.BaseURL = strings.Replace(p.BaseURL, "127.0.0.1", "localhost", 1) // passkeys belong to a name
	})
	operator.setFactor(o)
	r := o.member(t, "bob@example.org", "Example Times", people.Owner)
	r.post("/account", "do", "invite", "mail", "carla@example.org", "role", "member").want(200, "/account")
	r.post("/account/keys/new").want(201, "/account/keys/new")
	key := r.find(keyPattern)[4:12]
	all, err := o.people.All(context.Background()) // Ann, who is the operator, and Bob
	if err != nil {
		t.Fatal(err)
	}
	r.post("/account/follow", "dataset", "1", "part", "shown", "country", "DE").want(200, "/datasets/1/", "This is followed")
	r.post("/account/webhooks", "do", "add", "address", "https://example.org/almanac").want(200, "/account/webhooks")
	r.post("/account/webhooks", "do", "test", "endpoint", "1").want(200, "/account/webhooks")
	session := func(person int, stage people.Stage) (token string) {
		token, _, err := o.people.StartSession(context.Background(), all[person].ID, stage, true, people.Client{Family: "IPv4"})
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	nobody, ann, bob, half := "", session(0, people.SignedIn), session(1, people.SignedIn), session(0, people.PasswordOnly)
	for _, p := range []struct {
		path  string
		token string // of the session
	}{
		{"/signin", nobody}, {"/signin/reset", nobody}, {"/signup", nobody}, {o.invite(t, "eve@example.org", "Example Times", people.MemberOnly), nobody}, {"/join/unknown", nobody},
		{"/signin/code", half}, {"/account/follow?dataset=1&country=FR", bob}, {"/account/webhooks", bob}, {"/account/changes", bob}, {"/account/keys/unknown", bob},
		{"/account", bob}, {"/account/keys/new", bob}, {"/account/keys/" + key, bob}, {"/account/factor", bob}, {"/account/password", bob}, {"/account/passkeys", bob}, {"/account/provider", bob}, {"/signin?again=yes&to=/account", bob}, {"/account/delete", bob},
		{"/account/factor", ann}, {"/admin", ann},
	} {
		t.Run(p.path[:min(len(p.path), 20)], func(t *testing.T) {
			t.Parallel()
			checkInline(t, parse(t, tabs.inspect(t, o.base, p.path, p.token)))
		})
	}
}

// keepSession gives the browser the cookie of a session.
func (b *tab) keepSession(base, token string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.SetCookie, network.SetCookieParams{Name: "almanac-session", Value: token, URL: base})
		return err
	}))
}

// clearCookies ends the session of the browser.
func (b *tab) clearCookies() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.ClearBrowserCookies, cdp.Empty{})
		return err
	}))
}
