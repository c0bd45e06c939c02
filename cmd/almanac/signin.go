package main

import (
	"fmt"
	"net/url"
	"os"
	"strings"

	"almanac/internal/people"
	"almanac/internal/people/provider"
	"almanac/internal/portal"
)

// signInFlags are the flags of another service at which people sign in.
type signInFlags struct {
	RequireFactor bool `help:"Make people who sign in set up a second factor."`

	OIDCIssuer  string        `name:"oidc-issuer" placeholder:"URL" help:"Let people sign in with this provider of OpenID Connect, such as https://login.example.org/realms/staff; default: none. See docs/operations.md."`
	OIDCClient  string        `name:"oidc-client" placeholder:"ID" help:"Client ID of this service at the provider."`
	OIDCSecret  string        `name:"oidc-secret" placeholder:"FILE" help:"File with the secret of the client, which only you can read."`
	OIDCName    string        `name:"oidc-name" placeholder:"NAME" help:"Name of the provider on the pages; default: its host."`
	OIDCDomains organisations `name:"oidc-domains" placeholder:"DOMAIN=NAME,…" help:"Organisations that people join who sign in with the provider for the first time, by the domain of their mail address, such as example.org=Example Times; default: only who is invited joins. May be repeated."`
}

// organisations are names of organisations by domain, in one or several flags.
type organisations map[string]string

// UnmarshalText adds the organisations of one more flag.
func (o *organisations) UnmarshalText(text []byte) error {
	if *o == nil {
		*o = organisations{}
	}
	for part := range strings.SplitSeq(string(text), ",") {
		domain, name, _ := strings.Cut(part, "=")
		domain, name = strings.ToLower(strings.TrimSpace(domain)), strings.TrimSpace(name)
		if domain == "" || name == "" || strings.ContainsAny(domain, "@ ") {
			return fmt.Errorf("invalid organisation %q; use a domain and a name such as example.org=Example Times, separated by commas", part)
		}
		if _, isNamed := (*o)[domain]; isNamed {
			return fmt.Errorf("the domain %s has two organisations; name it once", domain)
		}
		(*o)[domain] = name
	}
	return nil
}

// service returns the service at which people sign in, and leads browsers back to base.
func (f *signInFlags) service(base string) (s portal.SignInService, err error) {
	if f.OIDCIssuer == "" {
		if f.OIDCClient != "" || f.OIDCSecret != "" || f.OIDCName != "" || f.OIDCDomains != nil {
			return s, usageError{fmt.Errorf("missing --oidc-issuer with the address of the provider")}
		}
		return s, nil
	}
	secret, err := readSecret(f.OIDCSecret)
	if err != nil {
		return s, err
	}
	s.Provider, err = provider.New(provider.Options{
		Issuer: f.OIDCIssuer, ClientID: f.OIDCClient, Secret: secret, Return: strings.TrimSuffix(base, "/") + portal.ReturnPath, Life: people.SessionLife,
	})
	if err != nil {
		return s, fmt.Errorf("the provider of --oidc-issuer: %w", err)
	}
	s.Name, s.Organisations = f.OIDCName, f.OIDCDomains
	if s.Name == "" {
		issuer, err := url.Parse(f.OIDCIssuer)
		if err != nil {
			return s, err
		}
		s.Name = issuer.Host
	}
	return s, nil
}

// readSecret reads a secret from a file that other users cannot read.
func readSecret(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("the secret of --oidc-secret: %w", err)
	}
	if isOpenToOthers(info) {
		return "", fmt.Errorf("other users can read or change the secret in %s; to fix it: chmod 600 %s", path, shellWord(path))
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("the secret of --oidc-secret: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
