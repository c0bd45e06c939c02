package portal_test

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"almanac/internal/access"
	"almanac/internal/api"
	"almanac/internal/portal"
)

// serveOne serves a store to callers who have one request a day without a key.
func serveOne(t *testing.T, change func(*portal.Options)) string {
	t.Helper()
	return serve(t, twoVersions(t), func(a *api.Options, p *portal.Options) {
		now := func() time.Time { return published }
		callers, err := access.Open(context.Background(), access.Options{Dir: t.TempDir(), Limits: access.Limits{Anonymous: 1, Essential: 100, Pro: 5000}, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { callers.Close() })
		a.Access = callers
		if change != nil {
			change(p)
		}
	})
}

// The views of the readers of a page with a chart count against no limit: neither its frame, also one that is loaded again for a small
// screen, nor a picture.
func TestEmbedsAreFree(t *testing.T) {
	base := serveOne(t, nil)
	const chart = "/api/datasets/1/chart.svg?country=LU"
	for range 3 {
		for _, headers := range [][]string{{"Sec-Fetch-Dest: iframe", "Sec-Fetch-Site: cross-site"}, nil} {
			if got := ask(t, "GET", base+chart+"&embed=html&width=360", headers...); got.StatusCode != 200 || strings.Contains(got.Header.Get("Content-Security-Policy"), "frame-ancestors") {
				t.Fatalf("the frame: %d %.300s", got.StatusCode, got.body)
			}
		}
		if got := ask(t, "GET", base+chart, "Sec-Fetch-Dest: image", "Accept: image/*"); got.StatusCode != 200 {
			t.Fatalf("the picture: %d %.300s", got.StatusCode, got.body)
		}
	}
	if got := ask(t, "GET", base+chart, "Accept: */*"); got.StatusCode != 200 {
		t.Errorf("the request of the day: %d", got.StatusCode)
	}
	if got := ask(t, "GET", base+chart, "Accept: */*"); got.StatusCode != 429 {
		t.Errorf("one more: %d", got.StatusCode)
	}
	if text := textOf(withID(t, openPage(t, base+ask(t, "GET", base+"/datasets/1?use=embed").Header.Get("Location")), "use")); !strings.Contains(text, "your readers count against no limit") || strings.Contains(text, "request a day") {
		t.Errorf("section 4 says %s", text)
	}
}

// What is wrong is told in the frame, on whichever page it is, in the language of the address.
func TestErrorsInFrames(t *testing.T) {
	base := serveOne(t, nil)
	for address, want := range map[string]struct {
		status int
		text   string
	}{
		"/api/datasets/99/chart.svg?embed=html":                    {404, "There is no dataset 99"},
		"/api/datasets/1/chart.svg?embed=html&version=9.9":         {404, "The chart of this page cannot be shown"},
		"/api/datasets/1/chart.svg?embed=html&version=9.9&lang=de": {404, "Das Diagramm dieser Seite"},
		"/api/datasets/1/chart.svg?embed=html&colour=red":          {400, "Unknown parameter"},
		"/charts/0123456789abcdef0123456789abcdef.html":            {404, "The chart of this page cannot be shown"},
	} {
		checkFrame(t, base+address, want.status, want.text)
	}
	if got := ask(t, "GET", base+"/api/datasets/99/chart.svg?embed=html", "Accept: */*"); got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("a program gets %s", got.Header.Get("Content-Type"))
	}
}

// Frames are bounded by rate as pages are.
func TestFramesAreBounded(t *testing.T) {
	base := serveOne(t, func(p *portal.Options) {
		p.Network = func(*http.Request) netip.Prefix { return netip.MustParsePrefix("192.0.2.1/32") }
	})
	const address = "/api/datasets/1/chart.svg?embed=html"
	for range 80 {
		if got := ask(t, "HEAD", base+address); got.StatusCode != 200 {
			t.Fatalf("%d", got.StatusCode)
		}
	}
	checkFrame(t, base+address, 429, "Too many pages at once")
}

func checkFrame(t *testing.T, address string, status int, want string) {
	t.Helper()
	got := ask(t, "GET", address, "Sec-Fetch-Dest: iframe")
	policy, text := got.Header.Get("Content-Security-Policy"), textOf(parse(t, got.body))
	if got.StatusCode != status || !strings.Contains(text, want) || strings.Contains(policy, "frame-ancestors") || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("%s: %d, policy %q: %s", address, got.StatusCode, policy, text)
	}
}
