package main

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"almanac/internal/people/provider/providertest"
)

// The server leads people to the provider of its flags, which leads them back to the public address.
// Flags that do not fit together, and a secret that others can read, are refused.
func TestSignInFlags(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret, open := filepath.Join(dir, "secret"), filepath.Join(dir, "open")
	for name, mode := range map[string]os.FileMode{secret: 0o600, open: 0o644} {
		if err := os.WriteFile(name, []byte(providertest.Secret+"\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	server := providertest.New(t, time.Now)
	s := startProgram(t, dir, "--base-url", "https://stats.example.org", "--oidc-issuer", server.Address, "--oidc-client", providertest.ClientID, "--oidc-secret", secret, "--oidc-domains", "example.org=Example Times")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Get(s.url + "/signin/provider")
	if err != nil {
		t.Fatal(err)
	}
	got.Body.Close()
	to, err := got.Location()
	if err != nil || !strings.HasPrefix(to.String(), server.Address+"/authorize?") || to.Query().Get("redirect_uri") != "https://stats.example.org/signin/provider/return" {
		t.Errorf("%d to %v, %v", got.StatusCode, to, err)
	}
	page, err := http.Get(s.url + "/signin")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	text, _ := io.ReadAll(page.Body)
	issuer, _ := url.Parse(server.Address)
	if !strings.Contains(string(text), "Sign in with "+issuer.Host) {
		t.Errorf("the page has no button: %.500s", text)
	}
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--oidc-client", "x"}, "missing --oidc-issuer"},
		{[]string{"--oidc-issuer", "http://login.example.org", "--oidc-client", "x", "--oidc-secret", secret}, "must be an https address"},
		{[]string{"--oidc-issuer", "https://login.example.org", "--oidc-client", "x"}, "the secret for https://login.example.org is missing"},
		{[]string{"--oidc-issuer", "https://login.example.org", "--oidc-client", "x", "--oidc-secret", open}, "chmod 600"},
		{[]string{"--oidc-issuer", "https://login.example.org", "--oidc-client", "x", "--oidc-secret", secret + "s"}, "no such file"},
		{[]string{"--oidc-domains", "Example Times"}, "use a domain and a name such as"},
		{[]string{"--oidc-domains", "a.org=A,A.ORG=B"}, "has two organisations"},
	} {
		_, stderr, code := commandLine(t, append([]string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, c.flags...)...)
		if code == exitDone || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: %d %s, want %q", c.flags, code, stderr, c.want)
		}
	}
}
