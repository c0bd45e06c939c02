package portal_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"almanac/internal/people"
	"almanac/internal/portal"
	"almanac/internal/stattest"
)

// addDevice gives the browser a device that keeps passkeys.
func (b *tab) addDevice() {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		return err
	}))
}

// waitForText waits until the main part of the page has a text. While another page is being opened, none can
// be read.
func (b *tab) waitForText(text string) {
	b.t.Helper()
	stattest.Eventually(b.t, func() error {
		found, err := chromedp.Run(b.page, chromedp.Evaluate[string](`document.querySelector("main")?.innerText ?? ""`))
		if err == nil && !strings.Contains(found, text) {
			err = fmt.Errorf("the page has no %q", text)
		}
		return err
	})
}

// A passkey is added, and signs in without it and without a second factor. The
// answer of the device counts once.
func TestPasskeyInBrowser(t *testing.T) {
	var local string // passkeys belong to a name, not to a number
	o := openOffice(t, func(p *portal.Options) {
		local = strings.Replace(p.BaseURL, "127.0.0.1", "localhost", 1)
		p.BaseURL = local
	})
	o.base = local
	ann := o.member(t, "ann@example.org", "Example Times", people.Owner)
	ann.setFactor(o)
	all, err := o.people.All(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := o.people.StartSession(context.Background(), all[0].ID, people.SignedIn, true, people.Client{})
	if err != nil {
		t.Fatal(err)
	}
	tab := newTab(t)
	tab.addDevice()
	tab.keepSession(local, token)
	tab.open(local + "/account/passkeys")
	evaluate[any](tab, `document.getElementById("name").value = "Phone"; document.querySelector("form[data-passkey] button").click()`)
	tab.waitForText("The passkeys were changed")
	tab.waitForText("Phone")

	tab.clearCookies()
	tab.open(local + "/signin?to=/account/passkeys")
	evaluate[any](tab, `const form = document.querySelector("form[data-passkey]");
		form.addEventListener("submit", () => { sessionStorage.secret = form.elements.secret.value; sessionStorage.answer = form.elements.answer.value; });
		form.querySelector("button").click()`)
	tab.waitForText("Phone")
	if at := evaluate[string](tab, "location.pathname"); at != "/account/passkeys" {
		t.Errorf("signed in at %s", at)
	}
	again := o.newReader(t)
	secret, answer := evaluate[string](tab, "sessionStorage.secret"), evaluate[string](tab, "sessionStorage.answer")
	again.post("/signin/passkey", "secret", secret, "answer", answer).want(400, "/signin/passkey", "was not accepted")
	again.open("/account").want(200, "/signin")

	keys, err := o.people.Passkeys(context.Background(), all[0].ID)
	if err != nil || len(keys) != 1 || keys[0].Used.IsZero() {
		t.Fatalf("%+v, %v", keys, err)
	}
	ann.post("/account/passkeys", "do", "remove", "passkey", keys[0].ID).want(200, "/account/passkeys", "There is no passkey yet")
}
