package portal_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"almanac/internal/mail"
	"almanac/internal/people"
	"almanac/internal/portal"
)

// TestAccountPagesInBrowser opens the pages of people who sign in as TestPagesInBrowser opens the
// others.
func TestAccountPagesInBrowser(t *testing.T) {
	axe := axeScript(t)
	browser := newBrowser(t)
	sender, err := mail.New(mail.Options{Server: "smtp://127.0.0.1:1", From: "almanac@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	o, operator := openHeld(t, func(p *portal.Options) {
		p.Mail, p.FreeAccounts = sender, 5
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
	const nobody, ann, bob = -1, 0, 1
	for _, p := range []struct {
		path string
		who  int
	}{
		{"/signin", nobody}, {"/signin/reset", nobody}, {"/signup", nobody}, {o.invite(t, "eve@example.org", "Example Times", people.MemberOnly), nobody}, {"/join/unknown", nobody},
		{"/account", bob}, {"/account/keys/new", bob}, {"/account/keys/" + key, bob}, {"/account/factor", bob}, {"/account/password", bob}, {"/account/passkeys", bob}, {"/account/delete", bob},
		{"/account/factor", ann}, {"/admin", ann},
	} {
		t.Run(p.path[:min(len(p.path), 20)], func(t *testing.T) {
			tab := newTab(t, browser)
			if p.who != nobody {
				token, _, err := o.people.StartSession(context.Background(), all[p.who].ID, people.SignedIn, true, people.Client{Family: "IPv4"})
				if err != nil {
					t.Fatal(err)
				}
				tab.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
					_, err := cdp.Call(ctx, target, network.SetCookie, network.SetCookieParams{Name: "almanac-session", Value: token, URL: o.base})
					return err
				}))
			}
			tab.inspect(axe, o.base, p.path)
			checkInline(t, parse(t, evaluate[string](tab, "document.documentElement.outerHTML")))
		})
	}
}
