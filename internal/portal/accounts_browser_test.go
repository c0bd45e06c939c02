package portal_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"almanac/internal/people"
)

// TestAccountPagesInBrowser opens the pages of people who sign in as TestPagesInBrowser opens the
// others.
func TestAccountPagesInBrowser(t *testing.T) {
	axe := axeScript(t)
	browser := newBrowser(t)
	o := openOffice(t, nil)
	r := o.member(t, "ann@example.org", "Example Times", people.Owner)
	r.post("/account", "do", "invite", "mail", "bob@example.org", "role", "member").want(200, "/account")
	r.post("/account/keys/new").want(201, "/account/keys/new")
	key := r.find(keyPattern)[4:12]
	person, err := o.people.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := o.people.StartSession(context.Background(), person[0].ID, people.SignedIn, people.Client{Family: "IPv4"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		path       string
		isSignedIn bool
	}{
		{"/signin", false}, {o.invite(t, "eve@example.org", "Example Times", people.MemberOnly), false}, {"/join/unknown", false},
		{"/account", true}, {"/account/keys/new", true}, {"/account/keys/" + key, true}, {"/account/factor", true}, {"/account/password", true}, {"/account/delete", true},
	} {
		t.Run(p.path[:min(len(p.path), 20)], func(t *testing.T) {
			tab := newTab(t, browser)
			if p.isSignedIn {
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
