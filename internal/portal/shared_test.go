package portal_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"almanac/internal/api"
	"almanac/internal/portal"
)

// TestAddressesOfPages reads addresses with capitals and with a slash at the end: they lead to the
// page.
func TestAddressesOfPages(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for address, want := range map[string]string{
		"/search/":                        "/search",
		"/Search?q=GDP":                   "/search?q=GDP",
		"/datasets/1":                     "/datasets/1/une_rt_a",
		"/datasets/1/":                    "/datasets/1",
		"/datasets/1/UNE_RT_A?country=GR": "/datasets/1/une_rt_a?country=GR",
		"/datasets/1/wrong":               "/datasets/1/une_rt_a",
		"/DATASETS/1/une_rt_a/":           "/datasets/1/une_rt_a",
		"/datasets/eurostat:une_rt_a":     "/datasets/1/une_rt_a",
	} {
		got := ask(t, "GET", base+address)
		if to := got.Header.Get("Location"); got.StatusCode != http.StatusMovedPermanently || to != want {
			t.Errorf("%s: %d to %q, want 301 to %q", address, got.StatusCode, to, want)
		}
	}
	for _, address := range []string{"/api/Datasets", "/API/datasets", "/nowhere/", "//nowhere/", "/%2F/example.org"} {
		if got := ask(t, "GET", base+address); got.StatusCode == http.StatusOK || strings.Contains(got.Header.Get("Location"), "example.org") {
			t.Errorf("%s: %d to %q, want an error", address, got.StatusCode, got.Header.Get("Location"))
		}
	}
}

// TestHeaders reads what all pages say of themselves: HEAD says the same as GET, a page that the
// reader has is 304, and pages are compressed.
func TestHeaders(t *testing.T) {
	base := serve(t, realStore(t), nil)
	for _, path := range []string{"/", "/search?q=gdp", "/datasets/1/une_rt_a"} {
		got, head := ask(t, "GET", base+path), ask(t, "HEAD", base+path)
		for name, want := range map[string]string{
			"Content-Type": "text/html; charset=utf-8", "Content-Language": "en", "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
		} {
			if value := got.Header.Get(name); value != want {
				t.Errorf("%s: %s is %q, want %q", path, name, value, want)
			}
		}
		for _, name := range []string{"Content-Type", "Content-Security-Policy", "ETag", "Vary", "Cache-Control"} {
			if got.Header.Get(name) == "" || strings.Join(got.Header[name], ", ") != strings.Join(head.Header[name], ", ") {
				t.Errorf("%s: %s is %q for GET and %q for HEAD", path, name, got.Header[name], head.Header[name])
			}
		}
		if vary := strings.Join(got.Header["Vary"], ", "); !strings.Contains(vary, "Cookie") || !strings.Contains(vary, "Accept-Language") || !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("%s varies by %s", path, vary)
		}
		if head.body != "" || head.StatusCode != http.StatusOK {
			t.Errorf("%s: HEAD is answered %d with %d bytes", path, head.StatusCode, len(head.body))
		}
		tag := got.Header.Get("ETag")
		for _, known := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			if again := ask(t, "GET", base+path, "If-None-Match: "+known, "Accept-Encoding: gzip"); again.StatusCode != http.StatusNotModified || again.body != "" {
				t.Errorf("%s with If-None-Match %s: %d with %d bytes, want 304", path, known, again.StatusCode, len(again.body))
			}
		}
		for _, other := range []string{`"other"`, ""} {
			if again := ask(t, "GET", base+path, "If-None-Match: "+other); again.StatusCode != http.StatusOK {
				t.Errorf("%s with If-None-Match %q: %d", path, other, again.StatusCode)
			}
		}
		checkCoding(t, base+path, got.body)
	}
}

// checkCoding compares the compressed page with the plain one.
func checkCoding(t *testing.T, address, want string) {
	t.Helper()
	for accepted, coding := range map[string]string{"gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "br": "", "gzip;q=0": ""} {
		got := ask(t, "GET", address, "Accept-Encoding: "+accepted)
		var from io.Reader = strings.NewReader(got.body)
		var err error
		switch coding {
		case "gzip":
			from, err = gzip.NewReader(from)
		case "zstd":
			from, err = zstd.NewReader(from)
		}
		if err != nil {
			t.Errorf("%s as %s: %v", address, accepted, err)
			continue
		}
		body, err := io.ReadAll(from)
		if got.Header.Get("Content-Encoding") != coding || err != nil || string(body) != want {
			t.Errorf("%s with Accept-Encoding %s: coding %q (%v), %d bytes; want %q, %d bytes", address, accepted, got.Header.Get("Content-Encoding"), err, len(body), coding, len(want))
		}
	}
}

// TestRateOfPages opens pages faster than one network may. Others, and the interface, are not
// concerned.
func TestRateOfPages(t *testing.T) {
	now := published
	network := netip.MustParsePrefix("192.0.2.1/32")
	base := serve(t, sampleStore(t), func(_ *api.Options, o *portal.Options) {
		o.Now = func() time.Time { return now }
		o.Network = func(*http.Request) netip.Prefix { return network }
	})
	read := 0
	var refused answer
	for range 1000 {
		if refused = ask(t, "GET", base+"/set?to=/search"); refused.StatusCode != http.StatusSeeOther {
			break
		}
		read++
	}
	if read < 50 || read > 200 || refused.StatusCode != http.StatusTooManyRequests || refused.Header.Get("Retry-After") != "1" {
		t.Fatalf("%d pages were read, then %d, Retry-After %q", read, refused.StatusCode, refused.Header.Get("Retry-After"))
	}
	root := parse(t, ask(t, "GET", base+"/search?q=gdp").body)
	if text := heading(t, root); text != "Too many pages at once" || len(elements(root, "a", "href=/search?q=gdp")) != 1 {
		t.Errorf("the page says %q and has no way back to the address: %s", text, textOf(root))
	}
	if got := ask(t, "GET", base+"/api/datasets"); got.StatusCode != http.StatusOK {
		t.Errorf("the interface answers %d", got.StatusCode)
	}
	for address, to := range addressesOfPage(t, base) {
		if strings.HasPrefix(address, base+"/static/") && to != http.StatusOK {
			t.Errorf("%s: %d", address, to)
		}
	}
	network = netip.MustParsePrefix("192.0.2.2/32")
	if got := ask(t, "GET", base+"/"); got.StatusCode != http.StatusOK {
		t.Errorf("another network: %d", got.StatusCode)
	}
	network, now = netip.MustParsePrefix("192.0.2.1/32"), now.Add(time.Second)
	if got := ask(t, "GET", base+"/"); got.StatusCode != http.StatusOK {
		t.Errorf("a second later: %d", got.StatusCode)
	}
}

// addressesOfPage returns the status of each address that the first page names.
func addressesOfPage(t *testing.T, base string) map[string]int {
	status := map[string]int{}
	for _, address := range addresses(t, base+"/", parse(t, ask(t, "GET", base+"/").body)) {
		status[address] = ask(t, "HEAD", address).StatusCode
	}
	return status
}

// TestPreferences chooses a theme and a language, and comes back to the page. Nothing leads to
// another host.
func TestPreferences(t *testing.T) {
	base := serve(t, sampleStore(t), nil)
	got := ask(t, "GET", base+"/set?theme=dark&to=/search%3Fq%3Dgdp")
	cookies := got.Cookies()
	if got.StatusCode != http.StatusSeeOther || got.Header.Get("Location") != "/search?q=gdp" || len(cookies) != 1 || cookies[0].Value != "dark" || !cookies[0].HttpOnly {
		t.Fatalf("%d to %q with %v", got.StatusCode, got.Header.Get("Location"), cookies)
	}
	page := openPage(t, base+"/", "Cookie: theme=dark")
	if len(elements(page, "html", "data-theme=dark", "lang=en")) != 1 {
		t.Error("the page is not dark")
	}
	for _, to := range []string{"//example.org", "https://example.org/", `/\example.org`, "///example.org", "javascript:alert(1)", "", "%zz", "/%5cexample.org"} {
		if got := ask(t, "GET", base+"/set?theme=light&to="+to); got.Header.Get("Location") != "/" {
			t.Errorf("to %s: %q", to, got.Header.Get("Location"))
		}
	}
	if got := ask(t, "GET", base+"/set?theme=pink&lang=xx"); len(got.Cookies()) != 0 {
		t.Errorf("unknown preferences are kept: %v", got.Cookies())
	}
}
