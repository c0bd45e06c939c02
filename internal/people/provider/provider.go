// Package provider asks another service who somebody is (OpenID Connect: the authorization code flow
// with PKCE). It knows no people: what it returns is a subject of an issuer.
package provider

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"almanac/internal/stat"
)

// Options configure a [Provider].
type Options struct {
	Issuer   string // address of the provider, as its tokens name it
	ClientID string
	Secret   string
	// Return is the address of this service to which the provider leads browsers back.
	Return string
	// Life is how old a sign-in at the provider may be.
	Life time.Duration
	Now  func() time.Time // nil: time.Now
}

// Provider is another service at which people sign in. It is safe for concurrent use.
type Provider struct {
	opts      Options
	client    *http.Client
	connected atomic.Pointer[connection]
}

// connection is what the provider says of itself.
type connection struct {
	*oidc.Provider
	verifier *oidc.IDTokenVerifier
	oauth    oauth2.Config
}

// Attempt is an attempt to sign in, which the browser that began it keeps.
type Attempt struct {
	State, Nonce, Verifier string
	Began                  time.Time
	IsAgain                bool // the provider must ask for the password again
}

// Identity is who the provider says somebody is.
type Identity struct {
	Issuer, Subject string
	Mail            string // empty: the provider has not verified one
	Name            string
	SignedIn        time.Time // when the provider asked for the password; zero: it does not say
}

// Errors of an answer of a provider.
var (
	// ErrAnswer is the error of an answer that proves nothing. It has the reason, for the log.
	ErrAnswer = errors.New("the answer of the sign-in service was not accepted")
	// ErrRefused is the error if the provider did not sign the person in.
	ErrRefused = errors.New("the sign-in service did not sign the person in")
)

// Bounds on the requests to the provider.
const (
	requestTime = 10 * time.Second
	maxBody     = 1 << 20
	// clockSkew is how far the clock of the provider may be away.
	clockSkew = time.Minute
)

// New returns the provider with an issuer. It sends no request. The error is [stat.Invalid] if an
// option is missing or the issuer is no https address.
func New(o Options) (*Provider, error) {
	issuer, err := url.Parse(o.Issuer)
	if err != nil || issuer.Host == "" || issuer.User != nil || issuer.RawQuery != "" || !isSafe(issuer) {
		return nil, stat.Errorf(stat.Invalid, "the issuer must be an https address such as https://login.example.org, not %q", o.Issuer)
	}
	if o.ClientID == "" || o.Secret == "" {
		return nil, stat.Errorf(stat.Invalid, "the client ID or the secret for %s is missing", o.Issuer)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	client := &http.Client{
		Timeout:       requestTime,
		Transport:     bounded{http.DefaultTransport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Provider{opts: o, client: client}, nil
}

// isSafe reports whether nobody can read what is sent to an address.
func isSafe(u *url.URL) bool {
	host, err := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || err == nil && host.IsLoopback())
}

// bounded cuts off long responses.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxBody), response.Body}
	}
	return response, err
}

// connect reads what the provider says of itself, once. The error is [stat.Unavailable] if it cannot
// be read.
func (p *Provider) connect(ctx context.Context) (*connection, error) {
	if c := p.connected.Load(); c != nil {
		return c, nil
	}
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.opts.Issuer)
	if err == nil {
		for _, address := range []string{found.Endpoint().AuthURL, found.Endpoint().TokenURL} {
			if u, parseErr := url.Parse(address); parseErr != nil || !isSafe(u) {
				err = fmt.Errorf("its address %q is not https", address)
			}
		}
	}
	if err != nil {
		return nil, unavailable(err)
	}
	c := &connection{
		Provider: found,
		verifier: found.Verifier(&oidc.Config{ClientID: p.opts.ClientID, Now: p.opts.Now}),
		oauth: oauth2.Config{
			ClientID: p.opts.ClientID, ClientSecret: p.opts.Secret, Endpoint: found.Endpoint(), RedirectURL: p.opts.Return,
			Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
		},
	}
	p.connected.Store(c)
	return c, nil
}

func unavailable(err error) error {
	return &stat.Error{Kind: stat.Unavailable, Message: "the sign-in service cannot be reached; try again in a minute", Err: err}
}

// Begin begins an attempt. It returns the address of the provider to which the browser is to go.
func (p *Provider) Begin(ctx context.Context, isAgain bool) (address string, a Attempt, err error) {
	c, err := p.connect(ctx)
	if err != nil {
		return "", a, err
	}
	a = Attempt{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(), Began: p.opts.Now(), IsAgain: isAgain}
	oldest := int(p.opts.Life.Seconds())
	if isAgain {
		oldest = 1 // second; some providers take 0 as nothing
	}
	address = c.oauth.AuthCodeURL(a.State, oidc.Nonce(a.Nonce), oauth2.S256ChallengeOption(a.Verifier), oauth2.SetAuthURLParam("max_age", strconv.Itoa(oldest)))
	return address, a, nil
}

// Finish returns who the provider says somebody is, given the parameters with which it led the browser
// back. The error is [ErrAnswer], [ErrRefused], or [stat.Unavailable] if the provider cannot be
// reached.
func (p *Provider) Finish(ctx context.Context, a *Attempt, answer url.Values) (Identity, error) {
	switch {
	case subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(a.State)) != 1:
		return Identity{}, fmt.Errorf("%w: the state belongs to another attempt", ErrAnswer)
	case answer.Get("error") != "":
		return Identity{}, fmt.Errorf("%w: %q: %q", ErrRefused, answer.Get("error"), answer.Get("error_description"))
	case answer.Has("iss") && answer.Get("iss") != p.opts.Issuer:
		return Identity{}, fmt.Errorf("%w: it is an answer of %q", ErrAnswer, answer.Get("iss"))
	}
	c, err := p.connect(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := c.oauth.Exchange(ctx, answer.Get("code"), oauth2.VerifierOption(a.Verifier))
	if _, isAnswer := errors.AsType[*oauth2.RetrieveError](err); err != nil && !isAnswer {
		return Identity{}, unavailable(err)
	}
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := c.verifier.Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	return p.identity(ctx, a, verified, c.userInfo(token))
}

// userInfo returns what the provider says of a person beside the ID token.
func (c *connection) userInfo(token *oauth2.Token) func(context.Context) (*oidc.UserInfo, error) {
	return func(ctx context.Context) (*oidc.UserInfo, error) {
		if c.UserInfoEndpoint() == "" {
			return &oidc.UserInfo{}, nil
		}
		return c.UserInfo(ctx, oauth2.StaticTokenSource(token))
	}
}

// claims are what is read of an ID token.
type claims struct {
	Party    string `json:"azp"`
	Mail     string `json:"email"`
	Verified any    `json:"email_verified"` // some providers write it as a text
	Name     string `json:"name"`
	User     string `json:"preferred_username"`
	SignedIn int64  `json:"auth_time"`
}

// identity checks what an ID token says beyond its signature, issuer, audience and time.
func (p *Provider) identity(ctx context.Context, a *Attempt, token *oidc.IDToken, userInfo func(context.Context) (*oidc.UserInfo, error)) (Identity, error) {
	var c claims
	if err := token.Claims(&c); err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrAnswer, err)
	}
	i := Identity{Issuer: p.opts.Issuer, Subject: token.Subject, Mail: c.Mail, Name: cmp.Or(c.Name, c.User)}
	if c.SignedIn != 0 {
		i.SignedIn = time.Unix(c.SignedIn, 0).UTC()
	}
	oldest := p.opts.Now().Add(-p.opts.Life - clockSkew)
	if a.IsAgain {
		oldest = a.Began.Add(-clockSkew)
	}
	switch {
	case subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(a.Nonce)) != 1:
		return Identity{}, fmt.Errorf("%w: the nonce belongs to another attempt", ErrAnswer)
	case token.Subject == "":
		return Identity{}, fmt.Errorf("%w: it names nobody", ErrAnswer)
	case len(token.Audience) > 1 && c.Party != p.opts.ClientID:
		return Identity{}, fmt.Errorf("%w: it was made for %q", ErrAnswer, c.Party)
	case !i.SignedIn.IsZero() && i.SignedIn.Before(oldest):
		return Identity{}, fmt.Errorf("%w: the sign-in of %s is too old", ErrAnswer, i.SignedIn.Format(time.RFC3339))
	}
	isVerified := c.Verified == true || c.Verified == "true"
	if c.Mail == "" {
		more, err := userInfo(ctx)
		if err != nil {
			return Identity{}, unavailable(err)
		}
		if more.Subject != "" && more.Subject != token.Subject {
			return Identity{}, fmt.Errorf("%w: the information is about somebody else", ErrAnswer)
		}
		i.Mail, isVerified = more.Email, more.EmailVerified
	}
	if !isVerified {
		i.Mail = ""
	}
	i.Mail = strings.TrimSpace(i.Mail)
	return i, nil
}
