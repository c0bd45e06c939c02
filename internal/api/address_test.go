package api_test

import (
	"strings"
	"testing"

	"almanac/internal/access"
	"almanac/internal/api"
)

// docs/api.md, Keys and limits: an anonymous caller is an IPv4 address or an IPv6 /64: the
// connection's peer, unless it is a trusted proxy; then the right-most untrusted
// address of the configured header. Each caller has one request a day; same means that
// both requests have the same caller.
func TestAnonymousCallersAreAddresses(t *testing.T) {
	var trusted access.Networks
	if err := trusted.UnmarshalText([]byte("10.0.0.0/8,fd00::/8")); err != nil {
		t.Fatal(err)
	}
	s := sampleStore(t)
	for _, header := range []string{"", "CF-Connecting-IP", "Forwarded"} {
		proxies := access.Proxies{Trusted: trusted, Header: header}
		for _, c := range []struct {
			name, header              string // header: the configured one; * for all
			first, then               string // peers
			firstHeaders, thenHeaders string
			same                      bool
		}{
			{"one address", "*", "192.0.2.7:1", "192.0.2.7:2", "", "", true},
			{"another address", "*", "192.0.2.7:1", "192.0.2.8:1", "", "", false},
			{"one IPv6 /64", "*", "[2001:db8:1:2::1]:1", "[2001:db8:1:2:ffff::9]:1", "", "", true},
			{"another IPv6 /64", "*", "[2001:db8:1:2::1]:1", "[2001:db8:1:3::1]:1", "", "", false},
			{"IPv4 in IPv6 form", "*", "192.0.2.7:1", "[::ffff:192.0.2.7]:1", "", "", true},
			{"forged by an untrusted peer", "*", "192.0.2.7:1", "192.0.2.7:1", "", "X-Forwarded-For: 198.51.100.1\nCF-Connecting-IP: 198.51.100.1\nForwarded: for=198.51.100.1\nX-Real-IP: 198.51.100.1", true},
			{"an address reported by a proxy", "", "192.0.2.7:1", "10.0.0.1:1", "", "X-Forwarded-For: 192.0.2.7", true},
			{"the right-most untrusted address", "", "192.0.2.7:1", "10.0.0.1:1", "", "X-Forwarded-For: 198.51.100.1, 192.0.2.7, 10.3.3.3", true},
			{"a header in several lines", "", "192.0.2.7:1", "[fd00::1]:1", "", "X-Forwarded-For: 198.51.100.1\nX-Forwarded-For: 192.0.2.7", true},
			{"two clients behind one proxy", "", "10.0.0.1:1", "10.0.0.1:1", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-For: 192.0.2.8", false},
			{"a header that is not configured", "", "10.0.0.1:1", "10.0.0.1:1", "CF-Connecting-IP: 192.0.2.7", "CF-Connecting-IP: 192.0.2.8", true},
			{"an unreadable address: the caller is the proxy", "", "10.0.0.1:1", "10.0.0.1:1", "", "X-Forwarded-For: somebody", true},
			{"the configured header", "CF-Connecting-IP", "192.0.2.7:1", "10.0.0.1:1", "", "cf-connecting-ip: 192.0.2.7", true},
			{"the usual header, which is not configured", "CF-Connecting-IP", "10.0.0.1:1", "10.0.0.1:1", "X-Forwarded-For: 192.0.2.7", "X-Forwarded-For: 192.0.2.8", true},
			{"the configured standard header", "Forwarded", "192.0.2.7:1", "10.0.0.1:1", "", `Forwarded: for=198.51.100.1, for="192.0.2.7:4711";proto=https`, true},
		} {
			if c.header != "*" && c.header != header {
				continue
			}
			a := newAPI(t, api.Options{Store: s, Access: newAccess(t, access.Limits{Anonymous: 1}, nil), Proxies: proxies})
			lines := func(text string) []string { return strings.Split(strings.TrimSpace("X-None: x\n"+text), "\n") }
			if got := sendFrom(a, c.first, "/api/datasets", lines(c.firstHeaders)...); got.StatusCode != 200 {
				t.Errorf("%s: first request: %d %s", c.name, got.StatusCode, got.body)
			}
			want := map[bool]int{true: 429, false: 200}[c.same]
			if got := sendFrom(a, c.then, "/api/datasets", lines(c.thenHeaders)...); got.StatusCode != want {
				t.Errorf("%s (%s): %d %s, want %d", c.name, header, got.StatusCode, got.body, want)
			}
		}
	}
}

// A connection without an address, such as that of a Unix socket, is one caller.
func TestPeerWithoutAddress(t *testing.T) {
	a := newAPI(t, api.Options{Store: sampleStore(t), Access: newAccess(t, access.Limits{Anonymous: 1}, nil)})
	for i, want := range []int{200, 429} {
		if got := sendFrom(a, "@", "/api/datasets", "X-Forwarded-For: 192.0.2.7"); got.StatusCode != want {
			t.Errorf("request %d: %d, want %d", i, got.StatusCode, want)
		}
	}
}
