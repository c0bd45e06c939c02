package provider_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"almanac/internal/people/provider"
	"almanac/internal/people/provider/providertest"
	"almanac/internal/stat"
)

var (
	ctx  = context.Background()
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
)

func now() time.Time { return noon }

func newProvider(t *testing.T, issuer string) *provider.Provider {
	t.Helper()
	p, err := provider.New(provider.Options{
		Issuer: issuer, ClientID: providertest.ClientID, Secret: providertest.Secret, Return: "https://stats.example.org/signin/provider/return", Life: 12 * time.Hour, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// follow begins an attempt, goes to the provider, and returns the parameters of the way back.
func follow(t *testing.T, p *provider.Provider, isAgain bool) (provider.Attempt, url.Values) {
	t.Helper()
	address, attempt, err := p.Begin(ctx, isAgain)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	back, err := response.Location()
	if err != nil {
		t.Fatal(err)
	}
	return attempt, back.Query()
}

// What the provider says is believed if it is signed by it, for this service, now, and for this
// attempt.
func TestIdentity(t *testing.T) {
	signedIn := map[string]any{"sub": "ann", "email": "ann@example.org", "email_verified": true, "name": "Ann"}
	for _, c := range []struct {
		name    string
		claims  map[string]any // beside and instead of the above
		change  func(*providertest.Server)
		isAgain bool
		answer  func(*provider.Attempt, url.Values) // changes the way back
		want    provider.Identity
		err     error
	}{
		{name: "ann", want: provider.Identity{Subject: "ann", Mail: "ann@example.org", Name: "Ann", SignedIn: noon}},
		{name: "mail verified, as a text", claims: map[string]any{"email_verified": "true", "auth_time": nil}, want: provider.Identity{Subject: "ann", Mail: "ann@example.org", Name: "Ann"}},
		{name: "mail not verified", claims: map[string]any{"email_verified": false}, want: provider.Identity{Subject: "ann", Name: "Ann", SignedIn: noon}},
		{name: "mail in the user info", claims: map[string]any{"email": nil}, change: func(s *providertest.Server) {
			s.UserInfo = map[string]any{"sub": "ann", "email": "a@example.org", "email_verified": true}
		}, want: provider.Identity{Subject: "ann", Mail: "a@example.org", Name: "Ann", SignedIn: noon}},
		{name: "user info of somebody else", claims: map[string]any{"email": nil}, change: func(s *providertest.Server) {
			s.UserInfo = map[string]any{"sub": "bob", "email": "a@example.org", "email_verified": true}
		}, err: provider.ErrAnswer},
		{name: "several audiences", claims: map[string]any{"aud": []string{"other", providertest.ClientID}, "azp": providertest.ClientID}, want: provider.Identity{Subject: "ann", Mail: "ann@example.org", Name: "Ann", SignedIn: noon}},
		{name: "made for another service", claims: map[string]any{"aud": []string{"other", providertest.ClientID}, "azp": "other"}, err: provider.ErrAnswer},
		{name: "another audience", claims: map[string]any{"aud": "other"}, err: provider.ErrAnswer},
		{name: "another issuer", claims: map[string]any{"iss": "https://other.example.org"}, err: provider.ErrAnswer},
		{name: "another nonce", claims: map[string]any{"nonce": "other"}, err: provider.ErrAnswer},
		{name: "no nonce", claims: map[string]any{"nonce": nil}, err: provider.ErrAnswer},
		{name: "no subject", claims: map[string]any{"sub": nil}, err: provider.ErrAnswer},
		{name: "expired", claims: map[string]any{"exp": noon.Add(-time.Second).Unix()}, err: provider.ErrAnswer},
		{name: "another key", change: func(s *providertest.Server) { s.OtherKey = true }, err: provider.ErrAnswer},
		{name: "signed in long ago", claims: map[string]any{"auth_time": noon.Add(-13 * time.Hour).Unix()}, err: provider.ErrAnswer},
		{name: "signed in today", claims: map[string]any{"auth_time": noon.Add(-11 * time.Hour).Unix()}, want: provider.Identity{Subject: "ann", Mail: "ann@example.org", Name: "Ann", SignedIn: noon.Add(-11 * time.Hour)}},
		{name: "not signed in again", claims: map[string]any{"auth_time": noon.Add(-11 * time.Hour).Unix()}, isAgain: true, err: provider.ErrAnswer},
		{name: "signed in again", isAgain: true, want: provider.Identity{Subject: "ann", Mail: "ann@example.org", Name: "Ann", SignedIn: noon}},
		{name: "another state", answer: func(_ *provider.Attempt, v url.Values) { v.Set("state", "other") }, err: provider.ErrAnswer},
		{name: "another code", answer: func(_ *provider.Attempt, v url.Values) { v.Set("code", "other") }, err: provider.ErrAnswer},
		{name: "another verifier", answer: func(a *provider.Attempt, _ url.Values) { a.Verifier += "x" }, err: provider.ErrAnswer},
		{name: "another provider", answer: func(_ *provider.Attempt, v url.Values) { v.Set("iss", "https://other.example.org") }, err: provider.ErrAnswer},
		{name: "refused", change: func(s *providertest.Server) { s.Refuses = true }, err: provider.ErrRefused},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := providertest.New(t, now)
			server.Claims = map[string]any{}
			for _, claims := range []map[string]any{signedIn, c.claims} {
				for name, value := range claims {
					server.Claims[name] = value
				}
			}
			if c.change != nil {
				c.change(server)
			}
			p := newProvider(t, server.Address)
			attempt, answer := follow(t, p, c.isAgain)
			if c.answer != nil {
				c.answer(&attempt, answer)
			}
			if c.err == nil {
				c.want.Issuer = server.Address
			}
			got, err := p.Finish(ctx, &attempt, answer)
			if !errors.Is(err, c.err) || got != c.want {
				t.Errorf("%+v, %v; want %+v, %v", got, err, c.want, c.err)
			}
			oldest := map[bool]int{false: 12 * 60 * 60, true: 1}[c.isAgain]
			if got := server.Last; got.Get("max_age") != strconv.Itoa(oldest) || got.Get("scope") != "openid email profile" || got.Get("response_type") != "code" {
				t.Errorf("the provider was asked %v", got)
			}
		})
	}
}

// An address that others can read is refused, and one that does not answer is told apart from a wrong
// answer.
func TestUnusable(t *testing.T) {
	for _, issuer := range []string{"", "login.example.org", "http://login.example.org", "https://user:password@login.example.org", "https://login.example.org?x=y"} {
		if _, err := provider.New(provider.Options{Issuer: issuer, ClientID: "a", Secret: "b"}); stat.KindOf(err) != stat.Invalid {
			t.Errorf("%q: %v", issuer, err)
		}
	}
	if _, err := provider.New(provider.Options{Issuer: "https://login.example.org", ClientID: "a"}); stat.KindOf(err) != stat.Invalid {
		t.Errorf("without a secret: %v", err)
	}
	if _, _, err := newProvider(t, "http://127.0.0.1:1").Begin(ctx, false); stat.KindOf(err) != stat.Unavailable {
		t.Errorf("nobody answers: %v", err)
	}
	server := providertest.New(t, now)
	if _, _, err := newProvider(t, server.Address+"/").Begin(ctx, false); stat.KindOf(err) != stat.Unavailable {
		t.Errorf("the provider has another issuer: %v", err)
	}
}
