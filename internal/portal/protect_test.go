package portal_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"almanac/internal/access"
	"almanac/internal/people"
	"almanac/internal/portal"
)

// Every response says what browsers may do with it, those of the interface, of files and of errors,
// too. A public service says over HTTPS that there is no other way to it.
func TestSecurityHeaders(t *testing.T) {
	proxies := access.Proxies{Trusted: access.Networks{}}
	if err := proxies.Trusted.UnmarshalText([]byte("127.0.0.1")); err != nil {
		t.Fatal(err)
	}
	o := openOffice(t, func(p *portal.Options) { p.Public, p.Proxies = true, proxies })
	for _, path := range []string{"/", "/search?q=gdp", "/signin", "/account", "/nowhere", "/static/mark.svg", "/static/none", "/api/datasets", "/api/nowhere", "/openapi.json", "/healthz", "/catalog.ttl", "/set?theme=dark"} {
		for _, scheme := range []string{"http", "https"} {
			h := ask(t, "GET", o.base+path, "X-Forwarded-Proto: "+scheme).Header
			policy := h.Get("Content-Security-Policy")
			if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "base-uri 'none'") || !strings.Contains(policy, "frame-ancestors 'none'") {
				t.Errorf("%s: policy %q", path, policy)
			}
			want := "strict-origin-when-cross-origin"
			if isOfPerson := path == "/signin" || path == "/account"; isOfPerson && scheme == "https" {
				if got := h.Get("Cache-Control"); got != "no-store" {
					t.Errorf("%s: Cache-Control %q", path, got)
				}
				if path == "/signin" {
					want = "no-referrer"
				}
			}
			if got := h.Get("Referrer-Policy"); got != want && scheme == "https" {
				t.Errorf("%s: Referrer-Policy %q, want %q", path, got, want)
			}
			if got := h.Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("%s: X-Content-Type-Options %q", path, got)
			}
			if got := h.Get("Strict-Transport-Security"); got != map[string]string{"https": "max-age=31536000; includeSubDomains"}[scheme] {
				t.Errorf("%s over %s: Strict-Transport-Security %q", path, scheme, got)
			}
			if got := h.Get("Access-Control-Allow-Origin"); got != "" && !strings.HasPrefix(path, "/api/") && path != "/openapi.json" && path != "/healthz" {
				t.Errorf("%s may be read by pages of others", path)
			}
		}
	}
	for _, c := range ask(t, "GET", o.base+"/set?theme=dark&lang=de", "X-Forwarded-Proto: https").Cookies() {
		if !strings.HasPrefix(c.Name, "__Host-") || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode {
			t.Errorf("cookie %+v", c)
		}
	}
	page := parse(t, ask(t, "GET", o.base+"/", "X-Forwarded-Proto: https", "Cookie: __Host-theme=dark; __Host-lang=de").body)
	if len(elements(page, "html", "data-theme=dark", "lang=de")) != 1 {
		t.Error("the preferences are not read back")
	}
}

// lines is a log that a test reads.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Who signs in, who fails to, and who changes how they sign in is logged, without a secret.
func TestSignInsAreLogged(t *testing.T) {
	log := &lines{}
	o := openOffice(t, func(p *portal.Options) { p.Log = slog.New(slog.NewTextHandler(log, nil)) })
	invitation := o.invite(t, "ann@example.org", "Example Times", people.Owner)
	r := o.newReader(t)
	r.post(invitation, "name", "Ann", "password", somePassword).want(200, "/account")
	r.open("/admin").want(404, "/admin")
	r.setFactor(o)
	other := o.newReader(t)
	other.post("/signin", "mail", "ann@example.org", "password", "wrong password\nlevel=ERROR").want(400, "/signin")
	other.post("/signin", "mail", "ann@example.org", "password", somePassword).want(200, "/signin/code")
	other.post("/signin/code", "code", "000000").want(400, "/signin/code")
	for _, want := range []string{
		`msg="somebody signed in" person=`, `stage=signed-in page="POST /join/{token}"`, `msg="the page of the operator was refused" person=`,
		`msg="somebody sent a form that needs a fresh check" person=`, `page="POST /account/factor"`,
		`msg="a sign-in failed" page="POST /signin" network=127.0.0.1/32 error=`, `stage=password page="POST /signin"`, `page="POST /signin/code" network=127.0.0.1/32`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s:\n%s", want, log)
		}
	}
	for _, secret := range []string{somePassword, "wrong password", "alm_", r.factor, "\nlevel=ERROR"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
}
